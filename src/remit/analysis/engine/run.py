"""What all parts of the engine share: whom it reports to, what is being evaluated, and what it asks of whoever runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from remit.analysis.domain import ANY, BOTTOM, Object, Value
from remit.analysis.scopes import scopes_of
from remit.analysis.world import Site, World
from remit.core.location import Location
from remit.core.scope import DEEP, SKILL, PathScope, covers

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.command_lines import Given, Words
    from remit.analysis.engine.frames import Frame, Loaded, Reader
    from remit.analysis.ir import Function
    from remit.analysis.summaries.library import Library


class Linker(Protocol):
    """Finds the files that an import may mean."""

    files: frozenset[str]

    def imported(self, run: Run, name: str, level: int, loaded: Loaded, line: int) -> Value:
        """The module that `import name` yields."""

    def own_file(self, run: Run, path: str, shown: str, line: int) -> Value:
        """The module that a path in the skill means to JavaScript."""

    def own_paths(self, run: Run, path: str) -> list[str]:
        """The files that a path in the skill means to JavaScript."""

    def exists(self, name: str, loaded: Loaded) -> bool:
        """Whether a package of the skill has this module."""


class Run:
    """One analysis: whom it reports to, what it reads, and what is being evaluated just now."""

    def __init__(self, world: World, libraries: dict[str, Library], linker: Linker) -> None:
        self.world = world
        self.flows = world.flows
        self.libraries = libraries
        self.linker = linker
        self.frame: Frame
        self.reader: Reader  # the fact that is carried out
        self.current_line = 0
        self.call_term: object | None = None
        self.operands = 0  # how many things the operator or call at hand may be applied to
        self.serving = ""  # the library whose summary is being applied
        self.decoded: set[str] = set()  # texts that no reader sees as they are: encoded, or made of numbers
        self.quiet = False  # an attribute is read: it hands out what exists already, so an unknown receiver is not that object by itself

    def language(self) -> str:
        """The language of the code that is being evaluated."""
        return self.frame.loaded.program.language

    def library(self) -> Library:
        """The summaries of that language."""
        return self.libraries[self.frame.loaded.program.language]

    def site(self, line: int) -> Site:
        """The place of a line of the current frame."""
        loaded = self.frame.loaded
        return Site(Location(loaded.file, loaded.line(line)), loaded.origin, self.frame.path)

    def opaque(self, reason: str, line: int, remedy: str = "") -> Value:
        """Report an opaque place; its value is anything."""
        self.world.opaque(reason, self.site(line), remedy)
        return ANY


class EnginePart:
    """A part of the engine. The parts that most others use are named here, further ones in the class that uses them; `connect` sets them."""

    calls: engine.Calls
    cells: engine.Cells
    class_members: engine.ClassMembers
    collections: engine.Collections
    elements: engine.Elements
    intrinsics: engine.Intrinsics
    leaks: engine.Leaks
    members: engine.Members
    objects: engine.Objects
    programs: engine.Programs
    stores: engine.Stores
    summaries: engine.Summaries
    work: engine.WorkList

    def __init__(self, run: Run) -> None:
        self.run = run


_SKILL = PathScope(SKILL, (DEEP,))
_OUTSIDE = "modules are imported from a folder that is not surely part of the skill"
_REMEDY = "keep modules in the skill, and name their folder from `__file__`"


class Host(EnginePart):
    """The answers of a check of a folder, which knows nothing of how its programs are started."""

    environments: engine.Environments
    evaluator: engine.Evaluator
    python_library: engine.PythonLibrary

    def tick(self) -> None:
        """An activation is about to be evaluated."""

    def give_words(self, words: Value) -> None:
        """A program of the skill is started with these words, somewhere among others."""
        self.cells.write(self.environments.argv, words)

    def further_words(self) -> Value:
        """Words that a reader of the command line may hand out, besides those that the skill wrote there."""
        return BOTTOM

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

    def live_unasked(self, function: Function, frame: Frame) -> bool:
        """Whether a function may be called although nobody is seen to call it.

        In a package whose users are known, a name that they do not reach is not called.
        """
        return (
            self.programs.entries is None
            or frame.loaded.file in self.programs.entries
            or self.evaluator.called_without_its_name(function, frame)
        )

    def search_also(self, value: Value) -> None:
        """Something is put into `sys.path`, by the statement that looked at it last."""
        scopes = scopes_of("source.read", value, self.environments.here())
        if value and not all(covers(_SKILL, scope) for scope in scopes):
            self.run.opaque(_OUTSIDE, self.python_library.search_line, _REMEDY)
