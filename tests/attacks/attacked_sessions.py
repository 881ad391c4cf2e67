"""Sessions in which an agent does all that it is told, with the whole guard in the host.

Each runs twice: in the real Claude Code with a scripted model, where Node is there, most of them at night; and everywhere through the commands that
`remit guard install` wrote into the settings, told what Claude Code tells them, by an agent that runs what the guard lets pass.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import uuid
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from held_runs import Guard, Held
from scripted_model import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripted_model import Call, Scripted

# the same with the real host is a fact more, and takes seconds: by day the first attack and the last have it
recorded_and_by_night_real = pytest.mark.parametrize("agent", ["recorded", "real_host_nightly"], indirect=True)


class Result(NamedTuple):
    """What became of one call, as the model was told."""

    failed: bool
    text: str


class Scratch(NamedTuple):
    """A folder with `home` and `work` in it."""

    scratch: Path

    @property
    def home(self) -> Path:
        return self.scratch / "home"

    @property
    def work(self) -> Path:
        return self.scratch / "work"


class Real(Held):
    """In the real Claude Code."""

    def session(self, *turns: Scripted, prompt: str = "hi") -> list[Result]:
        return [Result(*found) for found in self.run(*turns, prompt=prompt).model.results()]


class Recorded(Guard):
    """Through the hooks alone."""

    def __init__(self, place: Scratch, monkeypatch: Any) -> None:
        super().__init__(place, monkeypatch)  # type: ignore[arg-type]
        self.remit("guard", "install", "claude-code")
        settings = json.loads((place.home / ".claude/settings.json").read_text())
        self._commands = {event: groups[0]["hooks"][0]["command"] for event, groups in settings["hooks"].items()}

    def skill(self, name: str, body: str, front: str = "") -> Path:
        folder = self.work / ".claude/skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: does {name}\n{front}---\n{body}\n")
        return folder

    def session(self, *turns: Scripted, prompt: str = "hi") -> list[Result]:
        told = {"session_id": str(uuid.uuid4()), "cwd": str(self.work), "permission_mode": "bypassPermissions"}
        self._tell("SessionStart", told | {"source": "startup"})
        self._tell("UserPromptSubmit", told | {"prompt": prompt})
        found = []
        for turn in turns:
            said = turn if isinstance(turn, Turn) else turn({})
            found += [self._call(told, call) for call in said.calls]
        self._tell("SessionEnd", told | {"reason": "other"})
        return found

    def _call(self, told: dict[str, Any], call: Call) -> Result:
        told = told | {
            "tool_name": call.tool,
            "tool_input": dict(call.args),
            "tool_use_id": f"toolu_{uuid.uuid4().hex}",
        }
        answer = self._tell("PreToolUse", told)
        said = answer.get("hookSpecificOutput", {})
        if said.get("permissionDecision") == "deny" or "blocked" in answer:
            return Result(failed=True, text=said.get("permissionDecisionReason") or answer["blocked"])
        assert answer == {} or ("updatedInput" in said and said["permissionDecision"] == "allow"), answer
        told |= {"tool_input": said.get("updatedInput", told["tool_input"])}
        failed, text = self._do(call.tool, told["tool_input"])
        event = "PostToolUseFailure" if failed else "PostToolUse"
        self._tell(event, told | ({"error": text} if failed else {"tool_response": {"stdout": text}}))
        return Result(failed, text)

    def _do(self, tool: str, args: dict[str, Any]) -> Result:
        """What Claude Code would do: a command that ends with a status is a call that failed."""
        match tool:
            case "Bash":
                done = subprocess.run(
                    ["bash", "-c", args["command"]], cwd=self.work, env=self._environ(), capture_output=True,
                    text=True, check=False,
                )  # fmt: skip
                return Result(done.returncode != 0, done.stdout + done.stderr)
            case "Read":
                return Result(failed=False, text=Path(args["file_path"]).read_text())
            case "Skill":
                file = self.work / ".claude/skills" / args["skill"] / "SKILL.md"
                return Result(failed=False, text=file.read_text())
            case other:
                raise AssertionError(other)

    def _tell(self, event: str, told: dict[str, Any]) -> dict[str, Any]:
        done = subprocess.run(
            ["sh", "-c", self._commands[event]], cwd=self.work, env=self._environ(), capture_output=True, text=True,
            input=json.dumps({"hook_event_name": event, "transcript_path": "", **told}), check=False,
        )  # fmt: skip
        return {"blocked": done.stderr} if done.returncode else json.loads(done.stdout)

    def _environ(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(self.place.home), "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Somebody who takes whatever is sent: the address, and what came."""
    came: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            came.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.send_response(204)
            self.end_headers()

        def do_GET(self) -> None:
            came.append(self.path.encode())
            self.send_response(204)
            self.end_headers()

    # an address of this machine that nobody takes for it: what is sent to `localhost` counts as staying here
    server = ThreadingHTTPServer(("127.0.0.2", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"127.0.0.2:{server.server_port}", came
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def passed(results: Sequence[Result]) -> bool:
    """Whether every call of a session ran."""
    return not any(one.failed for one in results)
