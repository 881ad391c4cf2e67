"""The state of a run: activations that are due, programs, objects, cells, and what an unknown receiver may be."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeGuard

from remit.analysis.domain import ANY, BOTTOM, SOME_BOOL, Atom, Bound, Lib, Object, Value
from remit.analysis.each import each
from remit.analysis.engine.frames import Frame, Loaded, Reader
from remit.analysis.engine.heap import MAX_ATOMS, MAX_CHANGES, Cell, Heap, join, widen_texts
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.ir import ClassInfo, Function, Program, SetAttr

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.core.effect import Origin


BASE_STEPS = 200_000  # a budget in steps, never in seconds: verdicts must be reproducible


class WorkList(EnginePart):
    """Activations, and which of their facts are due."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.frames: list[Frame] = []
        self.queue: deque[Frame] = deque()
        self.final = False  # after the fixpoint: what nothing reaches is anything
        self.steps = 0
        self.budget = BASE_STEPS
        self.exhausted = False

    def new_frame(self, function: Function, loaded: Loaded, parent: Frame | None) -> Frame:
        """An activation without arguments yet."""
        frame = Frame(len(self.frames), function, loaded, parent)
        self.frames.append(frame)
        return frame

    def enqueue(self, frame: Frame) -> None:
        """Evaluate a frame (again)."""
        for reader in frame.facts:
            reader.due = True
        if not frame.queued:
            frame.queued = True
            self.queue.append(frame)

    def look_again(self, readers: Iterable[Reader]) -> None:
        """Carry out facts again: something that they read has changed."""
        for reader in readers:
            frame = reader.frame
            if reader.fact is None:
                self.enqueue(frame)
                continue
            reader.due = True
            if not frame.queued:
                frame.queued = True
                self.queue.append(frame)

    def settle(self, value: Value) -> Value:
        """After the fixpoint, a value that nothing reaches may still be anything: never silence."""
        if value:
            return value
        self.run.reader.hollow = True
        return ANY if self.final else value


STEPS_PER_FACT = 150
LARGE_PROGRAM = 2000  # facts of one file: a longer one is a bundle, whose budget grows more slowly
STEPS_PER_FACT_BEYOND = 20


class ClassState:
    """A class of the skill, as defined in one activation."""

    __slots__ = ("bases", "body", "index", "info", "instance", "loaded", "makers", "subclasses")

    def __init__(self, index: int, info: ClassInfo, loaded: Loaded, body: Frame) -> None:
        self.index = index
        self.info = info
        self.loaded = loaded
        self.body = body
        self.bases = Cell()
        self.instance: Object
        self.subclasses: set[int] = set()
        self.makers: set[int] = set()  # metaclasses of the skill that make its instances


