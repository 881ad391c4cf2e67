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
from remit.analysis.engine.python_search import PythonSearch
from remit.analysis.engine.texts import texts_of
from remit.analysis.ir import Attr
from remit.analysis.summaries.library import KEPT
from remit.analysis.summaries.model import Entry, Section

if TYPE_CHECKING:
    from remit.analysis.domain import Atom
    from remit.analysis.engine.base import Linker
    from remit.analysis.ir import Term
    from remit.analysis.summaries.library import Library
    from remit.analysis.world import World

_PATHS = frozenset(
    f"pydantic.{module}{name}" for module in ("", "types.") for name in ("FilePath", "DirectoryPath", "NewPath")
)
_DEEP = 4  # models in models


class ModelFields(PythonSearch):
    """Makes what annotations name, and takes models apart again."""

    def __init__(self, world: World, libraries: dict[str, Library], linker: Linker) -> None:
        super().__init__(world, libraries, linker)
        self._modelling: list[int] = []  # classes whose instances are being made of mappings

    def field_value(self, cls: int, name: str, value: Value) -> Value:
        """A value and what the annotation of the field may make of it."""
        if self.classes[cls].loaded.program.language != "python":
            return value
        made: Value = BOTTOM
        wanted = self._field_type(cls, name, set())
        for owner, types, elements in wanted:
            for atom in each(types):
                made = made | self._converted(owner, name, atom, value, elements=elements)
        if any(base.startswith("pydantic") for base in self.library_bases(cls)):  # what validators return
            view = Instance("pydantic" + KEPT)
            made = made | ({view} if self.kept_in(view) else BOTTOM)
        return value | made

    def _field_type(self, cls: int, name: str, seen: set[int]) -> list[tuple[int, Value, bool]]:
        """The classes that annotate a field, here or in a base."""
        seen.add(cls)
        state = self.classes[cls]
        known = state.info.types.get(name)
        if known is not None:
            outer, self.frame = self.frame, state.body
            types = BOTTOM.union(*map(self._named_class, known.classes))
            self.frame = outer
            return [(cls, types, known.elements)] if types else []
        out: list[tuple[int, Value, bool]] = []
        for base in each(self.read(state.bases)):
            if isinstance(base, Class) and base.index not in seen:
                out.extend(self._field_type(base.index, name, seen))
        return out

    def _named_class(self, term: Term) -> Value:
        """The classes that a name stands for; a name that says nothing here is no fault."""
        if not isinstance(term, Attr):
            return frozenset(atom for atom in self.eval(term) if isinstance(atom, Class | Lib))
        out: Value = BOTTOM
        for atom in each(self._named_class(term.base)):
            found = self.library().member(atom.name, term.name) if isinstance(atom, Lib) else None
            if isinstance(found, Section):
                out = out | {Lib(found.name)}
            elif isinstance(found, Entry) and isinstance(atom, Lib):
                out = out | {Lib(f"{atom.name}.{term.name}")}
        return out

    def _converted(self, owner: int, name: str, wanted: Atom, value: Value, *, elements: bool) -> Value:
        """What a class makes of a value, or of the elements of a collection."""
        line = self.current_line
        if isinstance(wanted, Lib) and wanted.name in _PATHS:
            wanted = Lib("pathlib.Path")
        parts = self._inner_values(value, 3) if elements else value
        made: Value = BOTTOM
        if isinstance(wanted, Class):
            made = self._modelled(wanted, parts, line)
        elif isinstance(wanted, Lib) and self.library().derives(wanted.name, "pathlib.PurePath"):
            texts = frozenset(atom for atom in parts if isinstance(atom, Text | Data | Anything))
            made = self.call(frozenset({wanted}), Args([frozenset(texts_of(texts))]), line) if texts else BOTTOM
        if not elements or not made:
            return made
        key = self.slots.setdefault((owner, f"elements of {name}"), object())
        other = self.slots.setdefault((owner, f"values of {name}"), object())
        return self.collection(key, "list", made, line) | self.collection(other, "dict", made, line)

    def _inner_values(self, value: Value, depth: int) -> Value:
        out: Value = frozenset(atom for atom in value if not isinstance(atom, Object))
        for atom in each(value - out):
            if isinstance(atom, Object) and depth:
                inner = self.values_of(self.heap(atom))
                out = out | self._inner_values(inner, depth - 1) | {atom}
        return out

    def _modelled(self, cls: Class, value: Value, line: int) -> Value:
        """An instance of a class of the skill, filled from a mapping or from outside."""
        sources = frozenset(
            atom
            for atom in value
            if isinstance(atom, Data | Anything) or (isinstance(atom, Object) and self.heap(atom).kind == "dict")
        )
        if not sources or self._modelling.count(cls.index) or len(self._modelling) >= _DEEP:
            return frozenset({self.classes[cls.index].instance}) if sources else BOTTOM
        args = Args()
        self.unfold_keywords(sources, args)
        self._modelling.append(cls.index)
        made = self.construct(cls, args, line)
        self._modelling.pop()
        return made

    # ── methods of models ──

    def _model_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`Model.model_validate(x)` and the like: an instance made of a mapping, of text, or of what an object has."""
        value = self.first(args) | args.keyword_star
        texts = frozenset({Data(UNKNOWN)}) if any(isinstance(atom, Text) for atom in value) else BOTTOM
        given = frozenset(atom for atom in value if not isinstance(atom, Text)) | texts
        if not isinstance(receiver, Class):
            self.leak_all(args)
            return frozenset({Anything()})
        out: Value = BOTTOM
        made = Args(keywords=dict(args.keywords))
        same = frozenset(atom for atom in given if isinstance(atom, Object) and self.heap(atom).kind == "instance")
        out = out | same
        self.unfold_keywords(given - same, made)
        for atom in each(same):
            if isinstance(atom, Object):
                self.unfold_keywords(frozenset({self.fields_as_dict(atom, self.heap(atom))}), made)
        return out | self.construct(receiver, made, line)

    def _model_fields(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`model.model_dump()`, `asdict(x)`: the fields as a dictionary."""
        subject = frozenset({receiver}) if receiver is not None else self.first(args)
        out: Value = BOTTOM
        for atom in each(subject):
            if isinstance(atom, Object) and self.heap(atom).kind == "instance":
                out = out | {self.fields_as_dict(atom, self.heap(atom))}
            elif isinstance(atom, Class | Anything):
                out = out | {Anything()}
        for factory in each(args.keywords.get("dict_factory", BOTTOM)):
            out = out | self.call(frozenset({factory}), Args([frozenset({Anything()})]), line)
        return out or frozenset({Data(UNKNOWN)})

    def _model_copy(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`model.model_copy(update={…})`: the same object, with other values in its fields."""
        update = args.keywords.get("update", BOTTOM)
        for atom in each(update) if isinstance(receiver, Object) else ():
            if isinstance(receiver, Object) and not isinstance(atom, Const):
                self.spread_mapping(self.heap(receiver), frozenset({atom}))
        return frozenset({receiver}) if receiver is not None else frozenset({Anything()})

    def class_attribute(self, atom: Class, name: str, line: int) -> Value:
        """A method that the library gives a model works on the class of the skill."""
        return self._model_method(atom.index, name, atom) or super().class_attribute(atom, name, line)

    def object_member(self, atom: Object, name: str, line: int) -> Value:
        """Likewise on its instances."""
        heap = self.heap(atom)
        own = self._model_method(heap.cls, name, atom) if heap.kind == "instance" and heap.cls >= 0 else BOTTOM
        return own or super().object_member(atom, name, line)

    def _model_method(self, cls: int, name: str, receiver: Atom) -> Value:
        if self.language() != "python" or self.class_member(cls, name):
            return BOTTOM
        for base in self.library_bases(cls):
            found = self.library().member(base, name)
            if isinstance(found, Entry) and (found.flag("intrinsic") or "").startswith("model."):
                return frozenset({Bound(Lib(f"{base}.{name}"), receiver)})
        return BOTTOM

    # contracts

    def eval(self, term: Term) -> Value:
        """See `terms`."""
        raise AssertionError

    def construct(self, cls: Class, args: Args, line: int) -> Value:
        """See `calls`."""
        raise AssertionError
