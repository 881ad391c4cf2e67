"""Loading a skill is an event: which folder it is, what is in it, whether it is what a person agreed to, and what it may do.

(1) The name leads to a folder where the host looks for skills, or a path to a SKILL.md names it. None: nothing is known of it.
(2) The folder is read; one that cannot be read is refused.
(3) Against the lock that a person trusted: a skill that changed is refused, one that is not listed is asked about.
(4) Its manifest is its own file; a manifest that a person trusted and that changed is refused.
(5) Its level: what admission of its bundle finds; else `declared` if lock or manifest were trusted; else `unverified`.
(6) What its text would make an agent do in secret is asked about, each with its sentence.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remit.core.errors import DataError, GuardError, RemitError
from remit.core.table import read_table
from remit.guard.context.severity import Severity
from remit.guard.context.source import Kind, Source
from remit.guard.paths import exactly
from remit.guard.store import trusted_digest
from remit.manifest.drift.content import content_digest
from remit.manifest.find import own_manifest
from remit.manifest.model import Manifest, Verification
from remit.policy.principal import Loaded
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from remit.guard.context.finding import Finding
    from remit.guard.store import Store
    from remit.guard.workspace import Workspace
    from remit.skill.model import Skill

    Scan = Callable[[str, Source], tuple[Finding, ...]]
    Admit = Callable[[Path], Verification]

_ROOTS = Path(__file__).with_name("data") / "skill_roots.table"
_KEPT = 256  # skills whose reading is remembered


class Loading(NamedTuple):
    """What became of a load."""

    loaded: Loaded | None  # None: refused
    reason: str = ""  # why it is refused
    asks: tuple[str, ...] = ()  # why a person is asked first
    text: str = ""  # its instructions: words that name nothing by themselves
    notes: tuple[str, ...] = ()


def refused(reason: str) -> Loading:
    """It is not loaded."""
    return Loading(None, reason)


@cache
def _roots() -> tuple[tuple[str, str], ...]:
    found = []
    for row in read_table(_ROOTS, 3):
        host, place, meaning = row.cells
        if not (host and meaning and place.startswith(("./", "~/"))):
            raise DataError(
                f"{row.where}: a place begins with `./` or `~/`, and has a host and a meaning", "correct it"
            )
        found.append((host, place))
    return tuple(found)


def folder_of(name: str, host: str, workspace: Path, home: Path) -> Path | None:
    """The folder of a skill, by its name or by the path of its SKILL.md."""
    if name.startswith("/"):
        return Path(name).parent if Path(name).name.casefold() == "skill.md" else None
    plain = name.rpartition(":")[2]  # `plugin:skill`
    if not plain or plain in (".", "..") or "/" in plain or "\0" in plain:
        return None
    for root in _folders(host, workspace, home):
        if (root / plain).is_dir():
            return (root / plain).resolve()
    for root in _folders(host, workspace, home):  # by the name that it gives itself
        for folder in sorted(root.iterdir()):
            if folder.is_dir() and _own_name(folder) == plain:
                return folder.resolve()
    return None


def installed(host: str, workspace: Path, home: Path) -> Iterator[tuple[str, Path]]:
    """Every skill that a host would find."""
    for root in _folders(host, workspace, home):
        for folder in sorted(root.iterdir()):
            if (folder / "SKILL.md").is_file():
                yield folder.name, folder.resolve()


def _folders(host: str, workspace: Path, home: Path) -> Iterator[Path]:
    for whose, place in _roots():
        if whose in (host, "*"):
            base = workspace if place.startswith("./") else home
            yield from (found for found in sorted(base.glob(place[2:])) if found.is_dir())


def _own_name(folder: Path) -> str:
    try:
        with (folder / "SKILL.md").open("rb") as file:
            head = file.read(4000).decode("utf-8", "replace")
    except OSError:
        return ""
    line = next((line for line in head.splitlines()[1:40] if line.startswith("name:")), "")
    return line[5:].strip().strip("\"'")


T = TypeVar("T")


class _Kept(OrderedDict[str, T]):
    """The newest values by the content that they are of."""

    def keep(self, key: str, value: T) -> T:
        self[key] = value
        while len(self) > _KEPT:
            self.popitem(last=False)
        return value


class Skills:
    """Reads skills and remembers what it read, by content."""

    def __init__(self, store: Store, scan: Scan, admit: Admit) -> None:
        self._store = store
        self._scan = scan
        self._admit = admit
        self._findings: _Kept[tuple[tuple[str, ...], str]] = _Kept()
        self._levels: _Kept[Verification] = _Kept()

    def load(self, name: str, host: str, workspace: Workspace, home: Path) -> Loading:
        """What becomes of loading a skill now."""
        folder = folder_of(name, host, workspace.root, home)  # (1)
        if folder is None:
            return refused(f"the skill `{name[:200]}` is not where {host} keeps skills, so nothing is known of it")
        try:
            skill = load_skill(folder)  # (2)
            found = content_digest(skill.files, skill.links)
            listed, asks = self._lock(workspace, folder, found)  # (3)
            manifest, trusted = self._manifest(folder)  # (4)
        except RemitError as error:
            return refused(f"skill `{name[:200]}`: {error.message}; {error.remedy}")
        level = self._level(folder, found, trusted=trusted or listed)  # (5)
        warnings, text = self._read(skill, found)  # (6)
        # two skills that call themselves alike are not one: the folder tells them apart
        loaded = Loaded(folder.name, found, manifest, level, exactly(str(folder)))
        # what a person locked, a person has seen
        return Loading(loaded, asks=(*asks, *(() if listed else warnings)), text=text)

    def text_of(self, content: str) -> str:
        """The text of a skill that was read, by its digest; empty if it was not."""
        known = self._findings.get(content)
        return known[1] if known else ""

    def _lock(self, workspace: Workspace, folder: Path, found: str) -> tuple[bool, tuple[str, ...]]:
        if workspace.lock is None:
            return False, ()
        place = Path(os.path.relpath(folder, workspace.root)).as_posix()
        locked = next((one for one in workspace.lock.skills if one.path == place), None)
        if locked is None:
            return False, (f"the skill `{folder.name}` is not in skills.lock",)
        if locked.summary.content != found:
            raise GuardError(
                f"`{folder.name}` changed since it was locked", "`remit lock --check` shows how; `--update` accepts it"
            )
        return True, ()

    def _manifest(self, folder: Path) -> tuple[Manifest, bool]:
        own = own_manifest(folder)
        if own is None:
            return Manifest("", ()), False
        known = trusted_digest(self._store, str(own.path))
        digest = "sha256:" + hashlib.sha256(own.path.read_bytes()).hexdigest()
        if known is not None and known != digest:
            raise GuardError(f"`{own.path.name}` is not the one that was trusted", "`remit guard trust` again")
        return own.manifest, known is not None

    def _level(self, folder: Path, found: str, *, trusted: bool) -> Verification:
        level = self._levels.get(found)
        if level is None:
            proved = (folder / "evidence").is_dir()
            level = self._levels.keep(found, self._admit(folder) if proved else Verification.UNVERIFIED)
        return Verification.DECLARED if trusted and level is Verification.UNVERIFIED else level

    def _read(self, skill: Skill, found: str) -> tuple[tuple[str, ...], str]:
        known = self._findings.get(found)
        if known is not None:
            return known
        texts = {one.path: skill.contents[one.path].decode("utf-8", "replace") for one in skill.documents}
        warnings = tuple(
            f"{path}:{finding.line}: {finding.does}: {finding.sentence[:200]}"
            for path, text in texts.items()
            for finding in self._scan(text, Source(Kind.SKILL, skill.name))
            if finding.severity is Severity.HIGH
        )
        return self._findings.keep(found, (warnings, "\n".join(texts.values())))
