"""Literals of collections: lists, sets and mappings as a program writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import BOTTOM, Atom, Object, Value
from remit.analysis.each import each
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.marks import SETTER
from remit.analysis.engine.objects import MAX_POSITIONS
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import literals

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.flows import Node


class Literals(EnginePart):
    """What a literal makes."""

    cells: engine.Cells
    collections: engine.Collections
    members: engine.Members
    objects: engine.Objects
    order: engine.Order
    stores: engine.Stores
    terms: engine.Terms
    references: engine.References
    work: engine.WorkList

    def handlers(self) -> dict[type, Callable[[Any], Value]]:
        """How each kind of term is evaluated."""
        return {
            ir.Sequence: self._sequence, ir.Bag: self._bag, ir.Mapping: self._mapping,
        }  # fmt: skip

    def _sequence(self, term: ir.Sequence) -> Value:
        """A list, tuple or set; where `*` unfolds one of several lists, one for each of them."""
        flows = self.run.flows
        outer, contexts, values = flows.context, [], []
        for item in term.items:
            flows.context = set()
            if isinstance(item, ir.Star):
                values.append(self.terms.eval(item.term))
            else:
                values.append(self.work.settle(self.references.reference(item)))
            contexts.append(flows.context)
        flows.context = outer
        chosen = next(
            (i for i, item in enumerate(term.items) if isinstance(item, ir.Star) and self._are_lists(values[i])), None
        )
        if chosen is None:
            made = self.objects.allocate(term, term.kind, term.line)
            return frozenset({self._filled(made, term, values, contexts)})
        out: set[Atom] = set()
        for atom in each(values[chosen]):
            assert isinstance(atom, Object)
            values[chosen] = frozenset({atom})
            made = self.objects.allocate_each(term, atom, term.kind, term.line)
            out.add(self._filled(made, term, values, contexts))
        return frozenset(out)

    def _are_lists(self, value: Value) -> bool:
        """Whether a value is one of several lists, each known in order."""
        return len(value) > 1 and all(
            isinstance(atom, Object) and self.order.step_words(frozenset({atom})) for atom in value
        )

    def _filled(self, made: Object, term: ir.Sequence, values: list[Value], contexts: list[set[Node]]) -> Object:
        flows = self.run.flows
        outer = flows.context
        heap = self.objects.heap(made)
        if term.kind == "list":
            self.order.begin_list(heap, term.line)
        words: list[Value] = []
        behind: Value = BOTTOM
        open_ended = term.kind == "set"
        for at, (item, given) in enumerate(zip(term.items, values, strict=True)):
            known, rest = [given], BOTTOM
            if isinstance(item, ir.Star):
                if not self.work.settle(given):
                    return made  # nothing is known of it yet
                flows.context = set()
                known, rest = self.collections.spread(self.work.settle(given), term.line)
                contexts[at] = contexts[at] | flows.context
            if rest:
                self.order.lose_steps(heap)
                open_ended = True
            if open_ended:
                behind = behind.union(rest, *known)
            else:
                words.extend(known)
        apart = len(words) == len(contexts) and len(words) < MAX_POSITIONS
        flows.context = set() if apart else set().union(*contexts)
        heap.bag.into |= flows.context
        self.stores.fill(heap, words, behind)
        for at, context in enumerate(contexts if apart else ()):
            (heap.prefix[at] if at < len(heap.prefix) else heap.bag).into |= context
        flows.context = outer
        return made

    def _bag(self, term: ir.Bag) -> Value:
        made = self.objects.allocate(term, term.kind, term.line)
        heap = self.objects.heap(made)
        flows = self.run.flows
        outer, flows.context = flows.context, set()
        if term.key is not None:
            self.cells.write(heap.keys, self.terms.eval(term.key))
        self.cells.write(heap.bag, self.references.reference(term.element))
        flows.context = outer
        return frozenset({made})

    def _mapping(self, term: ir.Mapping) -> Value:
        made = self.objects.allocate(term, "dict", term.line)
        heap = self.objects.heap(made)
        sure = set(term.soon)
        known = True
        flows = self.run.flows
        outer = flows.context
        for key, value_term in term.pairs:
            flows.context = set()
            value = self.terms.eval(value_term) if key is None else self.references.reference(value_term)
            if key is None:
                heap.bag.into |= flows.context
                self.collections.spread_mapping(heap, value)
                sure |= self.collections.sure_keys(value)
                known = known and bool(value)
            else:
                names = self.terms.eval(key)
                if SETTER in names:  # no value of a member: it is called when one is set
                    self.cells.write(self.members.defined_accessors.setdefault(made, Cell()), value)
                    continue
                self.stores.put(heap, names, value)
                literal = literals(names) or []
                sure |= set(literal) if len(literal) == 1 else set()
        flows.context = outer
        if known:
            self.collections.keep_sure(heap, sure)
        return frozenset({made})
