"""Classes that extend `Array`, `Map` or `Set`: an instance has a collection inside, whose methods it inherits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, Atom, Class, Object, Value
from remit.analysis.each import each
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args

# Methods of arrays that make another array of the same class.
_SAME_CLASS = frozenset("map filter slice splice concat flat flatMap".split())


class JavaScriptCollections(EnginePart):
    """The collection inside an instance. Its prototype is the instance, so that whoever meets it finds the methods of the class."""

    cells: engine.Cells
    class_members: engine.ClassMembers
    collections: engine.Collections
    elements: engine.Elements
    js_texts: engine.JavaScriptTexts
    members: engine.Members
    objects: engine.Objects
    programs: engine.Programs
    summaries: engine.Summaries

    def inner_collection(self, atom: Object) -> Object | None:
        """The collection that an instance is, besides the fields that it has."""
        heap = self.objects.heap(atom)
        kind = self.class_members.builtin_base(heap.cls) if heap.is_instance() else None
        if kind is None or self.run.language() != "js":
            return None
        key = (-11, atom.index)
        made = self.objects.made.get(key)
        if made is None:
            made = self.objects.made[key] = self.objects.new_object(kind, heap.line)
            inner = self.objects.heap(made)
            inner.proto = Cell(inner)
            inner.proto.value = frozenset({atom})
            if kind == "list":
                inner.bag = heap.bag  # `this[i]`
        return made

    def inner_member(self, inner: Object, name: str) -> Value:
        """A method of the collection, or what was stored in it while it went by itself."""
        heap = self.objects.heap(inner)
        stored = heap.fields.get(name) if heap.kind != "map" else None
        return self.members.collection_member(inner, heap, name, self.run.current_line) | (
            self.cells.read(stored) if stored is not None else BOTTOM
        )

    def builtin_method(self, name: str, receiver: Atom, args: Args, line: int) -> Value:
        """A method of a collection inside an instance gives the instance where it gives the collection."""
        if isinstance(receiver, Class) and self.run.language() == "js":
            return self.made_by_subclass(name.partition(".")[2], receiver, args, line)
        out = self.js_texts.number_method(name, receiver, args, line)
        outer = (
            self.objects.heap(receiver).proto if isinstance(receiver, Object) and self.run.language() == "js" else None
        )
        if outer is None or not isinstance(receiver, Object):
            return out
        if name.partition(".")[2] in _SAME_CLASS:
            self.cells.write(self.objects.heap(receiver).bag, self.elements.elements(out, line))
            out = out | {receiver}
        return (out - {receiver}) | self.cells.read(outer) if receiver in out else out

    def fill_inner(self, instance: Value, made: Value) -> None:
        """The constructor of the collection was called for these instances: they hold what it made."""
        for atom in each(instance):
            inner = self.inner_collection(atom) if isinstance(atom, Object) else None
            for source in each(made) if inner is not None else ():
                if inner is not None and isinstance(source, Object) and source != inner:
                    self.collections.copy_into(self.objects.heap(inner), self.objects.heap(source))

    def made_by_subclass(self, method: str, cls: Class, args: Args, line: int) -> Value:
        """`Sub.from(…)` and `Sub.of(…)` make instances of the subclass."""
        made = self.summaries.call_library(f"globals.Array.{method}", args, line)
        instance: Value = frozenset({self.programs.classes[cls.index].instance})
        self.fill_inner(instance, made)
        return instance
