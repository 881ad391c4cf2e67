"""A user with a home folder, agent hosts and sources, for tests of `remit add` and what belongs to it."""

import contextlib
import json
import os
import pty
import sys
from pathlib import Path

from cli_skills import run

MARKERS = {
    "claude-code": ".claude", "codex": ".codex", "gemini": ".gemini", "copilot": ".copilot",
    "opencode": ".config/opencode", "openclaw": ".openclaw",
}  # fmt: skip
USER = {
    "claude-code": ".claude/skills", "codex": ".codex/skills", "gemini": ".gemini/skills", "copilot": ".copilot/skills",
    "opencode": ".config/opencode/skills", "openclaw": ".openclaw/skills",
}  # fmt: skip
PROJECT = USER | {"copilot": ".github/skills", "opencode": ".opencode/skills", "openclaw": "skills"}


class User:
    """A home folder in which some hosts are, and the commands that its owner writes."""

    def __init__(self, home: Path, work: Path, capfd, monkeypatch, hosts=("claude-code",)):
        self.home, self.work, self.capfd = home, work, capfd
        self.state = home / ".local/state/remit"
        for host in hosts:
            (home / MARKERS[host]).mkdir(parents=True)
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.delenv("XDG_STATE_HOME")
        monkeypatch.setenv("PATH", "/usr/bin:/bin")  # no host can be started

    def remit(self, *words):
        return run(self.capfd, *words)

    def said(self, *words):
        """What a command prints as JSON."""
        status, out, err = self.remit(*words, "--json")
        assert status == 0, err
        return json.loads(out)

    def installed(self, name, host="claude-code") -> Path:
        return self.home / USER[host] / name

    def records(self):
        return json.loads((self.state / "skills.json").read_text())["skills"]

    def trusted(self):
        status, out, err = self.remit("guard", "trust", "--list", "--format", "json")
        assert status == 0, err
        return set(json.loads(out)["trusted"])

    def typed(self, answer: str, *words) -> tuple[int, str]:
        """A command at a terminal of its own, with what its user types when it asks."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ["NO_COLOR"] = "1"
            os.chdir(self.work)
            os.execv(sys.executable, [sys.executable, "-m", "remit.cli", *map(str, words)])
        out, answered = b"", False
        with contextlib.suppress(OSError):  # the end, where the other side is gone
            while piece := os.read(terminal, 4096):
                out += piece
                if b"[y/N]" in out and not answered:
                    os.write(terminal, answer.encode() + b"\n")
                    answered = True
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), out.decode()
