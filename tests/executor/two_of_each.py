"""Two gateways with one PostgreSQL, two executors with one replay store and two policy servers, as processes that are killed or restarted
while agents act. An agent that hears nothing asks the other gateway. What left is what the mail server took.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import signal
import sys
import time
from collections import Counter
from contextlib import contextmanager
from urllib.parse import quote

from servers import postgres_store, redis
from slow_mail import messages, slow_mail

from remit.core.errors import AuthorityError
from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.operator_actions import CredentialContents, give, outcome_of
from remit.gateway.deployment.processes import health
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.transactions import Phase

POLICY = """
policy  pairs
list    recipients  anna@example.org
intent  SendMessage
allow   recipient in recipients
"""
AGAIN = {"EXECUTOR_AWAY", "TX_BUSY", "AUTHORITY_DOWN", "PROGRAM_UNKNOWN"}  # nothing happened, or it is not known yet
PATIENCE = 300
FORKS = multiprocessing.get_context(
    "forkserver"
)  # a process that has read the code already: a party is back in a moment
FORKS.set_forkserver_preload(
    ["remit.cli.serve", "remit.authority.server.app", "remit.executor.run", "remit.gateway.run", "uvloop"]
)


def marks_nothing():
    """A seeded bug: a replay store that says yes to everybody and remembers nothing."""
    from remit.executor.replay.redis import RedisMemory

    RedisMemory.mark, RedisMemory.state = (lambda *_: True), (lambda *_: None)


def _serve(settings, log, fault):
    """One party: what `remit serve` runs."""
    from remit.cli.serve import serve

    if fault is not None:
        fault()
    with open(log, "ab", buffering=0) as out:
        for number in (1, 2):
            os.dup2(out.fileno(), number)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(serve(argparse.Namespace(settings=settings)))


class Party:
    """One process."""

    def __init__(self, folder, name, settings):
        self.name, self.folder = name, folder
        self.settings = folder / f"{name}.json"
        self.settings.write_text(json.dumps(settings))
        self.address = settings["listen"]["http"]
        self.process = self.fault = None

    def start(self):
        self.process = FORKS.Process(
            target=_serve, args=(str(self.settings), str(self.folder / "log" / f"{self.name}.log"), self.fault)
        )
        self.process.start()

    def wait(self):
        until = time.monotonic() + PATIENCE
        while not health(self.address):
            assert self.process.is_alive(), (self.folder / "log" / f"{self.name}.log").read_text()
            assert time.monotonic() < until, f"{self.name} does not answer"
            time.sleep(0.005)

    def kill(self):
        self.process.kill()
        self.process.join()

    def stop(self):
        """As a service manager does it."""
        self.process.terminate()
        self.process.join(PATIENCE)
        assert self.process.exitcode == 0, (self.name, self.process.exitcode)


class Office:
    """All six, and what they need."""

    def __init__(self, folder, replay, state, port):
        (folder / "pairs.policy").write_text(POLICY)
        self.up = folder / "up"
        made = {one.role: one.settings for one in make_folder(self.up, folder / "pairs.policy")}
        mail = {"host": "127.0.0.1", "port": port, "from": "agent@example.org", "tls": "none"}
        (self.up / "effects.json").write_text(json.dumps({"v": 1, "smtp": mail}))
        for name, address in (("replay", replay), ("state", state)):
            (self.up / "keys" / name).touch(0o600)
            (self.up / "keys" / name).write_text(address)
        self.parties = [Party(self.up, role, made[role]) for role in ("p0", "p1")]
        self.parties += [self._one_of(made["executor"], f"executor{more}") for more in ("", "-2")]
        self.parties += [self._one_of(made["gateway"], f"gateway{more}") for more in ("", "-2")]
        self.gateways = [one for one in self.parties if one.name.startswith("gateway")]
        self.credential = give(self.up, CredentialContents("agent", "s1", ("*",), ("*",), 24 * 3600))

    def _one_of(self, settings, name):
        """One of two parties of a role: a socket, a log and a state of its own; keys, policy and stores are those of both."""
        own = {"executor": {"memory-server": "keys/replay"}, "gateway": {"state-server": "keys/state"}}[
            settings["role"]
        ]
        files = {key: path for key, path in settings["files"].items() if key != "memory"}
        files |= own | {"log": f"state/{name}-log", "state": f"state/{name}"}
        reach = settings["reach"] | ({"executor-2": f"unix:{self.up}/run/executor-2.sock"} if settings["reach"] else {})
        listen = {"http": f"unix:{self.up}/run/{name}.sock"}
        return Party(self.up, name, settings | {"files": files, "reach": reach, "listen": listen})

    def start(self, parties):
        for one in parties:
            one.start()
        for one in parties:
            one.wait()

    def outcome(self, name):
        """What the gateways know of a transaction, if none is under way any more."""
        return outcome_of(self.gateways[0].settings.parent, name)


@contextmanager
def office(folder, replay, pause=0.02, fault=None):
    """All parties as processes. `replay`: where executors mark actions, `redis` or `postgres`. `fault`: a bug that executors have."""
    with slow_mail(pause) as (port, taken), postgres_store() as state:
        address = "postgresql://remit@/postgres?host=" + quote(state.address.split()[0].partition("=")[2], safe="")
        (folder / "redis").mkdir()
        with redis(folder / "redis") if replay == "redis" else _same(address) as marks:
            made = Office(folder, marks, address, port)
            every = tuple(made.parties)
            for one in every:
                one.fault = fault if one.name.startswith("executor") else None
            try:
                made.start(made.parties)
                yield made, taken
            finally:
                for one in every:
                    if one.process is not None and one.process.is_alive():
                        one.kill()


@contextmanager
def _same(address):
    yield address


class Heard:
    """What agents were told at last, by text; and the transaction of each."""

    def __init__(self):
        self.last, self.names, self.answers = {}, {}, Counter()

    def counted(self):
        return Counter(self.last.values())


class Agent:
    """Asks one gateway, and the other one when that does not answer."""

    def __init__(self, made, draw):
        self.askers = [GatewayClient(one.address.partition(":")[2], made.credential) for one in made.gateways]
        draw.shuffle(self.askers)

    async def act(self, said):
        while True:
            try:
                return await self.askers[0].act(said)
            except AuthorityError:
                self.askers.reverse()
                await asyncio.sleep(0.02)

    async def send(self, heard, text):
        """Preview and commit, until it is known what became of it."""
        said, preview = {"intent_id": "SendMessage", "inputs": {"to": "anna@example.org", "text": text}}, {}
        while "tx_id" not in preview:
            preview = await self.act(said)
            heard.answers[preview["reason_code"] or preview["status"]] += 1
        heard.names[text] = preview["tx_id"]
        told, doubts = {"reason_code": "TX_BUSY"}, 0
        while told["reason_code"] in AGAIN or 0 < doubts < 4:
            told = await self.act(said | {"constraints": {"tx_id": preview["tx_id"]}})
            heard.answers[told["reason_code"] or told["status"]] += 1
            heard.last[text] = "OK" if told["status"] == "OK" else told["reason_code"]
            unknown = (
                told["reason_code"] == "OUTCOME_UNKNOWN"
            )  # a gateway that lost an answer may know more a moment later
            doubts = doubts + 1 if unknown else 0
            if unknown or told["reason_code"] in AGAIN:
                await asyncio.sleep(0.05)

    async def close(self):
        for one in self.askers:
            await one.__aexit__(None, None, None)


async def working(made, heard, disturb, agents=4, seed=1):
    """Agents send one message after another while `disturb` goes on; then what was begun is brought to its end."""
    done, draw = asyncio.Event(), random.Random(seed)

    async def busy(number):
        agent, count = Agent(made, draw), 0
        try:
            while not done.is_set():
                count += 1
                await agent.send(heard, f"agent {seed}.{number} number {count}")
        finally:
            await agent.close()

    clients = [asyncio.create_task(busy(number)) for number in range(agents)]
    try:
        await disturb(heard)
    finally:
        done.set()
        await asyncio.gather(*clients)


def kills(made, rounds, seconds=float("inf"), seed=1, tell=None):
    """Rounds of `kill -9`, each of one party or two; gives how many of which were killed, when it is over."""
    killed, draw, began = Counter(), random.Random(seed), time.monotonic()

    async def disturb(heard):
        for number in range(rounds):
            if time.monotonic() - began > seconds:
                return
            killed["rounds"] += 1
            before = len(heard.last)
            until = time.monotonic() + PATIENCE
            while len(heard.last) == before:  # something is under way again
                assert time.monotonic() < until, f"nothing goes on any more: {heard.answers}"
                await asyncio.sleep(0.005)
            await asyncio.sleep(draw.uniform(0, 0.1))
            victims = draw.sample(made.parties, 2 if number % 5 == 4 else 1)
            for one in victims:
                one.kill()
                killed[one.name] += 1
            await asyncio.sleep(draw.choice((0, 0, 0.2)))  # at once, or after others noticed
            await asyncio.to_thread(made.start, victims)
            if tell:
                tell(number + 1, heard, time.monotonic() - began)

    return killed, disturb


def restarts(made):
    """Every party in turn is asked to stop, and started again when it has."""

    async def disturb(heard):
        for one in made.parties:
            before = len(heard.last)
            until = time.monotonic() + PATIENCE
            while len(heard.last) < before + 8:
                assert time.monotonic() < until, f"nothing goes on any more: {heard.answers}"
                await asyncio.sleep(0.01)
            await asyncio.to_thread(one.stop)
            await asyncio.to_thread(made.start, [one])

    return disturb


def judge(made, taken, heard):
    """What is wrong, by what the world, the agents and the gateways' store say; and figures."""
    left = messages(taken)
    texts, actions = Counter(one.text for one in left), Counter(one.action for one in left)
    until, outcomes, open_ = time.monotonic() + PATIENCE, {}, dict(heard.names)
    while open_ and time.monotonic() < until:
        for text, name in list(open_.items()):
            kept = made.outcome(name)
            if kept.transaction.phase is not Phase.TAKEN:
                outcomes[text] = kept.ended.what if kept.transaction.phase is Phase.DONE else "never"
                del open_[text]
        time.sleep(0.1 if open_ else 0)
    said = {text: outcomes.get(text) for text in heard.names}
    faults = {
        "an action left twice": [name for name, count in actions.items() if count > 1],
        "what was asked for once left twice": [text for text, count in texts.items() if count > 1],
        "told OK, and never left": [text for text, last in heard.last.items() if last == "OK" and not texts[text]],
        "told OK, and the outcome is another": [text for text, last in heard.last.items() if last == "OK" and said[text] != "done"],
        "the outcome is done, and it never left": [text for text, what in said.items() if what == "done" and not texts[text]],
        "left, and the outcome denies it": [text for text, what in said.items() if texts[text] and what not in ("done", "unknown")],
        "has no outcome": [text for text, what in said.items() if what is None],
        "left, and nobody asked for it": set(texts) - set(heard.names),
    }  # fmt: skip
    figures = {
        "asked": len(heard.names), "left": len(left), "told": dict(heard.counted()), "outcomes": dict(Counter(said.values())),
        "answers": dict(heard.answers.most_common()),
    }  # fmt: skip
    return {what: sorted(found)[:5] for what, found in faults.items() if found}, figures
