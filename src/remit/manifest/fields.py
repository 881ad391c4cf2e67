"""Typed access to values of a JSON document, each within limits; anything invalid is refused with its location.

An ignored field would be a permission misread, and a text without a limit would be a burden for every reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import Scope, ScopeKind, parse_scope
from remit.manifest.words import HIDDEN, listed, meant

if TYPE_CHECKING:
    from enum import StrEnum

    from remit.manifest.jsontext import Node, Reader

    Word = TypeVar("Word", bound=StrEnum)
    Value = TypeVar("Value")

NAME, LINE, LONG = 200, 1_000, 4_000  # characters: of a name; of a scope, pattern or message; of quoted words
FEW, MANY, ENTRIES = 100, 500, 2_000  # items: of a list in a constraint; of scopes, values and evidence; of entries
MARKS = 50_000  # digests of what was drafted


def fields(
    reader: Reader,
    node: Node,
    what: str,
    required: tuple[str, ...],
    optional: tuple[str, ...] = (),
    *,
    nullable: tuple[str, ...] = (),
    elsewhere: Mapping[str, str] | None = None,
) -> dict[str, Node]:
    """Return the fields of an object. `null` counts as absent in those that are `nullable`; others refuse it by type.

    `elsewhere` says for names that belong to another document what to do with them.
    """
    known = (*required, *optional)
    if not isinstance(node.value, dict):
        raise reader.fail(node.at, f"{what} is {node.kind}", f"write an object with {listed(known)}")
    for name, value in node.value.items():
        if name not in known:
            remedy = (elsewhere or {}).get(name) or f"{meant(name, known)}it has {listed(known)}"
            raise reader.fail(value.at, f"`{shown(name)}` is not a field of {what}", remedy)
    for name in required:
        if name not in node.value:
            raise reader.fail(node.at, f"{what} has no `{name}`", f"add it; it has {listed(known)}")
    return {name: value for name, value in node.value.items() if value.value is not None or name not in nullable}


def text(reader: Reader, node: Node, name: str, limit: int = LINE, *, empty: bool = False) -> str:
    """Return a text of limited length."""
    if not isinstance(node.value, str):
        raise reader.fail(node.at, f"`{name}` is {node.kind}", "write a text in quotes")
    if not node.value and not empty:
        raise reader.fail(node.at, f"`{name}` is empty", "write it, or leave the field out")
    if len(node.value) > limit:
        raise reader.fail(node.at, f"`{name}` is longer than {limit} characters", "shorten it")
    return node.value


def readable(reader: Reader, node: Node, name: str, limit: int = LINE, *, empty: bool = False) -> str:
    """Return a text that a person will read: without characters that steer a screen or hide others."""
    words = text(reader, node, name, limit, empty=empty)
    hidden = HIDDEN.search(words)
    if hidden:
        message = f"`{name}` holds the invisible character U+{ord(hidden[0]):04X} at position {hidden.start() + 1}"
        raise reader.fail(node.at, message, "remove it: a person is shown this text")
    return words


def whole(reader: Reader, node: Node, name: str, low: int, high: int) -> int:
    """Return an integer between two bounds."""
    if not isinstance(node.value, int) or isinstance(node.value, bool):
        raise reader.fail(node.at, f"`{name}` is {node.kind}", f"write a whole number from {low} to {high}")
    if not low <= node.value <= high:
        raise reader.fail(node.at, f"`{name}` is {node.value}", f"write a whole number from {low} to {high}")
    return node.value


def flag(reader: Reader, node: Node, name: str) -> bool:
    """True or false."""
    if not isinstance(node.value, bool):
        raise reader.fail(node.at, f"`{name}` is {node.kind}", "write `true` or `false`")
    return node.value


def word(reader: Reader, node: Node, name: str, words: type[Word]) -> Word:
    """Return one of the words of an enumeration."""
    found = text(reader, node, name, empty=True)
    if found not in tuple(words):
        asked = meant(found, words)
        article = "an" if name[0] in "aeiou" else "a"
        raise reader.fail(node.at, f"`{shown(found)}` is not {article} {name}", f"{asked}write {listed(words, 'or')}")
    return words(found)


def items(reader: Reader, node: Node, name: str, limit: int, *, empty: bool = True) -> list[Node]:
    """Return the items of a list of limited length."""
    if not isinstance(node.value, list):
        raise reader.fail(node.at, f"`{name}` is {node.kind}", "write a list in brackets")
    if not node.value and not empty:
        raise reader.fail(node.at, f"`{name}` is an empty list", "name a value, or leave the field out")
    if len(node.value) > limit:
        raise reader.fail(node.at, f"`{name}` has more than {limit} items", "shorten it, or use a pattern")
    return node.value


def distinct(
    reader: Reader, node: Node, name: str, limit: int, one: Callable[[Node], Value], *, empty: bool = True
) -> tuple[Value, ...]:
    """Return the values of a list without duplicates, as a set is written."""
    found: dict[tuple[type, Value], None] = {}
    for item in items(reader, node, name, limit, empty=empty):
        value = one(item)
        key = (type(value), value)  # distinguishes 1 from true
        if key in found:
            raise reader.fail(item.at, f"a value occurs twice in `{name}`", "remove one of the two")
        found[key] = None
    return tuple(value for _, value in found)


def scopes(reader: Reader, node: Node, name: str, capability: str) -> tuple[Scope, ...]:
    """Return a scope, or a list of them. It must mean the same for each capability of a pattern, or it is refused."""
    kinds = {vocabulary()[found].scope_kind for found in vocabulary().expand(capability)}
    kinds = kinds - {ScopeKind.NONE} or kinds

    def one(item: Node) -> Scope:
        written = text(reader, item, name, empty=True)
        if written != "any" and len(kinds) > 1:
            message = f"a scope for `{capability}` would mean {listed(sorted(kinds))}"
            raise reader.fail(item.at, message, "name the capabilities one by one, each with its scope")
        try:
            return parse_scope(min(kinds), written)
        except ManifestError as error:
            raise reader.fail(item.at, error.message, error.remedy) from None

    if isinstance(node.value, str):
        return (one(node),)
    if not isinstance(node.value, list):
        raise reader.fail(node.at, f"`{name}` is {node.kind}", "write a text in quotes, or a list of them")
    return distinct(reader, node, name, MANY, one, empty=False)


def shown(name: str) -> str:
    """Return a name as a message quotes it; messages are escaped when they are printed."""
    return name if len(name) <= 80 else name[:80] + "…"
