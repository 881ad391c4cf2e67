"""Fields of models: what a library makes of a value by the annotation of the field that it is for.

`out: Path` of a pydantic model, filled with text, is a path; so it is with attrs, cattrs, msgspec and the like. Whether a library
converts is not decided here: the value stays possible beside what may be made of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    BOTTOM,
    UNKNOWN,
    Anything,
    Atom,
    Bound,
    Class,
    Const,
    Data,
    Instance,
    Lib,
    Object,
    Text,
    Value,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.texts import texts_of
from remit.analysis.ir import Attr, Term
from remit.analysis.summaries.library import KEPT
from remit.analysis.summaries.model import Entry, Section

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler

_PATHS = frozenset(
    f"pydantic.{module}{name}" for module in ("", "types.") for name in ("FilePath", "DirectoryPath", "NewPath")
)
_DEEP = 4  # models in models


class ModelFields(EnginePart):
    """Makes what annotations name, and takes models apart again."""

    calls: engine.Calls
    cells: engine.Cells
    class_members: engine.ClassMembers
    collections: engine.Collections
    js_options: engine.JavaScriptOptions
    kept: engine.KeptObjects
    members: engine.Members
    objects: engine.Objects
    programs: engine.Programs
    summaries: engine.Summaries
    terms: engine.Terms

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._modelling: list[int] = []  # classes whose instances are being made of mappings

    def handlers(self) -> dict[str, Handler]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "model.of": self._model_of, "model.fields": self._model_fields, "model.copy": self._model_copy,
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

    def class_attribute(self, atom: Class, name: str, line: int) -> Value:
        """A method that the library gives a model works on the class of the skill."""
        return self._model_method(atom.index, name, atom) or self.class_members.plain_class_attribute(atom, name, line)

    def model_member(self, atom: Object, name: str, line: int) -> Value:
        """Likewise on its instances."""
        heap = self.objects.heap(atom)
        own = self._model_method(heap.cls, name, atom) if heap.is_instance() else BOTTOM
        return own or self.js_options.member_with_operands(atom, name, line)

    def _model_method(self, cls: int, name: str, receiver: Atom) -> Value:
        if self.run.language() != "python" or self.class_members.class_member(cls, name):
            return BOTTOM
        for base in self.calls.library_bases(cls):
            found = self.run.library().member(base, name)
            if isinstance(found, Entry) and (found.flag("intrinsic") or "").startswith("model."):
                return frozenset({Bound(Lib(f"{base}.{name}"), receiver)})
        return BOTTOM
