"""Operators: sums, joined and formatted texts, numbers, and objects that say themselves what an operator means."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NUMERIC,
    SEGMENT,
    SOME_NUM,
    SOME_TEXT,
    UNKNOWN,
    UNREACHED,
    Anything,
    Class,
    Closure,
    Const,
    Data,
    Hole,
    Instance,
    Module,
    Num,
    Object,
    Text,
    Value,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import concat_values, derived, join_paths, reshaped, texts_of
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis import ir
    from remit.analysis.engine import engine


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
    """What an operator makes of two values."""

    cells: engine.Cells
    collections: engine.Collections
    intrinsics: engine.Intrinsics
    js_objects: engine.JavaScriptObjects
    kept: engine.KeptObjects
    leaks: engine.Leaks
    methods: engine.Methods
    objects: engine.Objects
    python_objects: engine.PythonObjects

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
