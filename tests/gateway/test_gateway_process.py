"""All parties over their sockets: from an agent's request through both servers to the executor and back."""

import asyncio
import http.client
import json
import re
import socket
import time

from gatekeys import ALL
from running import running, settings_of

from remit.audit.log import Log
from remit.authority.codes import codes
from remit.authority.wire.address import read_address
from remit.bundle.keys import read_private
from remit.executor.credentials.issuer import credential, grant, workload
from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.processes import health
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.state import read_vault
from remit.gateway.transactions import TRANSACTIONS, Transactions, approve, deliver

POLICY = """
policy  whole
list    keys  note
intent  FinalizeOutput
allow   not text shows key
intent  MemoryWrite
allow   token in keys
confirm always
"""


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


def figures(address):
    """What a party tells Prometheus, and the names and labels in it."""
    link = http.client.HTTPConnection("party")
    link.sock = socket.socket(socket.AF_UNIX)
    link.sock.connect(read_address(address).path)
    link.request("GET", "/metrics")
    answer = link.getresponse()
    assert answer.status == 200
    text = answer.read().decode()
    link.close()
    return {name: float(value) for name, value in re.findall(r"^(remit_\S+) (\S+)$", text, re.MULTILINE)}


LABELS = {"party", "path", "code", "le", "bucket", "server"}
PATHS = {"/act", "/exec", "/look-up"}
CODES = {
    *codes("policy-server"),
    *codes("executor"),
    *codes("gateway"),
    "OK",
    "DONE",
    "FAILED",
    "UNKNOWN",
    "PREVIEW",
    "CONFIRM",
}


def check_figures(told_of):
    """Every party tells how much it does and how fast; labels are words of ours, and no number is a moment."""
    by_code = {name: {label["code"] for label, _ in found(one, "remit_answers_total")} for name, one in told_of.items()}
    assert by_code["gateway http"] >= {"PREVIEW", "OK", "POLICY_DENY", "CONFIRM_MISSING"}
    assert by_code["executor http"] == {"DONE"}
    assert by_code["p0 http"] == by_code["p1 http"] == {"OK"}
    for name, one in told_of.items():
        assert found(one, "remit_seconds_bucket"), name
        assert all(number < 1e9 for key, number in one.items() if not key.startswith("remit_epoch")), name
        for key in one:
            labels = dict(re.findall(r'(\w+)="([^"]*)"', key))
            assert set(labels) <= LABELS
            assert labels.get("path", "/act") in PATHS
            assert labels.get("code", "OK") in CODES
    epochs = {
        number
        for name in ("p0", "p1", "executor", "gateway")
        for _, number in found(told_of[f"{name} http"], "remit_epoch")
    }
    assert len(epochs) == 1
    assert found(told_of["executor http"], "remit_marks_unfinished") == [({"party": "executor"}, 0.0)]
    assert found(told_of["gateway http"], "remit_waiting") == [({"party": "gateway"}, 0.0)]


def found(one, name):
    return [
        (dict(re.findall(r'(\w+)="([^"]*)"', key)), value)
        for key, value in one.items()
        if key.partition("{")[0] == name
    ]


def test_all_parties_together(tmp_path):
    policy = tmp_path / "whole.policy"
    policy.write_text(POLICY)
    folder = tmp_path / "u"
    parties = make_folder(folder, policy)
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
        async with running(settings_of(folder), lambda: all(map(health, sockets.values()))):
            async with GatewayClient(str(folder / "run" / "gateway.sock"), credential_in(folder)) as asker:
                told = await work(asker)
            return told, {name: await asyncio.to_thread(figures, at) for name, at in sockets.items()}

    sockets = {f"{one.role} {purpose}": at for one in parties for purpose, at in one.sockets.items()}
    told, told_of = asyncio.run(main())
    check_figures(told_of)
    assert [one["status"] for one in told] == ["PREVIEW", "OK", "DENY", "CONFIRM", "OK", "OK"]
    assert told[1]["data"] == {"text": "hello"}
    assert told[5]["data"] == {"text": "remember this", "trust": "untrusted"}
    assert "signature" not in json.dumps(told)
    with Log.open(folder / "state" / "gateway-log") as log:
        tags = [one.entry.arguments["tag"] for one in log.records() if one.entry.kind == "effect"]
    with Log.open(folder / "state" / "executor") as log:
        theirs = [one.entry.arguments["tag"] for one in log.records() if one.entry.kind == "effect"]
    assert len(tags) == 2
    assert tags == theirs
