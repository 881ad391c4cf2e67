"""Members of classes: what a class defines or inherits, enumerations, and how a member is bound to what it is read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    SOME_TEXT,
    Atom,
    Bound,
    Class,
    Closure,
    Lib,
    Object,
    Value,
    unsited,
)
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.frames import Args
from remit.analysis.engine.leaks import Leaks
from remit.analysis.engine.marks import BUILTIN_MEMBER, COMPUTED

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap
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


class ClassMembers(Leaks):
    """Looks members up along the bases, as both languages do."""

    def class_member(self, cls: int, name: str, seen: frozenset[int] = frozenset()) -> Value:
        """A member found on the class or, failing that, on its bases that the skill defines."""
        state = self.classes[cls]
        cell = state.body.variables.get(name)
        if cell is not None:
            value = self.read(cell)
            if value:
                return value
        out: Value = BOTTOM
        for atom in each(self.read(state.bases)):
            if isinstance(atom, Class) and atom.index not in seen and atom.index != cls:
                out = out | self.class_member(atom.index, name, seen | {cls})
            elif isinstance(atom, Closure) and name != "constructor":
                out = out | self.member(self.prototype_of(atom), name, state.info.line)
        return out

    def class_attribute(self, atom: Class, name: str, line: int) -> Value:
        """`Class.name`: a plain member, a class method bound to the class, or what a library base has."""
        self.called.add(atom)
        atom = Class(atom.index)
        out: Value = BOTTOM
        for found in each(self.class_member(atom.index, name)):
            if isinstance(found, Closure) and self.binding_in(atom.index, name, found) == "class":
                out = out | {Bound(found, atom)}
            else:
                out = out | {found}
        heap = self.heap(self.classes[atom.index].instance)
        stored = heap.fields.get(f"static {name}")
        if stored is not None:
            added = self.read(stored)
            out = out | (or_missing(added) if self.language() == "js" and not out else added)
        if stored is None:
            self.read(heap.keys)  # it may be set later
        if self.language() == "js":
            out = out | self.read(self.field(heap, f"static {COMPUTED}"))
        if out:
            return self.enum_members(atom.index, out) if self.is_enum(atom.index) else out
        for meta in self.makers_of(atom.index):
            out = out | self.class_member(meta, name)
        if out:
            return out
        if name == "__dict__":
            return frozenset({self._class_dict(atom)})
        if name == "prototype":
            self.shrink(heap)  # it stands for an object that no constructor has seen
            return frozenset({self.classes[atom.index].instance})
        if name in {"__name__", "name", "__qualname__", "__module__", "__doc__"}:
            return SOME_TEXT
        bases = self.library_bases(atom.index)
        if name in _MAKERS and "globals.Array" in bases:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}made.{name}"), atom)})
        for base in bases:
            out = out | self.library_member(Lib(base), name, line)
        if out or bases:
            return out
        return ANY if self.is_enum_like(atom) else BOTTOM

    def makers_of(self, cls: int, seen: frozenset[int] = frozenset()) -> set[int]:
        """The metaclasses of the skill that make the instances of a class."""
        out = set(self.classes[cls].makers)
        for base in each(self.classes[cls].bases.value):
            if isinstance(base, Class) and base.index not in seen and base.index != cls:
                out |= self.makers_of(base.index, seen | {cls})
        return out

    def _class_dict(self, atom: Class) -> Object:
        """The members of a class as a dictionary."""
        key = (-10, atom.index)
        made = self._allocated.get(key)
        if made is None:
            made = self._allocated[key] = self.new_object("dict", 0)
            self.heap(made).fields = self.classes[atom.index].body.variables
        return made

    def is_enum(self, cls: int) -> bool:
        """See `python_objects`."""
        raise AssertionError

    def enum_members(self, cls: int, found: Value) -> Value:
        """See `python_objects`."""
        raise AssertionError

    def enum_values(self, cls: int) -> Value:
        """See `python_objects`."""
        raise AssertionError

    def is_enum_like(self, atom: Class) -> bool:
        """Members of enumerations and named tuples have members of their own."""
        return bool(self.classes[atom.index].info.fields)

    def builtin_base(self, cls: int, seen: frozenset[int] = frozenset()) -> str | None:
        """The built-in collection that a class of the skill derives from."""
        for atom in each(self.read(self.classes[cls].bases)):
            if isinstance(atom, Lib) and atom.name in _COLLECTION_BASES:
                return _COLLECTION_BASES[atom.name]
            if isinstance(atom, Class) and atom.index not in seen and atom.index != cls:
                found = self.builtin_base(atom.index, seen | {cls})
                if found is not None:
                    return found
        return None

    def _bind_member(self, found: Atom, atom: Object, line: int, name: str = "") -> Value:
        if isinstance(found, Object):
            return frozenset({found}) | self._from_descriptor(found, atom, line)
        if not isinstance(found, Closure):
            return frozenset({found})
        binding = self.binding_in(self.heap(atom).cls, name, found)
        if binding == "static":
            return frozenset({found})
        if binding == "class":
            return frozenset({Bound(found, Class(self.heap(atom).cls))})
        if binding == "property":
            return self.call_closure(found, Args([frozenset({atom})]), line, bound=True)
        return frozenset({Bound(found, atom)})

    def binding_in(self, cls: int, name: str, found: Closure) -> str:
        """How a function found on a class is bound: as its own definition says, or as the method that it took the place of (what a
        decorator returned). A function that was made elsewhere is a method too, unless `staticmethod` was called on it."""
        function = self.functions[found.function][1]
        if function.class_index is not None:
            return function.binding
        if self.language() == "js":
            return "static"
        replaced = self._method_named(cls, name, set())
        return replaced.binding if replaced is not None else self.bound_as.get(unsited(found), "")

    def _method_named(self, cls: int, name: str, seen: set[int]) -> Function | None:
        """The definition of a method in the body of a class or of its bases."""
        seen.add(cls)
        body = self.classes[cls].body
        for index in reversed(body.function.inner):
            function = body.loaded.program.functions[index]
            if function.name == name:
                return function
        for base in each(self.classes[cls].bases.value):
            if isinstance(base, Class) and base.index not in seen:
                found = self._method_named(base.index, name, seen)
                if found is not None:
                    return found
        return None

    def _from_descriptor(self, found: Object, owner: Atom, line: int) -> Value:
        """What a class member yields that has a `__get__` of its own."""
        out: Value = BOTTOM
        heap = self.heap(found)
        if heap.kind == "instance" and heap.cls >= 0:
            for method in each(self.class_member(heap.cls, "__get__")):
                out = out | self.call(frozenset({method}), Args([frozenset({found}), frozenset({owner}), ANY]), line)
        return out

    def _with_getters(self, atom: Object, value: Value, line: int) -> Value:
        """JavaScript: a function stored in an object is called on that object; getters yield what they return."""
        if self.language() != "js" or not any(isinstance(item, Closure) for item in value):
            return value
        out: Value = BOTTOM
        for item in each(value):
            if isinstance(item, Closure) and self.functions[item.function][1].takes_this:
                function = self.functions[item.function][1]
                if function.binding == "property":
                    out = out | self.call_closure(item, Args([frozenset({atom})]), line, bound=True)
                else:
                    out = out | {Bound(item, atom)}
            else:
                out = out | {item}
        return out

    # ── contracts with other parts ──

    def shrink(self, heap: Heap) -> None:
        """See `stores`."""
        raise AssertionError

    def prototype_of(self, atom: Closure) -> Value:
        """See `members`."""
        raise AssertionError

    def library_member(self, atom: Lib, name: str, line: int) -> Value:
        """See `members`."""
        raise AssertionError

    def library_bases(self, cls: int) -> list[str]:
        """See `calls`."""
        raise AssertionError

    def call_closure(self, closure: Closure, args: Args, line: int, *, new: bool = False, bound: bool = False) -> Value:
        """See `calls`."""
        raise AssertionError
