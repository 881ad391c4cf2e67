"""Calls, operators and tests as terms: their operands, and what they make of them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    FALSE,
    FLAT,
    NONE,
    NUMERIC,
    SEGMENT,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    TREE,
    TRUE,
    UNKNOWN,
    UNREACHED,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Hole,
    Instance,
    Lib,
    Module,
    Num,
    Object,
    Text,
    Value,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, Given
from remit.analysis.engine.heap import ABSENT
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.tables import BUILTIN_MEMBER, PLAIN_METHODS
from remit.analysis.engine.texts import concat_values, derived, join_paths, literals, remade, reshaped, texts_of
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap
    from remit.analysis.flows import Node
    from remit.analysis.ir import Term


_ONLY_DATA = frozenset({Data})
_CONTAINERS = frozenset({"list", "tuple", "set", "dict"})
_REPLACING = frozenset({"replace", "replaceAll"})  # of plain data, a text alone has them


def _replacing(name: str, found: Value, base: Value) -> Value:
    """Those methods of the plain data in a value, as the methods of a text."""
    data = frozenset(atom for atom in found & base if isinstance(atom, Data))
    texts = (Text((Hole(atom.origin, exact=False),)) for atom in data if isinstance(atom, Data))
    return (found - data) | frozenset(Bound(Lib(f"{BUILTIN_MEMBER}text.{name}"), text) for text in texts)


_NO_TEXT = (Object, Closure, Class, Const, Module, Instance)  # what a text is not, and cannot be joined with
_FOLDED: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "|": lambda a, b: int(a) | int(b),
}


# How a number is written without a slash: no filling characters, and digits only where the first matches.
_PLAIN = lazy_pattern(r"[-+]?0?\d*(\.\d+)?[dfFeEgG]?")
_WORD = lazy_pattern(r"[-+ ]?#?0?\d*[_,]?(\.\d+)?[bdeEfFgGnoxX%]?")


class Operators(EnginePart):
    """Evaluates what calls, tests and operators are applied to, and what an operator makes of two values."""

    data_flow: engine.DataFlow
    js_objects: engine.JavaScriptObjects
    kept: engine.KeptObjects
    lost: engine.Lost
    methods: engine.Methods
    python_objects: engine.PythonObjects
    terms: engine.Terms

    def operate(self, op: str, left: Value, right: Value, term: ir.Binary) -> Value:  # noqa: C901, PLR0912  one case for each kind of value
        """An operator on values; special methods of skill classes are live anyway, so only the result matters."""
        if not left or not right:
            return BOTTOM
        if UNREACHED in (left, right):
            return UNREACHED
        if self.run.language() == "js":
            self.js_objects.ask_proxies(left | right, "toString", term.line)
            return self._javascript_operator(op.rstrip("="), left, right)
        if op == "format" and (made := _formatted(left, right)) is not None:
            return made
        out: set[object] = set()
        texts_left = frozenset(a for a in left if isinstance(a, Text))
        texts_right = frozenset(a for a in right if not isinstance(a, _NO_TEXT))
        kind = op.rstrip("=")
        if kind == "|":
            self.kept.note_called(left | right, "typing")  # a union of types remembers them
        self.run.operands = len(left)
        for atom in each(left):
            if isinstance(atom, Object):
                out.update(self.collections.operate_object(atom, op, right, term))
            elif isinstance(atom, Instance):
                out.update(self.intrinsics.operate_instance(atom, op, right, term.line))
            elif isinstance(atom, Anything):
                self.leaks.expose(right)
                out.add(Anything())
            elif isinstance(atom, Data):
                out.add(atom)
            elif isinstance(atom, Num):
                out.update(self._number(kind, atom, right))
            elif not isinstance(atom, Text):
                out.update(ANY)
        if texts_left:
            out.update(self._text_operator(kind, texts_left, texts_right, right))
        for atom in each(right):
            if isinstance(atom, Instance) and atom.payload is None and texts_left:
                out.update((atom, Data(UNKNOWN)))  # its class may know what to do with a text
            elif isinstance(atom, Instance) and kind == "/" and texts_left:
                out.add(
                    Instance(
                        atom.cls, frozenset(a for a in join_paths(texts_left, frozenset({atom})) if isinstance(a, Text))
                    )
                )
        out.update(self.python_objects.special_operator(kind, left, right, term.line))
        return frozenset(out)  # type: ignore[arg-type]

    def _javascript_operator(self, kind: str, left: Value, right: Value) -> Value:
        """Operators give numbers, whatever they are given; `+` also joins texts."""
        numbers = all(isinstance(atom, Num) for atom in left | right)
        exact = self._number(kind, next(iter(left)), right) if numbers and len(left) == 1 and kind != "|" else SOME_NUM  # type: ignore[arg-type]
        if kind != "+" or numbers:
            return exact
        both = (self.methods.words(left), self.methods.words(right))
        joined = concat_values(list(both))
        may_add = all(any(not isinstance(atom, Text) for atom in side) for side in (left, right))
        return joined | SOME_NUM if may_add else joined

    def _text_operator(self, kind: str, left: Value, right: Value, original: Value) -> Value:
        if kind == "+":
            return concat_values([left, right]) if right else BOTTOM
        if kind == "%":
            return self.percent_format(left, original)
        if kind == "*":
            return derived(left)
        if kind == "format":
            return reshaped(left, original)
        return frozenset({Data(UNKNOWN)})

    @staticmethod
    def _number(kind: str, atom: Num, right: Value) -> Value:
        other = next(iter(right)) if len(right) == 1 else None
        if (
            isinstance(other, Num)
            and None not in (atom.low, other.low)
            and atom.low == atom.high
            and other.low == other.high
        ):
            assert atom.low is not None
            assert other.low is not None
            if kind in _FOLDED:
                made = _FOLDED[kind](atom.low, other.low)
                return frozenset({Num(made, made)}) if abs(made) < 2**53 else SOME_NUM
        if kind == "+" and isinstance(other, Num) and atom.low is not None and other.low is not None:
            return frozenset({Num(atom.low + other.low)})
        if any(isinstance(item, Anything) for item in right):
            return frozenset({Num(), Anything()})
        if kind == "*" and any(isinstance(item, (Text, Object)) for item in right):
            return ANY
        return SOME_TEXT if kind == "format" else SOME_NUM

    def percent_format(self, left: Value, right: Value) -> Value:
        """`"…%s…" % value` with the literal pieces kept."""
        out: set[Text] = set()
        words = self.format_words(right)
        for text in texts_of(left):
            literal = text.literal
            pieces = literal.split("%s") if literal is not None and "%" not in literal.replace("%s", "") else None
            if pieces is None or words is None or len(words) != len(pieces) - 1:
                out.update(derived(frozenset({text})))  # type: ignore[arg-type]
                continue
            values: list[Value] = [lit(pieces[0])]
            for word, piece in zip(words, pieces[1:], strict=True):
                values.extend((word, lit(piece)))
            out.update(concat_values(values))  # type: ignore[arg-type]
        return frozenset(out)

    def format_words(self, right: Value) -> list[Value] | None:
        """The operands of `%`: a tuple's elements, or the one value."""
        if len(right) == 1:
            atom = next(iter(right))
            if self.objects.is_a(atom, "tuple") and not self.objects.heap(atom).bag.value:
                return [self.cells.read(cell) for cell in self.objects.heap(atom).prefix]
        return [right]

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
                args.star = args.star | self.lost.reference(item)
            else:
                args.positional.append(self.lost.reference(item))
                flow.positional.append(flows.context)
            if args.star:
                flow.rest.update(flows.context)
        for name, word in term.keywords:
            flows.context = set()
            if name is not None:
                args.keywords[name] = self.lost.reference(word)
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
        return self.operate(term.op, left, right, term)

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
        types = type_names((tested - listed) | self.elements.iterate(listed, term.line))
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
            return among(value, self.work.settle(self.elements.iterate(container, line)))
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


