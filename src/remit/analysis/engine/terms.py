"""What each term evaluates to in the current frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import (
    ANY,
    BOTTOM,
    SOME_BOOL,
    UNREACHED,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Data,
    Lib,
    Num,
    Object,
    Text,
    Value,
)
from remit.analysis.each import each
from remit.analysis.engine.absence import ABSENT
from remit.analysis.engine.definitions import Definitions
from remit.analysis.engine.frames import Args
from remit.analysis.engine.marks import CAUGHT
from remit.analysis.engine.narrowing import passing, type_names
from remit.analysis.engine.tables import PLAIN_METHODS
from remit.analysis.engine.texts import concat_values, literals

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.ir import Term


class Terms(Definitions):
    """Evaluates terms."""

    def reference(self, term: Term) -> Value:
        """The value of a term that is handed on: passed, stored or returned.

        A function among it is noted with this place. One that is never called by way of it was lost sight of, and counts as called
        with anything (rules 2 and 3), however often it is called elsewhere.
        """
        value = self.eval(term)
        for atom in value:
            if type(atom) in _FUNCTIONS:
                return self._noted(value, term)
        return value

    def _noted(self, value: Value, term: Term) -> Value:
        site = self.sites.setdefault(id(term), len(self.sites) + 1)
        out: set[Atom] = set()
        for atom in value:
            found = self._sited(atom, site)
            out.add(found)
            if found is not atom and found not in self.references:
                self.references[found] = (self.frame, self.current_line)
        return frozenset(out)

    def _sited(self, atom: Atom, site: int) -> Atom:
        if isinstance(atom, Closure):
            return atom if atom.site else Closure(atom.function, atom.frame, site)
        if isinstance(atom, Class):
            return atom if atom.site else Class(atom.index, site)
        if isinstance(atom, Lib):
            return Lib(atom.name, site) if not atom.site and self.acts(atom.name) else atom
        if isinstance(atom, Bound):
            function = self._sited(atom.function, site)
            assert isinstance(function, Lib | Closure)
            return atom if function is atom.function else Bound(function, atom.receiver)
        return atom

    # ── terms ──

    def eval(self, term: Term) -> Value:
        """The value of a term in the current frame."""
        self.steps += 1
        return _TERMS[type(term)](self, term)

    def _known(self, term: ir.Known) -> Value:
        return term.value

    def _var(self, term: ir.Var) -> Value:
        owner = self.frame.owner(term.owner)
        if owner is None:
            return ANY
        cell = owner.cell(term.name)
        cell.readers[self.reader] = None
        return cell.value

    def _global(self, term: ir.Global) -> Value:
        return self.global_name(term.name, term.line)

    def _attr(self, term: ir.Attr) -> Value:
        return self.member(self.settle(self.eval(term.base)), term.name, term.line)

    def _item(self, term: ir.Item) -> Value:
        base, key = self.settle(self.eval(term.base)), self.eval(term.key)
        if self.language() == "python":
            self.note_caught(key)
        return self.item(base, key, term.line)

    def _slice(self, term: ir.Slice) -> Value:
        return self.slice(self.eval(term.base), term.start, term)

    def _star(self, term: ir.Star) -> Value:
        return self.elements(self.eval(term.term), 0)

    def _call(self, term: ir.Call) -> Value:
        callee = self._callee(term.callee)
        args = self.arguments(term)
        out: Value = BOTTOM
        for atom in each(callee):
            self.call_term, self.operands = term, len(callee)
            out = out | self.call(frozenset({atom}), args, term.line, new=term.new)
        return out

    def _callee(self, term: Term) -> Value:
        """What is called. A method that its receiver does not have is still a method of that name, if the receiver was misjudged;
        plain data cannot be called, so that what seems to be data is something else."""
        found = self.eval(term)
        if any(type(atom) is not Data for atom in found):
            return found
        self.reader.hollow = True
        if not self.final:
            return found
        if type(term) is not ir.Attr:
            self.lost_call = True
            return found or ANY
        plain = found and term.name in PLAIN_METHODS[self.language()]
        return found if plain else found | self.member_of(Anything(), term.name, term.line)

    def arguments(self, term: ir.Call) -> Args:
        """The actual arguments of a call, `*` and `**` unfolded where they are known."""
        args = Args()
        for item in term.args:
            if isinstance(item, ir.Star):
                self.unfold(self.eval(item.term), args)
            elif args.star:
                args.star = args.star | self.reference(item)
            else:
                args.positional.append(self.reference(item))
        for name, word in term.keywords:
            if name is not None:
                args.keywords[name] = self.reference(word)
            else:
                inner = word.term if isinstance(word, ir.Star) else word
                self.unfold_keywords(self.eval(inner), args)
        return args

    def _concat(self, term: ir.Concat) -> Value:
        values = [self.settle(self.eval(part)) for part in term.parts]
        for value in values:
            self.show(value, term.line)
            if self.language() == "js":
                self.ask_proxies(value, "toString", term.line)
        return concat_values(values if self.language() == "python" else [self.words(value) for value in values])

    def _binary(self, term: ir.Binary) -> Value:
        left, right = self.settle(self.eval(term.left)), self.settle(self.eval(term.right))
        if term.op == "cmp":
            return self.compared(left, right, term.line) if self.language() == "python" else SOME_BOOL
        return self.operate(term.op, left, right, term)

    def _narrow(self, term: ir.Narrow) -> Value:
        value, tested = self.eval(term.term), self.eval(term.types)
        listed = frozenset(atom for atom in tested if isinstance(atom, Object))
        types = type_names((tested - listed) | self.elements(listed, term.line))
        if types is None:
            return value
        self.narrowing[self.reader] = None
        left = passing(value, types, self.objects, keep=term.keep, bytes_possible=self.bytes_possible)
        return left if left or not value else UNREACHED

    def _choice(self, term: ir.Choice) -> Value:
        out = self.eval(term.options[0])
        for option in term.options[1:]:
            value = self.eval(option)
            out = (out - ABSENT if term.fallback and value else out) | value
        return out

    def _sequence(self, term: ir.Sequence) -> Value:
        """A list, tuple or set; where `*` unfolds one of several lists, one for each of them."""
        values = [
            self.eval(item.term) if isinstance(item, ir.Star) else self.settle(self.reference(item))
            for item in term.items
        ]
        chosen = next(
            (i for i, item in enumerate(term.items) if isinstance(item, ir.Star) and self._are_lists(values[i])), None
        )
        if chosen is None:
            return frozenset({self._filled(self.allocate(term, term.kind, term.line), term, values)})
        out: set[Atom] = set()
        for atom in each(values[chosen]):
            assert isinstance(atom, Object)
            values[chosen] = frozenset({atom})
            out.add(self._filled(self.allocate_each(term, atom, term.kind, term.line), term, values))
        return frozenset(out)

    def _are_lists(self, value: Value) -> bool:
        """Whether a value is one of several lists, each known in order."""
        return len(value) > 1 and all(isinstance(atom, Object) and self.step_words(frozenset({atom})) for atom in value)

    def _filled(self, made: Object, term: ir.Sequence, values: list[Value]) -> Object:
        heap = self.heap(made)
        if term.kind == "list":
            self.begin_list(heap, term.line)
        words: list[Value] = []
        behind: Value = BOTTOM
        open_ended = term.kind == "set"
        for item, given in zip(term.items, values, strict=True):
            known, rest = [given], BOTTOM
            if isinstance(item, ir.Star):
                if not self.settle(given):
                    return made  # nothing is known of it yet
                known, rest = self.spread(self.settle(given), term.line)
            if rest:
                self.lose_steps(heap)
                open_ended = True
            if open_ended:
                behind = behind.union(rest, *known)
            else:
                words.extend(known)
        self.fill(heap, words, behind)
        return made

    def _bag(self, term: ir.Bag) -> Value:
        made = self.allocate(term, term.kind, term.line)
        heap = self.heap(made)
        if term.key is not None:
            self.write(heap.keys, self.eval(term.key))
        self.write(heap.bag, self.reference(term.element))
        return frozenset({made})

    def _mapping(self, term: ir.Mapping) -> Value:
        made = self.allocate(term, "dict", term.line)
        heap = self.heap(made)
        sure = set(term.soon)
        known = True
        for key, value_term in term.pairs:
            value = self.eval(value_term) if key is None else self.reference(value_term)
            if key is None:
                self.spread_mapping(heap, value)
                sure |= self.sure_keys(value)
                known = known and bool(value)
            else:
                names = self.eval(key)
                self.put(heap, names, value)
                literal = literals(names) or []
                sure |= set(literal) if len(literal) == 1 else set()
        if known:
            self.keep_sure(heap, sure)
        return frozenset({made})

    def _iterate(self, term: ir.Iterate) -> Value:
        return self.elements(self.settle(self.eval(term.term)), term.line)

    def _keys(self, term: ir.Keys) -> Value:
        return self.keys(self.settle(self.eval(term.term)))

    def _unpacked(self, term: ir.Element) -> Value:
        return self.item(self.settle(self.eval(term.term)), frozenset({Num(term.index, term.index)}), term.line)

    def _rest(self, term: ir.Rest) -> Value:
        return self.slice(self.eval(term.term), term.start, term, term.behind)

    def _enter(self, term: ir.Enter) -> Value:
        return self.enter(self.settle(self.eval(term.term)), term.line)

    def _await(self, term: ir.Await) -> Value:
        return self.awaited(self.settle(self.eval(term.term)), term.line)

    def _part(self, term: ir.Part) -> Value:
        value = self.eval(term.term)
        if all(isinstance(atom, Data | Text | Num) for atom in value):
            return value
        self.leak(value)
        return ANY if value else BOTTOM

    def _throw(self, term: ir.Throw) -> Value:
        self.expose(self.reference(term.term))
        return BOTTOM

    def _catch(self, term: ir.Catch) -> Value:
        """Instances of the skill's own classes where the types are known; what they carry was exposed when they were thrown."""
        value = self.eval(term.types)
        self.looked_at(value)
        types = frozenset(
            kind
            for atom in each(value)
            for kind in (self.elements(frozenset({atom}), term.line) if isinstance(atom, Object) else (atom,))
        )
        if all(isinstance(kind, Class) for kind in types):
            return frozenset(
                found for kind in types if isinstance(kind, Class) for found in self.instances_of(kind.index, set())
            )
        return ANY | self.called_by(CAUGHT) if self.language() == "python" else ANY

    def _decorate(self, term: ir.Decorate) -> Value:
        return self.decorate(self.settle(self.eval(term.decorator)), self.eval(term.target), term.line)

    def _super(self, term: ir.Super) -> Value:
        return self.super_of(term.cls, term.line)

    def _import(self, term: ir.Import) -> Value:
        module = self.linker.imported(self, term.name, term.level, self.frame.loaded, term.line)
        self.import_effects(module, term.line)
        if term.member is None:
            return module
        return self.imported_member(module, term, term.line)

    def _dynamic_import(self, term: ir.DynamicImport) -> Value:
        return self.import_computed(self.eval(term.name), term.line)

    def _unknown(self, term: ir.Unknown) -> Value:
        return self.opaque(term.reason, term.line)


