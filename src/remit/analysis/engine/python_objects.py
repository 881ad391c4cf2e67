"""What Python's objects do by themselves: special methods, methods taken from a type, enumerations, namespaces, records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
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
    Text,
    Value,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, Frame
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.tables import BUILTIN_MEMBER, METHODS, OPERATORS, READING
from remit.analysis.engine.texts import literals
from remit.analysis.python.names import shared

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap

_OF_OBJECTS = frozenset("__init__ __init_subclass__ __repr__ __str__ __hash__ __eq__".split())  # that reach nothing
_UNARY = ("__neg__", "__pos__", "__invert__")
_COMPARED = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_MADE_OF_TEXT = {"fromhex": SOME_TEXT, "from_bytes": SOME_NUM, "maketrans": frozenset({Data(UNKNOWN)})}
_VALUE_ENUMS = frozenset({"enum.StrEnum", "enum.IntEnum", "enum.IntFlag"})


class PythonObjects(EnginePart):
    """The parts of the object model that no summary line can say."""

    mappings: engine.MappingMethods
    python_texts: engine.PythonTexts

    # ── special methods ──

    def special(self, atom: Atom, names: tuple[str, ...], args: list[Value], line: int) -> Value:
        """What the special methods of an instance of the skill return."""
        out: Value = BOTTOM
        if self.objects.is_instance(atom):
            for name in names:
                methods = self.class_members.class_member(self.objects.heap(atom).cls, name)
                out = out | self.calls.call(methods, Args([frozenset({atom}), *args]), line)
        return out

    def special_operator(self, kind: str, left: Value, right: Value, line: int) -> Value:
        """Operators that the right operand defines, and those with one operand."""
        out: Value = BOTTOM
        if kind == "unary":
            out = out.union(*(self.special(atom, _UNARY, [], line) for atom in each(left)))
        elif kind in OPERATORS:
            reflected = OPERATORS[kind].replace("__", "__r", 1)
            out = out.union(*(self.special(atom, (reflected,), [left], line) for atom in each(right)))
        return out

    def compared(self, left: Value, right: Value, line: int) -> Value:
        """A comparison is true or false, unless an operand says otherwise (arrays compare element by element)."""
        out = SOME_BOOL.union(*(self.special(atom, _COMPARED, [right], line) for atom in each(left)))
        for atom in each(right):
            out = out | self.special(atom, _COMPARED, [left], line)
        return out | frozenset(atom for atom in left | right if isinstance(atom, Instance) and atom.payload is None)

    # ── methods taken from a built-in type: `str.strip`, `dict.get`, `dict.fromkeys` ──

    def unbound_method(self, owner: str, method: str, args: Args, line: int) -> Value:  # noqa: C901, PLR0912  one case for each kind of value
        """`type.method(receiver, …)` is `receiver.method(…)`; a few belong to the type itself."""
        if method == "fromkeys":
            return self._from_keys(args, line)
        if method == "fromhex" and owner == "builtins.bytes":
            return self.python_texts.decoded("hex", args.at(0))
        if method in _MADE_OF_TEXT:
            return _MADE_OF_TEXT[method]
        subject = args.at(0)
        for atom in each(subject):
            if isinstance(atom, Object) and self.objects.heap(atom).given and method not in READING:
                self.stores.lose_order(self.objects.heap(atom))
        if method == "__new__":
            return (
                frozenset(self.programs.classes[atom.index].instance for atom in subject if isinstance(atom, Class))
                or subject
            )
        if method == "__setattr__" and len(args.positional) > 2:
            for atom in each(subject):
                for name in literals(args.positional[1]) or ():
                    self.intrinsics.store_attr(atom, name, args.positional[2], line)
            self.leaks.leak(args.positional[2] if literals(args.positional[1]) is None else BOTTOM)
            return NOTHING
        if owner in {"builtins.object", "builtins.type"} and method not in _OF_OBJECTS:
            self.summaries.leak_all(args)
            return self.run.opaque(f"`{owner.rpartition('.')[2]}.{method}` reaches around the language", line)
        rest = args.without_first()
        if method in {"__init__", "update"}:
            for atom in each(subject):
                if isinstance(atom, Object):
                    self.mappings.update(self.objects.heap(atom), atom, rest, line)
            return NOTHING
        return self.calls.call(self.members.member(subject, method, line), rest, line)

    def _from_keys(self, args: Args, line: int) -> Value:
        made = self.objects.made_here("dict", line)
        heap = self.objects.heap(made)
        self.cells.write(heap.keys, self.elements.iterate(args.at(0), line))
        self.cells.write(heap.bag, args.positional[1] if len(args.positional) > 1 else NOTHING | args.star)
        return frozenset({made})

    # ── enumerations ──

    def is_enum(self, cls: int) -> bool:
        """Whether a class of the skill is an enumeration."""
        return any(base.startswith("enum.") for base in self.calls.library_bases(cls))

    def enum_members(self, cls: int, found: Value) -> Value:
        """Members of an enumeration, whose values are `found`: one object stands for all members."""
        state = self.programs.classes[cls]
        heap = self.objects.heap(state.instance)
        values = frozenset(atom for atom in found if not isinstance(atom, Closure))
        for name in ("value", "_value_"):
            self.objects.write(heap, name, values)
        for name in ("name", "_name_"):
            self.objects.write(heap, name, SOME_TEXT)
        mixed = any(
            isinstance(base, Lib) and (base.name.startswith("builtins.") or base.name in _VALUE_ENUMS)
            for base in each(self.cells.read(state.bases))
        )
        return frozenset({state.instance}) | (found - values) | (values if mixed else BOTTOM)

    def enum_values(self, cls: int) -> Value:
        """The values of all members."""
        return BOTTOM.union(*map(self.cells.read, list(self.programs.classes[cls].body.variables.values())))

    # ── namespaces as dictionaries ──

    def frame_namespace(self, frame: Frame) -> Object:
        """`locals()` and `globals()`: the variables of an activation or module under their names, the same cells."""
        made = self.objects.kept_as((frame.index, -6), "namespace", 0, frame.loaded.index)
        self.objects.heap(made).fields = frame.variables
        return made

    def namespace_member(self, atom: Object, name: str) -> Value:
        """`globals().get` and the like are methods of a dictionary."""
        if name in METHODS["python"]["dict"] or name.startswith("__"):
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}dict.{name}"), atom)})
        return BOTTOM

    def namespace_item(self, heap: Heap, key: Value, line: int) -> Value:
        """`globals()[name]`: a name of the module, or with a computed name any of them."""
        loaded = self.programs.loaded[heap.cls]
        names = literals(key)
        out = self.cells.read(heap.bag)
        if names is None:
            if loaded.star:
                return self.run.opaque("a name of the module is chosen at run time", line, "refer to the name directly")
            return out.union(*map(self.cells.read, list(heap.fields.values())))
        for name in names:
            value: Value = BOTTOM
            for word in (name, shared(name)):
                own = heap.fields.get(word)
                value = value | self.cells.read(own) if own is not None else value
            out = out | (value or self.members.member(frozenset({Module(loaded.index)}), name, line))
        return out

    # ── records ──

    def record_type(self, args: Args, line: int) -> Value:
        """`namedtuple("P", "x y")`: what makes tuples whose elements have names."""
        fields = args.at(1) | args.keywords.get("field_names", BOTTOM)
        names = self._field_names(fields)
        defaults = args.keywords.get("defaults", BOTTOM)
        if names is None:
            self.summaries.leak_all(args)
            return ANY
        made = self.objects.made_here("record type", line)
        heap = self.objects.heap(made)
        heap.origin = " ".join(names)
        self.cells.write(heap.bag, self.elements.iterate(defaults, line))
        return frozenset({made})

    def _field_names(self, fields: Value) -> list[str] | None:
        atom = next(iter(fields)) if len(fields) == 1 else None
        if isinstance(atom, Text) and atom.literal is not None:
            return atom.literal.replace(",", " ").split()
        if (
            isinstance(atom, Object)
            and self.objects.heap(atom).prefix
            and not self.cells.read(self.objects.heap(atom).bag)
        ):
            words = [literals(self.cells.read(cell)) for cell in self.objects.heap(atom).prefix]
            return [word[0] for word in words if word is not None and len(word) == 1] if all(words) else None
        return None

    def make_record(self, kind: Heap, args: Args, line: int) -> Value:
        """A tuple with named elements."""
        made = self.objects.made_here("tuple", line)
        heap = self.objects.heap(made)
        default = self.cells.read(kind.bag)
        for i, name in enumerate(kind.origin.split()):
            value = args.positional[i] if i < len(args.positional) else args.keywords.get(name, BOTTOM)
            value = value or default | args.star | args.keyword_star
            self.objects.write_at(heap, i, value)
            heap.fields[name] = self.objects.position(heap, i)
        return frozenset({made})
