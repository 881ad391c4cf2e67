"""Things that a call puts where nobody asked for them: reasons to ask.

- a file in a hidden place that no tool is known to use (data/stashing.table): whoever asked for it would look for it in plain sight
- a database, a key or a copy of one in a folder whose files a server hands out
- an archive of the whole workspace, or one of the user's files outside of it
- facts about the machine, its users or its network in a file, though the user did not ask for them in one

A place that the user's words name is the user's wish. So is what they ask for: a backup, an archive, a report.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import FILE_READS, FILE_WRITES
from remit.core.errors import DataError
from remit.core.remembered import Facts
from remit.core.scope import DEEP, ROOT, PathScope
from remit.core.scope.component import literal
from remit.core.table import read_table
from remit.guard.paths import beginning
from remit.guard.replacing import written
from remit.guard.understand.taking import Taking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remit.guard.drafting import Drafted
    from remit.guard.session import Live
    from remit.guard.understand import Part, Understanding

_FILE = Path(__file__).with_name("data") / "stashing.table"
_SECTIONS = ("tools", "served", "private", "archives", "machine")
_QUERIES = frozenset({"process.query", "container.query"})
_SYSTEM = ("/proc/", "/sys/")  # where the system tells of itself
# What the user says who wants it
_COPIES = re.compile(
    r"(?i)\b(?:back(?:s|ed|ing)?.?ups?|cop(?:y|ies|ied|ying)|duplicat\w+|hid(?:e|den)|snapshots?|cach(?:e|ed|ing))\b"
)
_PACKS = re.compile(
    r"(?i)\b(?:archiv\w+|back(?:s|ed|ing)?.?ups?|bundl\w+|compress\w*|pack(?:s|ed|ing|age\w*)?|tar(?:ball)?s?|zip\w*|releas\w+)\b"
)
_FILES = re.compile(
    r"(?i)\b(?:sav(?:e|es|ed|ing)|stor(?:e|es|ed|ing)|writ(?:e|es|ten|ing)|files?|reports?|documents?|logs?|exports?|records?)\b"
)
_MACHINE = re.compile(
    r"(?i)\b(?:machines?|systems?|hardware|computers?|hosts?|servers?|process(?:es)?|networks?|ports?|environments?|diagnos\w+|disks?|memory"
    r"|cpus?|platforms?|inventor\w+|benchmarks?|kernel|os)\b"
)


class Stash(NamedTuple):
    """What a command would put somewhere, as far as it hangs on the command alone."""

    writes: tuple[str, ...]  # files, folders and patterns of them
    archives: tuple[str, ...] = ()  # those that are archives
    packed: tuple[str, ...] = ()  # folders that may lie in them as a whole
    told: bool = False  # it asks for facts about the machine


@cache
def words(section: str) -> tuple[str, ...]:
    """The words of a section."""
    return load(_FILE)[section]


def load(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a table; a row of no section is refused with its line."""
    found: dict[str, list[str]] = {section: [] for section in _SECTIONS}
    for row in read_table(path, 2):
        if row.section not in found:
            raise DataError(f"{row.where}: `{row.section}` is no section of this table", f"use {', '.join(_SECTIONS)}")
        found[row.section].append(row.cells[0])
    return {section: tuple(rows) for section, rows in found.items()}


def stashed(live: Live, drafted: Drafted, whose: Sequence[str], temp: str) -> tuple[str, ...]:
    """Why a person should look at where a call on behalf of some skills puts things."""
    if not whose:
        return ()
    stashes = [_stash(known) for known in drafted.understood] or [Stash(tuple(written(drafted.requests)))]
    return tuple(dict.fromkeys(reason for stash in stashes if stash.writes for reason in _reasons(live, stash, temp)))


_known_stashes: Facts[Stash] = Facts()


def _stash(known: Understanding) -> Stash:
    found = _known_stashes.get(known)
    return _known_stashes.put(known, _worked_out(known)) if found is None else found


def _worked_out(known: Understanding) -> Stash:
    writes = [part for part in known.parts if part.capability in FILE_WRITES and _path(part)]
    archives = [part for part in writes if _is_one(_doer(part), "archives") and not _is_tree(part)]  # else it unpacks
    return Stash(
        tuple(map(_path, writes)),
        tuple(map(_path, archives)),
        tuple(_beginning(part) for part in (known.parts if archives else ()) if _is_packed(part, archives)),
        _tells(known),
    )


