"""The laws while the gateway runs: a day without a word, and a word for each fault that is planted."""

import asyncio
import threading

import pytest
from lived import POLICY, SETTINGS, event, live
from one_at_a_time import one_sending

from remit.audit.log import Log
from remit.core.errors import AuditError
from remit.gateway.inbound import delivery, intake, laws
from remit.gateway.inbound.agent.turn import TurnOrigin
from remit.gateway.inbound.channels.interface import Sending, SendResult
from remit.gateway.inbound.delivery import Piece, PiecePhase, Route
from remit.gateway.inbound.events import Direct, Gate
from remit.gateway.inbound.intake import hear
from remit.gateway.inbound.monitor import Monitor, StopError
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.routing import Identity
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.stores.operations import Change, Observed
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES
from remit.gateway.inbound.tool_policy import names
from remit.gateway.inbound.turns import Turn
from remit.models.explore.interleave import without_writing
from remit.models.explore.model import Patch, spoiled
from remit.models.explore.registry import models

NOW = 1_000_000
ABOUT = TurnOrigin("turn", "session", "main", Identity("chat", "ann"), shared=False, tainted=True)


class Watched:
    """A monitor, and what it said."""

    def __init__(self, rate=1.0, **more):
        self.told = []
        self.monitor = Monitor(self.told.append, rate, lambda: NOW, **more)
        self.monitor.use(SETTINGS)

    @property
    def laws(self):
        return {one.law.id for one in self.told}


def lived(tmp_path, watched):
    store = Store(sqlite_link(tmp_path / "gateway.db"), TABLES, watched.monitor)

    def run(operation):
        try:
            return store.run(operation)
        except (AttributeError, TypeError):  # spoiled code may fail by itself
            return None

    live(run, NOW)
    store.close()
    return watched


def test_a_day_on_every_store_without_an_alarm(links):
    watched = Watched()
    store = Store(links(), TABLES, watched.monitor)
    live(store.run, NOW)
    store.close()
    assert watched.monitor.seen > 60
    # nothing really goes out in this day: that alone is noticed
    assert watched.laws <= {"delivery.sent-is-kept"}


PLANTED = [
    ("pairing", "counts one too few", "pairing.cap"),
    ("pairing", "forgets who waits", "pairing.one-request-each"),
    ("pairing", "adds an entry for each approval", "pairing.one-entry"),
    ("pairing", "lets in who was denied", ""),  # to the store that looks like a yes
    ("hearing", "takes everybody for paired", "hearing.paired-first"),
    ("hearing", "puts all into one session", "hearing.in-its-session"),
    ("hearing", "keeps nothing", "ingress.all-or-nothing"),
    ("hearing", "does not remember what it heard", "ingress.all-or-nothing"),
    ("ingress", "forgets at once", "ingress.once"),
    ("turns", "repeats acting", "turns.acts-once"),
    ("turns", "tries for ever", "turns.ends"),
    ("turns", "keeps no answer", "turns.answered-if-done"),
    ("turns", "tells nobody", "turns.interrupted-is-told"),
    ("turns", "answers somebody else", "turns.its-own-stream"),
    ("delivery", "sends again what may have gone out", "delivery.not-before-its-time"),
    ("delivery", "changes the route with a try", "delivery.stable-route"),
    ("delivery", "counts no tries", "delivery.bounded-tries"),
    ("node-runs", "does not wait for a person", "node-runs.nothing-runs-while-it-waits"),
    ("node-runs", "runs whatever the phase", "node-runs.never-twice"),
    ("node-runs", "asks over what is there", "node-runs.never-replaced"),
    ("node-runs", "does not look at the clock", "node-runs.in-time"),
    ("node-runs", "runs what was denied", "node-runs.a-no-is-final"),
]


@pytest.mark.parametrize(("model", "mutant", "law"), PLANTED)
def test_a_fault_that_a_red_of_a_model_has(tmp_path, model, mutant, law):
    (found,) = models([model])
    (patch,) = (one.patch for one in found.mutants if one.name == mutant)
    with spoiled(patch):
        watched = lived(tmp_path, Watched())
    assert (law in watched.laws) if law else (watched.laws <= {"delivery.sent-is-kept"})


