"""A file and a command through a deployed installation, asked by an agent on the network. Run as a program, it prints what became of them."""

import asyncio
import json
import sys
import time
from pathlib import Path

from remit.authority.wire.address import Certificates, read_address
from remit.gateway.deployment.folders import kept_network
from remit.gateway.deployment.operator_actions import CredentialContents, give
from remit.gateway.deployment.plan import ORDER
from remit.gateway.deployment.processes import works
from remit.gateway.fronts.client import GatewayClient

POLICY = """
policy  deployed
list    paths    note.txt
intent  WriteWorkspaceFile
allow   token in paths
intent  RunProcess
allow   always
"""
PROCESS = {
    "permissions": [
        {"capability": "process.create", "scope": ["python3"], "effect": "allow"},
        {"capability": "file.read", "scope": ["./**"], "effect": "allow"},
    ]
}
FILE = {"intent_id": "WriteWorkspaceFile", "inputs": {"path": "note.txt", "text": "by both"}}
COMMAND = {"intent_id": "RunProcess", "inputs": {"command": "python3 -c 'print(open(\"note.txt\").read(), 6 * 7)'"}}
SECONDS = 60


def effects_of(workspace):
    files = {"workspace": workspace, "read": [workspace], "write": [workspace]}
    return {"v": 1, "files": files, "process": {"manifest": "process.json", "workspace": workspace}}


def set_up(executor, workspace):
    """What the operator writes into the executor's folder."""
    (executor / "effects.json").write_text(json.dumps(effects_of(workspace)))
    (executor / "process.json").write_text(json.dumps(PROCESS))


async def day(folder):
    network = kept_network(folder).network
    until = time.monotonic() + SECONDS
    while faults := [works(folder / "monitor" / "tls", role, network.at(role, "watch")) for role in ORDER]:
        if not any(faults):
            break
        if time.monotonic() > until:
            return [{"status": "DENY", "summary": str(dict(zip(ORDER, faults, strict=True)))}]
        await asyncio.sleep(0.2)
    credential = give(folder / "office", CredentialContents("agent", "s1", ["*"], ["*"], 600))
    place = folder / "agent" / "tls"
    files = Certificates(place / "agent.crt", place / "agent.key", place / "authority.crt")
    told = []
    async with GatewayClient(read_address(network.at("gateway", "http")), credential, files) as asker:
        for said in (FILE, COMMAND):
            first = await asker.act(said)
            told.append(first)
            if "tx_id" in first:
                told[-1] = await asker.act({**said, "constraints": {"tx_id": first["tx_id"]}})
    return told


if __name__ == "__main__":
    print(json.dumps(asyncio.run(day(Path(sys.argv[1])))))
