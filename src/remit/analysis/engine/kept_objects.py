"""Objects that a library was given: what its summaries call `data` may be one of them.

`data` in a summary promises plain data as long as only plain data went in. A container (an array, a table, a queue, a model) gives
back what it was given, so each library has one cell for the objects with effects that its functions took, and every `data` of the
library may be one of them.

A second cell holds the functions that the library calls as its summary says. They do not come out as `data`, but what a summary
calls `any` may be one of them: `signal.getsignal`, `Timer.function`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    INERT,
    UNKNOWN,
    Atom,
    Bound,
    Class,
    Closure,
    Data,
    Instance,
    Lib,
    Module,
    Object,
    Value,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.members import BUILTIN_TYPES
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import CAUGHT
from remit.analysis.summaries.library import KEPT
from remit.analysis.summaries.model import Entry, Expr, Section

if TYPE_CHECKING:
    from remit.analysis.engine import engine

_DEEP = 6  # how far into collections an object is looked for
_CARRIED = frozenset({Closure, Bound, Class, Object, Lib})
_OF_EXCEPTIONS = frozenset({"args", "obj", "value", "code", "key", "exceptions", "__cause__", "__context__"})
_CALLABLE = frozenset({"partial", "getter", "decorator", "proxy"})
_CALLED = Closure | Bound | Class | Lib


class KeptObjects(EnginePart):
    """Remembers what libraries were given, and hands it out again."""

    lost: engine.Lost
    library_members: engine.LibraryMembers

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._kept_objects: dict[tuple[str, str], Cell] = {}  # language and library → what it was given
        self._called_functions: dict[tuple[str, str], Cell] = {}  # language and library → functions that its lines call
        self._carried: set[Atom] = set()
        self._being_called: set[tuple[str, Atom]] = set()
        self._acting_sections: dict[tuple[str, str], bool] = {}

    def keep(self, value: Value, line: int) -> None:
        """The library at hand is given a value that its summary does not follow."""
        if not self.run.serving or INERT.issuperset(map(type, value)):
            return
        for atom in each(self._objects_in(value)):
            cell = self._kept_cell(self.run.serving)
            self.cells.write(cell, frozenset({atom}))
            key = (self.run.serving, atom)
            if isinstance(atom, _CALLED) and key not in self._being_called:
                self._being_called.add(key)
                self.cells.write(cell, self._objects_in(self._result_of(atom, line)))
                self._being_called.discard(key)

    def kept(self) -> Value:
        """What the `data` of the library at hand may be besides plain data."""
        if not self.run.serving:
            return BOTTOM
        if self.cells.read(self._kept_cell(self.run.serving)):
            return frozenset({Instance(self.run.serving + KEPT)})
        return BOTTOM

    def kept_or_called(self) -> Value:
        """What the `any` of the library at hand may be besides: also a function that it calls."""
        if self.run.serving and self.cells.read(self._called_cell(self.run.serving)):
            return frozenset({Instance(self.run.serving + KEPT)})
        return self.kept()

    def note_called(self, value: Value, library: str = "") -> None:
        """A library is given functions that its summary calls."""
        for atom in value:
            if self._may_come_back(atom):
                self.cells.write(self._called_cell(library or self.run.serving), frozenset({atom}))

    def _may_come_back(self, atom: Atom) -> bool:
        if isinstance(atom, Lib):
            return self.lost.acts(atom.name)
        if isinstance(atom, Bound):
            return isinstance(atom.function, Closure) or self.lost.acts(atom.function.name)
        if isinstance(atom, Object):
            return self.objects.heap(atom).kind in _CALLABLE
        return isinstance(atom, (Closure, Class))

    def note_caught(self, value: Value) -> None:
        """Python: functions in an expression that may fail; the exception then carries them (a key, an object without the attribute)."""
        for atom in value:
            if type(atom) in _CARRIED and atom not in self._carried:
                self._carried.add(atom)
                if isinstance(atom, Bound) and isinstance(atom.function, Closure):  # it asks its function in turn
                    self.note_called(frozenset({atom, atom.function}), CAUGHT)
                elif self.objects.is_a(atom, "tuple"):
                    self.note_called(self.elements.iterate(frozenset({atom}), 0), CAUGHT)
                else:
                    self.note_called(frozenset({atom}), CAUGHT)

    def called_by(self, library: str) -> Value:
        """The functions that a library calls, as one value that calls them when it is called."""
        return frozenset({Instance(library + KEPT)}) if self.cells.read(self._called_cell(library)) else BOTTOM

    def _called_cell(self, library: str) -> Cell:
        return self._called_functions.setdefault((self.run.language(), library), Cell())

    def kept_in(self, view: Instance) -> Value:
        """The objects that the library has whose class `_kept` this is an instance of."""
        return self.cells.read(self._kept_cell(view.cls.removesuffix(KEPT)))

    def kept_member(self, atom: Instance, name: str, line: int) -> Value:
        """What is kept has the members that its objects list; any other name is one of the container."""
        out = self.library_members.listed_member(atom, name, line)
        for item in each(self.kept_in(atom)) if atom.cls.endswith(KEPT) else ():
            if self.lists(item, name):
                out = out | self.members.member_of(item, name, line)
        return out

    def lists(self, atom: Atom, name: str) -> bool:
        """Whether an object has a member of this name, as far as its class says."""
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            return (
                heap.escaped
                or name in heap.fields
                or bool(heap.cls >= 0 and self.class_members.class_member(heap.cls, name))
            )
        if isinstance(atom, (Instance, Lib)):
            found = self.run.library().member(atom.cls if isinstance(atom, Instance) else atom.name, name)
            return isinstance(found, Section) or (isinstance(found, Entry) and found.name == name)
        return isinstance(atom, Module) or (
            isinstance(atom, Class) and bool(self.class_members.class_member(atom.index, name))
        )

    def call_kept(self, view: Instance, args: Args, line: int) -> Value:
        """The functions among what is kept are called."""
        callees = frozenset(atom for atom in self.kept_in(view) if isinstance(atom, _CALLED))
        return self.calls.call(callees | self.called_in(view), args, line) | {view, Data(UNKNOWN)}

    def called_in(self, view: Instance) -> Value:
        """The functions that the library calls whose class `_kept` this is an instance of."""
        return self.cells.read(self._called_cell(view.cls.removesuffix(KEPT)))

    def may_hold_function(self, view: Instance, name: str) -> bool:
        """Whether an attribute of this name may be a function that the library was given to call."""
        if view.cls == CAUGHT + KEPT:
            return name in _OF_EXCEPTIONS
        if name.startswith("__") and name != "__callback__":
            return False
        if self.run.language() == "js":  # where most members of what is unknown are methods
            return name.startswith(("_", "on")) and name not in {"on", "once"}
        return True

    def operate_kept(self, view: Instance, op: str, right: Value, line: int) -> Value:
        """An operator on what is kept: on each object that has it, or of the container."""
        out: Value = frozenset({view, Data(UNKNOWN)})
        for atom in each(self.kept_in(view)):
            if isinstance(atom, Instance) and atom.payload is not None:
                out = out | self.intrinsics.operate_instance(atom, op, right, line)
        return out

    def _kept_cell(self, library: str) -> Cell:
        return self._kept_objects.setdefault((self.run.language(), library), Cell())

    def _result_of(self, atom: Atom, line: int) -> Value:
        """What a library gets when it calls a function that it was given."""
        if isinstance(atom, Class):
            return frozenset({self.programs.classes[atom.index].instance})
        if isinstance(atom, Lib) and self.run.library().module(atom.name) is not None:
            return BOTTOM
        return self.calls.call(frozenset({atom}), Args(star=ANY, keyword_star=ANY), line)

    def _objects_in(self, value: Value) -> Value:
        """The objects of a value that can act, also those inside its collections, the outer ones first."""
        out: set[Atom] = set()
        seen: set[Atom] = set()
        level = set(value)
        for depth in range(_DEEP + 1):
            inner: set[Atom] = set()
            for atom in level - seen:
                if not isinstance(atom, Object):
                    if isinstance(atom, Instance) and atom.cls.endswith(KEPT):
                        out |= self.kept_in(atom)
                    elif self._can_act(atom):
                        out.add(atom)
                    continue
                heap = self.objects.heap(atom)
                if heap.kind not in _COLLECTIONS:
                    out.add(atom)
                elif depth < _DEEP:
                    inner |= self.cells.read(heap.keys)
                    for cell in (*heap.prefix, heap.bag, *heap.fields.values()):
                        if cell.value or cell is heap.bag:
                            inner |= self.cells.read(cell)
            seen |= level
            level = inner
        return frozenset(out)

    def _can_act(self, atom: Atom) -> bool:
        if isinstance(atom, Instance):
            return atom.payload is not None or self._class_acts(atom.cls)
        if isinstance(atom, Bound):
            name = atom.function.name if isinstance(atom.function, Lib) else ""
            return not name or (not name.startswith("~") and self._function_acts(name))
        if isinstance(atom, Lib):
            section = self.run.library().section(atom.name)
            if section is None:
                return atom.name not in BUILTIN_TYPES and self._function_acts(atom.name)
            return self._section_acts(section)
        return isinstance(atom, (Closure, Class, Module))

    def _function_acts(self, name: str) -> bool:
        owner, _, member = name.rpartition(".")
        found = self.run.library().member(owner, member) if owner else None
        return isinstance(found, Entry) and bool(found.effects)

    def _class_acts(self, cls: str) -> bool:
        section = self.run.library().section(cls)
        return section is None or self._section_acts(section)

    def _section_acts(self, section: Section) -> bool:
        """Whether something that is listed of a module or class has an effect."""
        key = (self.run.language(), section.name)
        known = self._acting_sections.get(key)
        if known is None:
            self._acting_sections[key] = False  # against cycles
            entries = [*section.entries.values(), *([section.rest] if section.rest is not None else [])]
            known = (
                any(effect.kind != "calls" for entry in entries for effect in entry.effects)
                or any(map(self._class_acts, section.bases))
                or any(self._class_acts(cls) for entry in entries for cls in classes_in(entry.result))
            )
            self._acting_sections[key] = known
        return known


def classes_in(expr: Expr | None) -> list[str]:
    """The classes whose instances an expression makes."""
    if expr is None:
        return []
    own = [expr.text] if expr.op == "instance" else []
    return own + [cls for arg in expr.args for cls in classes_in(arg)]


_COLLECTIONS = frozenset({"list", "tuple", "set", "dict", "iter", "map"})
