"""Patterns of paths resolved against the existing files. A command that reads `./**` reads what is there now, and no
more.

A pattern that matches no sensitive file now spares them all: reading or deleting it meets none. A pattern that is
written may create one; in the workspace and in temporary folders this is checked afterwards and reported
(`undo/transactions.py`).

A file that does not exist cannot be read, so reading it meets nothing sensitive. What the call itself may create counts
as existing, and so does a dangling link. A credential that a program keeps (`gh auth token`, a keychain) is named like
a file, and exists even though no file of that name is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.capability import FILE_DELETES, vocabulary
from remit.core.scope import ANY_SCOPE, DEEP, ROOT, PathScope, Scope, ScopeKind, covers, overlaps
from remit.core.scope.component import STAR, literal, tokens
from remit.core.sensitive import ACTIONS, fold, may_touch, places
from remit.guard.call_analysis.hard_links import several_names
from remit.guard.paths import file_scope, fixed_parts, fixed_start, folder_scope, is_one_path
from remit.guard.rules.model import Hit

if TYPE_CHECKING:
    from pathlib import Path

    from remit.policy.request import Request

    Fact = tuple[str, Hit]  # a fact for a rule, by the rule's identifier

MOST = 20_000  # entries that are examined; past them nothing is spared
_TOGETHER = 256  # paths that are examined together
WRITES = ("file.write", "source.write", "file.chmod")
_MAKES_OR_REMOVES = (*WRITES, *FILE_DELETES)
_FILES = frozenset({"file.read", "source.read", "context.load"})
_READ_FILES = frozenset({"file.read", "source.read", "secret.read"})


class ProtectedPlaces(NamedTuple):
    """What a pattern or a second name must not reach."""

    watched: Callable[[Request], bool]  # what a write creates there is seen afterwards
    several: Callable[[], Mapping[tuple[int, int], str]]  # protected files with several names, by device and number
    protected: tuple[str, ...] = ()  # folders and files that no call may touch
    idle: tuple[PathScope, ...] = ()  # folders in which a new file has no influence, whatever its name: caches
    denied: Callable[[Request], bool] = lambda _: False  # whether a pattern to be deleted matches what an entry denies
    asked: Callable[[Request], tuple[str, ...]] = lambda _: ()  # places in a pattern that an entry denies or asks about


def spare_unknown_places(requests: tuple[Request, ...]) -> tuple[Request, ...]:
    """Treat changes of unknown files as meeting no denied location: that some locations are denied says nothing about
    them.
    """
    return tuple(
        one._replace(spared=True) if one.scope == ANY_SCOPE and one.capability in _MAKES_OR_REMOVES else one
        for one in requests
    )


def resolve_patterns(
    requests: Iterable[Request], kept: ProtectedPlaces
) -> tuple[tuple[Request, ...], tuple[Fact, ...]]:
    """Mark the patterns that spare sensitive files, and replace second names of protected files by the first; with
    facts for rules.
    """
    found: dict[Request, None] = {}
    asks: dict[Fact, None] = {}
    every = tuple(requests)
    for request in every:
        scope = request.scope
        if not isinstance(scope, PathScope) or vocabulary()[request.capability].scope_kind is not ScopeKind.PATH:
            found[request] = None
        elif is_one_path(scope):
            found[request] = None
            _second_name(request, scope, kept, found, asks)
        else:
            found[_grounded(request, scope, kept)] = None
            for place in kept.asked(request):
                said = f"`{request.capability} {scope.render()}` may reach {place}"
                asks["denied-inside", Hit(f"{request.capability} {scope.render()}", said)] = None
    grounds = tuple(found)
    return every if grounds == every else grounds, tuple(asks)  # the same object if nothing changed


def _second_name(
    request: Request, scope: PathScope, kept: ProtectedPlaces, found: dict[Request, None], asks: dict[Fact, None]
) -> None:
    """Note a file with several names under the one by which it is protected; ask about a write to any other such file."""
    path = fixed_start(scope)
    inode = several_names(path)
    if inode is None:
        return
    first = kept.several().get(inode)
    if first is not None and first != path:
        found[request._replace(scope=file_scope(first))] = None
    elif request.capability in WRITES:
        said = f"`{path}` has several names (hard links), so that writing it changes another file too"
        asks["hard-link", Hit(path, said)] = None


def _grounded(request: Request, scope: PathScope, kept: ProtectedPlaces) -> Request:
    if request.capability not in _MAKES_OR_REMOVES and is_tree(scope):
        files = tuple(islice(files_under(scope), MOST + 1))
        astray = any(True for _ in _led_astray(_acting(request.capability), files, kept))
        return request if astray else request._replace(spared=True)
    watched = request.capability in _MAKES_OR_REMOVES and kept.watched(request)
    idle = any(covers(folder, scope) for folder in kept.idle)
    if request.capability in FILE_DELETES and kept.denied(request):
        return request
    if request.capability in WRITES and (not (watched or idle) or begins_in_sensitive(scope)):
        return request
    name = _acting(request.capability)
    files = tuple(islice(files_under(scope), MOST + 1))
    spares = watched or not any(True for _ in _sensitive(name, scope, files))
    spares = spares and not any(True for _ in _led_astray(name, files, kept))
    return request._replace(spared=True) if spares else request


def is_tree(scope: Scope) -> bool:
    """Whether a pattern is a whole folder, in no location that is sensitive by itself: its secrets are not what the
    call is about.
    """
    return (
        isinstance(scope, PathScope)
        and bool(scope.parts)
        and scope.parts[-1] == DEEP
        and is_one_path(scope._replace(parts=scope.parts[:-1]))
        and not (begins_in_sensitive(scope) or may_touch("file.read", scope._replace(parts=scope.parts[:-1])))
    )


def begins_in_sensitive(scope: PathScope) -> bool:
    """Whether a pattern begins inside a hidden folder with sensitive places: a call that writes there is about them."""
    fixed = [fold(part) for part in fixed_parts(scope)]
    return any(part in _hidden() for part in fixed)


@cache
def _hidden() -> frozenset[str]:
    """Return hidden folders that hold only what is sensitive or what belongs to it."""
    firsts = (place.parts[1] for place in places().rows if place.parts[0] == DEEP and len(place.parts) > 2)
    return frozenset(part for part in firsts if part.startswith(".") and literal(part) is not None) - _SHARED


# Hidden folders in which many programs keep harmless things too; a repository that a call makes has its own rules
# (`undo/transactions.py`).
_SHARED = frozenset({".cache", ".config", ".local", ".github", ".vscode", ".cursor", ".git"})


def sensitive_files(capability: str, scope: PathScope) -> Iterator[str]:
    """Return the sensitive files under a pattern. The last one stands for all that could not be examined."""
    yield from _sensitive(_acting(capability), scope, files_under(scope))


def _sensitive(name: str, scope: PathScope, files: Iterable[tuple[str, object]]) -> Iterator[str]:
    todo, room = iter(files), MOST
    while found := [path for path, _ in islice(todo, _TOGETHER)]:
        for path in _suspects(name, found[:room]):
            if covers(scope, file_scope(path)) and may_touch(name, file_scope(path)):
                yield path
        if len(found) > room:
            yield found[room]
            return
        room -= len(found)


def _acting(capability: str) -> str:
    """Return the effect of a capability on files; anything but a change is reading."""
    kind, _, action = capability.partition(".")
    return capability if kind in ("file", "source") and action in ACTIONS else "file.read"


def _led_astray(
    capability: str, files: Iterable[tuple[str, os.DirEntry[str] | None]], kept: ProtectedPlaces
) -> Iterator[str]:
    """Return what a pattern matches that is, by a link or a second name, sensitive or protected elsewhere."""
    several = kept.several()
    inodes = {number for _, number in several}
    seen: set[str] = set()
    for at, (path, entry) in enumerate(files):
        if at >= MOST:
            return  # reads report it themselves; what is written is examined again afterwards
        if entry is None:
            continue
        if inodes and entry.inode() in inodes and several_names(path) in several:
            yield path
        if entry.is_symlink() and _leads_astray(capability, os.path.realpath(path), kept, seen):
            yield path


def _leads_astray(capability: str, real: str, kept: ProtectedPlaces, seen: set[str]) -> bool:
    """Whether the target of a link is or holds something sensitive or protected."""
    if real in seen:
        return False
    seen.add(real)
    if any(
        real == path or real.startswith(f"{path}/") or path.startswith(f"{real.rstrip('/')}/")
        for path in kept.protected
    ):
        return True
    if may_touch(capability, file_scope(real)):
        return True
    return os.path.isdir(real) and any(True for _ in sensitive_files(capability, folder_scope(real)))  # noqa: PTH112


def files_under(scope: PathScope) -> Iterator[tuple[str, os.DirEntry[str] | None]]:
    """Return every file below the folder in which a pattern begins, as far as the pattern may match there."""
    fixed = fixed_parts(scope)
    todo = [("/" + "/".join(fixed), scope.parts[len(fixed) :])]
    while todo:
        folder, parts = todo.pop()
        try:
            with os.scandir(folder) as found:
                entries = list(found)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            yield folder, None  # its content is unknown
            continue
        deep = parts[:1] == (DEEP,)
        like = None if deep or not parts else _like(parts[0])
        inner = parts if deep else parts[1:]
        for entry in entries:
            if like is not None and entry.name.isascii() and not like.fullmatch(entry.name):
                continue
            yield entry.path, entry
            if inner and entry.is_dir(follow_symlinks=False) and not _stored(entry.path):
                todo.append((entry.path, inner))


@lru_cache(4096)
def _like(component: str) -> re.Pattern[str]:
    """Return the names that a component of a pattern matches, also where case does not matter."""
    found = ((".*" if one == STAR else ".") if isinstance(one, int) else re.escape(one) for one in tokens(component))
    return re.compile("".join(found), re.IGNORECASE | re.DOTALL)


def counted(root: Path, most: int) -> int | None:
    """Return the number of files and folders in a folder; None if there are more than a limit, or they cannot be
    counted.
    """
    found = 0
    todo = [str(root)]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    found += 1
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
        except OSError:
            return None
        if found > most:
            return None
    return found


def _stored(folder: str) -> bool:
    """Whether a folder holds what git stores under digests."""
    return folder.endswith("/.git/objects")


@cache
def _shapes(capability: str) -> Any:
    """Return one expression for all places where a capability means more. It matches slightly too much, and never too
    little.
    """
    import re2  # noqa: PLC0415  (asked for when the first pattern is met)

    found = []
    for place in places().rows:
        if not place.means[ACTIONS[capability.partition(".")[2]]]:
            continue
        parts = place.parts[1:] if place.parts[:1] == (DEEP,) else place.parts
        found.append("/".join(".*" if part == DEEP else _shape(part) for part in parts).replace("/.*", "(?:/.*)?"))
    return re2.compile("(?im)^(?:.*/)?(?:" + "|".join(sorted(set(found))) + ")$")


def _shape(part: str) -> str:
    text = literal(part)
    if text is not None:
        return re.escape(text)
    return "[^/]*".join(re.escape(piece) for piece in part.replace("?", "*").split("*"))


def _suspects(capability: str, found: Sequence[str]) -> Sequence[str]:
    """Return those of some paths that may be such places, found with one search: they are rare."""
    if not _may_be(capability, "\n".join([path.rstrip(" .") for path in found])):
        return ()
    return [path for path in found if _may_be(capability, path.rstrip(" ."))]


def _may_be(capability: str, paths: str) -> bool:
    """Whether one of some paths, one per line, may be such a place."""
    try:
        return not paths.isascii() or _shapes(capability).search(paths) is not None
    except UnicodeEncodeError:
        return True


def present(requests: Iterable[Request]) -> tuple[Request, ...]:
    """Return requests without secrets that do not exist; other missing files are marked as sparing what is sensitive."""
    every = tuple(requests)
    if _READ_FILES.isdisjoint([one.capability for one in every]):
        return every
    changed = [one.scope for one in every if one.capability not in _READ_FILES and isinstance(one.scope, PathScope)]
    files = {one.scope for one in every if one.capability in _FILES}
    found: list[Request] = []
    for request in every:
        held = request.capability == "secret.read" and request.scope not in files
        if held or not _is_absent(request, changed):
            found.append(request)
        elif request.capability != "secret.read":
            found.append(request._replace(spared=True))
    return tuple(found)


def _is_absent(request: Request, changed: Sequence[Scope]) -> bool:
    scope = request.scope
    if request.capability not in _READ_FILES or not isinstance(scope, PathScope) or scope.anchor != ROOT:
        return False
    parts = [literal(part) for part in scope.parts]
    if not parts or None in parts or any(overlaps(other, scope) for other in changed):
        return False
    return not os.path.lexists("/" + "/".join(filter(None, parts)))