def test_two_who_are_not_linked_in_one_session(tmp_path):
    everybody = SETTINGS._replace(
        channels={"chat": SETTINGS.channels["chat"]._replace(gate=Gate(Direct.ANYONE))}
    )  # fmt: skip
    watched = Watched()
    watched.monitor.use(everybody)
    store = Store(sqlite_link(tmp_path / "gateway.db"), TABLES, watched.monitor)
    one_for_all = Patch(intake, "session_key", lambda _: lambda *_: "main/direct/all")
    store.run(hear(everybody, event("ann", 1), "c", NOW))
    assert watched.laws == set()
    with spoiled(one_for_all):
        for number, peer in enumerate(("ann", "ann", "bob"), 2):
            store.run(hear(everybody, event(peer, number), "c", NOW))
    store.close()
    assert [one.law for one in watched.told].count(laws.ISOLATION) == 1


def test_a_share_of_all(tmp_path):
    every, some = (
        lived(tmp_path / "a", Watched()),
        lived(tmp_path / "b", Watched(0.5, chance=iter([0.1, 0.9] * 500).__next__)),
    )
    assert some.monitor.seen < every.monitor.seen * 0.8
    assert lived(tmp_path / "c", Watched(0.5, chance=lambda: 0.9)).monitor.seen == 0


@pytest.fixture(autouse=True)
def folders(tmp_path):
    for name in "abc":
        (tmp_path / name).mkdir()


def test_tools_that_are_denied():
    watched = Watched()
    may = names().all - names().tools(("group:run",), names().all)
    watched.monitor.shows(SETTINGS, ABOUT, frozenset({"read"}) & may)
    watched.monitor.runs(SETTINGS, ABOUT, min(may - names().tools(("group:memory",), names().all)))
    assert watched.laws == set()
    watched.monitor.shows(SETTINGS, ABOUT, frozenset({"exec"}))
    assert watched.laws == {"pipeline.denied-is-not-shown", "tool-policy.deny-wins"}
    watched.monitor.runs(SETTINGS, ABOUT, "exec")
    assert "pipeline.allowed-at-the-run" in watched.laws
    watched.monitor.shows(SETTINGS._replace(agents={}), ABOUT, frozenset({"read"}))
    assert len(watched.told) == 4
    assert POLICY.layers["global"].deny == ("group:run",)


def test_what_is_not_on_the_disk_before_it_happens():
    watched = Watched()
    request = runs.Request("d", "notes.list", "x", NOW)
    for kept in (None, request._replace(phase=runs.RunPhase.RUNNING)):
        watched.monitor.asks("r", kept)
    watched.monitor.acts(ABOUT, Turn("s", "main", "t", phase="acting"))
    assert watched.laws == set()
    watched.monitor.asks("r", request._replace(phase=runs.RunPhase.READY))
    watched.monitor.acts(ABOUT, Turn("s", "main", "t"))
    assert watched.laws == {"node-runs.running-is-kept-first", "turns.acting-is-kept-first"}


def test_one_piece_is_sent_twice():
    watched = Watched()
    for _ in range(3):
        with watched.monitor.sending("k", "s") as stayed:
            stayed()  # it did not go out
    with watched.monitor.sending("k", "s"):
        pass
    assert watched.laws == set()
    with watched.monitor.sending("k", "s"):
        assert watched.laws == set()
    assert watched.laws == {"delivery.at-most-once"}
    with watched.monitor.sending("j", "s"), watched.monitor.sending("j", "s"):
        assert "delivery.one-worker" in watched.laws


def test_a_monitor_that_can_not_judge_says_so(tmp_path):
    watched = Watched()
    watched.monitor._settings = (None,)
    store = Store(sqlite_link(tmp_path / "gateway.db"), TABLES, watched.monitor)
    assert store.run(hear(SETTINGS, event("olga", 1), "c", NOW)).heard == "heard"
    store.close()
    assert watched.laws == {"monitor"}


@pytest.mark.parametrize("error", [StopError("stop", ""), AuditError("the disk is full", "")])
def test_an_alarm_that_stops_or_can_not_be_written_is_heard_by_who_asked(tmp_path, error):
    def alarm(_):
        raise error

    monitor = Monitor(alarm, clock=lambda: NOW)
    monitor.use(SETTINGS)
    store = Store(sqlite_link(tmp_path / "gateway.db"), TABLES, monitor)
    with spoiled(Patch(intake, "session_key", lambda _: lambda *_: "elsewhere")), pytest.raises(type(error)):
        store.run(hear(SETTINGS, event("olga", 1), "c", NOW))
    assert store.run(hear(SETTINGS, event("olga", 2), "c", NOW)).heard == "heard"
    store.close()


class Platform:
    """A channel on which everything goes out."""

    def __init__(self, *ways):
        self.ways, self.sent = list(ways), []

    async def send(self, piece):
        self.sent.append(piece.body)
        return Sending(self.ways.pop(0) if self.ways else SendResult.SENT)