def _formatted(left: Value, right: Value) -> Value | None:
    """Numbers as a format writes them; None if they may be something else. A value of plain data that is no number is refused by
    most formats, and a date answers with the format itself."""
    specs = ["".join(part if isinstance(part, str) else "0" for part in text.parts) for text in texts_of(right)]
    known = all(isinstance(part, str) or part.alphabet == NUMERIC for text in texts_of(right) for part in text.parts)
    if not known or not left or not all(map(_WORD.fullmatch, specs)):
        return None
    if all(isinstance(atom, Num) for atom in left):
        return frozenset({Text((Hole(UNKNOWN, NUMERIC if all(map(_PLAIN.fullmatch, specs)) else SEGMENT),))})
    if all(isinstance(atom, (Num, Data)) for atom in left) and all(spec[-1:].isalpha() for spec in specs):
        return frozenset({Text((Hole(UNKNOWN, SEGMENT),))})
    return None


_NAMED = {f"builtins.{name}": name for name in "str bytes list tuple dict set int float bool frozenset".split()} | {
    f"pathlib.{name}": "path" for name in ("Path", "PurePath", "PosixPath", "PurePosixPath")
}
_KINDS = frozenset({"list", "tuple", "dict", "set"})
_OTHER = "other"  # a buffer, a number of another kind: no test names it
_PATHS = ("pathlib.",)


