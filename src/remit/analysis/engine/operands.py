"""Calls and operators as terms: their operands, and what they are applied to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import (
    ANY,
    BOTTOM,
    SOME_BOOL,
    UNREACHED,
    Anything,
    Bound,
    Data,
    Hole,
    Lib,
    Object,
    Text,
    Value,
)
from remit.analysis.each import each
from remit.analysis.engine.absence import ABSENT
from remit.analysis.engine.frames import Args, Given
from remit.analysis.engine.marks import BUILTIN_MEMBER
from remit.analysis.engine.narrowing import among, below, flat, matches_flat, passing, type_names
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.tables import PLAIN_METHODS
from remit.analysis.engine.texts import concat_values, literals

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.flows import Node
    from remit.analysis.ir import Term


class Operands(EnginePart):
    """Evaluates what calls and operators are applied to."""

    calls: engine.Calls
    collections: engine.Collections
    data_flow: engine.DataFlow
    elements: engine.Elements
    js_objects: engine.JavaScriptObjects
    leaks: engine.Leaks
    members: engine.Members
    methods: engine.Methods
    objects: engine.Objects
    operators: engine.Operators
    programs: engine.Programs
    python_objects: engine.PythonObjects
    references: engine.References
    summaries: engine.Summaries
    terms: engine.Terms
    work: engine.WorkList

    def handlers(self) -> dict[type, Callable[[Any], Value]]:
        """How each kind of term is evaluated."""
        return {
            ir.Call: self._call, ir.Concat: self._concat, ir.Binary: self._binary, ir.Choice: self._choice,
            ir.Narrow: self._narrow,
        }  # fmt: skip

    def _call(self, term: ir.Call) -> Value:
        flows = self.run.flows
        outer, flows.context = flows.context, set()
        callee = self._callee(term.callee)
        called = flows.context
        args = self.arguments(term, called)
        given = flows.context
        out: Value = BOTTOM
        for atom in each(callee):
            self.run.call_term, self.run.operands = term, len(callee)
            flows.context = called | given
            out = out | self.calls.call(frozenset({atom}), args, term.line, new=term.new)
            outer |= flows.context
        flows.context = outer
        return out

    def _callee(self, term: Term) -> Value:
        """What is called. A method that its receiver does not have is still a method of that name, if the receiver was misjudged;
        plain data cannot be called, so that what seems to be data is something else."""
        found = self.terms.eval(term)
        if type(term) is ir.Attr and term.name in _REPLACING and any(type(atom) is Data for atom in found):
            found = _replacing(term.name, found, self.terms.eval(term.base))
        if not _ONLY_DATA.issuperset(map(type, found)):
            return found | self.members.registered(found) if self.members.functions_fields else found
        self.run.reader.hollow = True
        if not self.work.final:
            return found
        if type(term) is not ir.Attr:
            self.leaks.lost_call = True
            return found or ANY
        plain = found and term.name in PLAIN_METHODS[self.run.language()]
        return found if plain else found | self.members.member_of(Anything(), term.name, term.line)

    def arguments(self, term: ir.Call, called: set[Node] | None = None) -> Args:
        """The actual arguments of a call, `*` and `**` unfolded where they are known; the context is then all that they read."""
        flows = self.run.flows
        flow = Given(called or set(), [], {}, set())
        args = Args(flow=flow)
        for item in term.args:
            flows.context = set()
            if isinstance(item, ir.Star):
                self.collections.unfold(self.terms.eval(item.term), args)
                while len(flow.positional) < len(args.positional):
                    flow.positional.append(flows.context)
            elif args.star:
                args.star = args.star | self.references.reference(item)
            else:
                args.positional.append(self.references.reference(item))
                flow.positional.append(flows.context)
            if args.star:
                flow.rest.update(flows.context)
        for name, word in term.keywords:
            flows.context = set()
            if name is not None:
                args.keywords[name] = self.references.reference(word)
                flow.keywords[name] = flows.context
            else:
                inner = word.term if isinstance(word, ir.Star) else word
                self.collections.unfold_keywords(self.terms.eval(inner), args)
                flow.rest.update(flows.context)
        flows.context = flow.rest.union(*flow.positional, *flow.keywords.values())
        return args

    def _concat(self, term: ir.Concat) -> Value:
        values = [self.work.settle(self.terms.eval(part)) for part in term.parts]
        for value in values:
            self.run.flows.context |= self.data_flow.content(value)
            self.summaries.show(value, term.line)
            if self.run.language() == "js":
                self.js_objects.ask_proxies(value, "toString", term.line)
        return concat_values(
            values if self.run.language() == "python" else [self.methods.words(value) for value in values]
        )

    def _binary(self, term: ir.Binary) -> Value:
        outer = set(self.run.flows.context)
        left, right = self.work.settle(self.terms.eval(term.left)), self.work.settle(self.terms.eval(term.right))
        if term.op == "cmp":
            out = SOME_BOOL
            if self.run.language() == "python":
                self.data_flow.used_with(left | right)
                out = self.python_objects.compared(left, right, term.line)
            self.run.flows.context = outer  # whether it holds is no part of what is compared
            return out
        self.run.flows.context |= self.data_flow.content(left) | self.data_flow.content(right)
        return self.operators.operate(term.op, left, right, term)

    def _narrow(self, term: ir.Narrow) -> Value:
        value = self.terms.eval(term.term)
        if term.kind == "type":
            left = self._of_types(term, value)
        elif term.kind == "member":
            left = self._among(value, self.terms.eval(term.said), term.line)
        elif term.kind == "below":
            left = below(value, self.terms.eval(term.said), self.terms.eval(term.resolved) if term.resolved else BOTTOM)
        else:
            left = flat(value) if term.kind == "flat" or self._matches_flat(term.said) else value
        return left if left or not value else UNREACHED

    def _of_types(self, term: ir.Narrow, value: Value) -> Value:
        tested = self.terms.eval(term.said)
        listed = frozenset(atom for atom in tested if isinstance(atom, Object))
        types = type_names((tested - listed) | self.elements.elements(listed, term.line))
        if types is None:
            return value
        self.programs.narrowing[self.run.reader] = None
        return passing(value, types, self.objects.heaps, keep=term.keep, bytes_possible=self.programs.bytes_possible)

    def _among(self, value: Value, container: Value, line: int) -> Value:
        """What is left of a value that is in a container."""
        if not value or not container:
            self.run.reader.hollow = True
            return value if self.work.final else BOTTOM
        if all(self.objects.is_a(atom, *_CONTAINERS) for atom in container):
            return among(value, self.work.settle(self.elements.elements(container, line)))
        return flat(value) if (words := literals(container)) and not any("/" in word for word in words) else value

    def _matches_flat(self, test: ir.Term) -> bool:
        """Whether a call of `re` says of what it is given that there is no slash in it."""
        if type(test) is not ir.Call:
            return False
        callee, patterns = self.terms.eval(test.callee), literals(self.terms.eval(test.args[0]))
        whole = callee == {Lib("re.fullmatch")}
        return (whole or callee == {Lib("re.match")}) and all(
            matches_flat(pattern, whole=whole) for pattern in patterns or ("/",)
        )

    def _choice(self, term: ir.Choice) -> Value:
        out = self.terms.eval(term.options[0])
        for option in term.options[1:]:
            value = self.terms.eval(option)
            out = (out - ABSENT if term.fallback and value else out) | value
        return out


_ONLY_DATA = frozenset({Data})
_CONTAINERS = frozenset({"list", "tuple", "set", "dict"})
_REPLACING = frozenset({"replace", "replaceAll"})  # of plain data, a text alone has them


def _replacing(name: str, found: Value, base: Value) -> Value:
    """Those methods of the plain data in a value, as the methods of a text."""
    data = frozenset(atom for atom in found & base if isinstance(atom, Data))
    texts = (Text((Hole(atom.origin, exact=False),)) for atom in data if isinstance(atom, Data))
    return (found - data) | frozenset(Bound(Lib(f"{BUILTIN_MEMBER}text.{name}"), text) for text in texts)
