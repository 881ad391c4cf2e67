"""Hosts with all of the guard in them, as `remit guard install` puts it there: client, daemon, engine, store and log are the real ones."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facts_values import BYPASS
from managed_place import managed_folder

from remit.audit import Filter, Log
from remit.cli.main import main
from remit.guard.state_folder import StateFolder
from remit.guard.store import State, add_grant, answer_approval, approvals, open_store, trust_file
from remit.manifest.baseline import FILE as DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from claude_runs import Claude, Run
    from other_runs import Place

    from remit.audit import Record
    from remit.guard.store import Approval


class Guard:
    """The guard of one user, from the outside: what a person would do with it, and what it wrote down."""

    def __init__(self, place: Claude | Place, monkeypatch: Any) -> None:
        self.place = place
        self.work = place.work
        self.state = place.scratch / "state"
        monkeypatch.setenv("HOME", str(place.home))
        monkeypatch.setenv("REMIT_STATE", str(self.state))

    def remit(self, *words: object) -> str:
        """A command of ours, as the user of the session writes it."""
        out = io.StringIO()
        with contextlib.chdir(self.work), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = main([str(word) for word in words])
        assert status == 0, out.getvalue()
        return out.getvalue()

    def careful(self) -> None:
        """The user's own baseline: what `remit defaults` prints, trusted. It counts without a skill too."""
        path = self.work / "remit-defaults.json"
        path.write_bytes(DEFAULTS.read_bytes())
        self.trust(path)

    def manifest(self, skill: Path, *permissions: Mapping[str, Any], trusted: bool = True) -> None:
        """A manifest in the folder of a skill, which a person trusts, unless not."""
        text = json.dumps({
            "skill_metadata": {"name": skill.name, "version": "1"}, "verification": "declared", "permissions": permissions,
        })  # fmt: skip
        (skill / "remit.json").write_text(text)
        if trusted:
            self.trust(skill / "remit.json")

    def lock(self) -> None:
        """Lock all skills as they are, by a person's word."""
        self.remit("lock", "--quiet", self._skills(), "--output", self.work / "skills.lock")
        self.trust(self.work / "skills.lock")

    def trust(self, path: Path) -> None:
        """A person looked at a file."""
        digest = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
        with self._store() as store:
            trust_file(store, str(path), digest, now=int(time.time()))

    def grant(self, principal: str, entry: Mapping[str, Any]) -> None:
        """A person gives a right to a skill for good."""
        with self._store() as store:
            add_grant(store, principal, entry, now=int(time.time()), expires=None)

    def questions(self) -> tuple[Approval, ...]:
        """What waits for a person."""
        with self._store() as store:
            return approvals(store, State.PENDING, int(time.time()))

    def approve(self, state: State = State.ONCE) -> None:
        """A person agrees to all that waits."""
        waiting = self.questions()
        assert waiting
        with self._store() as store:
            for one in waiting:
                answer_approval(store, one.id, state, now=int(time.time()))

    def records(self) -> list[Record]:
        """The log."""
        with Log.open(self.state) as log:
            return list(log.records(Filter()))

    def decided(self) -> list[str]:
        """How all calls were decided, in order."""
        return [str(one.entry.outcome) for one in self.records() if one.entry.kind == "decision"]

    def decisions(self, tool: str) -> list[str]:
        """How the calls of a tool were decided, in order."""
        return [str(one.entry.outcome) for one in self._of("decision", tool)]

    def ran(self, tool: str) -> int:
        """How many calls of a tool ended well, as the log has it."""
        return sum(one.entry.outcome == "executed" for one in self._of("effect", tool))

    def _of(self, kind: str, tool: str) -> list[Record]:
        return [one for one in self.records() if (one.entry.kind, one.entry.tool) == (kind, tool)]

    def alarms(self) -> list[str]:
        """What the log says about calls that ran otherwise than they were let through."""
        return [one.entry.reason for one in self.records() if one.entry.kind == "effect" and one.entry.reason]

    def pid(self) -> int:
        """The daemon."""
        return int(StateFolder(self.state).daemon_lock.read_text())

    def kill(self, number: int = signal.SIGKILL) -> None:
        """A signal to the daemon and to those that decide for it; most often its end."""
        with contextlib.suppress(OSError, ValueError):
            daemon = self.pid()
            workers = Path(f"/proc/{daemon}/task/{daemon}/children").read_text().split()
            for pid in (daemon, *map(int, workers)):
                with contextlib.suppress(ProcessLookupError):  # workers end with the daemon
                    os.kill(pid, number)

    def end(self) -> None:
        """After the test."""
        self.kill(signal.SIGCONT)
        self.kill()

    def _skills(self) -> Path:
        return self.work / ".claude/skills"

    @contextlib.contextmanager
    def _store(self) -> Iterator[Any]:
        self.state.mkdir(mode=0o700, exist_ok=True)
        store = open_store(StateFolder(self.state).database)
        try:
            yield store
        finally:
            store.close()


class Held(Guard):
    """Claude Code with the guard in it."""

    place: Claude

    def __init__(self, claude: Claude, monkeypatch: Any, *, managed: bool = False) -> None:
        super().__init__(claude, monkeypatch)
        self.prefix: list[str] = []
        if managed:  # each user of the machine has a state folder at the usual place
            self.state = claude.home / ".local/state/remit"
            folder = claude.scratch / "managed"
            self.remit("guard", "install", "claude-code", "--managed", "--managed-folder", folder)
            self.prefix = managed_folder(folder, claude.home)
        else:
            self.remit("guard", "install", "claude-code")

    def skill(self, name: str, body: str, front: str = "") -> Path:
        """A skill of the project."""
        return self.place.skill(name, body, front)

    def run(self, *turns: Any, prompt: str = "hi", agents: Any = None, **settings: Any) -> Run:
        """One headless session in which the host itself asks nobody."""
        return self.place.run(turns, settings, *BYPASS, prompt=prompt, agents=agents, prefix=self.prefix)
