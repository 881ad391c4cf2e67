"""Requests that are nearly right, at every socket of running parties: nothing but refusals, no party ends or grows, nothing happens.

REMIT_FUZZ sets how many (300 is the default; docs/authority.md has the figure of the long run), REMIT_FUZZ_LOG a file for progress.
"""

import asyncio
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from fuzz_mutants import Mutants, changed, spoiled

from remit.audit.log import Log
from remit.gateway.deployment.processes import status
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.games.installation import Tally, office
from remit.gateway.games.nbe import play_at

COUNT = int(os.environ.get("REMIT_FUZZ", "300"))
LOG = Path(os.environ.get("REMIT_FUZZ_LOG", os.devnull))
PARTS = {
    "gateway": 28, "nobody at the gateway": 6, "executor": 20, "outcome": 8, "question": 14, "hardly": 12, "methods": 4,
    "health": 4, "mcp": 4,
}  # fmt: skip
DOORS = [("gateway", "/act"), ("p0", "/look-up"), ("p1", "/look-up"), ("executor", "/exec"), ("executor", "/outcome")]
GROWTH = 64 * 1024  # kilobytes that a party may grow by from the first tenth of the requests to the last


class Door:
    """A lasting connection to one socket, opened again when it was closed."""

    def __init__(self, folder, name):
        self.path, self.link = str(folder / "run" / f"{name}.sock"), None

    def ask(self, method, path, body, headers):
        """The status and the answer; 0 if the connection was closed without one."""
        if self.link is None:
            self.link = http.client.HTTPConnection("party", timeout=300)
            self.link.sock = socket.socket(socket.AF_UNIX)
            self.link.sock.settimeout(20)
            self.link.sock.connect(self.path)
        try:
            self.link.request(method, path, body, headers)
            got = self.link.getresponse()
            told = got.read()
            if got.will_close:
                self.close()
        except (http.client.HTTPException, ConnectionError):
            self.close()
            return 0, b""
        return got.status, told

    def close(self):
        if self.link is not None:
            self.link.close()
            self.link = None


class Storm:
    """One installation, and what it answered."""

    def __init__(self, place):
        self.place, self.mutants = place, Mutants(place.folder, 5)
        self.draw = self.mutants.draw
        self.doors = {name: Door(place.folder, name) for name in ("gateway", "p0", "p1", "executor")}
        self.credential = place.credential("alice", "one", 24 * 3600)
        self.codes, self.wrong, self.valid, self.asked = Counter(), [], 0, 0

    def send(self, name, path, body, headers=None, method="POST", *, valid=False):
        """One request: refused, or a right answer to a right one."""
        self.asked += 1
        code, told = self.doors[name].ask(method, path, body, headers or {})
        self.codes[f"{name.split('-')[0]}{path} {code} {code_of(told)}"] += 1
        if code == 200 and valid:
            self.valid += 1
            if json.loads(told)["status"] == "OK" and b'"SendMessage"' in body:
                self.wrong.append((name, path, body[:300], told[:300]))
        elif not (400 <= code < 500 or code == 0 or (valid and code == 503)):
            self.wrong.append((name, path, code, body[:300] if body else b"", told[:300]))

    def gateway(self):
        body, valid = self.mutants.act()
        self.send("gateway", "/act", body, {"authorization": f"Bearer {self.credential}"}, valid=valid)

    def nobody(self):
        right = self.credential
        middle = self.draw.randrange(len(right))
        wrong = self.draw.choice(
            ["x", "", right[:-3], right[:middle] + "*" + right[middle + 1 :], right.swapcase(), "é" * 50, right + right]
        )
        body = json.dumps({"intent_id": "SendMessage", "inputs": {"to": "anna@example.org", "text": "hello"}}).encode()
        header = {
            "authorization": self.draw.choice(["Bearer ", "bearer ", "Basic ", ""]).encode()
            + wrong.encode("latin-1", "replace")
        }
        self.send("gateway", "/act", body, header)

    def executor(self):
        if (body := self.mutants.presented()) is not None:
            self.send("executor", "/exec", body)

    def outcome(self):
        if (body := self.mutants.outcome()) is not None:
            self.send("executor", "/outcome", body)

    def question(self):
        self.send(self.draw.choice(["p0", "p1"]), "/look-up", self.mutants.question())

    def methods(self):
        name, path = self.draw.choice(DOORS)
        method = self.draw.choice(["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"])
        self.send(
            name,
            self.draw.choice([path, path + "/", path + "x", "//", path.upper(), "/%2e%2e/health"]),
            b"{}",
            method=method,
        )

    def health(self):
        name, path = self.draw.choice([*self.doors]), self.draw.choice(["/health", "/metrics"])
        self.send(name, path, secrets_of(self.draw), method=self.draw.choice(["POST", "PUT", "DELETE"]))

    def hardly(self):
        """A connection of its own; what comes back begins with a refusal, if anything does."""
        name, path = self.draw.choice(DOORS)
        self.asked += 1
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(0.5)
            sock.connect(str(self.place.folder / "run" / f"{name}.sock"))
            try:
                sock.sendall(self.mutants.hardly_http(path))
                told = sock.recv(4096)
            except (ConnectionError, TimeoutError):
                told = b""
        self.codes[f"raw {told[9:12].decode('latin-1') or 'closed'}"] += 1
        if told and not told.startswith((b"HTTP/1.1 4", b"HTTP/1.1 100", b"HTTP/1.0 4")):
            self.wrong.append((name, path, told[:300]))

    def mcp(self):
        self.asked += 1
        self.codes["mcp"] += 1
        right = {
            "jsonrpc": "2.0",
            "id": self.asked,
            "method": "tools/call",
            "params": {"name": "act", "arguments": {"intent_id": "Nothing", "inputs": {}}},
        }
        line = (
            json.dumps(changed(self.draw, right)).encode()
            if self.draw.random() < 0.6
            else spoiled(self.draw, json.dumps(right).encode())
        )
        if self.speaker.poll() is None:  # else it is noticed at the end
            self.speaker.stdin.write(line.replace(b"\n", b" ")[:20_000] + b"\n")
            self.speaker.stdin.flush()


