"""The parsed form of a summary line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

SETS = "="  # before the name of an attribute: the entry that says what assigning it does


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression: an operator with operands; `text` is its name, literal or origin.

    Operators: `param`, `lit`, `num`, `const`, `hole`, `any`, `sometext`, `somenum`, `somebool`, `data`, `instance`,
    `class`, `module`, `member`, `iter`, `list`, `dict`, `tuple`, `union`, `star`, `result`, `when` (its operand if `conditions`
    may hold, else nothing), and the functions of `FUNCTIONS`.
    """

    op: str
    text: str = ""
    args: tuple[Expr, ...] = ()
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """One test on an argument; what does not fold counts as true."""

    test: str  # `true`, `false`, `given`, `chars`, `url`, `eq`, `ne`, `kind`
    subject: Expr
    value: str = ""


@dataclass(frozen=True, slots=True)
class EffectLine:
    """One effect. `kind`: `cap`, `calls`, `argv`, `sh`, `code`, `loads`, `imports`, `setenv`, `chdir`, `template`, `opaque`."""

    kind: str
    text: str  # capability, language or reason
    args: tuple[Expr, ...] = ()
    keywords: tuple[tuple[str, Expr], ...] = ()
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A formal parameter; `kind` is `positional`, `keyword`, `rest` or `keywords`."""

    name: str
    kind: str = "positional"
    default: Expr | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A function (`params` set), an attribute, or something pure whatever its arguments (`params` None, `callable`)."""

    name: str
    line: int
    params: tuple[Parameter, ...] | None = None
    effects: tuple[EffectLine, ...] = ()
    result: Expr | None = None
    flags: tuple[tuple[str, str], ...] = ()
    pure: bool = False

    def flag(self, name: str) -> str | None:
        """The argument of a flag, or None if it is not set."""
        for key, value in self.flags:
            if key == name:
                return value
        return None


class Entries:
    """The entries of a section, each parsed when it is first asked for: most are never needed."""

    __slots__ = ("_parsed", "_unread")

    def __init__(self) -> None:
        self._parsed: dict[str, Entry] = {}
        self._unread: dict[str, Callable[[str], Entry]] = {}

    def later(self, name: str, parse: Callable[[str], Entry]) -> None:
        """Note an entry; `parse` reads it."""
        self._unread[name] = parse

    def get(self, name: str) -> Entry | None:
        """The entry of this name."""
        found = self._parsed.get(name)
        if found is None and name in self._unread:
            found = self._parsed[name] = self._unread[name](name)
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._unread

    def __iter__(self) -> Iterator[str]:
        return iter(self._unread)

    def values(self) -> list[Entry]:
        """All entries, read."""
        return [entry for name in self._unread if (entry := self.get(name)) is not None]


@dataclass(slots=True)
class Section:
    """A module or class with its members. `rest` answers for members that are not listed."""

    name: str
    is_class: bool
    file: str
    line: int
    bases: tuple[str, ...] = ()
    entries: Entries = field(default_factory=Entries)
    rest: Entry | None = None


Sections: TypeAlias = dict[str, Section]