_FUNCTIONS = frozenset({Closure, Lib, Bound, Class})
_TERMS: dict[type, Callable[[Terms, Any], Value]] = {
    ir.Known: Terms._known, ir.Var: Terms._var, ir.Global: Terms._global, ir.Attr: Terms._attr, ir.Item: Terms._item,
    ir.Slice: Terms._slice, ir.Star: Terms._star, ir.Call: Terms._call, ir.Concat: Terms._concat, ir.Binary: Terms._binary,
    ir.Choice: Terms._choice, ir.Narrow: Terms._narrow, ir.Sequence: Terms._sequence, ir.Bag: Terms._bag, ir.Mapping: Terms._mapping,
    ir.MakeFunction: Terms._make_function, ir.MakeClass: Terms._make_class, ir.Iterate: Terms._iterate, ir.Keys: Terms._keys,
    ir.Element: Terms._unpacked, ir.Rest: Terms._rest, ir.Enter: Terms._enter, ir.Await: Terms._await, ir.Part: Terms._part,
    ir.Throw: Terms._throw, ir.Catch: Terms._catch,
    ir.Decorate: Terms._decorate, ir.Super: Terms._super, ir.Import: Terms._import, ir.DynamicImport: Terms._dynamic_import,
    ir.Unknown: Terms._unknown,
}  # fmt: skip
