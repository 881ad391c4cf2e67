"""Runs of the real Claude Code: a home and a workspace of their own, a scripted model, hooks of the test's choice."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scripted_model import Model, scripted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scripted_model import Scripted

EVENTS = (
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "UserPromptExpansion",
    "SessionStart", "SessionEnd", "InstructionsLoaded", "SubagentStart", "SubagentStop", "Stop", "PermissionRequest",
    "PermissionDenied", "ConfigChange",
)  # fmt: skip
STAND_IN = Path(__file__).with_name("stand_in_hook.py")
NOWHERE = "http://127.0.0.1:9"  # nothing leaves this machine


class Run(NamedTuple):
    """What a run left behind."""

    status: int
    stdout: str
    stderr: str
    model: Model
    log: list[dict[str, Any]]  # what the stand-in hook was told

    def told(self, event: str) -> list[dict[str, Any]]:
        """What the hook was told at one event."""
        return [entry for entry in self.log if entry["hook_event_name"] == event]

    def events(self) -> list[dict[str, Any]]:
        """The host's own stream of events."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]


class Claude(NamedTuple):
    """The program, and a scratch folder with `home`, `work` and `hook` in it."""

    program: Path
    scratch: Path

    @property
    def home(self) -> Path:
        """The user's folder: settings and skills lie below `.claude`."""
        return self.scratch / "home"

    @property
    def work(self) -> Path:
        """The workspace."""
        return self.scratch / "work"

    def skill(self, name: str, body: str, front: str = "") -> Path:
        """A skill of the project."""
        folder = self.work / ".claude/skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: does {name}\n{front}---\n{body}\n")
        return folder

    def stand_in(self, answers: Mapping[str, Any], timeout: float = 5) -> dict[str, Any]:
        """Settings whose hooks are the stand-in for every event, with these answers."""
        folder = self.scratch / "hook"
        (folder / "answers.json").write_text(json.dumps(answers))
        command = shlex.join([sys.executable, "-I", "-S", str(STAND_IN), str(folder)])
        return hooks(dict.fromkeys(EVENTS, command), timeout)

    def run(
        self,
        turns: Sequence[Scripted],
        settings: Mapping[str, Any],
        *options: str,
        prompt: str = "hi",
        agents: Mapping[str, Sequence[Scripted]] | None = None,
        prefix: Sequence[str] = (),
        seconds: float = 300,
    ) -> Run:
        """One headless session. `settings` are given on the command line; other places of settings are the test's to fill."""
        file = self.scratch / "settings.json"
        file.write_text(json.dumps(settings))
        with scripted(turns, agents) as model:
            done = subprocess.run(
                [*prefix, self.program, "-p", prompt, "--settings", file, "--output-format", "stream-json", "--verbose", *options],
                env=self._environment(model.url),
                cwd=self.work,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )  # fmt: skip
        log = self.scratch / "hook/log.jsonl"
        told = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return Run(done.returncode, done.stdout, done.stderr, model, told)

    def _environment(self, url: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TERM": "dumb",
            "LANG": "C.UTF-8",
            "IS_SANDBOX": "1",  # lets root use the bypass mode
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "HTTPS_PROXY": NOWHERE,
            "HTTP_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1,127.0.0.2",
        }


def hooks(commands: Mapping[str, str], timeout: float = 5) -> dict[str, Any]:
    """Settings with one command a hook event."""
    return {
        "hooks": {
            event: [{"matcher": "", "hooks": [{"type": "command", "command": command, "timeout": timeout}]}]
            for event, command in commands.items()
        }
    }
