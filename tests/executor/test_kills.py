"""Processes are killed at random moments while messages are sent: none is sent twice, none without a record, none is lost after an OK.

REMIT_KILLS sets how many times (the default is small; 1,000 is the figure of docs/authority.md).
"""

import asyncio
import json
import os
import random
import re
import signal
from collections import Counter

import pytest

from remit.audit.entry import Kind, Outcome
from remit.audit.log import Log
from remit.authority.database import build_database
from remit.authority.program.language import read_policy
from remit.authority.values.opening import BindingKey, open_for
from remit.authority.values.outputs import joined
from remit.authority.values.request import make_request
from remit.authority.wire.address import read_address
from remit.authority.wire.asking import Client
from remit.core.errors import AuthorityError
from remit.executor.accept import Presented
from remit.gateway.deployment.make import make_folder
from remit.gateway.deployment.processes import start, status, stop
from remit.gateway.games.mail import mail_sink
from remit.gateway.parties.executor import RemoteExecutor
from remit.gateway.parties.servers import Servers
from remit.policy.dlp.classes import classes

KILLS = int(os.environ.get("REMIT_KILLS", "6"))
POLICY = """
policy  kills
list    recipients  anna@example.org
intent  SendMessage
allow   recipient in recipients
"""


@pytest.fixture
def office(tmp_path):
    """All parties as processes, with a mail server that keeps what it takes."""
    policy = tmp_path / "kills.policy"
    policy.write_text(POLICY)
    folder = tmp_path / "up"
    with mail_sink() as (port, taken):
        parties = make_folder(folder, policy)
        mail = {"host": "127.0.0.1", "port": port, "from": "agent@example.org", "tls": "none"}
        (folder / "effects.json").write_text(json.dumps({"v": 1, "smtp": mail}))
        try:
            yield folder, parties, taken
        finally:
            list(stop(folder))


class Asker:
    """A gateway in short: asks, commits, has it executed."""

    def __init__(self, folder):
        reach = {name: read_address(f"unix:{folder}/run/{name}.sock") for name in ("p0", "p1", "executor")}
        clients = {name: Client(name, address, None) for name, address in reach.items()}
        epoch = json.loads((folder / "p0.json").read_text())["epoch"]
        key = (folder / "keys/table.key").read_bytes()
        layout = build_database(read_policy(folder / "policy/remit.policy"), key, epoch).layout
        self.binding = BindingKey((folder / "keys/binding.key").read_bytes())
        self.servers = Servers(layout, self.binding, (clients["p0"], clients["p1"]), classes)
        self.executor = RemoteExecutor(clients["executor"])
        self.told = {}

    async def send(self, number):
        opening = open_for(
            make_request("SendMessage", "tests", "s", {"to": "anna@example.org", "text": f"number {number}"})
        )
        action_id, shares = await self.servers.evaluate(opening)
        assert joined(*shares).allow
        proofs = await self.servers.commit(action_id, self.binding.commitment(opening).hex())
        presented = Presented(opening.request.spelling(), opening.nonce, proofs)
        self.told[action_id] = "asked"
        for _ in range(2):  # a caller that hears nothing asks again with the same proofs
            try:
                result = await self.executor.execute(presented, {})
            except AuthorityError:
                await asyncio.sleep(0.05)
                continue
            self.told[action_id] = result.status if result.code != "REPLAY_DENY" else "replayed"
            return

    async def go_on(self, until):
        number = 0
        while not until.is_set():
            number += 1
            try:
                await self.send(number)
            except AuthorityError:
                await asyncio.sleep(0.02)

    async def close(self):
        await self.servers.close()
        await self.executor.close()


def sent(taken):
    return Counter(re.search(rb"Message-ID: <([0-9a-f]{32})@", text)[1].decode() for text in taken)


async def killing(folder, parties, asker):
    done = asyncio.Event()
    asking = [asyncio.create_task(asker.go_on(done)) for _ in range(3)]
    draw = random.Random(7)
    for _ in range(KILLS):
        await asyncio.sleep(draw.uniform(0.05, 0.4))
        running = [one for one in status(folder, parties) if one.pid]
        victim = draw.choice([one for one in running if one.role == "executor"] * 3 + running)
        os.kill(victim.pid, signal.SIGKILL)
        await asyncio.to_thread(lambda: list(start(folder, parties)))
    await asyncio.sleep(0.5)
    done.set()
    await asyncio.gather(*asking)
    await asker.close()


def test_whatever_is_killed_nothing_happens_twice_or_unseen(office):
    folder, parties, taken = office
    list(start(folder, parties))
    asker = Asker(folder)
    asyncio.run(killing(folder, parties, asker))
    list(stop(folder))
    list(start(folder, parties))  # what has no end is recorded now
    list(stop(folder))
    messages = sent(taken)
    assert messages, "nothing was sent"
    assert max(messages.values()) == 1, "a message was sent twice"
    done = {name for name, told in asker.told.items() if told == "done"}
    assert done <= set(messages), "a message was lost after an OK"
    with Log.open(folder / "state/executor") as log:
        records = list(log.records())
    admitted = {one.entry.call for one in records if one.entry.outcome in (Outcome.ADMIT, Outcome.PERSON_APPROVED)}
    ended = {one.entry.call: one.entry.outcome for one in records if one.entry.kind is Kind.EFFECT}
    assert set(messages) <= admitted, "a message was sent without a record"
    assert admitted <= set(ended), "an admitted action has no end, not even an unknown one"
    assert {name for name, end in ended.items() if end is Outcome.EXECUTED} <= set(messages)
    assert done <= {name for name, end in ended.items() if end is Outcome.EXECUTED}
