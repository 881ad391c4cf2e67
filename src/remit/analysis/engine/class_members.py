"""Members of classes: what a class defines or inherits, enumerations, and how a member is bound to what it is read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, SOME_TEXT, Atom, Bound, Class, Closure, Lib, Object, Value, unsited
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.frames import Args
from remit.analysis.engine.marks import BUILTIN_MEMBER, COMPUTED
from remit.analysis.engine.run import EnginePart, Run

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.ir import Function

_COLLECTION_BASES = {
    "builtins.dict": "dict", "builtins.list": "list", "builtins.set": "set", "builtins.tuple": "tuple", "collections.OrderedDict": "dict",
    "collections.defaultdict": "dict", "collections.Counter": "dict", "collections.UserDict": "dict", "collections.UserList": "list",
    "collections.deque": "list", "builtins.frozenset": "set", "globals.Array": "list", "globals.Map": "map", "globals.WeakMap": "map",
    "globals.Set": "set", "globals.WeakSet": "set",
}  # fmt: skip
_MAKERS = frozenset(
    {"from", "of", "fromAsync"}
)  # JavaScript: static methods of arrays that make instances of the class


class ClassMembers(EnginePart):
    """Looks members up along the bases, as both languages do."""

    calls: engine.Calls
    cells: engine.Cells
    library_members: engine.LibraryMembers
    members: engine.Members
    objects: engine.Objects
    programs: engine.Programs
    python_objects: engine.PythonObjects
    stores: engine.Stores

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.made_classes: dict[tuple[int, int], Class] = {}
        self.class_names: set[str] = set()  # members that some class of the skill defines
        self.bound_as: dict[Closure, str] = {}  # functions that `staticmethod` or `classmethod` was called on
        self.classes_of_body: dict[int, int] = {}  # frame of a class body → class

    def class_member(self, cls: int, name: str, seen: frozenset[int] = frozenset()) -> Value:
        """A member found on the class or, failing that, on its bases that the skill defines."""
        state = self.programs.classes[cls]
        cell = state.body.variables.get(name)
        if cell is not None:
            value = self.cells.read(cell)
            if value:
                return value
        out: Value = BOTTOM
        for atom in each(self.cells.read(state.bases)):
            if isinstance(atom, Class) and atom.index not in seen and atom.index != cls:
                out = out | self.class_member(atom.index, name, seen | {cls})
            elif isinstance(atom, Closure) and name != "constructor":
                out = out | self.members.member(self.members.prototype_of(atom), name, state.info.line)
        return out

    def plain_class_attribute(self, atom: Class, name: str, line: int) -> Value:  # noqa: C901, PLR0912  one case for each kind of value
        """`Class.name`: a plain member, a class method bound to the class, or what a library base has."""
        self.calls.called.add(atom)
        atom = Class(atom.index)
        out: Value = BOTTOM
        for found in each(self.class_member(atom.index, name)):
            if isinstance(found, Closure) and self.binding_in(atom.index, name, found) == "class":
                out = out | {Bound(found, atom)}
            else:
                out = out | {found}
        heap = self.objects.heap(self.programs.classes[atom.index].instance)
        stored = heap.fields.get(f"static {name}")
        if stored is not None:
            added = self.cells.read(stored)
            out = out | (or_missing(added) if self.run.language() == "js" and not out else added)
        if stored is None:
            self.cells.read(heap.keys)  # it may be set later
        if self.run.language() == "js":
            out = out | self.cells.read(self.objects.field(heap, f"static {COMPUTED}"))
        if out:
            return self.python_objects.enum_members(atom.index, out) if self.python_objects.is_enum(atom.index) else out
        out = out.union(*(self.class_member(meta, name) for meta in self.makers_of(atom.index)))
        if out:
            return out
        if name == "__dict__":
            return frozenset({self._class_dict(atom)})
        if name == "prototype":
            self.stores.shrink(heap)  # it stands for an object that no constructor has seen
            return frozenset({self.programs.classes[atom.index].instance})
        if name in {"__name__", "name", "__qualname__", "__module__", "__doc__"}:
            return SOME_TEXT
        bases = self.calls.library_bases(atom.index)
        if name in _MAKERS and "globals.Array" in bases:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}made.{name}"), atom)})
        out = out.union(*(self.library_members.library_member(Lib(base), name, line) for base in bases))
        if out or bases:
            return out
        return ANY if self.is_enum_like(atom) else BOTTOM

    def makers_of(self, cls: int, seen: frozenset[int] = frozenset()) -> set[int]:
        """The metaclasses of the skill that make the instances of a class."""
        out = set(self.programs.classes[cls].makers)
        for base in each(self.programs.classes[cls].bases.value):
            if isinstance(base, Class) and base.index not in seen and base.index != cls:
                out |= self.makers_of(base.index, seen | {cls})
        return out

    def _class_dict(self, atom: Class) -> Object:
        """The members of a class as a dictionary."""
        made = self.objects.kept_as((-10, atom.index), "dict", 0)
        self.objects.heap(made).fields = self.programs.classes[atom.index].body.variables
        return made

    def is_enum_like(self, atom: Class) -> bool:
        """Members of enumerations and named tuples have members of their own."""
        return bool(self.programs.classes[atom.index].info.fields)

    def builtin_base(self, cls: int, seen: frozenset[int] = frozenset()) -> str | None:
        """The built-in collection that a class of the skill derives from."""
        for atom in each(self.cells.read(self.programs.classes[cls].bases)):
            if isinstance(atom, Lib) and atom.name in _COLLECTION_BASES:
                return _COLLECTION_BASES[atom.name]
            if isinstance(atom, Class) and atom.index not in seen and atom.index != cls:
                found = self.builtin_base(atom.index, seen | {cls})
                if found is not None:
                    return found
        return None

    def bind_member(self, found: Atom, atom: Object, line: int, name: str = "") -> Value:
        """A member of a class as its instances have it."""
        if isinstance(found, Object):
            return frozenset({found}) | self._from_descriptor(found, atom, line)
        if not isinstance(found, Closure):
            return frozenset({found})
        binding = self.binding_in(self.objects.heap(atom).cls, name, found)
        if binding == "static":
            return frozenset({found})
        if binding == "class":
            return frozenset({Bound(found, Class(self.objects.heap(atom).cls))})
        if binding == "property":
            return self.calls.call_closure(found, Args([frozenset({atom})]), line, bound=True)
        return frozenset({Bound(found, atom)})

    def binding_in(self, cls: int, name: str, found: Closure) -> str:
        """How a function found on a class is bound: as its own definition says, or as the method that it took the place of (what a
        decorator returned). A function that was made elsewhere is a method too, unless `staticmethod` was called on it."""
        function = self.programs.functions[found.function][1]
        if function.class_index is not None:
            return function.binding
        if self.run.language() == "js":
            return "static"
        replaced = self._method_named(cls, name, set())
        return replaced.binding if replaced is not None else self.bound_as.get(unsited(found), "")

    def _method_named(self, cls: int, name: str, seen: set[int]) -> Function | None:
        """The definition of a method in the body of a class or of its bases."""
        seen.add(cls)
        body = self.programs.classes[cls].body
        for index in reversed(body.function.inner):
            function = body.loaded.program.functions[index]
            if function.name == name:
                return function
        for base in each(self.programs.classes[cls].bases.value):
            if isinstance(base, Class) and base.index not in seen:
                found = self._method_named(base.index, name, seen)
                if found is not None:
                    return found
        return None

    def _from_descriptor(self, found: Object, owner: Atom, line: int) -> Value:
        """What a class member yields that has a `__get__` of its own."""
        heap = self.objects.heap(found)
        methods = self.class_member(heap.cls, "__get__") if heap.is_instance() else BOTTOM
        return self.calls.call(methods, Args([frozenset({found}), frozenset({owner}), ANY]), line)

    def call_bound(self, atom: Object, name: str, args: Args, line: int) -> Value:
        """Call what the class of an instance has under a name, as the instance has it."""
        out: Value = BOTTOM
        for found in each(self.class_member(self.objects.heap(atom).cls, name)):
            out = out | self.calls.call(self.bind_member(found, atom, line), args, line)
        return out

    def with_getters(self, atom: Object, value: Value, line: int) -> Value:
        """JavaScript: a function stored in an object is called on that object; getters yield what they return."""
        if self.run.language() != "js" or not any(isinstance(item, Closure) for item in value):
            return value
        out: Value = BOTTOM
        for item in each(value):
            if isinstance(item, Closure) and self.programs.functions[item.function][1].takes_this:
                function = self.programs.functions[item.function][1]
                if function.binding == "property":
                    out = out | self.calls.call_closure(item, Args([frozenset({atom})]), line, bound=True)
                else:
                    out = out | {Bound(item, atom)}
            else:
                out = out | {item}
        return out