class Programs(EnginePart):
    """What was loaded."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.functions: list[tuple[Loaded, Function]] = []
        self.classes: list[ClassState] = []
        self.loaded: list[Loaded] = []
        self.entries: frozenset[str] | None = None  # the files whose functions are live unasked; None: all
        self.bytes_possible = False  # whether text of the skill's Python may be bytes
        self.narrowing: dict[Reader, None] = {}  # what relies on it
        self.stored_names: set[str] = set()  # attributes that some code of the skill sets

    def load(self, program: Program, file: str, origin: Origin) -> Loaded:
        """Add a program; its module body is queued."""
        loaded = Loaded(len(self.loaded), program, file, origin)
        loaded.first_function = len(self.functions)
        self.loaded.append(loaded)
        self.functions.extend((loaded, function) for function in program.functions)
        for function in program.functions:
            self.stored_names.update(fact.name for fact in function.facts if type(fact) is SetAttr)
        self.run.decoded |= program.decoded
        if program.language == "python" and program.makes_bytes and not self.bytes_possible:
            self.bytes_possible = True
            self.work.look_again(self.narrowing)
        facts = sum(len(function.facts) for function in program.functions)
        self.work.budget += (
            min(facts, LARGE_PROGRAM) * STEPS_PER_FACT + max(0, facts - LARGE_PROGRAM) * STEPS_PER_FACT_BEYOND
        )
        loaded.frame = self.work.new_frame(program.functions[0], loaded, None)
        self.work.enqueue(loaded.frame)
        return loaded


_UNDEFINED = "undefined"
MAX_MADE = 8  # objects that one term makes of different others
MAX_POSITIONS = 256


class Objects(EnginePart):
    """Makes objects, and says what they hold."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.heaps: list[Heap] = []
        self.shared_objects: dict[str, Object] = {}
        self.made: dict[tuple[int, int], Object] = {}
        self._made_of: dict[tuple[int, int], dict[Atom, Object]] = {}
        self.slots: dict[tuple[int, str], object] = {}
        self.called_undefined = Cell()  # whether a member or a file of the skill has that word in its name
        self.called_undefined.value = SOME_BOOL if any(_UNDEFINED in name for name in run.linker.files) else BOTTOM

    def allocate(self, term: object, kind: str, line: int) -> Object:
        """The object made by a term in this activation (always the same one)."""
        return self.kept_as((self.run.frame.index, id(term)), kind, line)

    def kept_as(self, key: tuple[int, int], kind: str, line: int, cls: int = -1) -> Object:
        """The object of this key, made when it is first asked for."""
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = self.new_object(kind, line, cls)
        return found

    def allocate_each(self, term: object, source: Atom, kind: str, line: int) -> Object:
        """The object that a term makes of one of the atoms that it may be given; after a few, one for all of them."""
        made = self._made_of.setdefault((self.run.frame.index, id(term)), {})
        if source not in made:
            if len(made) >= MAX_MADE:
                return self.allocate(term, kind, line)
            made[source] = self.new_object(kind, line)
        return made[source]

    def allocate_shared(self, name: str, kind: str, line: int) -> Object:
        """The one object of this name in the whole run."""
        found = self.shared_objects.get(name)
        if found is None:
            found = self.shared_objects[name] = self.new_object(kind, line)
        return found

    def new_object(self, kind: str, line: int, cls: int = -1) -> Object:
        """A fresh object."""
        self.heaps.append(Heap(kind, line, cls))
        return Object(len(self.heaps) - 1)

    def heap(self, atom: Object) -> Heap:
        """What an object holds."""
        return self.heaps[atom.index]

    def is_a(self, atom: Atom, *kinds: str) -> TypeGuard[Object]:
        """Whether an atom is an object of one of these kinds."""
        return isinstance(atom, Object) and self.heaps[atom.index].kind in kinds

    def is_instance(self, atom: Atom) -> TypeGuard[Object]:
        """Whether an atom is an instance of a class of the skill."""
        return isinstance(atom, Object) and self.heaps[atom.index].is_instance()

    def slot(self, owner: int, name: str) -> object:
        """What stands for an object that belongs to another, as the term that makes it."""
        return self.slots.setdefault((owner, name), object())

    def call_slot(self, name: str) -> object:
        """Likewise for an object that the call at hand makes, besides its result."""
        term = self.run.call_term
        return self.slots.setdefault((id(term), name), (term, name))

    def write(self, heap: Heap, name: str, value: Value) -> None:
        """Let the field of a constant key grow."""
        self.cells.write(self.field(heap, name), value)

    def write_at(self, heap: Heap, index: int, value: Value) -> None:
        """Let the element at a known position grow."""
        self.cells.write(self.position(heap, index), value)

    def position(self, heap: Heap, index: int) -> Cell:
        """The cell of a known position; what lies far behind is kept without its position."""
        if index >= MAX_POSITIONS or (heap.length is not None and index >= heap.length):
            return heap.bag
        while len(heap.prefix) <= index:
            heap.prefix.append(Cell(heap))
        return heap.prefix[index]

    def field(self, heap: Heap, name: str) -> Cell:
        """The cell of a constant key."""
        found = heap.fields.get(name)
        if found is None:
            found = heap.fields[name] = Cell(heap)
            if _UNDEFINED in name:
                self.cells.write(self.called_undefined, SOME_BOOL)
        return found

    def made_here(self, kind: str, line: int) -> Object:
        """The object that the call being evaluated makes."""
        return self.allocate(self.run.call_term or line, kind, line)

    def collected(self, kind: str, element: Value, line: int) -> Value:
        """The collection of `element` that the call being evaluated makes."""
        return self.collection(self.run.call_term or line, kind, element, line)

    def collection(self, term: object, kind: str, element: Value, line: int = 0) -> Value:
        """An object that holds any number of `element`."""
        made = self.allocate(term, kind, line)
        self.cells.write(self.heap(made).bag, element)
        return frozenset({made})