def sent(tmp_path, patch=None, *ways):
    """What a gateway with two workers says of three pieces that it sends."""
    watched = Watched()
    store = Store(sqlite_link(tmp_path / "gateway.db"), TABLES, watched.monitor)
    platform, clock = Platform(*ways), [float(NOW)]

    async def go():
        with Log.open(tmp_path / "a") as log:
            inbound = Inbound(
                SETTINGS,
                store,
                {"chat": platform},
                None,
                Devices(),
                log,
                clock=lambda: clock[0],
                monitor=watched.monitor,
            )
            for number in range(3):
                await inbound.kept(_made(f"{number}", Piece("", Route("chat", "us", "ann"), f"{number}", "t")))
            for _ in range(4):
                with spoiled(patch):
                    for inbound.worker in "vw":
                        await one_sending(inbound)
                clock[0] += 10

    try:
        asyncio.run(go())
    finally:
        store.close()
    return watched.laws, platform.sent


def _made(key, piece):
    from remit.gateway.inbound.stores.operations import Begin, Commit

    yield Begin()
    yield from delivery.queue(key, piece, NOW)
    yield Commit()


def test_what_goes_out_without_a_fault(tmp_path):
    assert sent(tmp_path) == (set(), ["0", "1", "2"])
    assert sent(tmp_path / "b", None, SendResult.FAILED, SendResult.UNKNOWN)[0] == set()


def test_what_goes_out_with_one(tmp_path):
    unwritten = Patch(delivery, "take_many", without_writing(delivery.TABLE))
    laws, out = sent(tmp_path, unwritten)
    assert out.count("0") > 1
    assert {"delivery.taken-first", "delivery.at-most-once"} <= laws
    elsewhere = Patch(delivery, "take_many", _to_somebody_else)
    assert sent(tmp_path / "b", elsewhere)[0] == {"delivery.no-cross-stream"}


def _to_somebody_else(real):
    def take(worker, now, most):
        found = yield from real(worker, now, most)
        return [(key, piece._replace(route=Route("chat", "us", "bob"))) for key, piece in found]

    return take


def test_what_is_called_sent_and_was_not(tmp_path):
    from remit.gateway.inbound.delivery import NotSent, SentConfirmed

    real = delivery.step
    sends = Patch(
        delivery,
        "step",
        lambda _: (
            lambda known, event, now: real(
                known, SentConfirmed(event.worker) if isinstance(event, NotSent) else event, now
            )
        ),
    )
    assert sent(tmp_path, sends, SendResult.FAILED)[0] == {"delivery.sent-is-kept"}


def test_alarms_from_many_threads(tmp_path):
    """Operations of many at a time: nobody is told of an alarm, whatever is between."""
    watched = Watched()
    everybody = SETTINGS._replace(channels={"chat": SETTINGS.channels["chat"]._replace(gate=Gate(Direct.ANYONE))})
    watched.monitor.use(everybody)
    store = Store(sqlite_link(tmp_path / "gateway.db"), TABLES, watched.monitor)

    def speak(peer):
        waiting = [
            store.submit(hear(everybody, event(peer, f"{peer}-{number % 40}"), "c", NOW)) for number in range(80)
        ]
        assert sum(one.result().heard == "heard" for one in waiting) == 40

    threads = [threading.Thread(target=speak, args=(f"peer{number}",)) for number in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    store.close()
    assert (watched.told, watched.monitor.seen) == ([], 8 * 40)
    assert PiecePhase.SENT == "sent"


def test_a_piece_that_is_forgotten_too_soon():
    watched = Watched()
    piece = Piece("s", Route("chat", "us", "ann"), "x", "t", PiecePhase.SENT)
    watched.monitor.kept(Observed((Change(delivery.TABLE, "k", piece, None, None),), {}))
    assert watched.laws == {"delivery.at-most-once"}


def test_a_piece_that_goes_out_is_compared_with_what_is_kept_of_it():
    watched = Watched()
    piece = Piece("s", Route("chat", "us", "ann"), "x", "t", PiecePhase.TAKEN)
    for kept in (None, piece, piece._replace(phase=PiecePhase.SENT)):  # its end may be forgotten
        watched.monitor.going_out("k", piece, kept)
    assert watched.laws == set()
    watched.monitor.going_out("k", piece, piece._replace(body="y"))
    assert watched.laws == {"delivery.no-cross-stream"}
    watched.monitor.going_out("k", piece, piece._replace(phase=PiecePhase.WAITING))
    assert watched.laws == {"delivery.no-cross-stream", "delivery.taken-first"}
