"""Two executors with one store, as processes; the same proofs come to both at the same moment, while executors and store are killed.

Who presents holds the keys of both policy servers and signs by itself: what is tried here is that one action happens once. What
happened is what the mail server took.
"""

import asyncio
import json
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

from slow_mail import NAME

from remit.audit.entry import Outcome, RecordKind
from remit.audit.log import Log
from remit.authority.policy_files import read_tables
from remit.authority.question.answers import answer_digest, look_up
from remit.authority.question.questions import ask
from remit.authority.question.slots import spoken
from remit.authority.settings import read_settings
from remit.authority.values.action import new_action
from remit.authority.values.opening import LookUp, open_for
from remit.authority.values.proof import Context, Proof, sign
from remit.authority.wire.address import read_address
from remit.authority.wire.client import Client
from remit.core.errors import AuthorityError
from remit.executor.accept import Presented
from remit.executor.forms import write_presented
from remit.executor.replay.backends import open_memory
from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.plan import KID, Party
from remit.gateway.deployment.processes import start, status, stop
from remit.gateway.games.direct_client import credential_in, given_in, keys_in
from remit.gateway.games.forged_presentations import message
from remit.policy.dlp.classes import classes

POLICY = """
policy  stores
list    recipients  anna@example.org
intent  SendMessage
allow   recipient in recipients
"""
TIMES = 20  # that each action is presented: ten times to each executor
AT_ONCE = 4  # actions


class Signing:
    """Answers and proofs as both servers would give them."""

    def __init__(self, folder, executor):
        self.keys, self.given, self.credential = keys_in(folder), given_in(folder), credential_in(folder)
        self.held = read_tables(folder / "built" / "tables")
        self.tables = self.held.tables
        memory = open_memory(read_settings(executor))
        self.store = memory.identity()
        memory.close()

    def presented(self, number):
        layout, binding, now = self.given.layout, self.given.binding, int(time.time())
        opening = open_for(message("anna@example.org", f"number {number}"), self.store)
        one = LookUp(opening, new_action(now), os.urandom(32))
        asked = ask(layout, spoken(layout.program, opening.request, classes), binding.question_seed(one)).questions
        answers = tuple(look_up(self.held.program, self.held.tables, server, asked[server]) for server in (0, 1))
        context = Context(layout.digest, layout.database, layout.epoch, binding.ticket(one).hex())
        proofs = tuple(
            sign(Proof(server, KID, now, context, asked[server].digest(), answer_digest(answers[server])), self.keys[server]).to_json()
            for server in (0, 1)
        )  # fmt: skip
        told = opening.request.spelling(), opening.nonce, one.action_id, one.salt, proofs, answers, self.credential
        return one.action_id, write_presented(Presented(*told), {})


def two_executors(folder, address, port):
    """Folders of two executors with one store, with sockets and logs of their own; the first is that of the installation."""
    (folder / "stores.policy").write_text(POLICY)
    up = folder / "up"
    parties = make_folder(up, folder / "stores.policy")
    mail = {"host": "127.0.0.1", "port": port, "from": "agent@example.org", "tls": "none"}
    (up / "effects.json").write_text(json.dumps({"v": 1, "smtp": mail}))
    server = up / "keys" / "store"
    server.touch(0o600)
    server.write_text(address)
    (party,) = [one for one in parties if one.role == "executor"]
    files = {name: str(up / path) for name, path in party.settings["files"].items() if name != "memory"}
    made = []
    for name in ("one", "two"):
        own = folder / name
        for inner in ("run", "log", "state"):
            (own / inner).mkdir(mode=0o700, parents=True)
        rest = {
            "listen": {"http": f"unix:{own}/run/executor.sock"},
            "files": files | {"log": "state/executor", "memory-server": str(server)},
        }
        (own / "executor.json").write_text(json.dumps(party.settings | rest))
        made.append((own, (Party("executor", party.settings | rest),)))
    return up, made


class Count:
    """What was asked and answered."""

    def __init__(self):
        self.actions, self.attempts, self.restarts = 0, 0, Counter()
        self.answers, self.done = Counter(), Counter()

    def line(self, taken):
        told = {"attempts": self.attempts, "actions": self.actions, "done": sum(self.done.values()), "left": len(taken)}
        return json.dumps(told | {"restarts": dict(self.restarts), "answers": dict(self.answers)})


