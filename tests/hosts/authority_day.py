"""A small day of an agent whose every effect passes both policy servers: a message, a page, a file and a command, and what is not allowed."""

from __future__ import annotations

import json
import re
import sys
import threading
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scripted_model import Turn, call

from remit.audit import Filter, Log
from remit.cli.main import main

sys.path.insert(0, str(Path(__file__).parents[1] / "executor"))
from slow_mail import messages, slow_mail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMMAND = "python3 -c 'print(6 * 7)'"
POLICY = """
policy  day
list    recipients anna@example.org
list    hosts      127.0.0.1
list    paths      note.txt
list    commands   from commands.txt
intent  SendMessage
allow   recipient in recipients
intent  FetchResource
allow   domain in hosts
intent  WriteWorkspaceFile
allow   token in paths
intent  RunProcess
allow   token in commands
"""
MANIFEST = {"permissions": [{"capability": "process.create", "scope": ["python3"], "effect": "allow"}]}
PAGE = b"opening hours: nine to five"


class Day(NamedTuple):
    """A running installation, and the world around it."""

    folder: Path
    credential: Path
    port: int  # of the page
    taken: list[bytes]  # messages that left
    fetched: list[str]  # paths of pages that were asked for

    def tasks(self) -> list[dict[str, Any]]:
        """What the agent does, one after another."""
        return [
            {"intent_id": "SendMessage", "inputs": {"to": "anna@example.org", "text": "good morning"}},
            {"intent_id": "FetchResource", "inputs": {"url": f"http://127.0.0.1:{self.port}/hours"}},
            {"intent_id": "WriteWorkspaceFile", "inputs": {"path": "note.txt", "text": "by both"}},
            {"intent_id": "RunProcess", "inputs": {"command": COMMAND}},
        ]

    def forbidden(self) -> list[dict[str, Any]]:
        """What the policy does not allow."""
        return [
            {"intent_id": "SendMessage", "inputs": {"to": "eve@evil.example", "text": "all of it"}},
            {"intent_id": "FetchResource", "inputs": {"url": "https://evil.example/"}},
            {"intent_id": "WriteWorkspaceFile", "inputs": {"path": "other.txt", "text": "by none"}},
            {"intent_id": "RunProcess", "inputs": {"command": "python3 -c 'print(open(\"/etc/passwd\").read())'"}},
        ]

    def judge(self, answers: list[str]) -> None:
        """What the agent heard (previews, ends, refusals) and what happened agree with the policy."""
        previews, ends, refusals = answers[0:8:2], answers[1:8:2], answers[8:]
        assert ['"PREVIEW"' in one for one in previews] == [True] * 4, previews
        assert ['"OK"' in one for one in ends] == [True] * 4, ends
        assert ["POLICY_DENY" in one for one in refusals] == [True] * 4, refusals
        assert "nine to five" in ends[1]
        assert "42" in ends[3]
        assert [one.text for one in messages(self.taken)] == ["good morning"]
        assert self.fetched == ["/hours"]
        assert (self.folder / "workspace/note.txt").read_text() == "by both"
        assert not (self.folder / "workspace/other.txt").exists()
        with Log.open(self.folder / "state/executor") as log:
            outcomes = [str(one.entry.outcome) for one in log.records(Filter())]
        assert outcomes == ["admit", "executed"] * 4


def turns(day: Day, act: str) -> list[Turn | Callable[[dict[str, Any]], Turn]]:
    """What the model says: each task previewed and committed, then what is forbidden. `act`: the tool's name at this host."""

    def committed(said: dict[str, Any]) -> Callable[[dict[str, Any]], Turn]:
        return lambda request: call(act, **said, constraints={"tx_id": last_name(request)})

    out: list[Turn | Callable[[dict[str, Any]], Turn]] = []
    for said in day.tasks():
        out += [call(act, **said), committed(said)]
    return out + [call(act, **said) for said in day.forbidden()]


def last_name(request: dict[str, Any]) -> str:
    """The transaction that the agent was told of last."""
    return re.findall(r'tx_id[\\": ]+([0-9a-f]{32})', json.dumps(request))[-1]


@contextmanager
def page() -> Iterator[tuple[int, list[str]]]:
    """A page on this machine; gives its port, and what was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.server_port, asked
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def running_day(scratch: Path) -> Iterator[Day]:
    """All parties on this machine, set up for the day, with a credential for the agent."""
    folder, credential = scratch / "authority", scratch / "agent.cred"
    (scratch / "commands.txt").write_text(COMMAND + "\n")
    (scratch / "day.policy").write_text(POLICY)
    with ExitStack() as stack:
        mail, taken = stack.enter_context(slow_mail(0))
        port, fetched = stack.enter_context(page())
        stack.callback(main, ["down", "--folder", str(folder)])
        remit("up", "--folder", folder, "--policy", scratch / "day.policy")
        (folder / "effects.json").write_text(json.dumps(_effects(mail, port)))
        (folder / "process.json").write_text(json.dumps(MANIFEST))
        remit("up", "--folder", folder)
        remit("gateway", "give", "agent", "--intent", "*", "--sink", "*", "--out", credential, "--folder", folder)
        yield Day(folder, credential, port, taken, fetched)


def _effects(mail: int, port: int) -> dict[str, Any]:
    near = [f"127.0.0.1:{port}"]
    return {
        "v": 1,
        "smtp": {"host": "127.0.0.1", "port": mail, "from": "agent@example.org", "tls": "none"},
        "web": {"near": near, "plain": near},
        "files": {"workspace": "workspace", "write": ["workspace"]},
        "process": {"manifest": "process.json", "workspace": "workspace"},
    }


def remit(*words: object) -> None:
    """A command of the operator."""
    assert main([str(word) for word in words]) == 0, words
