"""Functions and primitives that are held somewhere and never seen to be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import Bound, Class, Lib, Value
from remit.analysis.each import each
from remit.analysis.engine.heap import cells_of
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.summaries.model import Entry

if TYPE_CHECKING:
    from remit.analysis.engine import engine


class Lost(EnginePart):
    """Counts what was lost sight of."""

    calls: engine.Calls
    cells: engine.Cells
    js_process: engine.JavaScriptProcess
    leaks: engine.Leaks
    objects: engine.Objects
    programs: engine.Programs

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._acting: dict[str, bool] = {}  # library function → whether calling it does more than compute

    def hold_atom(self, atom: Lib | Bound) -> None:
        """A module that was stored or returned may be what an unknown receiver is."""
        if isinstance(atom, Lib):
            self.leaks.leak_module(atom.name)

    def count_lost(self) -> None:
        """Functions that were handed on and that nothing calls by way of that reference: they count, with any arguments.

        If something is called whose value is lost, that may be any function that was handed on. Of a package whose users are known
        only what they reach counts.
        """
        for atom, (frame, line) in list(self.leaks.references.items()) if self.programs.entries is None else ():
            if atom not in self.leaks.leaked_atoms and (self.leaks.lost_call or atom not in self.calls.called):
                self.run.frame, self.run.reader, self.run.current_line = frame, frame.whole, line
                if isinstance(atom, Class):
                    self.leaks.leaked_atoms.add(atom)
                    self.leaks.call_leaked(atom)
                else:
                    self.js_process.leak_atom(atom)

    def looked_at(self, value: Value) -> None:
        """Functions and classes that are compared or asked for their names: they are not called by way of this reference."""
        for atom in each(value):
            if self.objects.is_a(atom, "tuple"):
                for cell in cells_of(self.objects.heap(atom)):
                    self.calls.called.update(cell.value)
            else:
                self.calls.called.add(atom)

    def count_held(self) -> None:
        """Primitives that were stored or returned and that nobody was seen to call: they count, with any arguments."""
        for atom, (frame, line) in list(self.cells.held.items()):
            if atom in self.calls.called:
                continue
            self.run.frame, self.run.reader, self.run.current_line = frame, frame.whole, line
            function = atom.function if isinstance(atom, Bound) else atom
            if isinstance(function, Lib) and self.acts(function.name):
                self.js_process.leak_atom(atom)

    def acts(self, name: str) -> bool:
        """Whether calling a library function may do more than compute."""
        known = self._acting.get(key := f"{self.run.language()} {name}")
        if known is None:
            library = self.run.library()
            owner, _, member = name.rpartition(".")
            found = library.member(owner, member) if owner and library.section(name) is None else None
            acting = isinstance(found, Entry) and (bool(found.effects) or found.flag("intrinsic") is not None)
            known = self._acting[key] = acting and not name.startswith("~")
        return known
