"""Which effects of written code are asked about: data/planted.table, held against what the code does and did before."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import FILE_READS, FILE_WRITES, vocabulary
from remit.core.errors import DataError
from remit.core.scope import ANY_SCOPE, DEEP, HOME, ROOT, WORKSPACE, PathScope, overlaps
from remit.core.scope.component import literal
from remit.core.table import read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from remit.core.effect import Effect, Opaque
    from remit.core.scope import Scope
    from remit.guard.planted.doing import Doing

_FILE = Path(__file__).parent.with_name("data") / "planted.table"
_GROUPS = "groups"
# Parts of names of what programs make and make again
_MADE = re.compile(
    r"(?i)build|dist|out|output|outputs|target|tmp|temp|cache|caches|generated|coverage|logs?|node_modules|venv|test|tests|\.?\w*_?cache\w*"
    r"|.*\.(?:egg-info|pyc|o|log|tmp|temp|lock|pid|bak|swp|sock|out|zip|tar|gz|tgz|png|jpg|mp[34]|wav|webm)|(?:tmp|temp|test)[-_.].*|.*[-_.](?:tmp|temp|test)"
)
_TEMPORARY = frozenset({"tmp", "var/tmp", "dev"})
_SYSTEM = frozenset({"bin", "boot", "etc", "lib", "lib64", "sbin", "usr", "System", "Library", "Windows"})


class Item(NamedTuple):
    """One effect of a danger: any of these capabilities on such a scope, or a place that is not understood."""

    capabilities: frozenset[str]
    scope: str = ""
    reason: str = ""


class Danger(NamedTuple):
    """One row."""

    items: tuple[Item, ...]
    spoken: str  # the capability that the user's words ask for if they mean it
    does: str
    where: str


class Hit(NamedTuple):
    """A danger in a text, and the line on which it shows."""

    danger: Danger
    line: int


@cache
def dangers() -> tuple[Danger, ...]:
    """The table of this version."""
    return load(_FILE)


def load(path: Path) -> tuple[Danger, ...]:
    """Read a table; a row that cannot be read is refused with its line."""
    groups: dict[str, frozenset[str]] = {}
    found: list[Danger] = []
    for row in read_table(path, 3):
        first, second, does = row.cells
        if row.section == _GROUPS:
            groups[first] = frozenset(second.split())
            _known(groups[first], row.where)
            continue
        items = (
            (Item(frozenset(), reason=first[1:]),)
            if first.startswith("?")
            else tuple(_item(word, groups) for word in first.split())
        )
        for item in items:
            _known(item.capabilities, row.where)
            if item.scope and item.scope not in _SCOPES:
                raise DataError(f"{row.where}: `{item.scope}` is no scope", f"use one of {', '.join(_SCOPES)}")
        _known({second}, row.where)
        found.append(Danger(items, second, does, row.where))
    return tuple(found)


def _known(names: Collection[str], where: str) -> None:
    for name in names:
        if name not in vocabulary():
            raise DataError(f"{where}: `{name}` is neither a capability nor a group", "`remit explain` lists all")


def _item(word: str, groups: Mapping[str, frozenset[str]]) -> Item:
    name, _, scope = word.rstrip(")").partition("(")
    return Item(groups.get(name, frozenset({name})), scope)


def hits(before: Doing, after: Doing) -> Iterator[Hit]:
    """The dangers that a text has and did not have before. One that was there may do the same to something else: that is new as well."""
    if not after.effects and not after.opaque:
        return
    for danger in dangers():
        has = _all(danger, after)
        if not all(has):
            continue
        known = {_key(one) for part in _all(danger, before) for one in part}
        new = [one for part in has for one in part if _key(one) not in known]
        if new:
            yield Hit(danger, min(one.where.line for one in new))


def _all(danger: Danger, doing: Doing) -> list[list[Effect | Opaque]]:
    return [list(_meant(item, doing)) for item in danger.items]


def _meant(item: Item, doing: Doing) -> Iterator[Effect | Opaque]:
    if item.reason:
        yield from (one for one in doing.opaque if one.reason.startswith(item.reason))
        return
    for effect in doing.effects:
        if effect.capability in item.capabilities and (not item.scope or _SCOPES[item.scope](effect.scope, doing)):
            yield effect


def _key(one: Effect | Opaque) -> tuple[str, str]:
    scope = getattr(one, "scope", None)
    return (one.reason, "") if scope is None else (one.capability, scope.render())  # type: ignore[union-attr]


def _outside(scope: Scope, _doing: Doing) -> bool:
    if not isinstance(scope, PathScope) or scope.anchor not in (HOME, ROOT):
        return False
    first = literal(scope.parts[0]) if scope.parts else ""
    if scope.anchor == HOME:
        return first != ".cache"
    known = "/".join(filter(None, map(literal, scope.parts[:2])))
    return first is not None and first not in _TEMPORARY and known not in _TEMPORARY


def _system(scope: Scope, _doing: Doing) -> bool:
    return isinstance(scope, PathScope) and scope.anchor == ROOT and bool(scope.parts) and scope.parts[0] in _SYSTEM


def _wide(scope: Scope, _doing: Doing) -> bool:
    """A pattern that begins at the top of the workspace, or of the file system where nothing of it is known."""
    if not isinstance(scope, PathScope) or scope.anchor not in (WORKSPACE, ROOT):
        return False
    return not scope.parts or literal(scope.parts[0]) is None


def _written(scope: Scope, doing: Doing) -> bool:
    return isinstance(scope, PathScope) and any(
        isinstance(one, PathScope) and one.anchor == scope.anchor and overlaps(one, scope)
        for one in _scopes(doing, FILE_WRITES)
    )


def _foreign(scope: Scope, doing: Doing) -> bool:
    """A file or folder of the workspace that has a name, which the code does not make, and which is not of a kind that programs make."""
    if not isinstance(scope, PathScope) or scope.anchor != WORKSPACE or _written(scope, doing):
        return False
    parts = [literal(part) for part in scope.parts if part != DEEP]
    return bool(parts) and not any(part is None or _MADE.fullmatch(part) for part in parts)


def _kept(scope: Scope, doing: Doing) -> bool:
    """A secret that is no file of the workspace: one in the home folder, or what a program keeps (a keychain)."""
    return _outside(scope, doing) or (isinstance(scope, PathScope) and scope not in _scopes(doing, FILE_READS))


def _scopes(doing: Doing, capabilities: tuple[str, ...]) -> list[Scope]:
    return [one.scope for one in doing.effects if one.capability in capabilities]


def _any(scope: Scope, _doing: Doing) -> bool:
    return scope == ANY_SCOPE


_SCOPES: dict[str, Callable[[Scope, Doing], bool]] = {
    "any": _any,
    "foreign": _foreign,
    "kept": _kept,
    "outside": _outside,
    "system": _system,
    "wide": _wide,
    "written": _written,
}
