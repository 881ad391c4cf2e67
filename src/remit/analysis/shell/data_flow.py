"""Data flow of the shell: variables, parameters, pipes, redirections and substitutions as nodes of the graph of flows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.flows import Node
from remit.analysis.shell.part import Run, ShellPart

if TYPE_CHECKING:
    from remit.analysis.shell.state import Result

ANY_VARIABLE = "*"
LAST_WORD = "_"  # the variable that holds the last word of the command before


class Streams(NamedTuple):
    """What a shell program is started with: what all its code may hold, its arguments, its input, and where its output goes."""

    base: frozenset[Node] = frozenset()
    given: Node | None = None
    fed: Node | None = None
    output: Node | None = None
    blanks: frozenset[str] = frozenset()  # of a document: characters that stand for what a program printed before


class DataFlow(ShellPart):
    """Fills the graph of flows."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.flows = run.world.flows
        streams = run.streams
        self.base: set[Node] = set(streams.base)
        self.fed = streams.fed
        self.outputs: set[Node] = {streams.output} if streams.output is not None else set()
        self.targets: list[Node] = []  # what the words of the command at hand write to: `>(…)`
        self.aside: Node | None = None  # what a coprocess is given and prints
        self.replaced: set[Node] = set()  # where the output went before it was redirected
        self._function = ""
        self._nodes: defaultdict[tuple[str, str], Node] = defaultdict(Node)
        if streams.given is not None:
            self._node("arguments", "").into.add(streams.given)

    def _node(self, kind: str, name: str) -> Node:
        return self._nodes[kind, name]

    # ── variables ──

    def read(self, name: str) -> None:
        """A variable is read."""
        self.flows.context.add(self._node("variable", name))
        self.flows.context.add(self._node("variable", ANY_VARIABLE))

    def filled_in(self, marks: str) -> None:
        """The agent fills in what it has read."""
        if not self.run.streams.blanks.isdisjoint(marks):
            self.flows.context.add(self.flows.model)

    def stored(self, name: str) -> None:
        """A variable gets what was read so far."""
        self._node("variable", name).into |= self.flows.context

    def inherited(self, name: str, given: Node | None) -> None:
        """A variable comes from whoever starts the program."""
        node = self._node("variable", name)
        node.into |= self.base if given is None else {given}
        if name in self.flows.exported:
            node.into.add(self.flows.exported[name])

    def exported(self, names: Iterable[str]) -> dict[str, Node]:
        """The variables that a program is given."""
        return {name: self._node("variable", name) for name in names}

    def read_arguments(self) -> None:
        """`$1`, `$@` and the like are read."""
        self.flows.context.add(self._node("arguments", self._function))

    def stored_arguments(self) -> None:
        """`set --`."""
        self._node("arguments", self._function).into |= self.flows.context

    @contextmanager
    def inside(self, function: str) -> Iterator[None]:
        """A function is called with what was read so far; what it prints goes where the output goes."""
        outer, self._function = self._function, function
        self._node("arguments", function).into |= self.flows.context
        self.flows.context = set()
        yield
        self._function = outer
        self.flows.context = set()

    # ── commands ──

    def begin(self) -> tuple[set[Node], list[Node]]:
        """A simple command: what is read from here on is its own."""
        outer, targets = self.flows.context, self.targets
        self.flows.context, self.targets = set(self.base), []
        return outer, targets

    def end(self, begun: tuple[set[Node], list[Node]]) -> None:
        """What it read may be part of what it prints."""
        self.stored(LAST_WORD)
        self.printed()
        self.flows.context, self.targets = begun

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is read here is no part of anything else."""
        outer, self.flows.context = self.flows.context, set(self.base)
        yield
        self.flows.context = outer

    def printed(self) -> None:
        """Everything that was read went where the output goes."""
        if self.flows.context:
            for node in (*self.outputs, *self.targets):
                node.into |= self.flows.context
        self.flows.context = set()

    def printing(self, result: Result) -> Result:
        """What a command leaves whose output goes elsewhere."""
        self.printed()
        return result

    def take_input(self) -> None:
        """The command reads its input."""
        if self.fed is not None:
            self.flows.context.add(self.fed)
        self.flows.fed = self.fed

    def capture(self) -> tuple[Node, set[Node], set[Node]]:
        """What is printed from here on is collected; `captured` ends it."""
        node = Node()
        saved = node, self.outputs, self.flows.context
        self.outputs, self.flows.context = {node}, set()
        return saved

    def captured(self, saved: tuple[Node, set[Node], set[Node]]) -> None:
        """What was printed becomes part of a word."""
        node, self.outputs, self.flows.context = saved
        self.flows.context.add(node)
