"""Collections: literals, operators, copies, what `*` and `**` unfold, and lists that are built step by step."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import ANY, BOTTOM, SOME_TEXT, UNKNOWN, Atom, Const, Data, Instance, Num, Object, Text, Value
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.state import MAX_POSITIONS
from remit.analysis.engine.tables import ONE, OPERATORS, SETTER, ZERO
from remit.analysis.engine.texts import concat_values, literals

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap
    from remit.analysis.flows import Node
    from remit.analysis.ir import Binary


class Collections(EnginePart):
    """Lists, dictionaries and sets as values: literals, operators, copies, what unfolds."""

    js_process: engine.JavaScriptProcess
    lost: engine.Lost
    order: engine.Order
    terms: engine.Terms

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
            self.cells.write(heap.bag, self.elements.iterate(right, term.line))
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
        return [], self.elements.iterate(value, line)

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
            pairs = self.elements.iterate(self.summaries.evaluate_entry(f"{atom.cls}.items", found, atom, line), line)
            self.cells.write(heap.keys, self.elements.item(pairs, ZERO, line))
            self.cells.write(heap.bag, self.elements.item(pairs, ONE, line))
            return
        self.js_process.leak_atom(atom)
        heap.escaped = True

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
                values.append(self.work.settle(self.lost.reference(item)))
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
                    return made  # there is no result for it yet
                flows.context = set()
                known, rest = self.spread(self.work.settle(given), term.line)
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
        self.cells.write(heap.bag, self.lost.reference(term.element))
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
            value = self.terms.eval(value_term) if key is None else self.lost.reference(value_term)
            if key is None:
                heap.bag.into |= flows.context
                self.spread_mapping(heap, value)
                sure |= self.sure_keys(value)
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
            self.keep_sure(heap, sure)
        return frozenset({made})


# Facts have no order, so what is appended to a list could stand anywhere behind its beginning. Where the steps lie in the activation
# that made the list, and in no loop that the making is not in, their order is that of their lines, and a command line that is
# built so can be read as it will be. Whatever else happens to the list makes it a beginning and a bag again.


MAX_WAYS = 32
MAX_STEPS = 16


@dataclass(slots=True)
class Step:
    """What one place in the source adds to a list; `sure`: whoever comes past the making comes past it."""

    site: int
    line: int
    sure: bool
    words: list[Value]


class Order(EnginePart):
    """Notes the steps and reads lists with them."""

    def begin_list(self, heap: Heap, line: int) -> None:
        """A list is made here, and nothing but its steps changes it yet."""
        if heap.home is None and self.run.frame.function.building is not None:
            heap.home = (self.run.frame.index, line)
            heap.steps = []

    def add_step(self, heap: Heap, words: list[Value] | None, line: int, site: object, receivers: int) -> None:
        """Something is appended: `words`, or unknown many."""
        if heap.steps is None:
            return
        if words is None or not self._in_order(heap, line):
            self.lose_steps(heap)
            return
        for step in heap.steps:
            if step.site == id(site):
                self._widen_step(heap, step, words)
                return
        building = self.run.frame.function.building
        assert building is not None
        assert heap.home is not None
        sure = receivers == 1 and building.block(line) == building.block(heap.home[1])
        if len(heap.steps) >= MAX_STEPS:
            self.lose_steps(heap)
            return
        heap.steps.append(Step(id(site), line, sure, words))
        heap.steps.sort(key=lambda step: step.line)
        self.reread(heap)

    def join_steps(self, target: Heap, left: Heap, right: Value, line: int) -> None:
        """`left + right`: a list made here, whose steps so far are all taken or left out already."""
        words = self.step_words(right)
        if target.home is None:
            self.begin_list(target, line)
        if target.steps is None:
            return
        if words is None or left.home is None or not left.steps or left.home[0] != self.run.frame.index:
            if self.cells.read(left.bag) or words is None:
                self.lose_steps(target)
            return
        taken = [Step(step.site, 0, step.sure, step.words) for step in left.steps if step.line < line]
        steps = [*taken, Step(0, 0, sure=True, words=words), *(step for step in target.steps if step.line)]
        if left is target or len(steps) > MAX_STEPS:  # made of itself, in a loop
            self.lose_steps(target)
        elif steps != target.steps:
            target.steps = steps
            self.reread(target)

    def _widen_step(self, heap: Heap, step: Step, words: list[Value]) -> None:
        if len(words) != len(step.words):
            self.lose_steps(heap)
            return
        joined = [old | new for old, new in zip(step.words, words, strict=True)]
        if joined != step.words:
            step.words = joined
            self.reread(heap)

    def lose_steps(self, heap: Heap) -> None:
        """From now on nothing is known of the order behind the beginning."""
        if heap.steps is not None:
            heap.steps = None
            self.reread(heap)

    def reread(self, heap: Heap) -> None:
        """Who read it reads it again."""
        self.work.look_again(heap.bag.readers)

    def _in_order(self, heap: Heap, line: int) -> bool:
        building = self.run.frame.function.building
        if building is None or heap.home is None or heap.home[0] != self.run.frame.index:
            return False
        made = heap.home[1]
        return line > made and line not in building.loose and building.loop(line) == building.loop(made)

    def step_words(self, value: Value) -> list[Value] | None:
        """The elements that `+=` or `extend` adds, if they are known in number and order."""
        if len(value) != 1:
            return None
        (atom,) = value
        if not isinstance(atom, Object):
            return None
        heap = self.objects.heap(atom)
        if heap.kind not in {"list", "tuple"} or heap.escaped or self.cells.read(heap.bag):
            return None
        return [self.cells.read(cell) for cell in heap.prefix]

    def ways(self, heap: Heap, line: int) -> list[list[Value]] | None:
        """What a list may be where it is read, word by word; None if its steps are not known."""
        added = self.cells.read(heap.bag)
        if not added or heap.escaped or not heap.steps or heap.home is None:
            return None
        if not added <= BOTTOM.union(*(word for step in heap.steps for word in step.words)):
            return None
        start = [self.cells.read(cell) for cell in heap.prefix]
        found = self._ways_here(heap, line) if heap.home[0] == self.run.frame.index else self._ways_elsewhere(heap)
        return None if found is None else [start + way for way in found]

    def _ways_here(self, heap: Heap, line: int) -> list[list[Value]] | None:
        """Read in the function that made it: the steps before this line are taken."""
        building = self.run.frame.function.building
        assert building is not None
        assert heap.home is not None
        reached = building.holds(heap.home[1], line)
        return _combined([(step.words, step.sure and reached) for step in heap.steps or () if step.line < line])

    def _ways_elsewhere(self, heap: Heap) -> list[list[Value]] | None:
        """Handed to others at some point: with the steps up to there."""
        assert heap.home is not None
        building = self.work.frames[heap.home[0]].function.building
        assert building is not None
        steps = heap.steps or []
        lines = {step.line + 1 for step in steps} if building.aliased else set(building.exits)
        made = heap.home[1]
        ends = {sum(step.line < line for step in steps) for line in lines | {made} if line >= made} | {len(steps)}
        out: list[list[Value]] = []
        for end in sorted(ends):
            some = _combined([(step.words, step.sure) for step in steps[:end]])
            if some is None or len(out) + len(some) > MAX_WAYS:
                return None
            out.extend(way for way in some if way not in out)
        return out


def _combined(steps: list[tuple[list[Value], bool]]) -> list[list[Value]] | None:
    """Every way to take the steps in order, leaving out some that may be skipped."""
    out: list[list[Value]] = [[]]
    for words, sure in steps:
        taken = [way + words for way in out]
        out = taken if sure else out + taken
        if len(out) > MAX_WAYS:
            return None
    return out
