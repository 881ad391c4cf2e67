"""The vocabulary of capabilities, and its translation from and to other vocabularies.

The words are data (`data/capabilities.table`, `data/skillguard.table`); this module only reads and relates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError
from remit.core.scope.forms import ScopeKind
from remit.core.table import DATA, TableRow, read_table

if TYPE_CHECKING:
    from pathlib import Path

# Files and source code alike
FILE_READS = ("file.read", "source.read")
FILE_WRITES = ("file.write", "source.write")
FILE_DELETES = ("file.delete", "source.delete")


class Level(StrEnum):
    """How much harm a capability can do, from least to most."""

    NORMAL = "normal"
    DANGEROUS = "dangerous"
    SYSTEM = "system"
    REDACT = "redact"  # the value must stay secret: it is returned masked or as a handle


class Change(StrEnum):
    """Whether a capability changes the state of the world, and reversibly."""

    NONE = "none"
    REVERSIBLE = "reversible"  # inside a snapshotted root; outside one it counts as irreversible
    IRREVERSIBLE = "irreversible"


class Capability(NamedTuple):
    """One capability of the vocabulary."""

    name: str
    level: Level
    change: Change
    scope_kind: ScopeKind
    meaning: str
    group: str
    skillguard: tuple[str, ...] = ()
    enclawed: tuple[str, ...] = ()


class SkillGuardName(NamedTuple):
    """A permission of SkillGuard in both spellings, with its group and level (empty where it has none)."""

    name: str
    constant: str
    group: str
    kind: str
    level: str
    expands: tuple[str, ...]


class Vocabulary:
    """All capabilities, by name; and the foreign names, both ways."""

    def __init__(self, capabilities: Mapping[str, Capability], skillguard: Mapping[str, SkillGuardName]) -> None:
        self._capabilities = dict(capabilities)
        self.skillguard = dict(skillguard)  # by both spellings
        self.enclawed: dict[str, tuple[str, ...]] = {}
        self._expanded: dict[str, tuple[str, ...]] = {}  # our patterns; there are no more of them than names
        for capability in capabilities.values():
            for token in capability.enclawed:
                self.enclawed[token] = (*self.enclawed.get(token, ()), capability.name)

    def __getitem__(self, name: str) -> Capability:
        return self._capabilities[name]

    def __contains__(self, name: object) -> bool:
        return name in self._capabilities

    def __iter__(self) -> Iterator[Capability]:
        return iter(self._capabilities.values())

    def __len__(self) -> int:
        return len(self._capabilities)

    def get(self, name: str) -> Capability | None:
        """Return the capability of this name, or None."""
        return self._capabilities.get(name)

    def expand(self, pattern: str) -> tuple[str, ...]:
        """Return every capability that a name or pattern of ours stands for; empty if there is none."""
        found = self._expanded.get(pattern)
        if found is None:
            found = tuple(name for name in self._capabilities if matches(pattern, name))
            if found:
                self._expanded[pattern] = found
        return found

    def expand_skillguard(self, pattern: str) -> tuple[str, ...]:
        """Return every capability that a SkillGuard name (either spelling) or pattern stands for; empty if unknown."""
        if pattern == "*":
            return tuple(self._capabilities)
        if pattern.endswith(".*"):
            found = [entry for name, entry in self.skillguard.items() if name.startswith(pattern[:-1])]
        else:
            found = [self.skillguard[pattern]] if pattern in self.skillguard else []
        wanted = {name for entry in found for name in entry.expands}
        return tuple(name for name in self._capabilities if name in wanted)

    def expand_enclawed(self, token: str) -> tuple[str, ...]:
        """Return every capability that an enclawed token stands for; empty if unknown."""
        return self.enclawed.get(token, ())


def matches(pattern: str, name: str) -> bool:
    """Whether a capability, `object.*` or `*` in a grant includes the capability `name`.

    `file.X` includes `source.X`: source code is files, named by their purpose.
    """
    if pattern in (name, "*"):
        return True
    if pattern.endswith(".*") and name.startswith(pattern[:-1]):
        return True
    if name in ("source.read", "source.write", "source.delete"):
        return pattern in ("file.*", "file" + name[6:])
    return False


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of this version, read once."""
    return load(DATA / "capabilities.table", DATA / "skillguard.table")


def load(capabilities: Path, skillguard: Path) -> Vocabulary:
    """Parse a vocabulary; a duplicate, or an unknown level, mark, scope kind or foreign name, is refused with its line."""
    ours: dict[str, Capability] = {}
    expands: dict[str, list[str]] = {}
    mentions: list[tuple[str, str]] = []
    for row in read_table(capabilities, 7):
        capability = _capability(row)
        if capability.name in ours:
            raise _refused(row, f"`{capability.name}` is defined twice")
        ours[capability.name] = capability
        for name in capability.skillguard:
            expands.setdefault(name, []).append(capability.name)
            mentions.append((name, row.where))
    theirs: dict[str, SkillGuardName] = {}
    for row in read_table(skillguard, 4):
        entry = _skillguard(row, tuple(expands.get(row.cells[0], ())))
        for spelling in filter(None, (entry.name, entry.constant)):
            if spelling in theirs:
                raise _refused(row, f"`{spelling}` is defined twice")
            theirs[spelling] = entry
    for name, where in mentions:
        if name not in theirs:
            message = f"{where}: `{name}` is not a SkillGuard name"
            raise DataError(message, f"add it to {skillguard.name}, or correct it")
    return Vocabulary(ours, theirs)


def _capability(row: TableRow) -> Capability:
    name, level, change, kind, skillguard, enclawed, meaning = row.cells
    if not name or not meaning:
        raise _refused(row, "a capability has a name and a meaning")
    try:
        return Capability(
            name,
            Level(level),
            Change(change),
            ScopeKind(kind),
            meaning,
            row.section,
            tuple(skillguard.split()),
            tuple(enclawed.split()),
        )
    except ValueError as error:
        raise _refused(row, str(error).replace("'", "`")) from None


def _skillguard(row: TableRow, expands: tuple[str, ...]) -> SkillGuardName:
    name, constant, kind, level = row.cells
    if kind not in ("catalogue", "manifest", "extension"):
        raise _refused(row, f"`{kind}` is not a kind of name")
    if (level or "normal") not in tuple(Level) or (kind == "catalogue") != bool(level):
        raise _refused(row, f"`{level}` is not a level; only names of the catalogue have one")
    if not expands:
        raise _refused(row, f"no capability is called `{name}` by SkillGuard")
    return SkillGuardName(name, constant, row.section, kind, level, expands)


def _refused(row: TableRow, what: str) -> DataError:
    return DataError(f"{row.where}: {what}", "correct the line; the head of the file says what its cells mean")
