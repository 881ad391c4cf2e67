"""Sensitive places, whose files are more than files: credentials, start-up files, scheduled jobs, hooks, settings,
memory, skills.

`file.read(~/.ssh/id_rsa)` *means* `secret.read`, and a grant of `file.read` alone does not cover it. The places are
data (`data/sensitive.table`). They are compared without case and without what file systems ignore, because a denial
that another spelling evades is useless.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError, ManifestError
from remit.core.patterns import compile_pattern, lazy_pattern
from remit.core.scope import (
    DEEP,
    PLACES,
    ROOT,
    WORKSPACE,
    AnyScope,
    NameScope,
    PathScope,
    Scope,
    ScopeKind,
    covers,
    overlaps,
    parse_scope,
)
from remit.core.scope.component import literal
from remit.core.table import DATA, TableRow, read_table, read_toml
from remit.core.table_store import stored_table

if TYPE_CHECKING:
    from pathlib import Path

# Which cell an action of `file` or `source` looks at.
ACTIONS = {"read": 0, "write": 1, "delete": 2, "chmod": 1}
VARIABLE = "env:"  # prefix of the scope of a credential in a variable
_VARIABLE = lazy_pattern(r"[A-Za-z0-9_*?]+", re.ASCII)
# Characters that HFS+ ignores in names, as patterns spell them.
_IGNORED = lazy_pattern(r"\\x\{(?:200[c-f]|202[a-e]|206[a-f]|feff)\}")


# Paths and patterns that mean the same as regular expressions and in normal form: no escapes, no brackets.
_ORDINARY = lazy_pattern(r"[\w .@+~%-]+(?:/[\w .@+~%-]+)*", re.ASCII)
_PLAIN_PARTS = lazy_pattern(r"[\w .@+~%*?/-]+", re.ASCII)


class SensitivePlace(NamedTuple):
    """A sensitive place. An anchor of None means anywhere."""

    anchor: str | None
    parts: tuple[str, ...]
    means: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    what: str


class Places(NamedTuple):
    """The table, and for each literal component the numbers of the places that contain it."""

    rows: tuple[SensitivePlace, ...]
    by_name: dict[str, tuple[int, ...]]
    unnamed: tuple[int, ...]


def sensitive(capability: str, scope: Scope) -> tuple[str, ...]:
    """Return the further capabilities that `capability` on `scope` means: everything in the scope is such a place."""
    action = _action(capability)
    return () if action is None or not isinstance(scope, PathScope) else _inside(action, scope)


def is_credential(variable: str) -> bool:
    """Whether an environment variable has the name of a key, a token or a password."""
    names, others = _variable_names()
    return bool(names.fullmatch(variable.upper())) and not others.fullmatch(variable.upper())


def credential_in(scope: Scope) -> NameScope | None:
    """Return what `env.read` on a scope means besides: `secret.read` on `env:NAME`, if all its variables have names of
    credentials.
    """
    named = isinstance(scope, NameScope) and _VARIABLE.fullmatch(scope.pattern) and is_credential(scope.pattern)
    return NameScope(f"{VARIABLE}{scope.pattern}") if named and isinstance(scope, NameScope) else None


def variable_of(scope: Scope) -> str:
    """Return the variable that holds a credential; empty if it is elsewhere."""
    return scope.pattern[len(VARIABLE) :] if isinstance(scope, NameScope) and scope.pattern.startswith(VARIABLE) else ""


def description_of(scope: Scope) -> str:
    """Describe the place that contains the whole scope, as `start-up file of R`; empty if there is none."""
    place = _place_of(scope) if isinstance(scope, PathScope) else None
    return "" if place is None else place.what


@cache
def _variable_names() -> tuple[re.Pattern[str], re.Pattern[str]]:
    data = read_toml(DATA / "credentials.toml")
    return lazy_pattern(data["names"], re.VERBOSE), lazy_pattern(data["others"], re.VERBOSE)


def may_touch(capability: str, scope: Scope) -> tuple[str, ...]:
    """Return the capabilities that `capability` may mean somewhere in `scope`: what must be masked if it is not
    granted.
    """
    action = _action(capability)
    if action is None or not isinstance(scope, (PathScope, AnyScope)):
        return ()
    return _touched(action, scope)


def _action(capability: str) -> int | None:
    kind, _, action = capability.partition(".")
    return ACTIONS.get(action) if kind in ("file", "source") else None


def _inside(action: int, scope: PathScope) -> tuple[str, ...]:
    place = _place_of(scope)
    return () if place is None else place.means[action]


@lru_cache(4096)
def _place_of(scope: PathScope) -> SensitivePlace | None:
    """Return the first place that contains the whole scope."""
    table = places()
    folded = _folded(scope)
    # what is inside a place has each of its literal components: only those places need a check
    names = {part for part in folded.parts if part in table.by_name}
    path = _one_path(folded)
    for number in sorted({*table.unnamed, *(number for name in names for number in table.by_name[name])}):
        place = table.rows[number]
        if path is not None and (shape := _shape(place.parts)) is not None:
            if place.anchor in (None, folded.anchor) and shape.fullmatch(path):
                return place
        elif _ends_alike(place.parts[-1], folded.parts) and covers(
            PathScope(place.anchor or folded.anchor, place.parts), folded
        ):
            return place
    return None


def _ends_alike(last: str, parts: tuple[str, ...]) -> bool:
    """Whether the last component of a pattern can cover the end of a scope; cheaper than exact inclusion."""
    if last == DEEP or not _PLAIN_PARTS.fullmatch(last):
        return True
    end = last.rpartition("*")[2].rpartition("?")[2]
    return bool(parts) and parts[-1] != DEEP and parts[-1].endswith(end)


def _one_path(scope: PathScope) -> str | None:
    """Return the path itself, each component closed by a slash, if the scope is one ordinary path, as most are."""
    joined = "/".join(scope.parts)
    return joined + "/" if _ORDINARY.fullmatch(joined) else None


@cache
def _shape(parts: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a regular expression for the places of a plain pattern, over paths as `_one_path` spells them, or None."""
    if not _PLAIN_PARTS.fullmatch("/".join(parts)):
        return None
    pieces = (
        r"(?:[^/]+/)*" if part == DEEP else re.escape(part).replace(r"\*", "[^/]*").replace(r"\?", "[^/]") + "/"
        for part in parts
    )
    return compile_pattern("".join(pieces))