def type_names(types: Value) -> frozenset[str] | None:
    """The types that a test names, or None if one of them is not a plain one."""
    out = set()
    for atom in types:
        name = _NAMED.get(atom.name) if isinstance(atom, Lib) else None
        if name is None:
            return None
        out.add(name)
    return frozenset(out) or None


def kinds_of(atom: Atom, heaps: list[Heap], *, bytes_possible: bool) -> frozenset[str] | None:
    """The plain types that a thing may have; None if it may have others."""
    if isinstance(atom, Text):
        either = frozenset({"str", "bytes"})
        return either | {_OTHER} if bytes_possible else frozenset({"str"}) if _is_str(atom) else either
    if isinstance(atom, Num):
        return frozenset({"int", "float", _OTHER})
    if atom in {TRUE, FALSE}:
        return frozenset({"bool", "int"})
    if isinstance(atom, Const):
        return frozenset({"none"}) if atom == NONE else None
    if isinstance(atom, Instance):
        return frozenset({"path"}) if atom.cls.startswith(_PATHS) else None
    if isinstance(atom, Object):
        heap = heaps[atom.index]
        return frozenset({heap.kind}) if heap.kind in _KINDS and not heap.alike else None
    return None


def _is_str(text: Text) -> bool:
    """A literal of the program, or an argument with literals around it: both are text where nothing makes bytes."""
    return all(not isinstance(part, Hole) or (part.origin == ARG and part.exact) for part in text.parts)


def passing(value: Value, types: frozenset[str], heaps: list[Heap], *, keep: bool, bytes_possible: bool) -> Value:
    """What is left of a value where a type test holds (`keep`), or does not."""
    out: set[Atom] = set()
    for atom in value:
        kinds = kinds_of(atom, heaps, bytes_possible=bytes_possible)
        if kinds is None or (kinds & types if keep else kinds - types):
            out.add(atom)
    return frozenset(out)


def among(value: Value, members: Value) -> Value:
    """What is left of a value that equals one of these. Plain data and texts equal texts alone; what has its own idea of being equal
    stays what it is."""
    if not all(isinstance(atom, Text) for atom in members):
        return value
    known = all(isinstance(atom, Text) and atom.literal is not None for atom in members)
    out: set[Atom] = set()
    for atom in value:
        if isinstance(atom, Text) and atom.literal is not None:
            out.update({atom} if not known or atom in members else ())
        elif isinstance(atom, (Text, Data)):
            out.update(members)
        else:
            out.add(atom)
    return frozenset(out)


def flat(value: Value) -> Value:
    """What is left of a value that is a text without a slash."""
    out: set[Atom] = set()
    for atom in value:
        if isinstance(atom, Text) and atom.literal is not None:
            out.update(() if "/" in atom.literal else {atom})
        elif isinstance(atom, (Text, Data)):
            out.update(remade(frozenset({atom}), FLAT))
        else:
            out.add(atom)
    return frozenset(out)


# A pattern that is a row of characters and classes of them.
_PIECE = lazy_pattern(r"(\[(?:[^\]\\]|\\.)+\]|\\[wdsWDS.\-_]|[A-Za-z0-9_ -])(?:[+*?]|\{\d*,?\d*\})?")
_ROW = lazy_pattern(rf"\^?((?:{_PIECE.pattern.replace('(', '(?:', 1)})+)(\$|\\Z)?")


def matches_flat(pattern: str, *, whole: bool) -> bool:
    """Whether no text that matches has a slash. A pattern that need not match to the end (`whole`) says nothing of the rest."""
    row = _ROW.fullmatch(pattern)
    if row is None or not (whole or row[2]):
        return False
    try:
        return not any(re.fullmatch(piece[1], "/") for piece in _PIECE.finditer(row[1]))
    except re.error:
        return False


def below(value: Value, folder: Value, given: Value) -> Value:
    """What is left of paths that lie below a folder, if they are the real paths of those given, in which no `..` is left."""
    if not given or not all(isinstance(atom, Instance) and atom.cls.startswith(_PATHS) for atom in given):
        return value
    if not all(isinstance(atom, (Text, Instance)) for atom in folder) or not folder:
        return value
    places = join_paths(folder, frozenset({Text((Hole(UNKNOWN, TREE),))}))
    out: set[Atom] = set()
    for atom in value:
        if isinstance(atom, Instance) and atom.cls.startswith(_PATHS):
            out.update(Instance(atom.cls, frozenset({text})) for text in places if isinstance(text, Text))
        else:
            out.add(atom)
    return frozenset(out)