async def present(count, client, action, body):
    count.attempts += 1
    try:
        told = json.loads((await client.ask("/exec", body)).body)
    except AuthorityError:
        count.answers["no answer"] += 1
        return
    except ValueError:
        count.answers["no JSON"] += 1
        return
    count.answers[told["code"] or told["status"]] += 1
    count.done[action] += told["status"] == "done"


async def one_action(count, signing, clients, draw):
    """Presented to both at once; some again a moment later, when an executor or the store may have come back."""
    count.actions += 1
    action, body = await asyncio.to_thread(signing.presented, count.actions)
    turns = [client for client in clients for _ in range(TIMES // 2)]
    draw.shuffle(turns)
    late = draw.randrange(3)
    await asyncio.gather(*(present(count, client, action, body) for client in turns[late:]))
    for client in turns[:late]:
        await asyncio.sleep(draw.uniform(0, 1))
        await present(count, client, action, body)


async def restarting(count, executors, store, draw, done, every):
    """One executor, the other, the store: one after another, killed and started again."""
    turn = 0
    while not done.is_set():
        await asyncio.sleep(draw.uniform(*every))
        which, turn = turn % 3, turn + 1
        if which == 2:
            await asyncio.to_thread(store.crash)
            await asyncio.sleep(draw.uniform(0, 0.2))
            await asyncio.to_thread(store.start)
            count.restarts["store"] += 1
            continue
        folder, parties = executors[which]
        for one in status(folder, parties):
            os.kill(one.pid, signal.SIGKILL)
        count.restarts["executor"] += 1
        await asyncio.to_thread(lambda folder=folder, parties=parties: list(start(folder, parties)))


async def storm(folder, executors, store, attempts, every=(2.0, 12.0), tell=None):
    """So many attempts that are answered; gives what was counted."""
    count, draw, done = Count(), random.Random(11), asyncio.Event()
    signing = Signing(folder, executors[0][0] / "executor.json")
    clients = [Client("executor", read_address(f"unix:{own}/run/executor.sock"), None) for own, _ in executors]

    async def worker():
        while count.attempts - count.answers["no answer"] < attempts:
            await one_action(count, signing, clients, draw)
            if tell and count.actions % 200 == 0:
                tell(count)

    restarter = asyncio.create_task(restarting(count, executors, store, draw, done, every))
    try:
        await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
    finally:
        done.set()
        await restarter
        for client in clients:
            await client.close()
    return count


def judge(executors, taken, count):
    """Everything is stopped. What is wrong; nothing, if each action left at most once and the logs say so."""
    left = Counter(NAME.search(text)[1].decode() for text in taken)
    records = [one.entry for own, _ in executors for one in entries(own / "state/executor")]
    admitted = Counter(one.call for one in records if one.outcome is Outcome.ADMIT)
    ended = Counter(one.call for one in records if one.kind is RecordKind.EFFECT)
    executed = Counter(one.call for one in records if one.outcome is Outcome.EXECUTED)
    told = {name for name, number in count.done.items() if number}
    faults = {
        "answered with an error of the program": ["no JSON"] * count.answers["no JSON"],
        "left twice": twice(left),
        "told done twice": twice(count.done),
        "admitted twice": twice(admitted),
        "ended twice": twice(ended),
        "left without a record": set(left) - set(admitted),
        "told done, and did not leave": told - set(left),
        "told done, and not recorded": told - set(executed),
        "recorded as executed, and did not leave": set(executed) - set(left),
        "admitted without an end": set(admitted) - set(ended),
    }
    return {what: sorted(found)[:3] for what, found in faults.items() if found}


def twice(counted):
    return [name for name, number in counted.items() if number > 1]


def entries(folder):
    with Log.open(folder) as log:
        return list(log.records())


def started(executors):
    for folder, parties in executors:
        list(start(folder, parties))


def stopped(executors):
    for folder, _ in executors:
        list(stop(folder))


def told_in(path):
    """Writes lines of progress into a file."""

    def tell(text):
        with Path(path).open("a") as file:
            file.write(text + "\n")

    return tell
