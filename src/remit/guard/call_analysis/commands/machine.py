"""The machine as a skill for the analysis: files are read on demand, and the evaluator keeps to the limits."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING, cast

from remit.analysis.domain import ARG, BOTTOM, SOME_TEXT, Atom, Object, Value, hole
from remit.analysis.engine.command_lines import CommandLines, Given, Start, Words
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.run import Host
from remit.analysis.engine.texts import texts_of
from remit.analysis.python.argparse_values import Options
from remit.skill.classify import classify
from remit.skill.model import Limits, SkillFile
from remit.skill.walk import RawFile

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Frame
    from remit.analysis.engine.run import Run
    from remit.analysis.engine.state import Objects, WorkList
    from remit.analysis.ir import Function
    from remit.guard.call_analysis.commands.analysis_session import CommandAnalysis
    from remit.guard.call_analysis.commands.disk import Disk

_LIMITS = Limits(max_source_bytes=1 << 20)


class DiskSkill:
    """The machine as a skill: its files are those that something names."""

    name = ""
    root = Path("/")
    files: tuple[SkillFile, ...] = ()
    documents: tuple[object, ...] = ()

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._classified: dict[str, SkillFile | None] = {}

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, if it can be read."""
        return self._disk.read("/" + path)

    def owner(self, path: str) -> str:
        """Return the installed skill in whose folder a path lies; empty if there is none."""
        folders = [(self._disk.real(str(folder)), name) for name, folder in self._disk.place.skills]
        found = [item for item in folders if path == item[0] or path.startswith(item[0] + "/")]
        return max(found, key=lambda item: len(item[0]))[1] if found else ""

    def file(self, path: str) -> SkillFile | None:
        """Return the kind of a file."""
        if path not in self._classified:
            data = self.read(path)
            self._classified[path] = None
            if data is not None:
                info = self._disk.look(self._disk.real("/" + path))
                runs = bool(info and info.st_mode & 0o111)
                raw = RawFile(posixpath.basename(path), len(data), "", data[:8192], data, runs, tail=data[-8192:])
                self._classified[path] = classify(raw, _LIMITS)
        return self._classified[path]


class CommandHost(Host):
    """The evaluator's host: stops at the deadline, knows how programs were started, and resolves `sys.path` on this
    disk.
    """

    objects: Objects
    work: WorkList

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._session = cast("CommandAnalysis", run.world)
        self._command_lines = CommandLines()
        self._options = Options()
        self._starts = Cell()  # read by all that depends on which programs are started, and how
        self._said = Cell()  # the words of all programs, in any position
        self._others: dict[Object, Cell] = {}  # parser → words that it reads besides the command line

    def tick(self) -> None:
        """Raise if the hard deadline has passed."""
        self._session.budget.tick()

    # ── command lines ──

    def give_words(self, words: Value) -> None:
        """Provide command-line words, by position (see `commandlines`) and as those of any caller."""
        self.cells.write(self._said, words)

    def started(self, start: Start, rest: Value) -> None:
        """Record the start of a program, with words of `rest` after the known ones."""
        if self._command_lines.started(start, rest):
            self.work.look_again(self._starts.readers)

    def loaded(self, file: str) -> None:
        """Record that a program loads a file: the file sees the words of that program."""
        if self._command_lines.loaded(file):
            self.work.look_again(self._starts.readers)

    def further_words(self) -> Value:
        """Return all words, in any position."""
        return self.cells.read(self._said)

    def argv_replaced(self, words: Value) -> None:
        """Record that `argv` is replaced: positions are unknown from then on."""
        self.cells.write(self.environments.argv, words | hole(ARG))

    def _own_starts(self) -> tuple[Start, ...] | None:
        self.cells.read(self._starts)
        loaded = self.run.frame.loaded
        return self._command_lines.of(loaded.file, loaded.program.language)

    def program_words(self) -> Words | None:
        """Return the words by position, if all starts of the program have the same number."""
        found = self._own_starts()
        if found is None or len({len(start.words) for start in found}) > 1:
            self.cells.write(self.environments.argv, self.cells.read(self._said))
            return None
        columns = zip(*(start.words for start in found), strict=True)
        own = {start.file for start in found} == {self.run.frame.loaded.file}
        return Words(self.run.frame.loaded.file if own else "all", tuple(BOTTOM.union(*column) for column in columns))

    def is_command_line(self, value: Value) -> bool:
        """Whether a value can only be the unchanged command line."""
        words = self.program_words()
        return words is not None and not self._changed() and all(self._holds(atom, words.words[1:]) for atom in value)

    def _holds(self, atom: Atom, words: tuple[Value, ...]) -> bool:
        if not isinstance(atom, Object):
            return False
        heap = self.objects.heap(atom)
        held = [self.cells.read(cell) for cell in heap.prefix]
        return heap.given and not heap.escaped and not self.cells.read(heap.bag) and held == list(words)

    def _changed(self) -> bool:
        """Whether the command line may be changed somewhere."""
        lists = [made for name, made in self.objects.shared_objects.items() if "argv of" in name]
        return bool(self.cells.read(self.environments.argv)) or any(self.objects.heap(made).escaped for made in lists)

    def declared(self, parser: Object, line: int) -> Given | None:
        """Return what `argparse` declares, if the parser is built in plain sight and reads only the command line."""
        others = self._others.setdefault(parser, Cell())
        self.cells.read(self.objects.heap(parser).bag)  # checked again if the parser escapes
        source = self._source()
        if not any(op.line == line for plan in self._options.plans(source) for op in plan.ops):
            self.cells.write(others, SOME_TEXT)  # it receives more than its plan says
        starts = self._own_starts()
        if starts is None or self.cells.read(others) or self.objects.heap(parser).escaped or self._changed():
            return None
        return self._options.given(source, line, starts)

    def parsed(self, parser: Object, line: int) -> None:
        """Record that a parser reads a command line here: where its plan says so, or when it has no plan."""
        if not any(line in plan.reads for plan in self._options.plans(self._source())):
            self.parsed_otherwise(parser, SOME_TEXT)

    def parsed_otherwise(self, parser: Object, words: Value) -> None:
        """Record further words that its arguments may get."""
        self.cells.write(self._others.setdefault(parser, Cell()), words or SOME_TEXT)

    def _source(self) -> bytes:
        loaded = self.run.frame.loaded
        return (self._session.skill.read(loaded.file) if loaded.program.file else None) or b""

    # ── modules ──

    def live_unasked(self, function: Function, frame: Frame) -> bool:
        """Functions of a module that is only imported run when called by name, or when a reference to them escapes."""
        return not self._session.imports.only_imported(frame.loaded) or self.evaluator.called_without_its_name(
            function, frame
        )

    def search_also(self, value: Value) -> None:
        """Add a folder to `sys.path`: modules are looked up there too, before libraries."""
        modules = self._session.imports.linker
        for item in texts_of(self._session.ground.value(value)):
            if item.literal is None:
                self.run.opaque("modules are imported from a folder that is not known", self.python_library.search_line)
                continue
            folder = posixpath.normpath(posixpath.join(self._session.disk.cwd, item.literal)).lstrip("/")
            if folder not in modules.folders:
                modules.folders.append(folder)
            for name in modules.libraries:
                if any(found.partition(".")[0] == name for found in self._session.disk.names("/" + folder) or ()):
                    self.run.opaque(
                        f"`/{folder}` holds a module `{name}`, like a library", self.python_library.search_line
                    )