_HELD = frozenset({Lib, Bound})


class Cells(EnginePart):
    """Reading and writing of cells."""

    host: engine.Host
    js_process: engine.JavaScriptProcess
    python_library: engine.PythonLibrary

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.held: dict[Atom, tuple[Frame, int]] = {}  # primitives and modules that were stored or returned, and where

    def read(self, cell: Cell) -> Value:
        """The value of a cell; the current fact is carried out again when it grows."""
        cell.readers[self.run.reader] = None
        self.run.flows.context.add(cell)
        return cell.value

    def look(self, cell: Cell) -> Value:
        """Likewise for what only says where something is done: it is no part of the data."""
        cell.readers[self.run.reader] = None
        return cell.value

    def write(self, cell: Cell, value: Value) -> None:
        """Let a cell grow."""
        if cell.heap is self.python_library.search_path is not None:
            self.host.search_also(value)
        cell.into |= self.run.flows.context
        if value <= cell.value:
            return
        if cell.full:
            for atom in each(value):
                self.js_process.leak_atom(atom)
            return
        grown = join(cell.value, value)
        if cell.changes > MAX_CHANGES:
            grown = widen_texts(grown, 1)
        if len(grown) > MAX_ATOMS or cell.changes > MAX_ATOMS:
            cell.full = True
            for atom in each(grown):
                self.js_process.leak_atom(atom)
            grown = ANY
        if grown == cell.value:
            return
        cell.changes += 1
        if cell.heap is not None:
            self._stored(cell.heap, value, first=not cell.value)
        cell.value = grown
        self.work.look_again(cell.readers)

    def _stored(self, heap: Heap, value: Value, *, first: bool) -> None:
        if first:
            self.work.look_again(heap.bag.readers | heap.keys.readers)
        if heap.shown:
            self.leaks.written_to_shown(heap, value)
        self.hold(value)

    def hold(self, value: Value) -> None:
        """What is stored or returned may be lost sight of: a primitive among it that nobody is seen to call counts (rule 2)."""
        if _HELD.isdisjoint(map(type, value)):
            return
        for atom in each(value):
            if (type(atom) is Lib or type(atom) is Bound) and atom not in self.held:
                self.held[atom] = (self.run.frame, self.run.current_line)
                if isinstance(atom, Lib):  # an unknown receiver may be this module
                    self.leaks.leak_module(atom.name)


class Receivers(EnginePart):
    """What a value may be of which nothing is known."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.classes: set[str] = set()  # summarised classes that an unknown receiver may be an instance of
        self.owners_of: dict[
            tuple[str, str], dict[str, None]
        ] = {}  # language and member → the classes and modules that have it
        self.cell = Cell()  # read by calls on unknown receivers

    def add(self, cls: str) -> None:
        """An unknown receiver may be an instance of this class from now on."""
        if cls not in self.classes:
            self.classes.add(cls)
            self._index_members(cls, cls, set())
            self.grew()

    def _index_members(self, owner: str, cls: str, seen: set[str]) -> None:
        """Note which names a class has members for, its bases' included."""
        section = self.run.library().section(cls)
        if section is None or cls in seen:
            return
        seen.add(cls)
        for name in section.entries:
            self.owners_of.setdefault((self.run.language(), name), {})[owner] = None
        for base in section.bases:
            self._index_members(owner, base, seen)

    def grew(self) -> None:
        """Calls on unknown receivers look again."""
        self.work.look_again(self.cell.readers)
