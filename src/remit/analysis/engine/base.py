"""The state that all parts of the evaluator share, and the operations on cells, frames and objects."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    HOME,
    SOME_BOOL,
    TEMP,
    Atom,
    Bound,
    Class,
    Closure,
    Data,
    Hole,
    Instance,
    Lib,
    Module,
    Object,
    Text,
    Value,
    concat,
    env_origin,
    hole,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, Frame, Loaded, Reader
from remit.analysis.engine.heap import MAX_ATOMS, MAX_CHANGES, Cell, Heap, join, widen_texts
from remit.analysis.engine.texts import texts_of
from remit.analysis.ir import SetAttr
from remit.analysis.world import HERE, Site
from remit.core.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.analysis.engine.commandlines import Given, Words
    from remit.analysis.ir import ClassInfo, Function, Import, Program
    from remit.analysis.summaries.library import Library
    from remit.analysis.summaries.model import Entry
    from remit.analysis.world import Child, World
    from remit.core.effect import Origin

MAX_CONTEXTS = 16  # activations of one closure before its calls are joined
MAX_ACTIVATIONS = 48  # likewise of all closures of one function
MANY_FRAMES = 1500  # from here on calls are joined early, so that the cost stays linear in the size of the program
BASE_STEPS = 200_000  # a budget in steps, never in seconds: verdicts must be reproducible
STEPS_PER_FACT = 150
LARGE_PROGRAM = 2000  # facts of one file: a longer one is a bundle, whose budget grows more slowly
STEPS_PER_FACT_BEYOND = 20


class Linker(Protocol):
    """Finds the files that an import may mean."""

    files: frozenset[str]

    def imported(self, engine: EngineBase, name: str, level: int, loaded: Loaded, line: int) -> Value:
        """The module that `import name` yields."""

    def own_file(self, engine: EngineBase, path: str, shown: str, line: int) -> Value:
        """The module that a path in the skill means to JavaScript."""

    def own_paths(self, engine: EngineBase, path: str) -> list[str]:
        """The files that a path in the skill means to JavaScript."""

    def exists(self, name: str, loaded: Loaded) -> bool:
        """Whether a package of the skill has this module."""


_UNDEFINED = "undefined"
MAX_MADE = 8  # objects that one term makes of different others


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


class EngineBase:
    """Cells, frames, objects, and the work list."""

    def __init__(self, world: World, libraries: dict[str, Library], linker: Linker) -> None:
        self.world = world
        self.libraries = libraries
        self.linker = linker
        self.frames: list[Frame] = []
        self.functions: list[tuple[Loaded, Function]] = []
        self.classes: list[ClassState] = []
        self.objects: list[Heap] = []
        self.loaded: list[Loaded] = []
        self.queue: deque[Frame] = deque()
        self.frame: Frame
        self.reader: Reader  # the fact that is carried out
        self.universe: set[str] = set()  # summarised classes that an unknown receiver may be an instance of
        self.universe_cell = Cell()
        self.owners_of: dict[
            tuple[str, str], dict[str, None]
        ] = {}  # language and member → the classes and modules that have it
        self.leaked_modules: dict[str, None] = {}
        self.cwd = Cell()
        self.cwd.value = HERE
        self.environment: dict[str, Value] = {}  # what the skill sets; `*` in a name is what is not known of it
        self.environment_cells: dict[str, Cell] = {}
        self.environment_cell = Cell()  # of all names
        self.environment_readers: dict[Reader, None] = {}  # who started a child with it
        self.moved: dict[str, Cell] = {HOME: Cell(), TEMP: Cell()}  # where the skill itself moves these folders to
        self.search_path: Heap | None = None  # `sys.path`, once something has looked at it
        self.parser_words: dict[Object, Cell] = {}  # parser → words that the skill itself gives it, or a file
        self.argv = Cell()  # the words of the command line that the skill itself writes
        self.entries: frozenset[str] | None = None  # the files whose functions are live unasked; None: all
        self.called_undefined = Cell()  # whether a member or a file of the skill has that word in its name
        self.called_undefined.value = SOME_BOOL if any(_UNDEFINED in name for name in linker.files) else BOTTOM
        self.final = False  # after the fixpoint: what nothing reaches is anything
        self.steps = 0
        self.budget = BASE_STEPS
        self.exhausted = False
        self._shared: dict[str, Object] = {}
        self._allocated: dict[tuple[int, int], Object] = {}
        self._made_of: dict[tuple[int, int], dict[Atom, Object]] = {}
        self._activations: dict[tuple[int, int], dict[tuple[object, ...], Frame]] = {}
        self._joined: dict[tuple[int, int], Frame] = {}
        self._classes: dict[tuple[int, int], Class] = {}
        self._leaked: set[Atom] = set()
        self._handed: set[Atom] = set()
        self.held: dict[Atom, tuple[Frame, int]] = {}  # primitives and modules that were stored or returned, and where
        self.called: set[Atom] = set()
        self.references: dict[
            Atom, tuple[Frame, int]
        ] = {}  # functions by the place that hands them on, and where it is
        self.sites: dict[int, int] = {}  # term that hands a function on → number of the place
        self.lost_call = False  # whether something is called of which the engine has lost the value
        self._acting: dict[str, bool] = {}  # library function → whether calling it does more than compute
        self.activations_of: dict[int, int] = {}
        self.class_names: set[str] = set()  # members that some class of the skill defines
        self.bound_as: dict[Closure, str] = {}  # functions that `staticmethod` or `classmethod` was called on
        self.bytes_possible = False  # whether text of the skill's Python may be bytes
        self.narrowing: dict[Reader, None] = {}  # what relies on it
        self.calls_unknown = False  # whether something is called of which nobody knows what it is
        self.classes_of_body: dict[int, int] = {}  # frame of a class body → class
        self.depth = 0
        self.running: dict[int, int] = {}  # how often each function is being evaluated just now
        self.call_term: object | None = None
        self.operands = 0  # how many things the operator or call at hand may be applied to
        self.slots: dict[tuple[int, str], object] = {}
        self.functions_fields: dict[tuple[Closure, str], Cell] = {}
        self.texts_run: dict[
            tuple[int, int, Value], range
        ] = {}  # text made into a function → the programs loaded for it
        self.function_parts = Heap("function", 0)  # what is stored on functions counts as stored
        self.following: set[tuple[int, str]] = set()  # prototypes that are being followed, against cycles
        self.instance_fields: dict[
            tuple[str, str], Cell
        ] = {}  # what a skill adds to objects of a library class (Python: of any)
        self.current_line = 0
        self.guests: dict[int, set[int]] = {}  # module → texts that it evaluates
        self.hosts: dict[int, set[int]] = {}  # evaluated text → the activations that evaluate it
        self.guest_spaces: dict[int, set[Object]] = {}  # evaluated text → the dictionaries that it runs in
        self.extra_words: list[Value] = []
        self._tracked: dict[int, frozenset[str]] = {}
        self._entries_kept: list[object] = []
        self._widened: set[str] = set()
        self._with_anything: set[Closure] = set()
        self._plain: dict[int, Entry] = {}
        self.quiet = False  # an attribute is read: it hands out what exists already, so an unknown receiver is not that object by itself
        self.stored_names: set[str] = set()  # attributes that some code of the skill sets
        self.passed: dict[Atom, Value] = {}  # function → what a decorator passes to it before everything else
        self.decorators: dict[int, Entry] = {}
        self._defined_accessors: dict[
            Atom, Cell
        ] = {}  # JavaScript: object → the accessors that it was given by descriptors

    # ── programs ──

    def load(self, program: Program, file: str, origin: Origin) -> Loaded:
        """Add a program; its module body is queued."""
        loaded = Loaded(len(self.loaded), program, file, origin)
        loaded.first_function = len(self.functions)
        self.loaded.append(loaded)
        self.functions.extend((loaded, function) for function in program.functions)
        for function in program.functions[1:]:
            if function.owner is not None:
                program.functions[function.owner].inner.append(function.index)
        for function in program.functions:
            self.stored_names.update(fact.name for fact in function.facts if type(fact) is SetAttr)
        if program.language == "python" and program.makes_bytes and not self.bytes_possible:
            self.bytes_possible = True
            self.look_again(self.narrowing)
        facts = sum(len(function.facts) for function in program.functions)
        self.budget += (
            min(facts, LARGE_PROGRAM) * STEPS_PER_FACT + max(0, facts - LARGE_PROGRAM) * STEPS_PER_FACT_BEYOND
        )
        loaded.frame = self.new_frame(program.functions[0], loaded, None)
        self.enqueue(loaded.frame)
        return loaded

    def new_frame(self, function: Function, loaded: Loaded, parent: Frame | None) -> Frame:
        """An activation without arguments yet."""
        frame = Frame(len(self.frames), function, loaded, parent)
        self.frames.append(frame)
        return frame

    def language(self) -> str:
        """The language of the code that is being evaluated."""
        return self.frame.loaded.program.language

    def library(self) -> Library:
        """The summaries of that language."""
        return self.libraries[self.frame.loaded.program.language]

    # ── cells ──

    def read(self, cell: Cell) -> Value:
        """The value of a cell; the current fact is carried out again when it grows."""
        cell.readers[self.reader] = None
        return cell.value

    def set_variable(self, name: str, value: Value) -> None:
        """The skill sets a variable of its environment: it is what later reads give, and children inherit it."""
        self.found_in_environment(name, value)
        held = self.environment_cells[name].value
        if self.environment.get(name) != held:
            self.environment[name] = held
            self.look_again(self.environment_readers)

    def found_in_environment(self, name: str, value: Value) -> None:
        """A variable that is read may have this value."""
        value = frozenset(texts_of(value))
        if name in _FOLDER_VARIABLES:
            self.write(self.moved[_FOLDER_VARIABLES[name]], value)
        for known in {name, "*"} if "*" in name else {name}:
            self.write(self.environment_cells.setdefault(known, Cell()), value)
        self.write(self.environment_cell, value)

    def relocated(self, value: Value) -> Value:
        """Texts that begin with the home folder or the temporary one, and what they mean where the skill has moved these."""
        out: set[Atom] = set(value)
        for atom in value:
            for item in atom.payload or () if isinstance(atom, Instance) else (atom,):
                first = item.parts[0] if isinstance(item, Text) and item.parts else None
                if isinstance(item, Text) and isinstance(first, Hole) and first.origin in _MOVED:
                    folders = texts_of(self.read(self.moved[_MOVED[first.origin]]))
                    out.update(concat(folder, Text(item.parts[1:])) for folder in folders)
        return frozenset(out)

    def variable(self, name: str) -> Value:
        """A variable of the environment: what the caller gave, or what the skill set; `*` is one that is not known."""
        outside = hole(env_origin(name))
        if name == "*":
            return outside | self.read(self.environment_cell)
        set_here = (self.environment_cells.setdefault(known, Cell()) for known in (name, "*"))
        return outside.union(*map(self.read, set_here))

    def command_line(self) -> Value:
        """What a reader of the command line hands out: what the caller passes, or what the skill itself wrote there."""
        return hole(ARG).union(*map(operands, texts_of(self.read(self.argv))))

    def launched(self, child: Child) -> None:
        """A program of the skill is started by another: what it finds is what that one gives it, besides the caller's."""
        for value in (*child.words[1:], child.rest):
            self.write(self.argv, frozenset(texts_of(value)))
        for name, value in (child.env or {}).items():
            self.found_in_environment(name, value)
        self.write(self.cwd, child.cwd)

    def program_words(self) -> Words | None:
        """The words that the running program is given, by their places; None: any words of the caller."""
        return None

    def argv_replaced(self, words: Value) -> None:
        """For a while, the command line is another."""

    def is_command_line(self, value: Value) -> bool:
        """Whether a list is the words that the running program is given, without its name."""
        return False

    def declared(self, parser: Object, line: int) -> Given | None:
        """What the argument gets that a parser is told of on this line; None: any word of the caller."""
        return None

    def parsed(self, parser: Object, line: int) -> None:
        """A parser reads a command line on this line."""

    def parsed_otherwise(self, parser: Object, words: Value) -> None:
        """A parser reads words that are not, or not surely, the command line."""

    def inherited(self) -> dict[str, Value]:
        """What a child finds in its environment beside what the caller gave."""
        self.environment_readers[self.reader] = None
        return dict(self.environment)

    def write(self, cell: Cell, value: Value) -> None:
        """Let a cell grow."""
        if cell.heap is self.search_path is not None:
            self.search_also(value)
        if value <= cell.value:
            return
        if cell.full:
            for atom in each(value):
                self.leak_atom(atom)
            return
        grown = join(cell.value, value)
        if cell.changes > MAX_CHANGES:
            grown = widen_texts(grown, 1)
        if len(grown) > MAX_ATOMS or cell.changes > MAX_ATOMS:
            cell.full = True
            for atom in each(grown):
                self.leak_atom(atom)
            grown = ANY
        if grown == cell.value:
            return
        cell.changes += 1
        if cell.heap is not None:
            self._stored(cell.heap, value, first=not cell.value)
        cell.value = grown
        self.look_again(cell.readers)

    def _stored(self, heap: Heap, value: Value, *, first: bool) -> None:
        if first:
            self.look_again(heap.bag.readers | heap.keys.readers)
        if heap.shown:
            self.written_to_shown(heap, value)
        self.hold(value)

    def hold(self, value: Value) -> None:
        """What is stored or returned may be lost sight of: a primitive among it that nobody is seen to call counts (rule 2)."""
        for atom in each(value):
            if (type(atom) is Lib or type(atom) is Bound) and atom not in self.held:
                self.held[atom] = (self.frame, self.current_line)
                self.hold_atom(atom)

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
        self.reader.hollow = True
        return ANY if self.final else value

    # ── objects ──

    def allocate(self, term: object, kind: str, line: int) -> Object:
        """The object made by a term in this activation (always the same one)."""
        key = (self.frame.index, id(term))
        found = self._allocated.get(key)
        if found is None:
            found = self._allocated[key] = self.new_object(kind, line)
        return found

    def allocate_each(self, term: object, source: Atom, kind: str, line: int) -> Object:
        """The object that a term makes of one of the atoms that it may be given; after a few, one for all of them."""
        made = self._made_of.setdefault((self.frame.index, id(term)), {})
        if source not in made:
            if len(made) >= MAX_MADE:
                return self.allocate(term, kind, line)
            made[source] = self.new_object(kind, line)
        return made[source]

    def allocate_shared(self, name: str, kind: str, line: int) -> Object:
        """The one object of this name in the whole run."""
        found = self._shared.get(name)
        if found is None:
            found = self._shared[name] = self.new_object(kind, line)
        return found

    def new_object(self, kind: str, line: int, cls: int = -1) -> Object:
        """A fresh object."""
        self.objects.append(Heap(kind, line, cls))
        return Object(len(self.objects) - 1)

    def heap(self, atom: Object) -> Heap:
        """What an object holds."""
        return self.objects[atom.index]

    def field(self, heap: Heap, name: str) -> Cell:
        """The cell of a constant key."""
        found = heap.fields.get(name)
        if found is None:
            found = heap.fields[name] = Cell(heap)
            if _UNDEFINED in name:
                self.write(self.called_undefined, SOME_BOOL)
        return found

    def collection(self, term: object, kind: str, element: Value, line: int = 0) -> Value:
        """An object that holds any number of `element`."""
        made = self.allocate(term, kind, line)
        self.write(self.heap(made).bag, element)
        return frozenset({made})

    # ── sites ──

    def site(self, line: int) -> Site:
        """The place of a line of the current frame."""
        loaded = self.frame.loaded
        return Site(Location(loaded.file, loaded.line(line)), loaded.origin, self.frame.path)

    def opaque(self, reason: str, line: int, remedy: str = "") -> Value:
        """Report an opaque place; its value is anything."""
        self.world.opaque(reason, self.site(line), remedy)
        return ANY

    # ── contracts between the parts ──

    def search_also(self, value: Value) -> None:
        """See `remit.analysis.engine.python_search`."""
        raise AssertionError

    def hold_atom(self, atom: Lib | Bound) -> None:
        """See `remit.analysis.engine.leaks`."""
        raise AssertionError

    def leak_atom(self, atom: Atom) -> None:
        """See `remit.analysis.engine.leaks`."""
        raise AssertionError

    def written_to_shown(self, heap: Heap, value: Value) -> None:
        """See `remit.analysis.engine.leaks`."""
        raise AssertionError

    def call(self, callee: Value, args: Args, line: int, *, new: bool = False) -> Value:
        """See `remit.analysis.engine.calls`."""
        raise AssertionError

    def call_plain_object(self, atom: Object, args: Args, line: int) -> Value:
        """See `remit.analysis.engine.calls`."""
        raise AssertionError

    def evaluate_frame(self, frame: Frame) -> None:
        """See `remit.analysis.engine.evaluate`."""
        raise AssertionError

    def shared_names(self, loaded: Loaded, name: str, line: int) -> Value:
        """See `remit.analysis.engine.modules`."""
        raise AssertionError

    def imported_member(self, module: Value, term: Import, line: int) -> Value:
        """See `remit.analysis.engine.modules`."""
        raise AssertionError


_FOLDER_VARIABLES = {"HOME": HOME, "USERPROFILE": HOME, "TMPDIR": TEMP, "TEMP": TEMP, "TMP": TEMP}
_MOVED = {HOME: HOME, TEMP: TEMP} | {env_origin(name): place for name, place in _FOLDER_VARIABLES.items()}
CALLABLE = (Closure, Bound, Lib, Class)
__all__ = ["BOTTOM", "CALLABLE", "ClassState", "Data", "EngineBase", "Linker", "Module"]


def operands(text: Text) -> Value:
    """A word of a command line as an operand: an option is none, but its value after `=` is."""
    first = text.parts[0] if text.parts else ""
    if not isinstance(first, str) or not first.startswith("-"):
        return frozenset({text})
    name, sign, value = first.partition("=")
    return frozenset({Text(((value,) if value else ()) + text.parts[1:])}) if sign and name else BOTTOM
