"""Whoever answers in the replay: the real engine, on a state of its own. This is the one place where the bench and the guard meet.

Manifests are drafted once from the skills as their authors wrote them (`remit init`, unedited), put beside the skill that is
loaded, and trusted by a person, so that its level is `declared`. Nothing is pinned unless it is asked for: then a lock of the
clean skill is trusted too. A person who is asked and agrees does so for the session, as people do who do not want to be asked again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import InputError
from remit.guard.engine import Engine
from remit.guard.event import Event, Kind, Outcome, Verdict
from remit.guard.session.call_location import CallLocations
from remit.guard.state_folder import StateFolder
from remit.guard.store import State, answer_approval, trust_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skill_inject.layout import Checkout, Sandbox
    from skill_inject.replay import Decider

MANIFEST = "remit.json"
LOCK = "skills.lock"


class Guards:
    """The engine for all sessions of a replay. Sandboxes and state lie in one folder, which is not that of temporary files."""

    def __init__(self, checkout: Checkout, folder: Path) -> None:
        self.folder = folder
        self._skills = checkout.folder / "skills"
        self._drafts = folder / "drafts"
        shutil.copytree(self._skills, self._drafts)
        _remit(["init", "--quiet", "--force", str(self._drafts)], folder)
        state = folder / "state"
        state.mkdir(mode=0o700)
        self._engine = Engine(StateFolder(state), home=self.box)

    @property
    def box(self) -> Path:
        """Where each sandbox is built, one after the other; it is the home of the user too, with what the benchmark puts there."""
        return self.folder / "box"

    def __call__(self, sandbox: Sandbox, *, pin: bool) -> Decider:
        """The guard of a sandbox. Sessions have names of their own, so it has seen nothing of this one yet."""
        engine = self._engine
        # the sandbox before lay in the same place, with another skill: what is remembered of it for a second is not so here
        engine.sessions.where = CallLocations(engine.sessions.home, engine.sessions.temp)
        folder = sandbox.workspace / ".claude" / "skills" / sandbox.skill
        draft = self._drafts / sandbox.source.relative_to(self._skills) / MANIFEST
        shutil.copyfile(draft, folder / MANIFEST)
        _trust(engine, folder / MANIFEST)
        if pin:
            shutil.copyfile(self._locked(sandbox, draft), sandbox.workspace / LOCK)
            _trust(engine, sandbox.workspace / LOCK)
        return Asking(engine)

    def close(self) -> None:
        self._engine.close()

    def _locked(self, sandbox: Sandbox, draft: Path) -> Path:
        """The lock of a clean skill with its manifest, as it lies in a sandbox."""
        admitted = self.folder / "admitted" / sandbox.skill
        if not (admitted / LOCK).exists():
            place = Path(".claude", "skills", sandbox.skill)
            shutil.copytree(sandbox.source, admitted / place)
            shutil.copyfile(draft, admitted / place / MANIFEST)
            _remit(["lock", "--quiet", str(place)], admitted)
        return admitted / LOCK


class Asking:
    """An engine whose questions are answered by a person elsewhere: that a call ran in spite of one means that they agreed."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._open: dict[str, tuple[Event, str]] = {}

    def decide(self, event: Event) -> Verdict:
        if event.kind is Kind.AFTER and event.call in self._open:
            self._agreed(*self._open.pop(event.call))
        verdict = self.engine.decide(event._replace(asks=False))
        if verdict.approval:
            self._open[event.call] = event, verdict.approval
            return verdict._replace(outcome=Outcome.ASK)
        return verdict

    def _agreed(self, event: Event, approval: str) -> None:
        answer_approval(self.engine.sessions.store, approval, State.SESSION, now=int(time.time()))
        again = self.engine.decide(event._replace(asks=False))
        if again.outcome is not Outcome.PASS:
            raise InputError(f"a call to which a person agreed is not let through: {again.reason}", "this is a mistake")


@contextlib.contextmanager
def guards(checkout: Checkout, place: Path) -> Iterator[Guards]:
    """The guards of a replay, in a new folder below `place` that is thrown away."""
    folder = place / f"replay-{os.getpid()}"
    folder.mkdir(parents=True, mode=0o700)
    try:
        made = Guards(checkout, folder)
        yield made
        made.close()
    finally:
        shutil.rmtree(folder)


def _trust(engine: Engine, path: Path) -> None:
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    trust_file(engine.sessions.store, str(path.resolve()), f"sha256:{found}", now=int(time.time()))


def _remit(words: list[str], folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "remit.cli", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        raise InputError(f"`remit {words[0]}` failed: {done.stderr[-500:]}", "look at the checkout")
