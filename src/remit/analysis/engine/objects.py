"""The objects that a program makes: one for each term and activation."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from remit.analysis.domain import BOTTOM, SOME_BOOL, Atom, Object, Value
from remit.analysis.engine.heap import Cell, Heap
from remit.analysis.engine.run import EnginePart, Run

if TYPE_CHECKING:
    from remit.analysis.engine import engine

_UNDEFINED = "undefined"
MAX_MADE = 8  # objects that one term makes of different others
MAX_POSITIONS = 256


class Objects(EnginePart):
    """Makes objects, and says what they hold."""

    cells: engine.Cells

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
