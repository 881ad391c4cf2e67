"""Parties are killed at random moments while agents act, and the world is asked what happened.

Three sorts of clients: agents at the gateway, who ask again with the same transaction when they hear nothing; whoever holds proofs and
presents them to the executor, again and again, also those of long ago; and nobody else. What left is what the mail server took.
"""

import asyncio
import json
import os
import random
import signal
import time
from collections import Counter
from typing import Any, NamedTuple

from slow_mail import messages

from remit.audit.entry import Outcome, RecordKind
from remit.audit.log import Log
from remit.audit.verify import IntactLog, verify_log
from remit.core.errors import AuthorityError
from remit.gateway.deployment.operator_actions import CredentialContents, give
from remit.gateway.deployment.plan import ORDER
from remit.gateway.deployment.processes import start, status
from remit.gateway.fronts.client import GatewayClient as AgentsAsker
from remit.gateway.games.direct_client import DirectClient
from remit.gateway.games.forged_presentations import message
from remit.guard.audit_key import audit_checkers

POLICY = """
policy  kills
list    recipients  anna@example.org
intent  SendMessage
allow   recipient in recipients
"""
TO = "anna@example.org"


class Heard:
    """What clients were told, and what is under way."""

    def __init__(self):
        self.answers = Counter()
        self.agents_ok = Counter()  # by text
        self.presented_ok = Counter()  # by action
        self.flying = 0

    def agent(self, text, told):
        self.answers[told["reason_code"] or told["status"]] += 1
        self.agents_ok[text] += told["status"] == "OK"

    def presenter(self, action, told):
        self.answers[told.code or told.status] += 1
        self.presented_ok[action] += told.status == "done"


async def agent(heard, socket, credential, name, until):
    """Previews and commits, one message after another, and asks again when there is no answer."""
    number = 0
    async with AgentsAsker(socket, credential) as asker:
        while not until.is_set():
            number += 1
            text = f"{name} number {number}"
            said = {"intent_id": "SendMessage", "inputs": {"to": TO, "text": text}}
            try:
                preview = await asker.act(said)
            except AuthorityError:
                preview = {}
            if "tx_id" not in preview:
                await asyncio.sleep(0.05)
                continue
            heard.flying += 1
            for _ in range(4):
                try:
                    told = await asker.act(said | {"constraints": {"tx_id": preview["tx_id"]}})
                except AuthorityError:
                    await asyncio.sleep(0.2)
                    continue
                heard.agent(text, told)
                if told["status"] == "OK":
                    break
                await asyncio.sleep(0.1)
            heard.flying -= 1


async def presenter(heard, folder, name, until, draw):
    """Gets proofs as a gateway does, and presents them more than once: at once, when nothing is heard, and much later."""
    asker, old, number = DirectClient(folder), [], 0
    try:
        while not until.is_set():
            number += 1
            try:
                granted = await asker.granted(message(TO, f"{name} number {number}"))
            except AuthorityError:
                await asyncio.sleep(0.05)
                continue
            old.append(granted)
            heard.flying += 1
            for one in (granted, granted, draw.choice(old[-20:])):
                await present(heard, asker, one)
            heard.flying -= 1
    finally:
        await asker.close()


async def present(heard, asker, granted):
    """Until something is heard: an executor that was killed comes back."""
    for _ in range(150):
        try:
            heard.presenter(granted.action_id, await asker.present(granted.presented()))
        except AuthorityError:
            await asyncio.sleep(0.1)
        else:
            return


class Killed(NamedTuple):
    """What was killed, and in how many rounds something was under way."""

    roles: Counter
    while_acting: int
    seconds: float


def victims(draw, roles):
    """Without end: every role in random order, the executor twice; now and then two at once."""
    while True:
        turn = [*roles, *(role for role in roles if role == "executor")]
        draw.shuffle(turn)
        for number, role in enumerate(turn):
            yield {role, draw.choice(turn)} if number % 5 == 4 else {role}


