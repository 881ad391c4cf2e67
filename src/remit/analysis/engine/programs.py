"""The programs of the skill: their functions and classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.engine.frames import Frame, Loaded, Reader
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.ir import ClassInfo, Function, Program, SetAttr

if TYPE_CHECKING:
    from remit.analysis.domain import Object
    from remit.analysis.engine import engine
    from remit.core.effect import Origin

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

    work: engine.WorkList

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
