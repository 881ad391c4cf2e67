"""Classes and functions of the skill: what a definition makes, the members of classes and how they are bound, and fields of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    SOME_TEXT,
    UNKNOWN,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Object,
    Text,
    Value,
    unsited,
    unsited_classes,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import or_missing
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.state import ClassState
from remit.analysis.engine.tables import BUILTIN_MEMBER, COMPUTED
from remit.analysis.engine.texts import texts_of
from remit.analysis.ir import Attr, Term
from remit.analysis.summaries.library import KEPT
from remit.analysis.summaries.model import Entry, Section

if TYPE_CHECKING:
    from remit.analysis import ir
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler
    from remit.analysis.ir import Function


_ENUM_HOOKS = ("_generate_next_value_", "_missing_")  # what the language calls to make members, and to find one


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
    """Makes functions and classes, and looks members up along the bases, as both languages do."""

    evaluator: engine.Evaluator
    library_members: engine.LibraryMembers
    model_fields: engine.ModelFields
    python_objects: engine.PythonObjects
    lost: engine.Lost
    terms: engine.Terms

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

    def class_attribute(self, atom: Class, name: str, line: int) -> Value:  # noqa: C901, PLR0911, PLR0912  one case for each kind of value
        """`Class.name`: a plain member, a class method bound to the class, or what a library base has."""
        own = self.model_fields.model_method(atom.index, name, atom)
        if own:
            return own
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
        return ANY if self.programs.classes[atom.index].info.fields else BOTTOM  # enumerations and named tuples

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

    def define_function(self, term: ir.MakeFunction) -> Value:
        """A function, as a value."""
        loaded = self.run.frame.loaded
        self.evaluate_defaults(term.index)
        return frozenset({Closure(loaded.first_function + term.index, self.run.frame.index)})

    def evaluate_defaults(self, index: int) -> None:
        """Default values are evaluated where the function is made."""
        for param in self.run.frame.loaded.program.functions[index].params:
            if param.default is not None:
                value = self.lost.reference(param.default)
                self.cells.hold(value)
                self.cells.write(self.run.frame.cell(f"default {index} {param.name}"), value)

    def define_class(self, term: ir.MakeClass) -> Value:
        """A class, as a value."""
        key = (self.run.frame.index, term.index)
        info = self.run.frame.loaded.program.classes[term.index]
        found = self.made_classes.get(key)
        if found is None:
            body = self.work.new_frame(
                self.run.frame.loaded.program.functions[info.body], self.run.frame.loaded, self.run.frame
            )
            body.path = self.run.frame.path
            state = ClassState(len(self.programs.classes), info, self.run.frame.loaded, body)
            self.programs.classes.append(state)
            state.instance = self.objects.new_object("instance", info.line, state.index)
            self.objects.heap(state.instance).sure = set(info.present)
            found = self.made_classes[key] = Class(state.index)
            self.classes_of_body[body.index] = state.index
        state = self.programs.classes[found.index]
        for base in info.bases:
            value = unsited_classes(self.terms.eval(base))
            self.cells.write(state.bases, value)
            for atom in each(value):
                if isinstance(atom, Class) and atom != found:
                    self.programs.classes[atom.index].subclasses.add(found.index)
                if isinstance(atom, Anything):
                    self.run.opaque(f"the base class of `{info.name}` is not known", info.line)
        words = {name or "": self.terms.eval(word) for name, word in info.keywords}
        meta = words.pop("metaclass", BOTTOM)
        if self.intrinsics.only_makes_instances(meta):
            state.makers.update(atom.index for atom in meta if isinstance(atom, Class))
        elif not self.intrinsics.is_plain_metaclass(meta):
            self.run.opaque(f"class `{info.name}` has a metaclass that runs code", info.line)
        if not state.body.evaluated:
            self.evaluator.evaluate_frame(state.body)
            self.class_names.update(state.body.variables)
        self._initialise_subclass(found, words, info.line)
        for hook in _ENUM_HOOKS if self.python_objects.is_enum(found.index) else ():
            self.leaks.leak(self.class_member(found.index, hook))
        return frozenset({found})

    def _initialise_subclass(self, cls: Class, words: dict[str, Value], line: int) -> None:
        """`__init_subclass__` of the bases runs with the keywords of the class statement."""
        hooks = BOTTOM
        for base in each(self.cells.read(self.programs.classes[cls.index].bases)):
            if isinstance(base, Class) and base != cls:
                hooks = hooks | self.class_member(base.index, "__init_subclass__")
        self.calls.call(hooks, Args([frozenset({cls})], words), line)
        if not hooks:
            for value in words.values():
                self.leaks.leak(value)


# `out: Path` of a pydantic model, filled with text, is a path; so it is with attrs, cattrs, msgspec and the like. Whether a library
# converts is not decided here: the value stays possible beside what may be made of it.


_PATHS = frozenset(
    f"pydantic.{module}{name}" for module in ("", "types.") for name in ("FilePath", "DirectoryPath", "NewPath")
)
_DEEP = 4  # models in models


class ModelFields(EnginePart):
    """Makes what annotations name, and takes models apart again."""

    kept: engine.KeptObjects
    terms: engine.Terms

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._modelling: list[int] = []  # classes whose instances are being made of mappings

    def handlers(self) -> dict[str, Handler]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "model.of": self._model_of, "model.fields": self._model_fields, "model.copy": self._model_copy, "dataclasses.replace": self._replaced,
        }  # fmt: skip

    def field_value(self, cls: int, name: str, value: Value) -> Value:
        """A value and what the annotation of the field may make of it."""
        if self.programs.classes[cls].loaded.program.language != "python":
            return value
        made: Value = BOTTOM
        wanted = self._field_type(cls, name, set())
        for owner, types, elements in wanted:
            made = made.union(*(self._converted(owner, name, atom, value, elements=elements) for atom in each(types)))
        if any(base.startswith("pydantic") for base in self.calls.library_bases(cls)):  # what validators return
            view = Instance("pydantic" + KEPT)
            made = made | ({view} if self.kept.kept_in(view) else BOTTOM)
        return value | made

    def _field_type(self, cls: int, name: str, seen: set[int]) -> list[tuple[int, Value, bool]]:
        """The classes that annotate a field, here or in a base."""
        seen.add(cls)
        state = self.programs.classes[cls]
        known = state.info.types.get(name)
        if known is not None:
            outer, self.run.frame = self.run.frame, state.body
            types = BOTTOM.union(*map(self._named_class, known.classes))
            self.run.frame = outer
            return [(cls, types, known.elements)] if types else []
        out: list[tuple[int, Value, bool]] = []
        for base in each(self.cells.read(state.bases)):
            if isinstance(base, Class) and base.index not in seen:
                out.extend(self._field_type(base.index, name, seen))
        return out

    def _named_class(self, term: Term) -> Value:
        """The classes that a name stands for; a name that says nothing here is no fault."""
        if not isinstance(term, Attr):
            return frozenset(atom for atom in self.terms.eval(term) if isinstance(atom, (Class, Lib)))
        out: Value = BOTTOM
        for atom in each(self._named_class(term.base)):
            found = self.run.library().member(atom.name, term.name) if isinstance(atom, Lib) else None
            if isinstance(found, Section):
                out = out | {Lib(found.name)}
            elif isinstance(found, Entry) and isinstance(atom, Lib):
                out = out | {Lib(f"{atom.name}.{term.name}")}
        return out

    def _converted(self, owner: int, name: str, wanted: Atom, value: Value, *, elements: bool) -> Value:
        """What a class makes of a value, or of the elements of a collection."""
        line = self.run.current_line
        if isinstance(wanted, Lib) and wanted.name in _PATHS:
            wanted = Lib("pathlib.Path")
        parts = self._inner_values(value, 3) if elements else value
        made: Value = BOTTOM
        if isinstance(wanted, Class):
            made = self._modelled(wanted, parts, line)
        elif isinstance(wanted, Lib) and self.run.library().derives(wanted.name, "pathlib.PurePath"):
            texts = frozenset(atom for atom in parts if isinstance(atom, (Text, Data, Anything)))
            made = self.calls.call(frozenset({wanted}), Args([frozenset(texts_of(texts))]), line) if texts else BOTTOM
        if not elements or not made:
            return made
        key = self.objects.slot(owner, f"elements of {name}")
        other = self.objects.slot(owner, f"values of {name}")
        return self.objects.collection(key, "list", made, line) | self.objects.collection(other, "dict", made, line)

    def _inner_values(self, value: Value, depth: int) -> Value:
        out: Value = frozenset(atom for atom in value if not isinstance(atom, Object))
        for atom in each(value - out):
            if isinstance(atom, Object) and depth:
                inner = self.collections.values_of(self.objects.heap(atom))
                out = out | self._inner_values(inner, depth - 1) | {atom}
        return out

    def _modelled(self, cls: Class, value: Value, line: int) -> Value:
        """An instance of a class of the skill, filled from a mapping or from outside."""
        sources = frozenset(
            atom for atom in value if isinstance(atom, (Data, Anything)) or (self.objects.is_a(atom, "dict"))
        )
        if not sources or self._modelling.count(cls.index) or len(self._modelling) >= _DEEP:
            return frozenset({self.programs.classes[cls.index].instance}) if sources else BOTTOM
        args = Args()
        self.collections.unfold_keywords(sources, args)
        self._modelling.append(cls.index)
        made = self.calls.construct(cls, args, line)
        self._modelling.pop()
        return made

    # ── methods of models ──

    def _model_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`Model.model_validate(x)` and the like: an instance made of a mapping, of text, or of what an object has."""
        value = args.at(0) | args.keyword_star
        texts = frozenset({Data(UNKNOWN)}) if any(isinstance(atom, Text) for atom in value) else BOTTOM
        given = frozenset(atom for atom in value if not isinstance(atom, Text)) | texts
        if not isinstance(receiver, Class):
            self.summaries.leak_all(args)
            return frozenset({Anything()})
        out: Value = BOTTOM
        made = Args(keywords=dict(args.keywords))
        same = frozenset(atom for atom in given if self.objects.is_a(atom, "instance"))
        out = out | same
        self.collections.unfold_keywords(given - same, made)
        for atom in each(same):
            if isinstance(atom, Object):
                self.collections.unfold_keywords(
                    frozenset({self.members.fields_as_dict(atom, self.objects.heap(atom))}), made
                )
        return out | self.calls.construct(receiver, made, line)

    def _model_fields(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`model.model_dump()`, `asdict(x)`: the fields as a dictionary."""
        subject = frozenset({receiver}) if receiver is not None else args.at(0)
        out: Value = BOTTOM
        for atom in each(subject):
            if self.objects.is_a(atom, "instance"):
                out = out | {self.members.fields_as_dict(atom, self.objects.heap(atom))}
            elif isinstance(atom, (Class, Anything)):
                out = out | {Anything()}
        for factory in each(args.keywords.get("dict_factory", BOTTOM)):
            out = out | self.calls.call(frozenset({factory}), Args([frozenset({Anything()})]), line)
        return out or frozenset({Data(UNKNOWN)})

    def _model_copy(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`model.model_copy(update={…})`: the same object, with other values in its fields."""
        update = args.keywords.get("update", BOTTOM)
        for atom in each(update) if isinstance(receiver, Object) else ():
            if isinstance(receiver, Object) and not isinstance(atom, Const):
                self.collections.spread_mapping(self.objects.heap(receiver), frozenset({atom}))
        return frozenset({receiver}) if receiver is not None else frozenset({Anything()})

    def _replaced(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`replace(x, name=value)`: its class is called with the fields of `x` and with the changes."""
        out: Value = BOTTOM
        for atom in each(args.at(0)):
            if isinstance(atom, Object) and self.objects.is_instance(atom):
                heap = self.objects.heap(atom)
                own = {
                    name: self.cells.read(heap.fields[name])
                    for name in self.calls.annotated_fields(heap.cls, set())
                    if name in heap.fields
                }
                given = Args([], {**own, **args.keywords}, BOTTOM, args.keyword_star, args.perhaps)
                out = out | self.calls.construct(Class(heap.cls), given, line) | (ANY if heap.escaped else BOTTOM)
            elif not isinstance(atom, Const):
                self.summaries.leak_all(args)
                out = out | ANY
        return out

    def model_method(self, cls: int, name: str, receiver: Atom) -> Value:
        """A method that the library gives a model, which works on the class of the skill or on its instances."""
        if self.run.language() != "python" or self.class_members.class_member(cls, name):
            return BOTTOM
        for base in self.calls.library_bases(cls):
            found = self.run.library().member(base, name)
            if isinstance(found, Entry) and (found.flag("intrinsic") or "").startswith("model."):
                return frozenset({Bound(Lib(f"{base}.{name}"), receiver)})
        return BOTTOM
