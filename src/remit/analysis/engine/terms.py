"""What each term evaluates to in the current frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import ANY, BOTTOM, Class, Const, Data, Num, Object, Text, Value
from remit.analysis.each import each
from remit.analysis.engine.data_flow import OUTPUTS, PROCESS
from remit.analysis.engine.marks import CAUGHT
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.ir import Term


_LENGTHS = frozenset(
    "length size byteLength status status_code statusCode ok returncode exitCode st_size st_mtime".split()
)
_COUNTED = frozenset({Num, Const})


class Terms(EnginePart):
    """Evaluates terms."""

    operands: engine.Operands
    references: engine.References
    literals: engine.Literals
    data_flow: engine.DataFlow
    decorators: engine.Decorators
    definitions: engine.Definitions
    elements: engine.Elements
    intrinsics: engine.Intrinsics
    kept: engine.KeptObjects
    leaks: engine.Leaks
    lost: engine.Lost
    members: engine.Members
    modules: engine.Modules
    summaries: engine.Summaries
    work: engine.WorkList

    # ── terms ──

    def eval(self, term: Term) -> Value:
        """The value of a term in the current frame."""
        self.work.steps += 1
        return self._handlers[type(term)](term)

    @cached_property
    def _handlers(self) -> dict[type, Callable[[Any], Value]]:
        """How each kind of term is evaluated."""
        return {
            ir.Known: self._known, ir.Var: self._var, ir.Global: self._global, ir.Attr: self._attr, ir.Item: self._item,
            ir.Slice: self._slice, ir.Star: self._star, ir.MakeFunction: self.definitions.define_function,
            ir.MakeClass: self.definitions.define_class, ir.Iterate: self._iterate, ir.Keys: self._keys,
            ir.Element: self._unpacked, ir.Rest: self._rest, ir.Enter: self._enter, ir.Await: self._await, ir.Part: self._part,
            ir.Throw: self._throw, ir.Catch: self._catch, ir.Decorate: self._decorate, ir.Super: self._super,
            ir.Import: self._import, ir.DynamicImport: self._dynamic_import, ir.Unknown: self._unknown,
            **self.literals.handlers(), **self.operands.handlers(),
        }  # fmt: skip

    def _known(self, term: ir.Known) -> Value:
        return term.value

    def _var(self, term: ir.Var) -> Value:
        owner = self.run.frame.owner(term.owner)
        if owner is None:
            return ANY
        cell = owner.variables.get(term.name) or owner.cell(term.name)
        cell.readers[self.run.reader] = None
        self.run.flows.context.add(cell)
        return cell.value

    def _global(self, term: ir.Global) -> Value:
        return self.intrinsics.global_name(term.name, term.line)

    def _attr(self, term: ir.Attr) -> Value:
        flows = self.run.flows
        outer = set(flows.context) if term.name in _LENGTHS else None
        base = self.work.settle(self.eval(term.base))
        if term.name in OUTPUTS and not base.isdisjoint(PROCESS):
            flows.context.add(self.data_flow.output())
        value = self.members.member(base, term.name, term.line)
        if outer is not None and _COUNTED.issuperset(map(type, value)):
            flows.context = outer  # how long something is, and how it ended, tells nothing of what it holds
        return value

    def _item(self, term: ir.Item) -> Value:
        base, key = self.work.settle(self.eval(term.base)), self.eval(term.key)
        if self.run.language() == "python":
            self.kept.note_caught(key)
        return self.elements.item(base, key, term.line)

    def _slice(self, term: ir.Slice) -> Value:
        return self.elements.slice(self.eval(term.base), term.start, term)

    def _star(self, term: ir.Star) -> Value:
        return self.elements.elements(self.eval(term.term), 0)

    def _iterate(self, term: ir.Iterate) -> Value:
        return self.elements.elements(self.work.settle(self.eval(term.term)), term.line)

    def _keys(self, term: ir.Keys) -> Value:
        return self.elements.keys(self.work.settle(self.eval(term.term)))

    def _unpacked(self, term: ir.Element) -> Value:
        base = self.work.settle(self.eval(term.term))
        drawn = self.elements.drawn_from(base, term.line) if self.run.language() == "js" else BOTTOM
        return drawn | self.elements.item(base, frozenset({Num(term.index, term.index)}), term.line)

    def _rest(self, term: ir.Rest) -> Value:
        return self.elements.slice(self.eval(term.term), term.start, term, term.behind)

    def _enter(self, term: ir.Enter) -> Value:
        return self.decorators.enter(self.work.settle(self.eval(term.term)), term.line)

    def _await(self, term: ir.Await) -> Value:
        return self.decorators.awaited(self.work.settle(self.eval(term.term)), term.line)

    def _part(self, term: ir.Part) -> Value:
        value = self.eval(term.term)
        self.run.flows.context |= self.data_flow.content(value)
        if all(isinstance(atom, (Data, Text, Num)) for atom in value):
            return value
        self.leaks.leak(value)
        return ANY if value else BOTTOM

    def _throw(self, term: ir.Throw) -> Value:
        if self.run.language() == "js":  # an error of the language: inert
            value = self.eval(term.term)
        else:
            value = self.references.reference(term.term)
            self.leaks.expose(value)
        self.data_flow.thrown(value)
        return BOTTOM

    def _catch(self, term: ir.Catch) -> Value:
        """Instances of the skill's own classes where the types are known; what they carry was exposed when they were thrown."""
        value = self.eval(term.types)
        self.lost.looked_at(value)
        self.data_flow.caught()
        types = frozenset(
            kind
            for atom in each(value)
            for kind in (self.elements.elements(frozenset({atom}), term.line) if isinstance(atom, Object) else (atom,))
        )
        if all(isinstance(kind, Class) for kind in types):
            return frozenset(
                found
                for kind in types
                if isinstance(kind, Class)
                for found in self.leaks.instances_of(kind.index, set())
            )
        return ANY | self.kept.called_by(CAUGHT) if self.run.language() == "python" else ANY

    def _decorate(self, term: ir.Decorate) -> Value:
        return self.decorators.decorate(self.work.settle(self.eval(term.decorator)), self.eval(term.target), term.line)

    def _super(self, term: ir.Super) -> Value:
        return self.intrinsics.super_of(term.cls, term.line)

    def _import(self, term: ir.Import) -> Value:
        module = self.run.linker.imported(self.run, term.name, term.level, self.run.frame.loaded, term.line)
        self.summaries.import_effects(module, term.line)
        self.data_flow.imported(module)
        if term.member is None:
            return module
        return self.modules.imported_member(module, term, term.line)

    def _dynamic_import(self, term: ir.DynamicImport) -> Value:
        return self.modules.import_computed(self.eval(term.name), term.line)

    def _unknown(self, term: ir.Unknown) -> Value:
        return self.run.opaque(term.reason, term.line)
