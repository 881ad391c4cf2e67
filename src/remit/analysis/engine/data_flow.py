"""Data flow of Python and JavaScript: what a call is given, changes and gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Module,
    Num,
    Object,
    Value,
    unsited,
)
from remit.analysis.engine.heap import cells_of
from remit.analysis.engine.marks import UNKNOWN_MEMBER
from remit.analysis.engine.run import EnginePart
from remit.analysis.flows import Node

if TYPE_CHECKING:
    from remit.analysis import ir
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args, Frame
    from remit.analysis.engine.run import Run

# Methods of plain data (what JSON holds) that change it.
_CHANGING = frozenset(
    "append appendleft extend insert update setdefault add push unshift splice set fill assign __setitem__ __iadd__ concat".split()
)
_UNCHANGING = ("pathlib.", "datetime.", "re.", "decimal.", "uuid.", "fractions.", "ipaddress.")
# Functions whose result tells how many or how long.
_COUNTING = frozenset("len getsize count size sizeof __len__ __sizeof__ byteLength statSync".split())
_WITH_DESCRIPTORS = ("os.", "fs.")  # libraries that name open files by numbers
# Functions and methods that print, by the end of their names.
_PRINTING = (
    "print",
    "echo",
    "write",
    "writelines",
    "log",
    "info",
    "warn",
    "error",
    "debug",
    "table",
    "dir",
    "pprint",
    "secho",
)
# Libraries that keep what they are given for later calls of other functions.
_WITH_STATE = frozenset({"logging", "warnings"})


class Content(Node):
    """All that can be reached through an object."""

    __slots__ = ("of",)

    def __init__(self, of: Object) -> None:
        super().__init__()
        self.aliases = True
        self.of = of


class DataFlow(EnginePart):
    """Fills the graph of flows."""

    calls: engine.Calls
    class_members: engine.ClassMembers
    objects: engine.Objects
    programs: engine.Programs

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._contents: dict[Object, Content] = {}
        self._methods: dict[int, set[Node]] | None = None
        self._handed: dict[Node, dict[Closure, None]] = {}  # functions that a call may call
        run.flows.parts = self.connect

    def content(self, value: Value) -> set[Node]:
        """The nodes of what objects in a value hold."""
        out: set[Node] = set()
        for atom in value:
            if type(atom) is Object:
                found = self._contents.get(atom)
                if found is None:
                    found = self._contents[atom] = Content(atom)
                out.add(found)
        return out

    def begin(self, atom: Atom, args: Args, line: int) -> tuple[Node, set[Node], Node | None]:
        """A call of something that is no function of the skill."""
        flows = self.run.flows
        for value in args.everything():
            flows.context |= self.content(value)
        name = atom.function.name if isinstance(atom, Bound) and isinstance(atom.function, Lib) else ""
        name = atom.name if isinstance(atom, Lib) else name
        key = (self.run.frame.index, id(self.run.call_term), line, name)
        top = self.run.library().top_of(name) if name else ""
        if name:
            state = flows.node(("state", top))
            if top in _WITH_STATE:
                state.into |= flows.context
            flows.context.add(state)
        receiver = atom.receiver if isinstance(atom, Bound) else None
        own = self._class_of(receiver)
        if own is not None:  # what its library calls, it may call with this
            flows.context.add(own)
        begun = flows.begin(key, self.run.site(line).where)
        if own is not None:
            own.into.add(begun[0])
        if name:
            flows.node(("calls", top)).into.add(begun[0])
        mixes = self._changed(atom, name, args)
        begun[0].opens = name.startswith(_WITH_DESCRIPTORS)
        begun[0].handles = name.endswith(".fileno")
        begun[0].counts = name.rpartition(".")[2] in _COUNTING
        if mixes:
            begun[0].mixes = (begun[0].mixes or set()) | mixes
        if isinstance(atom, Anything) or name.startswith(
            UNKNOWN_MEMBER
        ):  # nobody knows what is called: any function that was lost sight of
            flows.node("unseen").into.add(begun[0])
        if name.endswith(_PRINTING):
            flows.node(("out", self.run.frame.loaded.file)).into.add(begun[0])
        return begun

    def _class_of(self, receiver: Atom | None) -> Node | None:
        """The node of all instances of a class of the skill that inherits from a library."""
        if not isinstance(receiver, Object):
            return None
        cls = self.objects.heap(receiver).cls
        return self.instances(cls) if cls >= 0 else None

    def instances(self, cls: int) -> Node:
        """What the library keeps in the instances of a class that inherits from it."""
        node = self.run.flows.node(("instances", cls))
        node.carries = node.aliases = True
        return node

    def _changed(self, atom: Atom, name: str, args: Args) -> set[Node]:
        """What was read to get hold of operands that the call may change."""
        out: set[Node] = set()
        known = args.flow
        if isinstance(atom, Bound) and _may_change(atom.receiver, name):
            out |= known.callee if known else self.run.flows.context
        if known is None:
            return out
        numbers = name.startswith(_WITH_DESCRIPTORS)
        for value, context in zip(args.positional, known.positional, strict=False):
            if any(
                (isinstance(item, Instance) and _may_change(item, "")) or (numbers and isinstance(item, Num))
                for item in value
            ):
                out |= context
        for word, value in args.keywords.items():
            if any(isinstance(item, Instance) and _may_change(item, "") for item in value):
                out |= known.keywords.get(word, set())
        return out

    def end(self, begun: tuple[Node, set[Node], Node | None], value: Value, *, apart: bool) -> None:
        """What the call gives."""
        node = begun[0].result
        changeable = begun[0].handles or any(isinstance(atom, Anything | Instance | Object) for atom in value)
        handle = (begun[0].sends or begun[0].opens) and any(isinstance(atom, Num) for atom in value)
        node.carries = node.carries or changeable or handle or any(isinstance(atom, Data) for atom in value)
        node.aliases = node.aliases or changeable
        flows = self.run.flows
        flows.end(begun)
        if apart:  # what it was given is part of what it gives only by way of the call
            flows.context = {node}
        if value and (all(isinstance(atom, Const) for atom in value) or begun[0].counts):
            flows.context.discard(node)  # whether or how much: nothing of the data itself

    def bound(self, frame: Frame, args: Args) -> None:
        """A function is called again with the same values: what they were made of may differ."""
        flow = args.flow
        every = self.run.flows.context if flow is None else flow.rest.union(*flow.positional, *flow.keywords.values())
        if not every:
            return
        for index, param in enumerate(frame.function.params):
            cell = frame.cell(param.name)
            if param.kind in ("rest", "keywords"):
                cell.into |= every
                for atom in cell.value:
                    if isinstance(atom, Object):
                        for part in cells_of(self.objects.heap(atom)):
                            part.into |= every
            elif flow is None:
                cell.into |= every
            elif param.kind == "positional" and index < len(flow.positional):
                cell.into |= flow.positional[index]
            else:
                cell.into |= flow.rest | flow.keywords.get(param.name, set())

    def stored(self, atom: Atom, value: Value, target: set[Node], fact: ir.SetAttr | ir.SetItem) -> None:
        """A store into something that is no object of the skill: whoever has it may find the value in it."""
        flows = self.run.flows
        owner = atom.name if isinstance(atom, Lib) else atom.cls if isinstance(atom, Instance) else ""
        if owner:
            top = self.run.library().top_of(owner)
            for item in value:
                if isinstance(item, Closure):  # whoever calls the library may call it
                    self.handed(unsited(item)).into.add(flows.node(("calls", top)))
        if isinstance(atom, Lib):
            flows.node(("state", top)).into |= flows.context | self.content(value)
        elif isinstance(atom, Instance | Data | Anything):
            node, outer, _ = begun = flows.begin((self.run.frame.index, id(fact)), self.run.site(fact.line).where)
            node.into |= self.content(value)
            node.mixes = (node.mixes or set()) | target
            flows.end(begun)
            outer.discard(node)

    def thrown(self, value: Value) -> None:
        """An exception is on its way: whoever catches it in this file, or in one that uses it, may use what it carries."""
        flows = self.run.flows
        flows.node(("thrown", self.run.frame.loaded.file)).into |= flows.context | self.content(value)

    def imported(self, module: Value) -> None:
        """What a module of the skill throws may be caught where it is used."""
        for atom in module:
            if isinstance(atom, Module):
                thrown = self.run.flows.node(("thrown", self.programs.loaded[atom.index].file))
                self.run.flows.node(("thrown", self.run.frame.loaded.file)).into.add(thrown)

    def handed(self, closure: Closure) -> Node:
        """Code that is not seen gets a function: what it passes may be anything that it has, and it gets what the function returns."""
        flows = self.run.flows
        if flows.call is not None:
            self._handed.setdefault(flows.call, {})[closure] = None
        found = flows.node(("handed", closure.function, closure.frame))
        found.into |= flows.context
        found.into.add(flows.node("unseen"))
        found.aliases = True
        cls = self.class_members.classes_of_body.get(closure.frame)
        if cls is not None:
            found.into.add(self.instances(cls))
        return found

    def connect(self, node: Node) -> None:
        """The nodes of what an object holds, and of what functions return that a call may call."""
        if type(node) is Content:
            heap = self.objects.heap(node.of)
            for cell in (*cells_of(heap), heap.keys):
                node.into.add(cell)
                node.into |= self.content(cell.value)
                for atom in cell.value:
                    if isinstance(atom, Closure):
                        node.into |= self._results(unsited(atom))
            if heap.cls >= 0:
                node.into |= self._given_by_methods(heap.cls, set())
        for closure in self._handed.get(node, ()):
            node.into |= self._results(closure)

    def _results(self, closure: Closure) -> set[Node]:
        """What a function may return."""
        out: set[Node] = set()
        for frame in self.calls.entered.get((closure.function, closure.frame), {}).values():
            out.update((frame.result, frame.yields))
            out |= self.content(frame.result.value)
        return out

    def _given_by_methods(self, cls: int, seen: set[int]) -> set[Node]:
        """What special methods of a class return, and those that a library calls: whoever uses an instance may get it."""
        if self._methods is None:
            self._methods = {}
            for (function, frame), frames in self.calls.entered.items():
                body = self.class_members.classes_of_body.get(frame)
                if body is not None and self._is_called_unseen(self.programs.functions[function][1].name, body):
                    for entered in frames.values():
                        found = self._methods.setdefault(body, set())
                        found.add(entered.result)
                        found |= self.content(entered.result.value)
        seen.add(cls)
        out = set(self._methods.get(cls, ()))
        for base in self.programs.classes[cls].bases.value:
            if isinstance(base, Class) and base.index not in seen:
                out |= self._given_by_methods(base.index, seen)
        return out

    def _is_called_unseen(self, name: str, cls: int) -> bool:
        special = name.startswith("__") and name.endswith("__") and name != "__init__"
        return special or bool(self.calls.library_bases(cls))


def _may_change(receiver: Atom, name: str) -> bool:
    """Whether a method may change its receiver: one of a library, or plain data by a method that is made for it."""
    if isinstance(receiver, Instance):
        return not receiver.cls.startswith(_UNCHANGING)
    if isinstance(receiver, Anything):
        return True
    return isinstance(receiver, Data) and name.rpartition(".")[2] in _CHANGING