def code_of(told):
    try:
        value = json.loads(told)
        return value.get("reason_code") or value.get("code", "")
    except (ValueError, AttributeError):
        return ""


def noted(**told):
    with LOG.open("a") as file:
        file.write(json.dumps(told) + "\n")


def secrets_of(draw):
    return bytes(draw.randrange(256) for _ in range(draw.randrange(100)))


def memory_of(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def pids(place):
    return {one.role: one.pid for one in status(place.folder, place.parties)}


def speaker(place, storm, folder):
    """The MCP front, as a process beside an agent; what it says goes into a file."""
    path = folder / "alice.cred"
    path.touch(0o600)
    path.write_text(storm.credential)
    command = [
        sys.executable,
        "-I",
        "-m",
        "remit.cli",
        "gateway",
        "mcp",
        "--credential",
        str(path),
        "--folder",
        str(place.folder),
    ]
    with (folder / "mcp.out").open("wb") as out, (folder / "mcp.err").open("wb") as err:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=err)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    for told in (
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ):
        child.stdin.write(json.dumps(told).encode() + b"\n")
    child.stdin.flush()
    return child


@pytest.fixture(scope="module")
def place():
    with office() as made:
        yield made


def test_what_is_nearly_right_is_refused_and_nothing_grows_ends_or_happens(place, tmp_path):
    storm = Storm(place)
    storm.speaker = speaker(place, storm, tmp_path)
    kinds = {name: getattr(storm, name.split()[0]) for name in PARTS}
    before, grown = pids(place), {}
    names, weights = list(PARTS), list(PARTS.values())
    for number in range(COUNT):
        kinds[storm.draw.choices(names, weights)[0]]()
        if number == COUNT // 10:
            grown = {role: memory_of(pid) for role, pid in before.items()}
        if number % 1000 == 999:
            now = {role: memory_of(pid) // 1024 for role, pid in before.items()}
            noted(requests=storm.asked, valid=storm.valid, wrong=len(storm.wrong), MB=now)
    now = {role: memory_of(pid) - grown[role] for role, pid in before.items()}
    noted(requests=storm.asked, valid=storm.valid, codes=storm.codes, grown=now, wrong=repr(storm.wrong[:5])[:3000])
    for door in storm.doors.values():
        door.close()
    storm.speaker.stdin.close()
    ended = storm.speaker.wait(300)
    assert storm.wrong[:5] == []
    assert pids(place) == before, "a party ended"
    assert ended == 0, (tmp_path / "mcp.err").read_text()[-2000:]
    assert b"Traceback" not in (tmp_path / "mcp.err").read_bytes()
    assert max(now.values()) < GROWTH, now
    for party in (place.folder / "log").glob("*.log"):
        assert "Traceback" not in party.read_text(), party.read_text()[-3000:]
    assert place.taken == []
    with Log.open(place.folder / "state" / "executor") as log:
        assert {one.entry.outcome for one in log.records()} <= {"deny"}


def test_who_sends_slowly_holds_up_nobody(place):
    """Many connections with half a request each: everybody else is answered."""
    held = []
    for name, path in DOORS * 5:
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(str(place.folder / "run" / f"{name}.sock"))
        sock.sendall(f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{{".encode())
        held.append(sock)
    for name in ("gateway", "p0", "p1", "executor"):
        door = Door(place.folder, name)
        assert door.ask("GET", "/health", None, {})[0] == 200
        door.close()
    for sock in held:
        sock.close()


async def decides(place):
    """Wait until the servers decide again: whoever asks while they find each other is refused for now."""
    said = {"intent_id": "SendMessage", "inputs": {"to": "anna@example.org", "text": "is anybody there"}}
    async with GatewayClient(place.gateway, place.credential("alice", "one")) as asker:
        for _ in range(600):
            if (await asker.act(said)).get("tx_id"):
                return
            await asyncio.sleep(0.1)


def test_afterwards_everything_works(place):
    for _ in range(600):  # the first server comes back to the second
        if all(one.healthy for one in status(place.folder, place.parties)):
            break
        time.sleep(0.1)
    asyncio.run(decides(place))
    tally = Tally("after")
    asyncio.run(play_at(place, tally, 1, "nobody"))
    assert [one for one in tally.tried() if one.won] == []
    assert len(place.taken) == 2
