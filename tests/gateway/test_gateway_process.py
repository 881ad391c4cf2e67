"""All parties over their sockets: from an agent's request through both servers to the executor and back."""

import asyncio
import contextlib
import json
import time

import pytest
from gatekeys import ALL

from remit.audit.log import Log
from remit.authority.dealer import run as dealer
from remit.authority.server import run as policy_server
from remit.authority.settings import read_settings
from remit.bundle.keys import read_private
from remit.executor import run as executor
from remit.executor.keys import read_signer
from remit.gateway import run as gateway
from remit.gateway.credentials.issuing import credential, grant, workload
from remit.gateway.deployment.make import make_folder
from remit.gateway.deployment.processes import health
from remit.gateway.fronts.asking import Asker
from remit.gateway.run import TRANSACTIONS
from remit.gateway.sealing import read_vault
from remit.gateway.transactions.confirming import approve, deliver
from remit.gateway.transactions.store import Transactions

POLICY = """
policy  whole
list    keys  note
intent  FinalizeOutput
allow   not text shows key
intent  MemoryWrite
allow   token in keys
confirm always
"""
RUNS = {"dealer": dealer, "p0": policy_server, "p1": policy_server, "executor": executor, "gateway": gateway}


async def started(folder, parties):
    tasks = []
    for role in ("dealer", "p1", "p0", "executor", "gateway"):
        settings = read_settings(folder / f"{role}.json")
        needed = (
            (settings, read_signer(settings.profile, settings.file("key"))) if role in ("p0", "p1") else (settings,)
        )
        tasks.append(asyncio.create_task(RUNS[role].run(*needed)))
    sockets = [party.sockets["http"] for party in parties if "http" in party.sockets]
    until = time.monotonic() + 60
    while not all([await asyncio.to_thread(health, at) for at in sockets]):
        assert time.monotonic() < until, "a party did not come up"
        assert not any(task.done() for task in tasks)
        await asyncio.sleep(0.05)
    return tasks


def credential_in(folder):
    key = read_private(folder / "keys" / "operator.key")
    exp = int(time.time()) + 600
    chain = (grant(key.public.keyid, key, "alice", ALL, "s1", exp=exp),)
    return credential(workload(key.public.keyid, key, "alice", exp=exp), chain).text()


def confirmed(folder, tx_id):
    """What an approver does, with the key that lies with the approver."""
    key = read_private(folder / "keys" / "approver.key")
    store = Transactions(folder / "state" / "gateway" / TRANSACTIONS, read_vault(folder / "keys" / "handle.key"))
    (waiting,) = store.waiting(int(time.time()))
    assert waiting.id == tx_id
    word = approve(waiting, key.public.keyid, key).to_json()
    assert deliver(store, tx_id, word, {key.public.keyid: key.public}) == ""
    store.close()


@pytest.mark.parametrize("profile", ["", "hmac-sha256"])
def test_all_parties_together(tmp_path, profile):
    policy = tmp_path / "whole.policy"
    policy.write_text(POLICY)
    folder = tmp_path / "u"
    parties = make_folder(folder, policy, profile)
    assert make_folder(folder, None) == parties, "what was chosen once stays"

    async def work(asker):
        told = []
        first = await asker.act({"intent_id": "FinalizeOutput", "inputs": {"text": "hello"}})
        commit = {"constraints": {"tx_id": first.get("tx_id", "0" * 32)}}
        told += [first, await asker.act({"intent_id": "FinalizeOutput", "inputs": {"text": "hello"}, **commit})]
        told.append(await asker.act({"intent_id": "MemoryWrite", "inputs": {"key": "other", "text": "x"}}))
        note = {"intent_id": "MemoryWrite", "inputs": {"key": "note", "text": "remember this"}}
        third = await asker.act(note)
        confirmed(folder, third["tx_id"])
        told += [third, await asker.act({**note, "constraints": {"tx_id": third["tx_id"]}})]
        told.append(await asker.act({"intent_id": "MemoryRead", "inputs": {"key": "note"}}))
        return told

    async def main():
        tasks = await started(folder, parties)
        try:
            async with Asker(str(folder / "run" / "gateway.sock"), credential_in(folder)) as asker:
                return await work(asker)
        finally:
            for task in reversed(tasks):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    told = asyncio.run(main())
    assert [one["status"] for one in told] == ["PREVIEW", "OK", "DENY", "CONFIRM", "OK", "OK"]
    assert told[1]["data"] == {"text": "hello"}
    assert told[5]["data"] == {"text": "remember this"}
    assert "signature" not in json.dumps(told)
    with Log.open(folder / "state" / "gateway-log") as log:
        tags = [one.entry.arguments["tag"] for one in log.records() if one.entry.kind == "effect"]
    with Log.open(folder / "state" / "executor") as log:
        theirs = [one.entry.arguments["tag"] for one in log.records() if one.entry.kind == "effect"]
    assert len(tags) == 2
    assert tags == theirs
