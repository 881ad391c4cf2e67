"""Files of the user that a call would change or remove, though nobody spoke of them: reasons to ask.

A skill works on what the user names and on what the session made. A file that was there before and is neither may be the user's only
copy. Undo brings it back, but only if somebody notices. So it is asked about, unless
- the user's words name it, by its name, a folder that holds it, or at the top of the workspace by its name without ending, and not
  only as something to look at (`meant.py`)
- the manifest of the skill names it, or a folder below the workspace that holds it, as what the skill writes
- git can restore it exactly as it is (`tracked.py`)
- it was agreed to, or let through for one of these reasons, before in this session

To remove a file is asked about anyway. That it is such a file says that the user is not the one who wants it: a skill whose manifest
does not hold the right is then denied it, as it is where it sends things to a place that nobody named (`policy/decide.py`, step 3).
"""

from __future__ import annotations

import os
import re
import stat
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from remit.core.capability import FILE_DELETES, FILE_WRITES, vocabulary
from remit.core.scope import ROOT, WORKSPACE, PathScope, covers
from remit.core.scope.component import literal
from remit.guard.grounding import MOST, files_under
from remit.guard.meant import only_looked_at
from remit.guard.paths import beginning, exactly
from remit.guard.planted.named import untouched
from remit.guard.session import own_words
from remit.guard.tracked import is_stored

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from remit.core.effect import Effect
    from remit.core.scope import Scope
    from remit.guard.session import Live
    from remit.policy.request import Request

_WRITES = frozenset(FILE_WRITES)
_DELETES = frozenset(FILE_DELETES)
_CHANGES = _WRITES | _DELETES
_SHOWN = 3
_SHORTEST = 3  # characters of a name that is looked for without its ending
# Folders of what tools make anew, and of what has rules of its own.
_PASSED_OVER = frozenset({".git", "__pycache__", ".pytest_cache", ".ruff_cache", ".mypy_cache", "node_modules"})
_NOBODY = "named by nobody"
_LOOKED_AT = "the user asks for no change of it"
_UNSAID = (_NOBODY, _LOOKED_AT)
_APART = re.compile(r"[\W_]+")


class Replaced(NamedTuple):
    """Why a person should look at a call that writes."""

    named: tuple[str, ...] = ()  # files that it writes by their names, or removes
    met: tuple[str, ...] = ()  # files that a pattern only meets: nobody can say whether it writes them


def replaced(live: Live, requests: Iterable[Request], whose: Sequence[str]) -> Replaced:
    """Why a person should look at what a call on behalf of some skills writes."""
    scopes = [(one.capability, one.scope) for one in requests if one.capability in _CHANGES]
    if not whose or not scopes:
        return Replaced()
    users = _Users(live, whose)
    paths = [(name, scope) for name, scope in scopes if isinstance(scope, PathScope)]
    gone = (path for name, scope in paths if name in _DELETES for path in _files(scope))
    named = (beginning(scope) for name, scope in paths if name in _WRITES and is_plain(scope))
    met = (path for name, scope in paths if name in _WRITES and not is_plain(scope) for path in _files(scope))
    return Replaced(
        (
            *_said(users, named, "would be changed", _UNSAID),
            *_said(users, gone, "would be removed", _UNSAID),
        ),
        _said(
            users, met, "may be changed", {_NOBODY}
        ),  # who wants a file converted names it: a pattern beside it is no change
    )


def _said(users: _Users, paths: Iterable[str], done: str, counting: Collection[str]) -> tuple[str, ...]:
    held = ((path, users.holds(path)) for path in dict.fromkeys(paths))
    found: dict[str, list[str]] = {}
    for path, why in islice((one for one in held if one[1] in counting), _SHOWN):
        found.setdefault(why, []).append(f"`{users.shown(path)}`")
    return tuple(f"{', '.join(names)} {done}: there before the session, and {why}" for why, names in found.items())


def removing(live: Live, did: Iterable[Effect], does: Iterable[Effect], whose: Sequence[str]) -> tuple[str, ...]:
    """Why a person should look at code that removes files of the workspace by their names, and did not before."""
    known = set(_removed(did))
    new = [f"{live.workspace.root}/{name}" for name in _removed(does) if name not in known]
    return _said(_Users(live, whose), new, "would be removed", _UNSAID) if whose and new else ()


def _removed(effects: Iterable[Effect]) -> Iterator[str]:
    for effect in effects:
        scope = effect.scope
        if effect.capability in _DELETES and isinstance(scope, PathScope) and scope.anchor == WORKSPACE:
            parts = [literal(part) for part in scope.parts]
            if parts and None not in parts:
                yield "/".join(part or "" for part in parts)