@lru_cache(4096)
def _touched(action: int, scope: PathScope | AnyScope) -> tuple[str, ...]:
    if isinstance(scope, PathScope):
        place = _place_of(scope)
        if place is not None:
            return place.means[action]
        if scope.anchor in PLACES and all(literal(part) is not None for part in scope.parts):
            return ()  # one path: it is in a place or it is not
        scope = _folded(scope)
    found: set[str] = set()
    for place in places().rows:
        if not found.issuperset(place.means[action]) and _meets(place, scope):
            found.update(place.means[action])
    return tuple(sorted(found))


def _meets(place: SensitivePlace, scope: PathScope | AnyScope) -> bool:
    if isinstance(scope, AnyScope):
        return True
    if place.anchor is not None and scope.anchor in PLACES - {ROOT}:
        return False  # a system folder is no home, workspace or skill
    return overlaps(PathScope(place.anchor or scope.anchor, place.parts), scope)


def _folded(scope: PathScope) -> PathScope:
    return PathScope(scope.anchor, tuple(map(fold, scope.parts)))


@lru_cache(4096)
def fold(part: str) -> str:
    """Return a component as the most forgiving file system compares it."""
    if part.isascii():
        out = part.lower()
    else:
        from unicodedata import normalize  # noqa: PLC0415  (names outside ASCII are rare)

        out = normalize("NFC", normalize("NFC", part).casefold())
    out = _IGNORED.sub("", out)
    return out.rstrip(" .") or out


@stored_table(lambda fields: Places(tuple(map(SensitivePlace._make, fields[0])), *fields[1:]))
def places() -> Places:
    """Return the places of this version, read once."""
    return load(DATA / "sensitive.table")


def load(path: Path) -> Places:
    """Parse a table of places; duplicates, unknown capabilities, and invalid paths are refused with the line."""
    rows: list[SensitivePlace] = []
    by_name: dict[str, list[int]] = {}
    unnamed: list[int] = []
    seen: set[tuple[str | None, tuple[str, ...]]] = set()
    for number, row in enumerate(read_table(path, 5)):
        place = _place(row)
        if place[:2] in seen:
            message = f"{row.where}: `{row.cells[0]}` is listed twice"
            raise DataError(message, "remove one of the lines")
        seen.add(place[:2])
        rows.append(place)
        key = next((part for part in place.parts if part != DEEP and literal(part) is not None), None)
        if key is None:
            unnamed.append(number)
        else:
            by_name.setdefault(key, []).append(number)
    return Places(tuple(rows), {name: tuple(numbers) for name, numbers in by_name.items()}, tuple(unnamed))


def _place(row: TableRow) -> SensitivePlace:
    text, *cells, what = row.cells
    try:
        scope = parse_scope(ScopeKind.PATH, text)
    except ManifestError as error:
        message = f"{row.where}: {error.message}"
        raise DataError(message, error.remedy) from None
    anywhere = text.startswith("**/")
    if not isinstance(scope, PathScope) or scope.anchor != (WORKSPACE if anywhere else ROOT):
        message = f"{row.where}: `{text}` begins neither with `**/` nor with `/`"
        raise DataError(message, "write `**/` for a place that lies anywhere")
    read, write, delete = (tuple(cell.split()) for cell in cells)
    for name in (*read, *write, *delete):
        capability = vocabulary().get(name)
        if capability is None or capability.scope_kind is not ScopeKind.PATH:
            message = f"{row.where}: `{name}` is not a capability on paths"
            raise DataError(message, "correct the name; capabilities.table lists all")
    return SensitivePlace(None if anywhere else ROOT, tuple(map(fold, scope.parts)), (read, write, delete), what)
