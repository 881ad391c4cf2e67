"""Instructions of skills that a call reads without loading the skill: by a search, by a pattern, or a single reference.

The text enters the context just as by loading. So a skill that may not be loaded may not be read, and one that is asked
about is asked about here too. Reading gives no rights: the text counts as text of that skill and names nothing, and a
call that sends something to where only such a text points is made on behalf of that skill (`flows.py`).

Only the folders in which the host finds skills, and those of loaded skills, are considered. Of a call these count:
- files that it reads, by name or by pattern; tools that only return names read nothing
- paths that a git command gets. What git stores is not what is there now, so it is unknown: it is asked about
- arguments of other tools that are paths
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.linker import leaves
from remit.core.capability import FILE_READS
from remit.core.errors import RemitError
from remit.core.scope import PathScope, overlaps
from remit.guard.hosts.toolmap import Role, Want
from remit.guard.paths import file_scope, fixed_start, folder_scope, real_path
from remit.policy.request import Nested

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.call_analysis.requests import CallRequests
    from remit.guard.event import Event
    from remit.guard.session.skill_contents import SkillContents

_SEARCHES = frozenset({"grep", "archive"})  # git commands that read all files below
_LONGEST = 4096  # characters of a path
_MOST = 200  # arguments that are considered


class SkillRead(NamedTuple):
    """A skill whose instructions a call reads."""

    folder: Path
    kept: str = ""  # as stored by git: which revision
    swept: bool = False  # by a call that begins above all skills: a search of the project, a formatter


class _Read(NamedTuple):
    scope: PathScope
    kept: str = ""


def skills_read(
    event: Event,
    wants: Iterable[Want],
    drafted: CallRequests,
    folders: Callable[[], Iterable[Path]],
    contents: SkillContents,
    home: str,
) -> tuple[SkillRead, ...]:
    """Return the skills in these folders whose prose a call reads, besides those that it loads."""
    wanted = tuple(wants)
    if wanted and all(want.role is Role.NAMES for want in wanted):
        return ()
    starts = [(one, fixed_start(one.scope)) for one in _reads(event, drafted, home)]
    if not starts:
        return ()
    loaded = {os.path.dirname(name) for name in drafted.loads if name.startswith("/")}  # noqa: PTH120  (many calls)
    found: dict[Path, SkillRead] = {}
    for folder in folders():
        place = str(folder)
        near = [(one, start) for one, start in starts if _near(start, place)]
        if not near or place in loaded or folder in found:
            continue
        prose = _prose(folder, contents)
        swept: bool | None = None
        for one, start in near:
            if any(overlaps(one.scope, scope) for scope in prose) or (
                one.kept and overlaps(one.scope, folder_scope(place))
            ):
                swept = swept is not False and not one.kept and _is_above(start, place)
                found[folder] = SkillRead(folder, one.kept, swept)
                if not swept:
                    break
    return tuple(found.values())


def _prose(folder: Path, contents: SkillContents) -> list[PathScope]:
    """Return the instructions and references of a skill; all of it, if these are unknown."""
    try:
        return [file_scope(f"{folder}/{path}") for path in contents.of(folder).prose]
    except RemitError:
        return [folder_scope(folder)]


def _near(start: str, folder: str) -> bool:
    """Whether a pattern that begins in a folder may reach another one, or begins in it."""
    return (
        start == folder or start.startswith(f"{folder}/") or folder.startswith(start if start == "/" else f"{start}/")
    )


def _is_above(start: str, folder: str) -> bool:
    """Whether a pattern begins above the folder in which a host keeps its skills and settings (`.claude/skills/name`)."""
    return os.path.dirname(os.path.dirname(folder)).startswith(start if start == "/" else f"{start}/")  # noqa: PTH120


def _reads(event: Event, drafted: CallRequests, home: str) -> Iterator[_Read]:
    kept = invoked = False
    for request in drafted.requests:
        if request.capability in FILE_READS and isinstance(request.scope, PathScope):
            yield _Read(request.scope)
        kept = kept or request.capability == "commit.read"
        invoked = invoked or request.capability == "tool.invoke"
    if kept:
        for known in drafted.understood:
            for words in known.commands:
                yield from _of_git(words, event.cwd)
    if invoked:
        for request in drafted.requests:
            if request.capability == "tool.invoke":
                yield from _of_arguments(request.arguments, event.cwd, home)


@lru_cache(256)
def _of_git(words: tuple[str, ...], cwd: str) -> tuple[_Read, ...]:
    """Return what a git command reads by its words: paths, and `revision:path` as it was."""
    return tuple(_of_words(words, cwd))


def _of_words(words: tuple[str, ...], cwd: str) -> Iterator[_Read]:
    if not words or words[0].rpartition("/")[2] != "git":
        return
    if not _SEARCHES.isdisjoint(words[1:]):
        yield _Read(folder_scope(cwd))
    for word in words[1:_MOST]:
        revision, colon, path = word.rpartition(":")
        if not path or path.startswith("-"):
            continue
        for folder in _above(cwd) if colon else (cwd,):  # git counts from the top of the repository, wherever that is
            place = os.path.normpath(f"{folder}/{path}")
            yield _Read(file_scope(place), f"{revision}:{path}" if colon else "")
            if not colon:
                yield _Read(folder_scope(place))


def _above(cwd: str) -> Iterator[str]:
    while cwd not in ("", "/"):
        yield cwd
        cwd = os.path.dirname(cwd)  # noqa: PTH120


def _of_arguments(arguments: Iterable[tuple[str, object]], cwd: str, home: str) -> Iterator[_Read]:
    for text in list(_texts(arguments))[:_MOST]:
        path = text.removeprefix("file://")
        if "/" in path and len(path) <= _LONGEST and "\n" not in path:
            where = real_path(path, cwd, home)
            if where is not None:
                yield _Read(file_scope(where))


def _texts(arguments: Iterable[tuple[str, object]]) -> Iterator[str]:
    for _, value in arguments:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Nested):
            try:
                yield from leaves(json.loads(value.json))
            except ValueError:
                continue
