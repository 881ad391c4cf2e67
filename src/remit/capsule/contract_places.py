"""The places of a contract: the paths on this machine that a manifest grants, and how a manifest writes a path.

A mount covers a file or a whole folder, so other patterns cannot be mounted as such: of `./*.json` the
existing files are bound one by one, and the contract says so. Nothing is ever bound that no entry covers.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.contract import Access, BoundPath, Narrowed
from remit.capsule.manifest_grants import Use, Wish
from remit.core.errors import CapsuleError
from remit.core.scope import DEEP, HOME, ROOT, SKILL, TEMP, WORKSPACE, PathScope, covers
from remit.core.scope.component import escape, literal

if TYPE_CHECKING:
    from remit.policy.permit import Permit


class Ground(NamedTuple):
    """Real paths of the anchors; a skill may have no folder of its own. The capsule's own temporary folder has no path."""

    workspace: str
    home: str
    skill: str = ""

    def base_of(self, scope: PathScope) -> tuple[str, tuple[str, ...]]:
        """Return the fixed path of a scope, and the pattern that follows; an empty path if the anchor has none."""
        known = {ROOT: "/", WORKSPACE: self.workspace, HOME: self.home, SKILL: self.skill}
        root = known.get(scope.anchor)
        if not root:
            return "", scope.parts
        words: list[str] = []
        for part in scope.parts:
            word = None if part == "**" else literal(part)
            if word is None:
                break
            words.append(word)
        return posixpath.normpath(posixpath.join(root, *words)), scope.parts[len(words) :]

    def names_of(self, path: str) -> tuple[PathScope, ...]:
        """Return all ways in which a manifest can write a path."""
        found = [PathScope(ROOT, _parts(path))]
        for anchor, folder in ((WORKSPACE, self.workspace), (HOME, self.home), (SKILL, self.skill)):
            if folder and lies_in(path, folder):
                found.append(PathScope(anchor, _parts(posixpath.relpath(path, folder))))
        return tuple(found)


