"""Frames: activations of functions, and the modules that they belong to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.analysis.domain import BOTTOM, Atom, Object, Value
from remit.analysis.engine.heap import Cell, Heap

if TYPE_CHECKING:
    from remit.analysis.flows import Node
    from remit.analysis.ir import Fact, Function, Program
    from remit.core.effect import Origin
    from remit.core.location import Location


class Loaded:
    """A program that takes part in the analysis."""

    __slots__ = (
        "cwd",
        "exports",
        "file",
        "first_function",
        "frame",
        "index",
        "lines",
        "origin",
        "program",
        "star",
        "started",
    )

    def __init__(self, index: int, program: Program, file: str, origin: Origin) -> None:
        self.index = index
        self.program = program
        self.file = file
        self.started: str | Location = file  # of a text: where it is run
        self.origin = origin
        self.first_function = 0  # where its functions begin in the engine's table
        self.frame: Frame
        self.lines: dict[int, int] | None = None  # line of the program → line of the file, for documents
        self.star: list[Value] = []  # modules whose names it imports
        self.cwd: Value | None = None  # where a text runs that was started in a folder of its own
        self.exports = Cell()  # JavaScript: module.exports

    def line(self, line: int) -> int:
        """The line of the file for a line of the program."""
        return self.lines.get(line, line) if self.lines is not None else line


class Reader:
    """One fact of an activation, or with no fact all of it: what is carried out again when a cell grows that it has read."""

    __slots__ = ("due", "fact", "frame", "hollow")

    def __init__(self, frame: Frame, fact: Fact | None) -> None:
        self.frame = frame
        self.fact = fact
        self.due = True
        self.hollow = False  # something in it had no value yet when it was last carried out


class Frame:
    """One activation: a function with the values of its parameters."""

    __slots__ = (
        "caller",
        "defaults",
        "evaluated",
        "facts",
        "function",
        "index",
        "leaks_result",
        "loaded",
        "parent",
        "path",
        "queued",
        "result",
        "variables",
        "whole",
        "yields",
    )

    def __init__(self, index: int, function: Function, loaded: Loaded, parent: Frame | None) -> None:
        self.index = index
        self.function = function
        self.loaded = loaded
        self.parent = parent
        self.variables: dict[str, Cell] = {}
        self.result = Cell()
        self.yields = Cell()
        self.queued = False
        self.evaluated = False
        self.facts = [Reader(self, fact) for fact in function.facts]
        self.whole = Reader(self, None)
        self.leaks_result = False
        self.path: tuple[Location, ...] = ()
        self.caller: Location | None = None
        self.defaults: tuple[tuple[Cell, Cell], ...] = ()  # parameters that were not given, each with its default

    def cell(self, name: str) -> Cell:
        """The cell of a variable."""
        found = self.variables.get(name)
        if found is None:
            found = self.variables[name] = Cell()
        return found

    def owner(self, function_index: int) -> Frame | None:
        """The enclosing activation of a function of the same program."""
        frame: Frame | None = self
        while frame is not None:
            if frame.function.index == function_index:
                return frame
            frame = frame.parent
        return None


class Binding(dict[str, Value]):
    """Parameters of a summary by name. `words` is what `*rest` took in order, `named` what `**kw` took by name, with the names that
    may be missing."""

    __slots__ = ("named", "words")

    def __init__(self) -> None:
        super().__init__()
        self.words: dict[str, tuple[list[Value], Value]] = {}
        self.named: dict[str, tuple[dict[str, Value], Value, frozenset[str]]] = {}


class Given(NamedTuple):
    """What was read to evaluate the callee and each argument of a call."""

    callee: set[Node]
    positional: list[set[Node]]
    keywords: dict[str, set[Node]]
    rest: set[Node]  # `*x` and `**x`

    def with_receiver(self) -> Given:
        """The same for a method, whose receiver comes first."""
        return Given(self.callee, [self.callee, *self.positional], self.keywords, self.rest)


@dataclass(slots=True)
class Args:
    """Actual arguments. `star` is what `*x` may add at any later position, `keyword_star` what `**x` may add by any name."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    star: Value = BOTTOM
    keyword_star: Value = BOTTOM
    perhaps: frozenset[str] = frozenset()  # keywords that may be missing: `**x`
    flow: Given | None = None  # what was read for each of them; None: nobody knows which

    def at(self, index: int) -> Value:
        """A positional argument, or nothing."""
        return self.positional[index] if index < len(self.positional) else self.star

    def everything(self) -> list[Value]:
        """All values that are passed."""
        out = [*self.positional, *self.keywords.values()]
        if self.star:
            out.append(self.star)
        if self.keyword_star:
            out.append(self.keyword_star)
        return out

    def key(self) -> tuple[object, ...]:
        """Equal keys mean equal calls."""
        return (
            tuple(self.positional),
            tuple(sorted(self.keywords.items(), key=lambda item: item[0])),
            self.star,
            self.keyword_star,
            self.perhaps,
        )

    def with_receiver(self, receiver: Value) -> Args:
        """The same call on a method."""
        flow = self.flow.with_receiver() if self.flow else None
        return Args([receiver, *self.positional], self.keywords, self.star, self.keyword_star, self.perhaps, flow)

    def behind(self, first: Args) -> Args:
        """These arguments after others that were remembered; a keyword takes the place of a remembered one unless it may be missing."""
        keywords = first.keywords | {
            name: value | first.keywords.get(name, BOTTOM) if name in self.perhaps else value
            for name, value in self.keywords.items()
        }
        missing = {name for name in first.perhaps if name not in self.keywords or name in self.perhaps}
        missing |= {name for name in self.perhaps if name not in first.keywords}
        star, named = first.star | self.star, first.keyword_star | self.keyword_star
        if first.star:
            return Args(first.positional, keywords, star.union(*self.positional), named, frozenset(missing))
        return Args([*first.positional, *self.positional], keywords, star, named, frozenset(missing))

    def without_first(self) -> Args:
        """What a function passes on that takes another function and its arguments."""
        return Args(self.positional[1:], self.keywords, self.star, self.keyword_star, self.perhaps)


# What the code of a member of a library gets: its receiver, its arguments and the line; that of a collection its heap as well.
Handler: TypeAlias = Callable[[Atom | None, Args, int], Value]
Method: TypeAlias = Callable[[Heap, Object, Args, int], Value]


def always(value: Value) -> Callable[..., Value]:
    """A member that gives the same whatever it is given."""
    return lambda *_: value