def written(requests: Iterable[Request]) -> Iterator[str]:
    """The files that a call writes by their names."""
    for one in requests:
        if one.capability in _WRITES and is_plain(one.scope):
            yield beginning(one.scope)


def is_plain(scope: Scope) -> TypeGuard[PathScope]:
    """Whether a scope is one path, and no pattern."""
    return (
        isinstance(scope, PathScope) and scope.anchor == ROOT and all(literal(part) is not None for part in scope.parts)
    )


def _files(scope: PathScope) -> Iterable[str]:
    """The file that a scope names, or those that lie under its pattern."""
    if is_plain(scope):
        return (beginning(scope),)
    return (path for path, _ in islice(files_under(scope), MOST) if covers(scope, exactly(path)))


def was_there(live: Live, path: str) -> bool:
    """Whether a file that holds something was there when the session began: by its name then, else by when it last changed."""
    root = str(live.workspace.root)
    if not path.startswith(f"{root}/"):
        return False
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return False
    if not stat.S_ISREG(found.st_mode) or not found.st_size:
        return False
    known = live.found
    return untouched(path, live.policy.started) if known is None else path[len(root) + 1 :] in known


def spoken_of(live: Live, path: str) -> bool:
    """Whether the user's words name a file of the workspace."""
    return _Users(live, ()).unsaid(os.path.relpath(path, live.workspace.root)) != _NOBODY


class _Users:
    """What is the user's in a session, for a call of some skills."""

    def __init__(self, live: Live, whose: Sequence[str]) -> None:
        self._live = live
        self._root = str(live.workspace.root)
        self._spoken = [_spoken(prompt) for prompt in live.prompts]
        self._outputs = tuple(_outputs(live, whose))
        self._skills = tuple(f"{folder}/" for folder in live.folders.values())

    def shown(self, path: str) -> str:
        return os.path.relpath(path, self._root)

    def holds(self, path: str) -> str:
        """Why a file that was there before is not to be changed without a question; empty if something says that it may be."""
        if not path.startswith(f"{self._root}/") or path in self._live.given or path.startswith(self._skills):
            return ""
        name = path[len(self._root) + 1 :]
        if not _PASSED_OVER.isdisjoint(name.split("/")) or not was_there(self._live, path):
            return ""
        why = self.unsaid(name)
        if not why or any(covers(one, exactly(f"/{name}")) for one in self._outputs):
            return ""
        return "" if is_stored(self._live.workspace.root, path) else why

    def unsaid(self, name: str) -> str:
        """What the user's own words leave unsaid about a file of the workspace, so that it may not be changed; empty for nothing."""
        parts = name.split("/")
        folders = [f"{part}/" for part in parts[:-1]]
        if any(folder in words for words, _ in self._spoken for folder in folders):
            return ""
        if any(parts[-1] in words for words, _ in self._spoken):
            prompts = [words for words, _ in self._spoken]
            return _LOOKED_AT if only_looked_at(prompts, (name, parts[-1])) else ""
        stem = (
            "" if folders else _plain(parts[-1].rpartition(".")[0])
        )  # who says `calendar` means no table in an archive
        spoken = len(stem) >= _SHORTEST and any(f" {stem} " in plain for _, plain in self._spoken)
        return "" if spoken else _NOBODY


@lru_cache(1024)  # a prompt is looked at again at each call that writes
def _spoken(prompt: str) -> tuple[str, str]:
    """The user's own words in a prompt, and the same in plain form."""
    words = own_words(prompt)[0]
    return words, f" {_plain(words)} "


def _plain(text: str) -> str:
    """A text in small letters, with one blank for all that is no letter or number."""
    return _APART.sub(" ", text).strip().casefold()


def _outputs(live: Live, whose: Sequence[str]) -> Iterator[PathScope]:
    """What manifests name as what their skills write, seen from the workspace. All of the workspace is no name."""
    for skill in whose:
        loaded = live.policy.skill(skill)
        for entry in loaded.manifest.permissions if loaded else ():
            if not _WRITES & frozenset(vocabulary().expand(entry.capability)):
                continue
            named = [scope for scope in entry.scopes if isinstance(scope, PathScope) and scope.anchor == WORKSPACE]
            yield from (
                PathScope(ROOT, scope.parts) for scope in named if scope.parts and literal(scope.parts[0]) is not None
            )