async def storm(place, rounds, roles=ORDER, seed=7, tell=None, aim=None):
    """Kill, start again what was killed, and go on; gives what clients heard, and what was killed."""
    folder, parties = place
    heard, done, draw = Heard(), asyncio.Event(), random.Random(seed)
    credential = give(folder, CredentialContents("storm", "one", ("*",), ("*",), 24 * 3600))
    socket = str(folder / "run" / "gateway.sock")
    clients = [asyncio.create_task(agent(heard, socket, credential, f"agent {seed}.{n}", done)) for n in range(3)]
    clients += [asyncio.create_task(presenter(heard, folder, f"hand {seed}.{n}", done, draw)) for n in range(2)]
    killed, acting, began = Counter(), 0, time.monotonic()
    turns = victims(draw, roles)
    for number in range(rounds):
        await (aim() if aim else asyncio.sleep(draw.uniform(0.05, 0.7)))
        for _ in range(150):  # after a restart it takes a moment until a decision is there and something is under way
            if heard.flying:
                break
            await asyncio.sleep(0.02)
        acting += heard.flying > 0
        wanted = next(turns)
        for one in status(folder, parties):
            if one.pid and one.role in wanted:
                os.kill(one.pid, signal.SIGKILL)
                killed[one.role] += 1
        await asyncio.to_thread(lambda: list(start(folder, parties)))
        if tell and number % 10 == 9:
            tell(number + 1, heard, Killed(killed, acting, time.monotonic() - began))
    await asyncio.sleep(0.5)
    done.set()
    await asyncio.gather(*clients)
    return heard, Killed(killed, acting, time.monotonic() - began)


class Found(NamedTuple):
    """What was seen of the world and the records, and what is wrong with it."""

    faults: list[str]
    figures: dict[str, Any]


def judge(folder, taken, heard):
    """Everything is stopped. The world says what left; logs and answers must agree with it."""
    left = messages(taken)
    actions, texts = Counter(one.action for one in left), Counter(one.text for one in left)
    by_text = {one.text: one.action for one in left}
    executor, gateway = records(folder / "state/executor"), records(folder / "state/gateway-log")
    admitted = {one.call for one in executor if one.outcome in (Outcome.ADMIT, Outcome.PERSON_APPROVED)}
    ended = {one.call: one.outcome for one in executor if one.kind is RecordKind.EFFECT}
    executed = {name for name, outcome in ended.items() if outcome is Outcome.EXECUTED}
    handed = {one.arguments["action_id"] for one in gateway if one.reason == "handed to the executor"}
    through = {one.action for one in left if one.text.startswith("agent")}
    oks = {by_text.get(text, text) for text, count in heard.agents_ok.items() if count}
    oks |= {action for action, count in heard.presented_ok.items() if count}
    faults = {
        "an action left twice": [name for name, count in actions.items() if count > 1],
        "what an agent asked for once left twice": [text for text, count in texts.items() if count > 1],
        "left without an admitted record": set(actions) - admitted,
        "left through the gateway without a record there": through - handed,
        "admitted, and has no end, not even an unknown one": admitted - set(ended),
        "has two ends": [name for name, count in Counter(one.call for one in executor if one.kind is RecordKind.EFFECT).items() if count > 1],
        "recorded as executed, and never left": executed - set(actions),
        "told OK, and never left": oks - set(actions),
        "told OK, and not recorded as executed": oks - executed,
        "told OK twice": [*(+heard.agents_ok - Counter(set(heard.agents_ok))), *(+heard.presented_ok - Counter(set(heard.presented_ok)))],
        "recorded as failed, and left": {name for name, end in ended.items() if end is Outcome.FAILED} & set(actions),
    }  # fmt: skip
    faults["a log is broken"] = [
        str(found)
        for found in map(verified, (folder / "state" / name for name in ("executor", "gateway-log")))
        if not isinstance(found, IntactLog)
    ]
    unknown = {name for name, end in ended.items() if end is Outcome.UNKNOWN}
    figures = {
        "left": len(left), "oks": len(oks), "admitted": len(admitted), "executed": len(executed), "unknown": len(unknown),
        "unknown and left": len(unknown & set(actions)), "answers": dict(heard.answers.most_common()),
    }  # fmt: skip
    return Found([f"{what}: {sorted(found)[:5]}" for what, found in faults.items() if found], figures)


def verified(folder):
    return verify_log(folder, audit_checkers(folder))


def records(folder):
    with Log.open(folder) as log:
        return [one.entry for one in log.records()]


def line(number, heard, killed):
    """One line of progress."""
    told = {
        "rounds": number,
        "seconds": round(killed.seconds),
        "killed": dict(killed.roles),
        "while acting": killed.while_acting,
    }
    return json.dumps(told | {"answers": dict(heard.answers.most_common(8))})
