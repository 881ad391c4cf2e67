"""Conditions of summaries: whether a value can pass a test, or several at once. What cannot be decided counts as true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Num,
    Object,
    Text,
    Value,
)
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.summaries.model import Condition, Expr

_COLLECTIONS = frozenset({"list", "dict"})
_SEQUENCES = frozenset({"list", "tuple", "set", "iter"})

_FALSE = frozenset({"none", "false", "undefined", "missing"})


def _is_true(atom: Atom, _: str) -> bool:
    if isinstance(atom, Const):
        return atom.name not in _FALSE
    if isinstance(atom, Text):
        return bool(atom.parts)
    return not (isinstance(atom, Num) and atom.low == 0 and atom.high == 0)


def _is_false(atom: Atom, _: str) -> bool:
    if isinstance(atom, Const):
        return atom.name in _FALSE
    if isinstance(atom, Text):
        return atom.literal == "" or atom.literal is None
    if isinstance(atom, Num):
        return (atom.low is None or atom.low <= 0) and (atom.high is None or atom.high >= 0)
    return not isinstance(atom, (Closure, Lib, Class, Bound, Instance))


def _has_chars(atom: Atom, chars: str) -> bool:
    if isinstance(atom, Text):
        return any(not isinstance(part, str) or any(char in part for char in chars) for part in atom.parts)
    return not isinstance(atom, (Const, Num))


def _may_be_url(atom: Atom, _: str) -> bool:
    if isinstance(atom, Text):
        first = atom.parts[0] if atom.parts else ""
        if not isinstance(first, str):
            return first.origin in {"any", "net"} and first.alphabet == "any"
        scheme, colon, _rest = first.partition(":")
        return bool(colon) and scheme.isalnum() and len(scheme) > 1
    return not isinstance(atom, (Const, Num, Instance, Object))


def _equals(atom: Atom, wanted: str) -> bool:
    if isinstance(atom, Text):
        literal = atom.literal
        return literal is None or literal == wanted
    if isinstance(atom, Const):
        return atom.name == wanted.lower()
    return not isinstance(atom, Num) or not wanted.lstrip("-").isdigit() or _in_range(atom, int(wanted))


def _in_range(atom: Num, number: int) -> bool:
    return (atom.low is None or atom.low <= number) and (atom.high is None or number <= atom.high)


def _differs(atom: Atom, wanted: str) -> bool:
    if isinstance(atom, Text):
        return atom.literal != wanted
    if isinstance(atom, Const):
        return atom.name != wanted.lower()
    return not (isinstance(atom, Num) and str(atom.low) == str(atom.high) == wanted)


def _has_kind(atom: Atom, kind: str) -> bool:
    if isinstance(atom, (Anything, Data)):
        return kind != "function" or isinstance(atom, Anything)
    if kind == "text":
        return isinstance(atom, Text) or (isinstance(atom, Instance) and atom.payload is not None)
    if kind == "num":
        return isinstance(atom, Num)
    if kind == "function":
        return isinstance(atom, (Closure, Lib, Bound, Class, Object))
    return isinstance(atom, (Object, Instance))


TEXT_TESTS = frozenset({"chars", "eq", "ne"})  # of an object that carries a text, they look at the text
TESTS = {
    "true": _is_true, "false": _is_false, "chars": _has_chars, "url": _may_be_url, "eq": _equals, "ne": _differs, "kind": _has_kind,
}  # fmt: skip


class Conditions(EnginePart):
    """Decides which lines of a summary count."""

    expressions: engine.Expressions
    objects: engine.Objects

    def may_all_hold(self, conditions: tuple[Condition, ...], env: dict[str, Value], given: set[str]) -> bool:
        """Whether conditions can be true at once. Those on the same subject are true of the same value: `x and x!='a'` does not
        hold of what is `'a'` or missing."""
        if not all(self._may_hold(condition, env, given) for condition in conditions):
            return False
        asked: list[Expr] = []
        for condition in conditions if len(conditions) > 1 else ():
            subject = condition.subject
            together = [other for other in conditions if other.subject == subject and other.test != "given"]
            if len(together) < 2 or subject in asked:
                continue
            asked.append(subject)
            value = self.expressions.expression(subject, env, given, "", 0)
            if len(value) > 1 and not any(
                all(self._passes(other, frozenset({atom})) for other in together) for atom in value
            ):
                return False
        return True

    def _may_hold(self, condition: Condition, env: dict[str, Value], given: set[str]) -> bool:
        subject = condition.subject
        if condition.test == "given":
            return (
                subject.text in given
                if subject.op == "param"
                else bool(self.expressions.expression(subject, env, given, "", 0))
            )
        value = self.expressions.expression(subject, env, given, "", 0)
        if not value:
            return condition.test in {"false", "ne"} and subject.op == "key"
        return self._passes(condition, value)

    def _passes(self, condition: Condition, value: Value) -> bool:
        if condition.test == "false" and self.run.language() == "js":
            value = frozenset(atom for atom in value if not isinstance(atom, Object))  # `[]` and `{}` are true
        if condition.test == "kind" and condition.value in _COLLECTIONS:
            return any(self._is_collection(atom, condition.value) for atom in value)
        if condition.test in TEXT_TESTS:
            value = frozenset(
                text for atom in value for text in (atom.payload or {atom} if isinstance(atom, Instance) else {atom})
            )
        return any(TESTS[condition.test](atom, condition.value) for atom in value)

    def _is_collection(self, atom: Atom, kind: str) -> bool:
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            return heap.escaped or (heap.kind in _SEQUENCES) == (kind == "list")
        return isinstance(atom, (Anything, Data)) or (
            kind == "dict" and isinstance(atom, Instance) and atom.payload is None
        )
