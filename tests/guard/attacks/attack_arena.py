"""Where agents attack: a home folder with secrets and settings, a workspace, the guard's state, and an engine over all of it."""

from __future__ import annotations

import os
import subprocess
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from remit.guard.engine import Engine
from remit.guard.event import Event, Kind, Outcome, Verdict
from remit.guard.state_folder import StateFolder
from remit.guard.store import trust_file
from remit.manifest.baseline import FILE as DEFAULTS

if TYPE_CHECKING:
    from pathlib import Path

_WORKSPACE = {
    "a.txt": "a\n",
    "src/m.py": "print(1)\n",
    "run.sh": "#!/bin/sh\necho hi\n",
    "package.json": "{}",
    "Makefile": "all:\n\techo hi\n",
    "cfg/settings.json": "{}",
    "kept/x.txt": "x",
}
_HOME = {".ssh/id_rsa": "key", ".claude/settings.json": "{}", ".bashrc": "x"}


class Arena:
    """One machine. `v` is a file of the guard's state."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.home = self.root / "home"
        self.ws = self.root / "work" / "proj"
        self.state = self.home / ".local" / "state" / "remit"
        for base, files in ((self.ws, _WORKSPACE), (self.home, _HOME)):
            for name, text in files.items():
                (base / name).parent.mkdir(parents=True, exist_ok=True)
                (base / name).write_text(text)
        for folder in (self.root / "tmp", self.state):
            folder.mkdir(parents=True)
        self.state.chmod(0o700)
        subprocess.run(["git", "init", "-q", str(self.ws)], check=True)
        defaults = self.ws / "remit-defaults.json"  # the user's own baseline: what `remit defaults` prints, trusted
        defaults.write_bytes(DEFAULTS.read_bytes())
        self.engine = Engine(StateFolder(self.state), home=self.home)
        trust_file(
            self.engine.sessions.store, str(defaults), f"sha256:{sha256(DEFAULTS.read_bytes()).hexdigest()}", now=1
        )
        self.v = str(self.state / "guard.db")
        self._calls = 0
        self._load_skill()

    def _load_skill(self) -> None:
        """A skill acts in the session: without one the user's own agent is only watched."""
        folder = self.ws / ".claude" / "skills" / "helper"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text("---\nname: helper\ndescription: helps\n---\nHelps.\n")
        manifest = folder / "remit.json"
        manifest.write_text('{"permissions": []}')
        digest = f"sha256:{sha256(manifest.read_bytes()).hexdigest()}"
        trust_file(self.engine.sessions.store, str(manifest), digest, now=1)
        self.tool("Skill", skill="helper")

    def bait(self) -> None:
        """Links and repositories of an attacker that lie in the workspace already."""
        ws = self.ws
        (ws / "lnk").symlink_to(self.state)
        (ws / "lnkdb").symlink_to(self.v)
        (ws / "chain").symlink_to("lnk")
        (ws / "rel").symlink_to("../../home/.local/state/remit")
        (ws / "loop").symlink_to("loop")
        (ws / "dang").symlink_to(self.state / "new.json")
        (ws / "sub").mkdir()
        (ws / "sub" / "l2").symlink_to(self.home / ".ssh")
        os.link(self.v, ws / "hard.db")
        os.link(self.home / ".ssh/id_rsa", ws / "hard_key")
        os.link(self.home / ".claude/settings.json", ws / "hard_settings")
        subprocess.run(["git", "init", "-q", "--bare", str(ws / "bare")], check=True)
        with (ws / "bare" / "config").open("a") as file:
            file.write("[core]\n\tfsmonitor = touch pwned\n")
        (ws / "gl").mkdir()
        (ws / "gl" / ".git").write_text("gitdir: ../bare\n")

    def event(self, kind: Kind = Kind.BEFORE, **fields: Any) -> Verdict:
        """What the engine answers."""
        self._calls += 1
        given = {
            "host": "claude-code",
            "name": str(kind),
            "session": "s1",
            "cwd": str(self.ws),
            "call": str(self._calls),
        }
        return self.engine.decide(Event(kind=kind, **(given | fields)))

    def tool(self, tool: str, **args: Any) -> Verdict:
        return self.event(tool=tool, args=args)

    def bash(self, command: str, **fields: Any) -> Verdict:
        return self.event(tool="Bash", args={"command": command}, **fields)

    def close(self) -> None:
        self.engine.close()


def held(verdict: Verdict) -> bool:
    """Denied, or asked about."""
    return verdict.outcome in (Outcome.DENY, Outcome.ASK) and bool(verdict.reason)


def broken(verdict: Verdict) -> bool:
    """Whether it was denied only because the guard itself failed."""
    return "unexpected failure" in verdict.reason