def lies_in(path: str, folder: str) -> bool:
    """Return whether a path is a folder or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _parts(path: str) -> tuple[str, ...]:
    return tuple(escape(part) for part in path.split("/") if part not in ("", "."))


_MATCHES = 2_000  # files that one pattern may name
_LOOKED_AT = 50_000  # files among which they are looked for
# Never bound, and nothing that holds them: another /proc than the capsule's own shows the host.
_KEPT = ("/proc", "/sys", "/dev", "/run/remit")
_REASONS = 1_000  # characters


def look_up(
    permit: Permit, wishes: tuple[Wish, ...], ground: Ground
) -> tuple[tuple[BoundPath, ...], tuple[Narrowed, ...]]:
    """Return the bound places of all wishes, and what is granted but not bound."""
    found: list[BoundPath] = []
    narrowed: list[Narrowed] = []
    wanted = [wish for wish in wishes if wish.use is Use.PLACE]
    if ground.skill:
        found.append(BoundPath(ground.skill, Access.READ, True, "the skill itself"))
    for wish in wanted:
        for item in _of(permit, wish, ground):
            if isinstance(item, Narrowed):
                narrowed.append(item)
            elif item.missing or _covered(item.path, wish, wanted, ground, folder=item.folder):
                found.append(item)
            else:
                narrowed.append(Narrowed(wish.why, f"`{item.path}` is where a link leads, and no entry grants that"))
    return _merged(found), tuple(dict.fromkeys(narrowed))


def make_missing(permit: Permit, places: tuple[BoundPath, ...]) -> tuple[BoundPath, ...]:  # noqa: ARG001  (who acts holds one)
    """Create missing folders that are granted for writing."""
    out: list[BoundPath] = []
    for item in places:
        if item.missing:
            try:
                os.makedirs(item.path, exist_ok=True)
            except OSError as error:
                raise CapsuleError(f"`{item.path}` cannot be made: {error.strerror}", "make it by hand") from None
            if os.path.realpath(item.path) != item.path:
                raise CapsuleError(f"`{item.path}` leads elsewhere now", "try again when nothing changes the folder")
        out.append(item._replace(missing=False))
    return tuple(out)


def _of(permit: Permit, wish: Wish, ground: Ground) -> Iterator[BoundPath | Narrowed]:
    if not isinstance(wish.scope, PathScope):
        return
    if wish.scope.anchor == TEMP:
        return  # the capsule has a temporary folder of its own
    base, rest = ground.base_of(wish.scope)
    if not base:
        yield Narrowed(wish.why, "there is no folder of a skill")
        return
    real = os.path.realpath(base)
    if any(lies_in(folder, real) or lies_in(real, folder) for folder in _KEPT):
        yield Narrowed(wish.why, "it holds what the kernel shows, or the capsule's own folders; name narrower ones")
        return
    if rest and rest != (DEEP,):
        yield from _matching(permit, wish, real, ground)
    elif os.path.isdir(real):
        if rest:
            yield BoundPath(real, wish.access, True, wish.why)
        else:
            yield Narrowed(wish.why, f"it is a folder; write `{wish.scope.render()}/**` for what is in it")
    elif os.path.exists(real):
        yield BoundPath(real, wish.access, False, wish.why)
    elif rest and wish.access.changes and real == base:
        yield BoundPath(real, wish.access, True, wish.why, missing=True)
    elif wish.access is Access.READ:
        yield Narrowed(wish.why, "it is not there")
    else:
        yield Narrowed(wish.why, "it is not there, and a file that does not exist cannot be granted; grant its folder")


def _matching(permit: Permit, wish: Wish, base: str, ground: Ground) -> Iterator[BoundPath | Narrowed]:
    """Yield what exists of a pattern."""
    found = seen = 0
    todo = [base]
    while todo:
        for path, folder in _inside(permit, todo.pop()):
            seen += 1
            if found >= _MATCHES or seen >= _LOOKED_AT:
                yield Narrowed(wish.why, "it names too many files; grant a folder")
                return
            names = ground.names_of(path)
            if folder:
                whole = [name._replace(parts=(*name.parts, DEEP)) for name in names]
                if any(covers(wish.scope, name) for name in whole):
                    found += 1
                    yield BoundPath(path, wish.access, True, wish.why)
                else:
                    todo.append(path)
            elif any(covers(wish.scope, name) for name in names):
                found += 1
                yield BoundPath(os.path.realpath(path), wish.access, False, wish.why)
    if wish.access is Access.READ:
        yield Narrowed(wish.why, "of a pattern the files that exist at the start are bound, each for itself")
    else:
        yield Narrowed(
            wish.why, "of a pattern the files that exist can be changed, and no new ones made; grant a folder"
        )


def _inside(permit: Permit, path: str) -> list[tuple[str, bool]]:  # noqa: ARG001  (who acts holds one)
    try:
        with os.scandir(path) as entries:
            return sorted((entry.path, entry.is_dir(follow_symlinks=False)) for entry in entries)
    except OSError:
        return []


def _covered(path: str, wish: Wish, wanted: list[Wish], ground: Ground, *, folder: bool) -> bool:
    """Return whether a real path is granted at least the wished access, wherever links led."""
    names = ground.names_of(path)
    if folder:
        names = tuple(name._replace(parts=(*name.parts, DEEP)) for name in names)
    enough = [one for one in wanted if one.capability == wish.capability]
    return any(covers(one.scope, name) for one in enough for name in names)


def _merged(found: list[BoundPath]) -> tuple[BoundPath, ...]:
    """Return each path once, with all access granted there, without places in folders that grant as much."""
    by_path: dict[str, BoundPath] = {}
    for item in found:
        known = by_path.setdefault(item.path, item)
        if item.access not in known.access:
            why = f"{known.why}, {item.why}"[:_REASONS]
            by_path[item.path] = known._replace(access=known.access | item.access, why=why)
    out: list[BoundPath] = []
    for item in sorted(by_path.values(), key=lambda one: (one.path.count("/"), one.path)):
        above = Access(0)
        for one in out:
            if one.folder and lies_in(item.path, one.path):
                above |= one.access
        if item.access not in above:
            out.append(item)
    return tuple(out)
