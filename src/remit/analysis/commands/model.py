"""What a command summary says, once its block has been read (docs/commands.md is the language)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias


class Name(NamedTuple):
    """A value that the command line binds: `FILE`, `URL`, `STDIN`."""

    name: str


class Quote(NamedTuple):
    """A literal text."""

    text: str


class Apply(NamedTuple):
    """A function of values: `tree(DIR)`, `into(DST, SRC)`; without arguments a constant: `num`, `<net>`."""

    function: str
    args: tuple[Expr, ...] = ()


Expr: TypeAlias = Name | Quote | Apply


class Test(NamedTuple):
    """One condition. `subject` lists options or names of which one must be given; `pattern` restricts the value."""

    subjects: tuple[str, ...]
    negated: bool = False
    pattern: str | None = None  # a regular expression that the value of a name must match as a whole


class Action(NamedTuple):
    """A capability with its scope, or something that is done: `run(COMMAND)`, `code(CODE, ARGS)`."""

    verb: str
    args: tuple[Expr, ...]
    tests: tuple[Test, ...]
    line: int


@dataclass(slots=True)
class Option:
    """An option under all its names."""

    names: tuple[str, ...]
    values: tuple[str, ...] = ()  # the names that its values are bound to, one word each; `_` is dropped
    optional: bool = False  # the value must be attached (`-iSUFFIX`, `--color=WHEN`)
    rest: str | None = None  # the name of all following words, which are then no options
    until: str | None = None  # the name of the words up to `;` or `+`
    actions: tuple[Action, ...] = ()
    line: int = 0
    grouped: bool = False  # has a line of its own with all its names

    @property
    def bound(self) -> tuple[str, ...]:
        """Every name that the option can bind."""
        return (*self.values, *(name for name in (self.rest, self.until) if name))


class Slot(NamedTuple):
    """A place for operands."""

    name: str
    many: bool = False


class Operands(NamedTuple):
    """What the words that are no options mean, under a condition."""

    tests: tuple[Test, ...]
    slots: tuple[Slot, ...]
    actions: tuple[Action, ...]


class Output(NamedTuple):
    """What standard output looks like, under a condition."""

    tests: tuple[Test, ...]
    expr: Expr


class Steering(NamedTuple):
    """Variables that change what the command does; their value is bound to `VALUE`."""

    names: tuple[str, ...]
    actions: tuple[Action, ...]


@dataclass(slots=True)
class Command:
    """One block: a command, or one of its sub-commands."""

    names: tuple[str, ...]
    file: str
    line: int
    style: str = "gnu"
    options: dict[str, Option] = field(default_factory=dict)
    operands: list[Operands] = field(default_factory=list)
    always: list[Action] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    steering: list[Steering] = field(default_factory=list)
    fallback: tuple[Action, ...] | None = None  # for unknown options; None: opaque
    marks: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        """How the command is called in reasons."""
        return self.names[0]