def _is_packed(part: Part, archives: Iterable[Part]) -> bool:
    """Whether something that is read goes into one of some archives: by the same function, or code walks through it first."""
    if part.capability == "commit.read":
        return part.command in {one.command for one in archives}
    same = part.why in {one.why for one in archives}
    return part.capability in FILE_READS and (same or ("." in _doer(part) and _is_tree(part)))


def _tells(known: Understanding) -> bool:
    """Whether it asks for facts about the machine."""
    return (
        Taking.TELLS in known.takings
        or any(part.capability in _QUERIES for part in known.parts)
        or any(part.capability in FILE_READS and _path(part).startswith(_SYSTEM) for part in known.parts)
        or any(_is_one(one[0].rpartition("/")[2], "machine") for one in (*known.commands, *known.inner) if one)
    )


def _reasons(live: Live, stash: Stash, temp: str) -> Iterator[str]:
    root = str(live.workspace.root)
    for path in dict.fromkeys(stash.writes):
        hidden, served = _is_hidden(path, root, temp), _is_served(path, root)
        if not (hidden or served) or path in live.given or path.startswith(tuple(live.folders.values())):
            continue
        if _named(path, live.prompts):
            continue
        if hidden and not _asked(_COPIES, live):
            yield f"`{_shown(path, root)}` is a hidden place that no tool is known to use: nobody would look for it there"
        if served:
            yield f"`{_shown(path, root)}` would lie where a server hands it out"
    if stash.archives and not _asked(_PACKS, live):
        yield from _packed(stash, root)
    kept = [f"`{_shown(path, root)}`" for path in stash.writes if not _is_device(path)] if stash.told else []
    if kept and not (_asked(_FILES, live) and _asked(_MACHINE, live)):
        yield f"it would keep facts about this machine in {', '.join(kept[:3])}, and the user asked for no such file"


def _asked(wish: re.Pattern[str], live: Live) -> bool:
    return any(map(wish.search, live.prompts))


def _packed(stash: Stash, root: str) -> Iterator[str]:
    for archive in dict.fromkeys(stash.archives):
        inside = archive.startswith(f"{root}/")
        for folder in dict.fromkeys(stash.packed):
            if folder == root or root.startswith(f"{folder.rstrip('/')}/"):
                yield f"`{_shown(archive, root)}` would hold all of the workspace, and nobody asked for an archive"
            elif not inside and folder.startswith(f"{root}/"):
                yield f"`{_shown(archive, root)}` would hold `{_shown(folder, root)}`, outside of the workspace"


def _is_hidden(path: str, root: str, temp: str) -> bool:
    """Whether a place is hidden, in the workspace or among temporary files. Other places have entries of their own."""
    base = root if path.startswith(f"{root}/") else temp if path.startswith(f"{temp}/") else ""
    if not base:
        return False
    hidden = [part for part in path[len(base) + 1 :].split("/") if part.startswith(".") and part not in (".", "..")]
    return bool(hidden) and not (base == root and _is_one(hidden[0], "tools"))


def _is_served(path: str, root: str) -> bool:
    if not path.startswith(f"{root}/"):
        return False
    *folders, name = path[len(root) + 1 :].split("/")
    return any(_is_one(folder, "served") for folder in folders) and _is_one(name.lower(), "private")


def _is_one(word: str, section: str) -> bool:
    return any(fnmatchcase(word, one) if "*" in one else word == one for one in words(section))


def _is_device(path: str) -> bool:
    return path.startswith("/dev/")


def _named(path: str, prompts: Iterable[str]) -> bool:
    """Whether the user's words hold the name of a file, or of a hidden folder that holds it."""
    *folders, name = path.split("/")
    names = "|".join(map(re.escape, (name, *(one for one in folders if one.startswith(".")))))
    return any(re.search(rf"(?<![\w.-])(?:{names})(?![\w-])", prompt) for prompt in prompts)


def _doer(part: Part) -> str:
    """The program or function that does it."""
    return part.via.label


def _is_tree(part: Part) -> bool:
    return isinstance(part.scope, PathScope) and DEEP in part.scope.parts


def _path(part: Part) -> str:
    """What it is done to: one path, or a pattern as it is written; empty for what is no path."""
    scope = part.scope
    if not isinstance(scope, PathScope) or scope.anchor != ROOT or not scope.parts:
        return ""
    return scope.render() if any(literal(one) is None for one in scope.parts) else beginning(scope)


def _beginning(part: Part) -> str:
    return beginning(part.scope) if isinstance(part.scope, PathScope) else ""


def _shown(path: str, root: str) -> str:
    return os.path.relpath(path, root) if path == root or path.startswith(f"{root}/") else path
