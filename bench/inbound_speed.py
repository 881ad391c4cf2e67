"""Inbound events a second: each is heard once, judged at the gate, routed to its agent and session, and on the disk before it counts.

With `--monitor` twice, without and with the laws of the models looked at in every operation, and in a tenth of them: by what factor that slows it
down, in time and in processor time.

Printed with it, from the same run: rows a second that SQLite itself keeps in groups of the same size, and their ratio; the figure of
the gateway contains four such rows for each event, the gate, routing, and the tools that its session has.

    .venv/bin/python bench/inbound_speed.py [EVENTS] [--monitor]
"""

import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from remit.gateway.inbound.events import Direct, Event, EventResult, Gate, What
from remit.gateway.inbound.intake import hear
from remit.gateway.inbound.monitor import Monitor
from remit.gateway.inbound.pairing import Approve, Ask, Rules, apply
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.settings.values import Agent, ChannelSettings, Platform, Settings
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES
from remit.gateway.inbound.tool_policy import Caller, Layer, Policy, allowed, names

PEERS, GROUP = 50, 256
POLICY = Policy(
    names().all, {"global": Layer(deny=("group:run",)), "agent": Layer(allow=("group:memory", "group:web"))}
)
SETTINGS = Settings(
    channels={"chat": ChannelSettings(Platform.WEBHOOK, "*", Gate(Direct.PAIRED), Rules(most=PEERS))},
    agents={"main": Agent(POLICY)},
)


def event(number):
    place = ChatAddress("chat", "us", ConversationKind.DIRECT, f"peer{number % PEERS}")
    return Event(place, What.SAID, "what is the time? " * 4, f"m{number}", f"e{number}", f"t{number}", f"d{number}")


def through_the_gateway(folder, count, monitor=None):
    store = Store(sqlite_link(folder / "gateway.db"), TABLES, monitor)
    for number in range(PEERS):
        store.run(apply(SETTINGS.channels["chat"].pairing, "chat", Ask(f"peer{number}", f"c{number}"), number * 1000))
        store.run(apply(SETTINGS.channels["chat"].pairing, "chat", Approve(f"c{number}"), number * 1000))
    now, begin, cpu = 10**6, time.perf_counter(), time.process_time()
    waiting = []
    for number in range(count):
        waiting.append(store.submit(hear(SETTINGS, event(number), "CODE", now)))
        allowed(names(), POLICY, Caller())
        if len(waiting) >= 4 * GROUP:  # so many platforms wait for their acknowledgement at a time
            assert all(one.result().heard is EventResult.HEARD for one in waiting[:GROUP])
            del waiting[:GROUP]
    assert all(one.result().heard is EventResult.HEARD for one in waiting)
    seconds, used = time.perf_counter() - begin, time.process_time() - cpu
    again = store.run(hear(SETTINGS, event(0), "CODE", now))
    assert again.reason == "SEEN"
    store.close()
    return seconds, used


def rows_alone(folder, count):
    link = sqlite3.connect(folder / "rows.db", isolation_level=None)
    link.execute("PRAGMA journal_mode = WAL")
    link.execute("PRAGMA synchronous = FULL")
    link.execute("CREATE TABLE kept (tab TEXT, key BLOB, value TEXT, PRIMARY KEY (tab, key)) WITHOUT ROWID")
    begin = time.perf_counter()
    for start in range(0, count, GROUP):
        link.execute("BEGIN IMMEDIATE")
        for number in range(start, min(start + GROUP, count)):
            link.execute("INSERT INTO kept VALUES (?, ?, ?)", ("t", f"key{number}".encode(), "x" * 200))
        link.execute("COMMIT")
    return time.perf_counter() - begin


def watched(count):
    """The same events with and without a monitor, one after the other, the best of three of each: others use this machine too."""
    alarms = []

    def once(rate):
        monitor = Monitor(alarms.append, rate, lambda: 0.0) if rate else None
        if monitor:
            monitor.use(SETTINGS)
        with tempfile.TemporaryDirectory() as place:
            return through_the_gateway(Path(place), count, monitor)

    found = {rate: [] for rate in (0, 1.0, 0.1)}
    for _ in range(3):
        for rate, runs in found.items():
            runs.append(once(rate))
    plain = [min(one[place] for one in found[0]) for place in range(2)]
    for rate in (1.0, 0.1):
        seconds, used = (min(one[place] for one in found[rate]) for place in range(2))
        print(
            f"monitor, share {rate:<4}      {seconds / plain[0]:.2f} times as long, {used / plain[1]:.2f} times the processor time"
        )
    print(f"alarms                   {len(alarms)}")
    return bool(alarms)


def main():
    args = [one for one in sys.argv[1:] if one != "--monitor"]
    count = int(args[0]) if args else 20_000
    if "--monitor" in sys.argv:
        sys.exit(watched(count))
    with tempfile.TemporaryDirectory() as place:
        seconds, used = through_the_gateway(Path(place), count)
        rows = rows_alone(Path(place), count)
    print(f"events a second          {count / seconds:8,.0f}   ({used / count * 1e6:.0f} us of processor time each)")
    print(f"rows of SQLite a second  {count / rows:8,.0f}   (one event takes as long as {seconds / rows:.1f} rows)")


if __name__ == "__main__":
    main()
