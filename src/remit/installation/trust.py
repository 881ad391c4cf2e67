"""Trust in what a person installs: the manifest and the content of the skill, and the lock of the workspace if there is
one.

A person who agrees to install a skill has seen what it can do, so the guard need not ask again (`remit guard trust`).
An agent can install a skill, but never trust one.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from remit.core.digest import bytes_digest
from remit.core.errors import GuardError, LockError
from remit.guard.approvals.persons import log_person, present
from remit.guard.session.workspace import LOCK
from remit.guard.state_folder import prepared, state_folder
from remit.guard.store import forget_file, open_store, trust_file, trusted_digest, trusted_files
from remit.installation.files import save
from remit.manifest.drift.lockfile import Lock, Locked, compact, parse, render
from remit.manifest.find import find_manifest

if TYPE_CHECKING:
    from types import TracebackType

    from remit.manifest.drift.model import Summary

_KEPT = 1_000_000  # characters of a trusted text that are stored, to show what changed


class Trust:
    """The guard's store of trust, while it is open. `problem` says why nothing can be trusted here."""

    def __init__(self, *, unattended: bool) -> None:
        self._places = prepared(state_folder())
        self._store = open_store(self._places.database)
        self.problem = ""
        try:
            self._person = present(unattended=unattended)
        except GuardError as error:
            self.problem = error.message

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.close()

    def skill(self, folder: Path, shown: Path, content: str, draft: str) -> bool:
        """Trust a skill in a folder; return whether that was done. `draft` is what it asks for now.

        `shown` is the copy that the person was shown, which no other user can write to: later changes of the installed
        copy are not trusted.
        """
        manifest = find_manifest(shown)
        if self.problem or manifest is None:
            return False
        real, data = folder.resolve(), manifest.read_bytes()
        self._trust(str(real / manifest.name), bytes_digest(data), data.decode("utf-8", "replace"))
        self._trust(str(real), content, draft)
        return True

    def forget(self, folder: Path) -> None:
        """Remove trust in a skill that is gone."""
        real = str(folder.parent.resolve() / folder.name)
        for path in trusted_files(self._store) if not self.problem else ():
            if path == real or path.startswith(f"{real}/"):
                log_person(self._places, self._person, f"trusts `{path}` no more", path, yes=False)
                forget_file(self._store, path)

    def lock(self, project: Path, folder: Path, summary: Summary | None) -> str:
        """Add a skill to the lock of a project, or remove it; return a message if that was not done."""
        path = project / LOCK
        if not path.is_file():
            return ""
        data = path.read_bytes()
        place = Path(os.path.relpath(folder.parent.resolve() / folder.name, project.resolve())).as_posix()
        try:
            lock = parse(data, LOCK)
        except LockError as error:
            return f"{error.message}: {LOCK} stays as it is"
        known = {item.path: item for item in lock.skills}
        if place not in known and not any(root in (".", place) or place.startswith(f"{root}/") for root in lock.roots):
            return ""
        trusted = trusted_digest(self._store, str(path)) == bytes_digest(data)
        if not lock.intact or (trusted and self.problem):
            return f"{LOCK} stays as it is: {self.problem or 'it was edited by hand'}; `remit lock --update` renews it"
        known.pop(place, None)
        if summary is not None:
            known[place] = Locked(place, compact(summary))
        text = render(Lock(lock.roots, tuple(known.values())))
        save(path, text, 0o666)
        if trusted:
            self._trust(str(path), bytes_digest(text.encode()), text)
        return ""

    def _trust(self, path: str, digest: str, said: str) -> None:
        log_person(self._places, self._person, f"trusts `{path}` as {digest}", path, yes=True)
        trust_file(self._store, path, digest, now=int(time.time()), said=said if len(said) <= _KEPT else "")
