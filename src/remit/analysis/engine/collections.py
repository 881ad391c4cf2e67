"""Collections: operators, copies, and what `*` and `**` unfold."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, SOME_TEXT, UNKNOWN, Atom, Const, Data, Instance, Num, Object, Text, Value
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.marks import ONE, ZERO
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.tables import OPERATORS
from remit.analysis.engine.texts import concat_values

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap
    from remit.analysis.ir import Binary


class Collections(EnginePart):
    """Lists, dictionaries and sets as values."""

    calls: engine.Calls
    cells: engine.Cells
    class_members: engine.ClassMembers
    elements: engine.Elements
    intrinsics: engine.Intrinsics
    js_process: engine.JavaScriptProcess
    leaks: engine.Leaks
    objects: engine.Objects
    order: engine.Order
    stores: engine.Stores
    summaries: engine.Summaries

    def operate_object(self, atom: Object, op: str, right: Value, term: Binary) -> Value:
        """`list + list`, `list += list`, `dict | dict`, and operators of skill classes."""
        heap = self.objects.heap(atom)
        kind = op.rstrip("=")
        if heap.is_instance():
            return self._operator_method(atom, op, right, term.line)
        if op == "*=" and heap.kind == "list":
            self.stores.lose_order(heap)
            return frozenset({atom})
        if op != kind and heap.kind in {"list", "set"}:
            self.order.add_step(heap, self.order.step_words(right), term.line, term, self.run.operands)
            self.cells.write(heap.bag, self.elements.elements(right, term.line))
            return frozenset({atom})
        if op != kind and heap.kind == "dict":
            for item in each(right):
                self.spread_mapping(heap, frozenset({item}))
            return frozenset({atom})
        if kind == "+" and self.run.language() == "js":
            return concat_values([frozenset({atom}), right])
        if kind in {"+", "|", "-", "&", "^"}:
            return self._combined(atom, heap, right, term)
        if kind == "*":
            made = self.objects.allocate(term, heap.kind, term.line)
            for cell in [*heap.prefix, heap.bag]:
                self.cells.write(self.objects.heap(made).bag, self.cells.read(cell))
            if heap.prefix:
                self.objects.write_at(self.objects.heap(made), 0, self.cells.read(heap.prefix[0]))
            return frozenset({made})
        return frozenset({Data(UNKNOWN)})

    def _combined(self, atom: Object, heap: Heap, right: Value, term: Binary) -> Value:
        made = self.objects.allocate_each(term, atom, heap.kind, term.line)
        target = self.objects.heap(made)
        if target is heap:
            made = self.objects.allocate(term, heap.kind, term.line)
            target = self.objects.heap(made)
        if term.op == "+":
            self.order.join_steps(target, heap, right, term.line)
        if heap.kind == "dict":
            self.copy_into(target, heap)
        if heap.kind == "dict" or any(self.objects.is_a(item, "dict") for item in right):
            self.spread_mapping(target, right)
            return frozenset({made})
        words, rest = (
            [self.cells.read(cell) for cell in heap.prefix],
            self.cells.read(heap.bag) | (ANY if heap.escaped else BOTTOM),
        )
        known, others = self.spread(right, term.line)
        if rest or target is heap:
            rest = rest.union(others, *known)
        else:
            words, rest = words + known, others
        if right:
            self.stores.fill(target, words, rest)
        return frozenset({made})

    def copy_into(self, target: Heap, source: Heap) -> None:
        """A shallow copy."""
        if target.kind == "dict":
            self.keep_sure(target, source.sure or set())
        if source.prefix or source.length is not None or self.cells.read(source.bag):
            self.stores.fill(target, [self.cells.read(cell) for cell in source.prefix], self.cells.read(source.bag))
        for name, cell in list(source.fields.items()):
            self.objects.write(target, name, self.cells.read(cell))
        self.cells.write(target.bag, self.cells.read(source.bag) | (ANY if source.escaped else BOTTOM))
        self.cells.write(target.keys, self.cells.read(source.keys))

    def _operator_method(self, atom: Object, op: str, right: Value, line: int) -> Value:
        """The operator that a class of the skill defines; what changes in place is asked first."""
        name = OPERATORS.get(op.rstrip("="), "")
        cls = self.objects.heap(atom).cls
        found: Value = BOTTOM
        for method in (name.replace("__", "__i", 1) if op.endswith("=") else "", name):
            found = found or (self.class_members.class_member(cls, method) if method else BOTTOM)
        out = self.calls.call(found, Args([frozenset({atom}), right]), line)
        if out:
            return out
        self.leaks.expose(right)
        return ANY

    def spread(self, value: Value, line: int) -> tuple[list[Value], Value]:
        """What `*value` adds: known elements in order, and what any number of others may be."""
        if len(value) == 1:
            atom = next(iter(value))
            if self.objects.is_a(atom, "list", "tuple") and not self.objects.heap(atom).escaped:
                heap = self.objects.heap(atom)
                return [self.cells.read(cell) for cell in heap.prefix], self.cells.read(heap.bag)
        return [], self.elements.elements(value, line)

    def unfold(self, value: Value, args: Args) -> None:
        """`f(*value)`."""
        prefix, rest = self.spread(value, 0)
        if args.star:
            args.star = args.star.union(rest, *prefix)
            return
        args.positional.extend(prefix)
        args.star = rest

    def unfold_keywords(self, value: Value, args: Args) -> None:
        """`f(**value)`."""
        args.perhaps |= {name for atom in value if isinstance(atom, Object) for name in self.objects.heap(atom).fields}
        args.perhaps -= self.sure_keys(value)
        for atom in each(value):
            if isinstance(atom, Object):
                heap = self.objects.heap(atom)
                for field, cell in heap.fields.items():
                    name = (
                        field.partition("@")[0].rstrip("*") if heap.kind == "namespace" else field
                    )  # versions of a local
                    args.keywords[name] = args.keywords.get(name, BOTTOM) | self.cells.read(cell)
                args.keyword_star = args.keyword_star | self.cells.read(heap.bag)
                if heap.escaped:
                    args.keyword_star = args.keyword_star | ANY
            elif isinstance(atom, Data):
                args.keyword_star = args.keyword_star | {atom}
            else:
                self.summaries.show(frozenset({atom}), self.run.current_line)
                args.keyword_star = args.keyword_star | ANY

    def spread_mapping(self, heap: Heap, value: Value) -> None:
        """`{**value}`."""
        for atom in each(value):
            if self.objects.is_a(atom, "proxy"):
                self.stores.put_anywhere(heap, self.intrinsics.object_item(atom, SOME_TEXT, self.run.current_line))
                self.cells.write(heap.keys, SOME_TEXT)
            elif isinstance(atom, Object):
                source = self.objects.heap(atom)
                for name, cell in list(source.fields.items()):
                    if not name.startswith("static "):
                        self.objects.write(heap, name, self.cells.read(cell))
                self.stores.put_anywhere(heap, self.cells.read(source.bag) | (ANY if source.escaped else BOTTOM))
                for cell in source.prefix:
                    self.cells.write(heap.bag, self.cells.read(cell))
                self.cells.write(heap.keys, self.cells.read(source.keys))
            elif isinstance(atom, Data):
                self.stores.put_anywhere(heap, frozenset({atom}))
                self.cells.write(heap.keys, frozenset({atom}))
            elif not isinstance(atom, (Text, Num, Const)):  # those have no members of their own, or fail
                self.js_process.spread_other(heap, atom)

    def sure_keys(self, value: Value) -> set[str]:
        """The keys that each of these mappings has."""
        known = [(self.objects.heap(atom).sure or set()) if isinstance(atom, Object) else set() for atom in value]
        for atom in value:
            if isinstance(atom, Object):
                self.cells.read(self.objects.heap(atom).bag)
        return set.intersection(*known) if known else set()

    def keep_sure(self, heap: Heap, keys: AbstractSet[str]) -> None:
        """A mapping may be one with these keys: those that all have are sure."""
        if heap.length is None:
            heap.length, heap.sure = 0, set(keys)
        elif heap.sure is not None and not heap.sure <= keys:
            heap.sure &= keys
            self.order.reread(heap)

    def plain_spread_other(self, heap: Heap, atom: Atom) -> None:
        """Spreading a module or instance copies its members: `{...require('fs')}`; in Python what its `items` gives."""
        python = isinstance(atom, Instance) and self.run.language() == "python"
        found = self.run.library().listed(atom.cls, "items") if python and isinstance(atom, Instance) else None
        if isinstance(atom, Instance) and found is not None:
            line = self.run.current_line
            pairs = self.elements.elements(self.summaries.evaluate_entry(f"{atom.cls}.items", found, atom, line), line)
            self.cells.write(heap.keys, self.elements.item(pairs, ZERO, line))
            self.cells.write(heap.bag, self.elements.item(pairs, ONE, line))
            return
        self.js_process.leak_atom(atom)
        heap.escaped = True

    def map_entries(self, atom: Object, heap: Heap) -> Value:
        """Iterating over a Map gives [key, value] pairs."""
        made = self.allocate_pair(atom, self.elements.keys(frozenset({atom})), self.values_of(heap))
        return frozenset({made})

    def values_of(self, heap: Heap) -> Value:
        """All values of a mapping."""
        out = (
            self.cells.read(heap.bag)
            .union(*map(self.cells.read, list(heap.fields.values())))
            .union(*map(self.cells.read, heap.prefix))
        )
        return out | ANY if heap.escaped else out

    def allocate_pair(self, owner: Object, key: Value, value: Value) -> Object:
        """The pairs of a mapping."""
        made = self.objects.kept_as((-4, owner.index), "list" if self.run.language() == "js" else "tuple", 0)
        heap = self.objects.heap(made)
        self.objects.write_at(heap, 0, key)
        self.objects.write_at(heap, 1, value)
        return made
