"""What all parts of the engine share: whom it reports to, and what is being evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from remit.analysis.domain import ANY, Value
from remit.analysis.world import Site, World
from remit.core.location import Location

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Frame, Loaded, Reader
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
    """A part of the engine; those that it uses are annotations, which `connect` sets."""

    def __init__(self, run: Run) -> None:
        self.run = run
