"""Elements: iteration, subscripts, keys, cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    MISSING,
    NEVER,
    SOME_NUM,
    SOME_TEXT,
    UNDEFINED,
    UNKNOWN,
    UNREACHED,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Module,
    Num,
    Object,
    Text,
    Value,
    env_origin,
    hole,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import may_lack, or_missing
from remit.analysis.engine.members import BUILTIN_TYPES
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.strings import javascript_text
from remit.analysis.engine.tables import BUILTIN_MEMBER, CHOSEN, ENVIRONMENTS, UNKNOWN_MEMBER
from remit.analysis.engine.texts import cut_out, derived, literal_texts, literals
from remit.analysis.summaries.library import KEPT
from remit.analysis.summaries.model import Entry
from remit.core.via import function

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap


class Elements(EnginePart):
    """What iteration, subscripts and cuts give."""

    environments: engine.Environments
    js_collections: engine.JavaScriptCollections
    js_process: engine.JavaScriptProcess
    kept: engine.KeptObjects
    library_members: engine.LibraryMembers
    modules: engine.Modules
    python_objects: engine.PythonObjects

    def iterate(self, value: Value, line: int) -> Value:
        """What iterating over a value gives."""
        return BOTTOM.union(*(self.elements_of(atom, line) for atom in each(value)))

    def elements_of(self, atom: Atom, line: int) -> Value:  # noqa: C901, PLR0911, PLR0912  one case for each kind of value
        """Elements of one atom."""
        if isinstance(atom, Bound) and atom.function == CHOSEN:
            return self.library_members.chosen(atom.receiver, line)
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            if heap.kind == "dict" and self.run.language() == "python":
                return self.keys(frozenset({atom}))
            if heap.is_instance():
                return self._iterate_instance(atom, line)
            if heap.kind == "dict":
                return self._iterate_object(atom, heap, line)
            if heap.kind == "proxy":
                return self.intrinsics.object_item(atom, SOME_TEXT, line) | ANY
            out = self.cells.read(heap.bag).union(*map(self.cells.read, heap.prefix))
            if heap.kind == "map":
                pair = self.collections.allocate_pair(
                    atom, self.keys(frozenset({atom})), self.collections.values_of(heap)
                )
                return frozenset({pair})
            return out | ANY if heap.escaped else out
        if isinstance(atom, Data):
            return frozenset({atom})
        if isinstance(atom, Text):
            return derived(frozenset({atom}))
        if isinstance(atom, Instance):
            return self._iterate_library(atom, line)
        if isinstance(atom, Lib):
            constant = self.library_members.constant(atom, line)
            return self.iterate(constant, line) if constant is not None else ANY
        if isinstance(atom, Class):
            return self._class_elements(atom)
        if isinstance(atom, (Num, Const, Closure)):
            return UNREACHED if atom == NEVER else BOTTOM
        constant = self.library_members.bound_constant(atom, line) if isinstance(atom, Bound) else None
        if constant is not None:
            return self.iterate(constant, line)
        return ANY

    def _iterate_object(self, atom: Object, heap: Heap, line: int) -> Value:
        """JavaScript: an object with `[Symbol.iterator]`; without it, what a library may take from it by position."""
        methods = frozenset(
            found
            for found in each(self.intrinsics.object_member(atom, "__iter__", line))
            if not isinstance(found, (Data, Text, Num, Const))
        )
        out = self.collections.values_of(heap)
        return out | self.drawn(self.calls.call(methods, Args(), line), line) if methods else out

    def drawn_from(self, value: Value, line: int) -> Value:
        """JavaScript: what objects with an iterator of their own give when they are taken apart."""
        out: Value = BOTTOM
        for atom in value:
            heap = self.objects.heap(atom) if isinstance(atom, Object) else None
            if heap is not None and (heap.kind == "instance" or (heap.kind == "dict" and "__iter__" in heap.fields)):
                out = out | self.elements_of(atom, line)
        return out

    def drawn(self, iterators: Value, line: int) -> Value:
        """JavaScript: what iterators give: the `value` of what `next()` returns."""
        own = frozenset(atom for atom in iterators if self.objects.is_a(atom, "dict", "instance"))
        out = self.iterate(iterators - own, line)
        for atom in each(own):
            result = self.calls.call(self.members.member(frozenset({atom}), "next", line), Args(), line)
            out = out | self.members.member(result, "value", line)
        return out

    def _iterate_library(self, atom: Instance, line: int) -> Value:
        """What a library object yields: `__next__`, what its `__iter__` yields, or its items."""
        library = self.run.library()
        for name in ("__next__", "__anext__"):
            found = library.listed(atom.cls, name)
            if found is not None:
                return self.summaries.evaluate_entry(f"{atom.cls}.{name}", found, atom, line)
        for name in ("__iter__", "__aiter__"):
            found = library.listed(atom.cls, name)
            if found is not None:
                made = self.summaries.evaluate_entry(f"{atom.cls}.{name}", found, atom, line)
                own = frozenset(item for item in made if isinstance(item, Instance) and item.cls == atom.cls)
                return own | self.iterate(made - own, line)
        listed = library.member(atom.cls, "__getitem__")
        if isinstance(listed, Entry) and (listed.pure or listed.name == "__getitem__"):
            return self.summaries.evaluate_entry(f"{atom.cls}.__getitem__", listed, atom, line)
        return ANY

    def _class_elements(self, atom: Class) -> Value:
        """Iterating over an enumeration gives its members."""
        if self.python_objects.is_enum(atom.index):
            return self.python_objects.enum_members(atom.index, self.python_objects.enum_values(atom.index))
        return ANY.union(*map(self.cells.read, self.programs.classes[atom.index].body.variables.values()))

    def _class_item(self, atom: Class, key: Value, line: int) -> Value:
        """`Class[key]`: what its `__class_getitem__` makes of the key."""
        methods = self.class_members.class_member(atom.index, "__class_getitem__")
        return self.calls.call(methods, Args([frozenset({atom}), key]), line)

    def _iterate_instance(self, atom: Object, line: int) -> Value:
        out: Value = BOTTOM
        base = frozenset({atom})
        for name in ("__iter__", "[iterator]"):
            for found in each(self.class_members.class_member(self.objects.heap(atom).cls, name)):
                made = self.calls.call(self.class_members.bind_member(found, atom, line), Args(), line)
                if self.run.language() == "js":
                    out = out | self.drawn(made, line)
                elif atom not in made:
                    out = out | self.iterate(made, line)
                else:
                    out = out | self.calls.call(self.members.member(base, "__next__", line), Args(), line)
        out = out | self.class_members.call_bound(atom, "__getitem__", Args([SOME_NUM]), line)
        inner = self.js_collections.inner_collection(atom)
        if not out and inner is not None:
            return self.elements_of(inner, line)
        if not out:
            for library_base in self.calls.library_bases(self.objects.heap(atom).cls):
                out = out | self.elements_of(Instance(library_base), line)
        return out

    def keys(self, value: Value) -> Value:
        """The keys of mappings and objects."""
        out: Value = BOTTOM
        for atom in each(value):
            if isinstance(atom, Object):
                heap = self.objects.heap(atom)
                computed = self.cells.read(heap.keys)
                out = out | (computed or (SOME_TEXT if self.cells.read(heap.bag) else BOTTOM))
                if heap.kind == "proxy":  # which answers for its keys by code
                    out = out | SOME_TEXT
                for name, cell in heap.fields.items():
                    if self.cells.read(cell):  # a name that was only asked for is no key
                        out = out | lit(name)
                if heap.kind in {"list", "tuple"}:
                    out = out | SOME_NUM
                if heap.escaped or heap.kind == "instance":
                    out = out | SOME_TEXT
            elif isinstance(atom, Data):
                out = out | {atom}
            elif isinstance(atom, Instance) and atom.cls in ENVIRONMENTS:
                out = out | hole(env_origin("*"))
            else:
                out = out | SOME_TEXT
        return out

    def item(self, base: Value, key: Value, line: int) -> Value:
        """`base[key]`."""
        out: Value = BOTTOM
        lacking = False
        for atom in each(base):
            found = self.item_of(atom, key, line)
            lacking = lacking or not (found or isinstance(atom, Const))
            out = out | found
        return or_missing(out) if lacking and self.run.language() == "js" else out

    def item_of(self, atom: Atom, key: Value, line: int) -> Value:  # noqa: C901, PLR0911, PLR0912  one case for each kind of value
        """An element of one atom at a key."""
        if isinstance(atom, Bound) and atom.function == CHOSEN:
            return self.library_members.chosen(atom.receiver, line)
        if isinstance(atom, Object):
            return self.intrinsics.object_item(atom, key, line)
        if isinstance(atom, Data):
            return frozenset({atom})
        if isinstance(atom, Text):
            if self.run.language() == "js" and not any(isinstance(item, Num) for item in key):
                return self.js_process.computed_member(atom, key, line)
            if self.run.language() == "js" and len(key) == 1:
                return or_missing(javascript_text("charAt", frozenset({atom}), Args([key])))
            return derived(frozenset({atom}))
        if isinstance(atom, Instance):
            item = self.summaries.call_listed(atom, "__getitem__", Args([key]), line)
            if item is not None:
                return item
            found = self.run.library().member(atom.cls, "__getitem__")
            if self.run.language() == "js":
                inner = self.js_process.computed_member(atom, key, line)
                if atom.cls.endswith(KEPT) and isinstance(found, Entry):
                    inner = inner | self.summaries.evaluate_entry(f"{atom.cls}.[]", found, atom, line)
                return inner
            if isinstance(found, Entry) and found.pure:
                return self.summaries.evaluate_entry(f"{atom.cls}.__getitem__", found, atom, line)
            return ANY
        constant = self.library_members.bound_constant(atom, line) if isinstance(atom, Bound) else None
        if constant is not None:
            return self.item(constant, key, line)
        if isinstance(atom, (Anything, Bound)):
            self.leaks.leak(key)
            names = literal_texts(key)
            if self.run.language() == "js" and names:
                return frozenset(item for name in names for item in self.members.member_of(Anything(), name, line))
            if self.run.language() == "js" and not _only_numbers(key):
                return frozenset({Bound(Lib(UNKNOWN_MEMBER + "*"), Anything())})
            return ANY
        if isinstance(atom, Lib):
            if self.run.language() == "python":
                self._note_alias(key, line)
            constant = self.library_members.constant(atom, line)
            if constant is not None:
                return self.item(constant, key, line)
            if self.run.language() == "js":
                return self.js_process.computed_member(atom, key, line)
            section = self.run.library().section(atom.name)
            if atom.name in BUILTIN_TYPES:  # `list[Model]`: whoever is given it may make instances of both
                words = self.iterate(frozenset(item for item in key if isinstance(item, Object)), line) | key
                return frozenset({atom}) | frozenset(item for item in words if isinstance(item, Class))
            return frozenset({atom}) if section is not None and section.is_class else ANY
        if isinstance(atom, Class):
            if self.run.language() == "js":
                return self.js_process.computed_member(atom, key, line)
            self._note_alias(key, line)
            return frozenset({atom}) | self._class_elements(atom) | self._class_item(atom, key, line)
        if isinstance(atom, Module) and self.run.language() == "js":
            return self.item(self.modules.exports_of(self.programs.loaded[atom.index]), key, line)
        return UNREACHED if atom == NEVER else BOTTOM

    def _note_alias(self, key: Value, line: int) -> None:
        """`list[x]` remembers `x`, and `Annotated[int, x]` each of them."""
        self.kept.note_called(key, "typing")
        for atom in each(key):
            if isinstance(atom, Object):
                self.kept.note_called(self.elements_of(atom, line), "typing")

    def plain_object_item(self, atom: Object, key: Value, line: int) -> Value:  # noqa: C901, PLR0912  one case for each kind of value
        """An element of a collection or instance."""
        heap = self.objects.heap(atom)
        if heap.is_instance() and self.run.language() == "python":
            out = self.cells.read(heap.bag) | self.class_members.call_bound(atom, "__getitem__", Args([key]), line)
            if not self.class_members.class_member(heap.cls, "__getitem__"):
                out = out | self.class_members.call_bound(atom, "__missing__", Args([key]), line)
                if self.class_members.builtin_base(heap.cls) is not None:
                    return out | self._stored_item(heap, key)
                for base in self.calls.library_bases(heap.cls):
                    out = out | self.item_of(Instance(base), key, line)
                for name in self.calls.annotated_fields(heap.cls, set()):
                    out = out | self.cells.read(self.objects.field(heap, name))
            return out
        names = literals(key)
        out = self.rest(heap, names, line)
        missing = True
        if heap.kind in {"dict", "instance", "map", "parser", "namespace"} and names is not None:
            if MISSING in key and "undefined" in heap.fields:  # then the key is a text after all
                names.append("undefined")
            own, missing = self._named_items(atom, heap, names, line)
            out = out | own
        elif heap.prefix and (positions := _positions(key, len(heap.prefix), bool(heap.bag.value))) is not None:
            missing = len(positions) < len(key)
            out = out.union(*(self.cells.read(heap.prefix[position]) for position in positions))
        else:
            first = _lowest(key) if heap.given and not heap.bag.value else 0
            out = out.union(*map(self.cells.read, [*heap.prefix[first:], *heap.fields.values()]))
            if self.run.language() == "js" and heap.kind == "instance":
                out = out | self.leak_members(atom, line)
        if heap.escaped:
            out = out | ANY
        if not out and heap.given and _only_numbers(key):  # behind the last word there is nothing
            return UNREACHED if self.run.language() == "python" else frozenset({UNDEFINED})
        if missing and self.run.language() == "js":
            out = or_missing(out)
        return self.class_members.with_getters(atom, out, line)

    def rest(self, heap: Heap, names: list[str] | None, line: int) -> Value:
        """What a mapping has under names beside its fields: of a copy of the environment the variables themselves."""
        if names is None or not heap.bag.value or not self.environments.is_copy(heap):
            return self.cells.read(heap.bag)
        out: Value = BOTTOM
        for name in names:
            if name not in (heap.sure or ()):
                self.run.world.effect("env.read", lit(name), self.run.site(line), function("a copy of the environment"))
                out = out | self.environments.variable(name)
        return out

    def _named_items(self, atom: Object, heap: Heap, names: list[str], line: int) -> tuple[Value, bool]:
        """What an object has under these names, and whether it may lack one of them."""
        out: Value = BOTTOM
        missing = False
        for name in names:
            cell = heap.fields.get(name)
            if cell is not None:
                out = out | self.cells.read(cell)
                missing = missing or may_lack(heap, name)
            elif self.run.language() == "js":
                found = self.intrinsics.object_member(atom, name, line)
                out = out | found
                missing = missing or not found or heap.kind == "map"
        return out, missing

    def place_words(self, heap: Heap, words: tuple[Value, ...]) -> None:
        """A list is the words of a command line."""
        heap.given = True
        for i, word in enumerate(words):
            self.objects.write_at(heap, i, word)

    def _stored_item(self, heap: Heap, key: Value) -> Value:
        """An element that was stored in an instance of a subclass of `dict` or `list`."""
        names = literals(key)
        cells = (
            [heap.fields[name] for name in names if name in heap.fields]
            if names is not None
            else [*heap.fields.values()]
        )
        return BOTTOM.union(*map(self.cells.read, [*cells, *heap.prefix]))

    def leak_members(self, atom: Object, line: int) -> Value:
        """A computed name on an instance: any of its methods."""
        names = self.leaks.method_names(self.objects.heap(atom).cls)
        return BOTTOM.union(*(self.intrinsics.object_member(atom, name, line) for name in names))

    def plain_computed_member(self, atom: Atom, key: Value, line: int) -> Value:  # noqa: PLR0911  one case for each kind of value
        """`base[key]` in JavaScript, `getattr(base, key)` in Python: rule 5, a finite universe or opaque."""
        names = literals(key)
        if names is not None:
            return frozenset(item for name in names for item in self.members.member(frozenset({atom}), name, line))
        if isinstance(atom, Object):
            out = self.intrinsics.object_item(atom, key, line)
            heap = self.objects.heap(atom)
            if heap.is_instance():
                out = out | self.leak_members(atom, line)
            return out
        if isinstance(atom, Module):
            loaded = self.programs.loaded[atom.index]
            found: Value = BOTTOM.union(*map(self.cells.read, list(loaded.frame.variables.values())))
            return (
                found if loaded.program.language == "python" else self.item(self.modules.exports_of(loaded), key, line)
            )
        if isinstance(atom, (Text, Data, Num)):
            if isinstance(atom, Text):
                return frozenset({Data(UNKNOWN), Bound(Lib(f"{BUILTIN_MEMBER}text.*"), atom)})
            return frozenset({Data(UNKNOWN)})
        if isinstance(atom, Class):
            return BOTTOM.union(*map(self.cells.read, list(self.programs.classes[atom.index].body.variables.values())))
        if isinstance(atom, Const):
            return BOTTOM
        if isinstance(atom, Anything):
            return frozenset({Bound(Lib(UNKNOWN_MEMBER + "*"), atom)})
        if isinstance(atom, (Lib, Instance)) and self.is_closed_pure(atom):
            return frozenset({Data(UNKNOWN)})
        if self.run.language() == "python":
            return frozenset({Bound(CHOSEN, atom)})
        return self.library_members.chosen(atom, line)

    def is_closed_pure(self, atom: Lib | Instance) -> bool:
        """Whether no member of a section has any effect."""
        section = self.run.library().section(atom.name if isinstance(atom, Lib) else atom.cls)
        if section is None or section.rest is None or not section.rest.pure:
            return False
        return not any(entry.effects or entry.flag("intrinsic") for entry in section.entries.values())

    def slice(self, value: Value, start: int | None, term: object, behind: int = 0) -> Value:
        """`value[start:]` and other cuts; `behind`: so many are left out at the end."""
        out: Value = BOTTOM
        for atom in each(value):
            if self.objects.is_a(atom, "proxy"):
                out = out | self.intrinsics.object_item(atom, SOME_TEXT, self.run.current_line) | ANY
            elif isinstance(atom, Object):
                out = out | {self._cut(atom, start, term, behind)}
            elif isinstance(atom, Text):
                out = out | cut_out(frozenset({atom})) if start != 0 else out | {atom}
            elif isinstance(atom, Data):
                out = out | {atom}
            elif isinstance(atom, Instance) or (isinstance(atom, (Lib, Module, Class)) and self.run.language() == "js"):
                out = out | {atom}  # the rest of a destructured module still has its members
            elif isinstance(atom, Lib):
                constant = self.library_members.constant(atom, 0)
                out = out | (self.slice(constant, start, term, behind) if constant is not None else ANY)
            elif atom == NEVER:
                out = out | UNREACHED
            elif not isinstance(atom, (Const, Num)):
                out = out | ANY
        return out

    def _cut(self, atom: Object, start: int | None, term: object, behind: int) -> Object:
        heap = self.objects.heap(atom)
        kind = heap.kind if heap.kind in {"list", "tuple", "dict"} else "list"
        made = self.objects.allocate_each(term, atom, kind, heap.line)
        target = self.objects.heap(made)
        if target is heap:
            made = self.objects.allocate(term, kind, heap.line)
            target = self.objects.heap(made)
        target.given = heap.given and start is not None and (target.given or not (target.prefix or target.bag.value))
        if start is None:
            self.stores.fill(target, [], self.cells.read(heap.bag).union(*map(self.cells.read, heap.prefix)))
        elif heap.prefix or heap.length is not None or self.cells.read(heap.bag):
            words, rest = [self.cells.read(cell) for cell in heap.prefix], self.cells.read(heap.bag)
            end = max(0, len(words) - behind)
            self.stores.fill(target, words[start:end], rest.union(*words[end:]) if rest else BOTTOM)
        for name, cell in list(heap.fields.items()):
            self.objects.write(target, name, self.cells.read(cell))
        if heap.escaped:
            self.cells.write(target.bag, ANY)
        return made


def _only_numbers(key: Value) -> bool:
    return bool(key) and all(isinstance(atom, Num) for atom in key)


def _lowest(key: Value) -> int:
    """The first place that an index may mean, if it counts from the start."""
    lows = [int(atom.low) if isinstance(atom, Num) and atom.low is not None else -1 for atom in key]
    return max(0, min(lows, default=0))


def _positions(key: Value, length: int, open_ended: bool) -> list[int] | None:  # noqa: FBT001
    """The known positions that an index can mean; None if it is not a number, or counts from an end that is open."""
    out: list[int] = []
    for atom in each(key):
        if not isinstance(atom, Num) or atom.low is None or atom.low != atom.high:
            return None
        index = int(atom.low)
        if index < 0:
            if open_ended:
                return None
            index += length
        if 0 <= index < length:
            out.append(index)
    return out
