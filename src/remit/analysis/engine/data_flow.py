"""Data flow of Python and JavaScript: what a call is given, changes and gives back."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis import ir
from remit.analysis.domain import (
    BOTTOM,
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
    Text,
    Value,
    unsited,
)
from remit.analysis.engine.heap import cells_of
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import PLAIN_METHODS, UNKNOWN_MEMBER
from remit.analysis.flows import Begun, Call, Node

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.environments import EnvironmentArgument
    from remit.analysis.engine.frames import Args, Frame
    from remit.analysis.summaries.model import Entry

# Methods of plain data (what JSON and buffers hold) that change it. Those that nobody knows change it too, and what they are given.
_CHANGING = frozenset(
    "append appendleft extend insert update setdefault add push unshift splice set fill write __setitem__"
    " assign __iadd__ concat".split()
)
_FILLING = frozenset({"copy"})  # methods of buffers that change what they are given
_BUFFERS = frozenset({"bytearray"})  # functions that make texts which can be changed
# Functions whose result is another view of what they are given: a change of one is seen in the other.
_VIEWS = frozenset("memoryview TypedArray subarray frombuffer from_buffer cast toreadonly".split())
# Functions that throw what they are given, and those that ask for the exception at hand, by the beginning or end of their names.
_THROWING = ("Promise.reject", ".set_exception", ".throw")
_ASKING = ("sys.exc", "sys.last_", "traceback.")
_UNCHANGING = ("pathlib.", "datetime.", "re.", "decimal.", "uuid.", "fractions.", "ipaddress.")
# Functions whose result tells how many or how long.
_COUNTING = frozenset("len getsize count size sizeof __len__ __sizeof__ byteLength statSync".split())
_WITH_DESCRIPTORS = ("os.", "fs.")  # libraries that name open files by numbers
# Functions and methods that print, by the end of their names.
_PRINTING = ("print", "echo", "log", "info", "warn", "error", "debug", "table", "dir", "pprint", "secho")
# Libraries whose functions write files by their names, and functions that tell names of files and targets of links.
_NAMING = ("os.", "fs.", "fs/", "shutil.", "pathlib.", "builtins.open", "io.open")
_LISTING = frozenset(
    "listdir scandir walk iterdir glob rglob iglob readlink realpath readdir readdirSync readlinkSync realpathSync opendirSync globSync".split()
)
OUTPUTS = frozenset({"stdout", "stderr"})
PROCESS: Value = frozenset({Lib("sys"), Lib("process"), Lib("globals.process")})  # whose members they are
_REDIRECTING = frozenset({"redirect_stdout", "redirect_stderr"})
# Functions that give the answer to a request which is an object of its own.
_ANSWERING = frozenset({"urlopen", "getresponse"})
# Libraries that keep what they are given for later calls of other functions.
_WITH_STATE = frozenset({"logging", "warnings"})
_DATA = frozenset({Data, Text})
_CHANGEABLE = frozenset({Anything, Instance, Object})
_ONLY_CONSTANTS = {Const}
_ONLY_OBJECTS = {Object}
_LATE = 1 << 62  # an age after all that is counted


class Traits(NamedTuple):
    """What the name of a function tells about the data that it is given and gives."""

    opens: bool  # a number that it gives may stand for an open file
    handles: bool  # the number that it gives stands for what it was called on
    counts: bool  # how many, how long
    answers: bool  # the answer to a request that was made before
    carries: bool  # something that may be changed later
    views: bool  # the same as what it was given
    lists: bool  # names of files
    throws: bool
    asks: bool  # the exception at hand
    prints: bool
    redirects: bool  # what is printed
    unknown: bool


class Callee(NamedTuple):
    """What a call of a function of a library concerns."""

    name: str
    method: str  # the last part of the name
    traits: Traits
    keeps_state: bool
    state: tuple[str, str]  # the node of what its library keeps
    calls: tuple[str, str]  # the node of what its library calls
    variables: tuple[EnvironmentArgument, ...] = ()  # where it is given the environment of a program that it starts


_PLAIN = Traits(*(False for _ in Traits._fields))


def _callee(name: str, top: str) -> Callee:
    method = name.rpartition(".")[2]
    return Callee(name, method, _traits(name, method), top in _WITH_STATE, ("state", top), ("calls", top))


@lru_cache(1024)
def _method(method: str) -> Callee:
    """A method of plain data."""
    return _NAMELESS._replace(method=method, traits=_traits("", method))


def _traits(name: str, method: str) -> Traits:
    found = Traits(
        opens=name.startswith(_WITH_DESCRIPTORS),
        handles=name.endswith(".fileno"),
        counts=method in _COUNTING,
        answers=method in _ANSWERING,
        carries=method in _BUFFERS or method in _VIEWS,
        views=method in _VIEWS,
        lists=method in _LISTING,
        throws=name.endswith(_THROWING),
        asks=name.startswith(_ASKING) or name.endswith(".exception"),
        prints=name.endswith(_PRINTING),
        redirects=method in _REDIRECTING,
        unknown=name.startswith(UNKNOWN_MEMBER),
    )
    return found if any(found) else _PLAIN


_NAMELESS = _callee("", "")


class Content(Node):
    """All that can be reached through an object."""

    __slots__ = ("of",)

    def __init__(self, of: Object) -> None:
        super().__init__()
        self.age = _LATE + of.index  # as objects are numbered: contents are made in the order of sets
        self.aliases = True
        self.of = of


def _changeable(value: Value, *, numbers: bool) -> bool:
    """Whether a value may be something that a call changes. `numbers`: they stand for open files."""
    for atom in value:
        if type(atom) is Instance:
            if not atom.cls.startswith(_UNCHANGING):
                return True
        elif numbers and type(atom) is Num:
            return True
    return False


class DataFlow(EnginePart):
    """Fills the graph of flows."""

    child_environments: engine.ChildEnvironments
    environments: engine.Environments

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._contents: dict[Object, Content] = {}
        self._callees: dict[tuple[str, str], Callee] = {}
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

    def begin(self, atom: Atom, args: Args, line: int) -> Begun:  # noqa: C901  one case for each kind of value
        """A call of something that is no function of the skill."""
        flows = self.run.flows
        callee = self._callee(atom)
        context = self.child_environments.given(args, callee.variables)
        traits = callee.traits
        if callee.name:
            state = flows.node(callee.state)
            if callee.keeps_state:
                state.into |= context
            context.add(state)
        own = self._class_of(atom.receiver) if type(atom) is Bound else None
        if own is not None:  # what its library calls, it may call with this
            context.add(own)
        frame = self.run.frame
        if traits is not _PLAIN:
            if traits.lists:
                context.add(flows.names(frame.loaded.file))
            if traits.throws:
                self.thrown(BOTTOM)
            if traits.asks:
                self.caught()
        key = (frame.index, id(self.run.call_term), line, callee.name)
        node, outer, _ = begun = flows.begin(key, lambda: self.run.site(line).where)
        if own is not None:
            own.into.add(node)
        if callee.name:
            flows.node(callee.calls).into.add(node)
        mixes = self._changed(atom, callee, args, outer)
        node.opens, node.handles, node.counts = traits.opens, traits.handles, traits.counts
        if traits is not _PLAIN:
            mixes |= self._marked(node, traits, outer)
        if mixes:
            node.mixes = (node.mixes or set()) | mixes
        if type(atom) is Anything:  # nobody knows what is called: any function that was lost
            flows.node("unseen").into.add(node)
            node.unknown = True
        return begun

    def _marked(self, node: Call, traits: Traits, outer: set[Node]) -> set[Node]:
        """Note what the name of a function tells about a call of it; gives what it changes besides."""
        flows, file = self.run.flows, self.run.frame.loaded.file
        if traits.redirects:
            node.into.add(flows.node(("out", file)))
        if traits.answers and node.reply is None:
            node.reply, node.answers = Node(node.where), True
        node.carries |= traits.carries
        node.aliases |= traits.views
        if traits.unknown:
            flows.node("unseen").into.add(node)
            node.unknown = True
        if traits.prints:
            flows.node(("out", file)).into.add(node)
        return outer if traits.redirects else set()

    def _callee(self, atom: Atom) -> Callee:
        """What the name of a function tells. Methods of plain data have none: they are as they are written."""
        function = atom.function if type(atom) is Bound else atom
        if type(function) is Lib:
            key = (self.run.language(), function.name)
            found = self._callees.get(key)
            if found is None:
                found = _callee(function.name, self.run.library().top_of(function.name))
                found = self._callees[key] = found._replace(variables=self.child_environments.variables(function.name))
            return found
        term = self.run.call_term
        if type(atom) is Data and isinstance(term, ir.Call) and isinstance(term.callee, ir.Attr):
            return _method(term.callee.name)
        return _NAMELESS

    def _class_of(self, receiver: Atom | None) -> Node | None:
        """The node of all instances of a class of the skill that inherits from a library."""
        if not isinstance(receiver, Object):
            return None
        cls = self.objects.heap(receiver).cls
        return self.instances(cls) if cls >= 0 else None

    def used_with(self, value: Value) -> None:
        """Special methods of objects in a value may be called with what was read so far: an operand, an attribute that is set."""
        for atom in value:
            cls = self._class_of(atom)
            if cls is not None:
                cls.into |= self.run.flows.context

    def instances(self, cls: int) -> Node:
        """What the library keeps in the instances of a class that inherits from it."""
        node = self.run.flows.node(("instances", cls))
        node.carries = node.aliases = True
        return node

    def _changed(self, atom: Atom, callee: Callee, args: Args, outer: set[Node]) -> set[Node]:
        """What was read to get hold of operands that the call may change."""
        out: set[Node] = set()
        known = args.flow
        receiver = atom.receiver if type(atom) is Bound else atom
        if self._may_change(receiver, callee.method):
            out |= known.callee if known else outer
        if known is None:
            return out
        if type(receiver) in _DATA and (callee.method in _FILLING or not self._is_plain(callee.method)):
            out.update(*known.positional)
        numbers = callee.name.startswith(_WITH_DESCRIPTORS)
        for value, context in zip(args.positional, known.positional, strict=False):
            if _changeable(value, numbers=numbers):
                out |= context
        for word, value in args.keywords.items():
            if _changeable(value, numbers=False):
                out |= known.keywords.get(word, set())
        return out

    def _may_change(self, receiver: Atom, method: str) -> bool:
        """Whether a method may change its receiver: one of a library, or plain data by a method that is made for it or not known."""
        if type(receiver) is Instance:
            return not receiver.cls.startswith(_UNCHANGING)
        if type(receiver) in _DATA:
            return method in _CHANGING or not self._is_plain(method)
        return type(receiver) is Anything

    def _is_plain(self, method: str) -> bool:
        return not method or method in PLAIN_METHODS[self.run.language()]

    def mutated(self, entry: Entry, name: str, receiver: Atom | None, args: Args) -> None:
        """A function of a library changes one of its arguments, as its summary says."""
        call, flow = self.run.flows.call, args.flow
        if call is None or flow is None:
            return
        names = [param.name for param in entry.params or ()][receiver is not None :]
        given = flow.positional[names.index(name) :][:1] if name in names else flow.positional
        call.mixes = (call.mixes or set()).union(*given, flow.keywords.get(name, flow.rest))

    def end(self, begun: Begun, value: Value, atom: Atom, args: Args) -> None:
        """What the call gives."""
        call, flows, known = begun[0], self.run.flows, args.flow
        node = call.result
        name = self._callee(atom).name if call.sends and known is not None else ""
        if known is not None and name.startswith(_NAMING):
            paths = known.positional if "link" in name else known.positional[:1]
            names = flows.names(self.run.frame.loaded.file)
            names.into.update(*paths, known.callee if name.startswith("pathlib.") else ())
        kinds = set(map(type, value))
        changeable = call.handles or not _CHANGEABLE.isdisjoint(kinds)
        handle = (call.sends or call.opens) and Num in kinds
        node.carries = node.carries or changeable or handle or Data in kinds
        node.aliases = node.aliases or changeable
        flows.end(begun)
        if known is not None:  # what it was given is part of what it gives only by way of the call
            flows.context = {node}
        if value and (kinds == _ONLY_CONSTANTS or call.counts):
            flows.context.discard(node)  # whether or how much: nothing of the data itself
        elif kinds == _ONLY_OBJECTS:
            heaps = [self.objects.heap(atom) for atom in value if isinstance(atom, Object)]
            if all(heap.bag.value and self.environments.is_copy(heap) for heap in heaps):
                flows.context.discard(node)  # whoever reads a variable of the copy reads no other
                for heap in heaps:
                    heap.bag.into.add(node)

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
        if isinstance(atom, Object) and "__setattr__" in self.class_members.class_names:
            self.used_with(frozenset({atom}))
        if isinstance(atom, Lib):
            flows.node(("state", top)).into |= flows.context | self.content(value)
            if isinstance(fact, ir.SetAttr) and fact.name in OUTPUTS:  # whatever is printed from now on goes there
                self._redirected(flows.context, fact)
        elif isinstance(atom, (Instance, Data, Text, Anything)):
            where = self.run.site(fact.line).where
            node, outer, _ = begun = flows.begin((self.run.frame.index, id(fact)), lambda: where)
            node.into |= self.content(value)
            node.mixes = (node.mixes or set()) | target
            flows.end(begun)
            outer.discard(node)

    def output(self) -> Node:
        """The stream that this file prints to: it may be something that the skill put there."""
        flows = self.run.flows
        node = flows.node(("stdout", self.run.frame.loaded.file))
        node.carries = node.aliases = True
        node.into.add(flows.node(("state", "sys")))
        flows.node(("out", self.run.frame.loaded.file)).into.add(node)
        return node

    def _redirected(self, to: set[Node], at: object) -> None:
        """What this file prints goes into something that it can read again."""
        flows = self.run.flows
        node, outer, _ = begun = flows.begin((self.run.frame.index, id(at), "output"), lambda: None)
        node.into.add(flows.node(("out", self.run.frame.loaded.file)))
        node.mixes = (node.mixes or set()) | to
        flows.end(begun)
        outer.discard(node)

    def thrown(self, value: Value) -> None:
        """An exception is on its way: whoever catches it in this file, or in one that uses it, may use what it carries."""
        flows = self.run.flows
        flows.node(("thrown", self.run.frame.loaded.file)).into |= flows.context | self.content(value)

    def caught(self) -> None:
        """An exception is caught, or asked for: what any of this file carries may be used."""
        self.run.flows.context.add(self.run.flows.node(("thrown", self.run.frame.loaded.file)))

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
            if heap.kind == "instance" and heap.cls >= 0:  # the number of a namespace is that of its file
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
