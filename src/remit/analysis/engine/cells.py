"""Cells: values that only grow, and the facts that read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, Atom, Bound, Lib, Value
from remit.analysis.each import each
from remit.analysis.engine.heap import MAX_ATOMS, MAX_CHANGES, Cell, Heap, join, widen_texts
from remit.analysis.engine.run import EnginePart, Run

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Frame

_HELD = frozenset({Lib, Bound})


class Cells(EnginePart):
    """Reading and writing of cells."""

    host: engine.Host
    js_process: engine.JavaScriptProcess
    leaks: engine.Leaks
    lost: engine.Lost
    python_search: engine.PythonSearch
    work: engine.WorkList

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
        if cell.heap is self.python_search.search_path is not None:
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
                self.lost.hold_atom(atom)
