"""Conditions: what they decide on known texts, and what one that holds says about variables."""

from __future__ import annotations

import operator
from typing import Self

from remit.analysis.domain import NUMERIC, Atom, Hole, Text, Value
from remit.analysis.shell.lookup import KNOWN_VARIABLES
from remit.analysis.shell.part import ShellPart
from remit.analysis.shell.patterns import matched
from remit.analysis.shell.state import Flag, Items, Result, State, Var, fork
from remit.analysis.shell.syntax import Lit, Param, Word
from remit.analysis.shell.values import EMPTY, NUMBER, Fields, blur, is_numeric, join_all, literal_of, texts
from remit.core.patterns import lazy_pattern

ORDER = {
    "-eq": operator.eq, "-ne": operator.ne, "-lt": operator.lt, "-le": operator.le, "-gt": operator.gt, "-ge": operator.ge,
}  # fmt: skip
_INTEGER = lazy_pattern(r"0|-?[1-9][0-9]{0,14}")
_EQUAL = {"=": True, "==": True, "!=": False}
_FIGURES = lazy_pattern(r"(?:(?:\[[0-9](?:-[0-9])?\]|\[\[:digit:\]\]|[0-9])(?:[+*?]|\{[0-9,]+\})?)+")
SAME = ("=", "==", "!=")


def holds(op: str, values: list[Value]) -> bool | None:
    """Whether one term of `[[ … ]]` holds (its right side is a pattern); None if that is open."""
    if op in ("-n", "-z"):
        return _all(_filled(item) is (op == "-n") if _filled(item) is not None else None for item in texts(values[0]))
    wanted = _EQUAL.get(op)
    if wanted is None:
        return None
    found = [matched(item, pattern)[1] for item in texts(values[0]) for pattern in texts(values[1])]
    return _all(None if verdict is None else verdict is wanted for verdict in found)


def decided(args: Fields, *, strict: bool) -> bool | None:
    """Whether `test` with these words succeeds; None if that is open. `strict`: `==` is an error in some shells."""
    if args.rest or (strict and any(literal_of(word) == "==" for word in args.words)):
        return None
    words = list(args.words)
    if words and literal_of(words[-1]) == "]":
        words.pop()
    if len(words) == 1:
        return holds("-n", words)
    if len(words) == 2 and literal_of(words[0]) in ("-n", "-z"):
        return holds(literal_of(words[0]) or "", words[1:])
    op = literal_of(words[1]) if len(words) == 3 else None
    if op in _EQUAL:
        return _same(words[0], words[2], wanted=_EQUAL[op or ""])
    return ordered(op, words[0], words[2]) if op is not None and op in ORDER else None


def ordered(op: str, left: Value, right: Value) -> bool | None:
    """Whether a comparison of two numbers holds; None if that is open."""
    pairs = [(a.literal or "", b.literal or "") for a in texts(left) for b in texts(right)]
    if not all(_INTEGER.fullmatch(a) and _INTEGER.fullmatch(b) for a, b in pairs):
        return None
    return _all(ORDER[op](int(a), int(b)) for a, b in pairs)


def _same(left: Value, right: Value, *, wanted: bool) -> bool | None:
    lefts, rights = ([item.literal for item in texts(value)] for value in (left, right))
    return _all(None if a is None or b is None else (a == b) is wanted for a in lefts for b in rights)


def _filled(item: Text) -> bool | None:
    """Whether a text has a character."""
    if any(isinstance(part, str) for part in item.parts):
        return True
    return None if item.parts else False


def _all(verdicts: object) -> bool | None:
    """The answer that all alternatives give."""
    found = set(verdicts)  # type: ignore[call-overload]
    return found.pop() if len(found) == 1 else None


class Found(frozenset[Atom]):
    """What a word was found to be by a comparison, and what was known of it `before`."""

    before: Value

    def __new__(cls, value: Value, before: Value) -> Self:
        """The value, which is equal to any other of the same texts."""
        new = super().__new__(cls, value)
        new.before = before
        return new


class Refinements(ShellPart):
    """A variable that was compared is known better on the way on which the comparison held."""

    def one_word(self, word: Word, st: State) -> bool:
        """Whether `[` sees this as one word: one that splits may bring operators of its own."""
        return all(piece.quoted for piece in word.pieces) or all(
            len(fields.words) == 1 and not fields.rest for fields in self.expander.word_fields(word, st)
        )

    def compared(self, st: State, word: Word, options: tuple[Word, ...], where: bool) -> Result:  # noqa: FBT001  the way on which they are the same
        """A variable that was compared with literal words is one of them on one way."""
        ok, fail = fork(st, st)
        same = ok if where else fail
        assert same is not None
        self.known_to_be(same, word, options)
        return ok, fail

    def known_to_be(self, st: State, word: Word, options: tuple[Word, ...]) -> None:
        """Where a variable or argument was found to be one of some literal words, that is what it is."""
        piece = word.pieces[0] if len(word.pieces) == 1 else None
        if not isinstance(piece, Param) or not _plain(piece) or any(one.const is None for one in options):
            return
        value = join_all(one.const or EMPTY for one in options)
        if piece.name.isdigit():
            index = int(piece.name) - 1 if len(piece.name) < 3 else -1
            words = st.args.words
            if 0 <= index < len(words):
                found = Found(value, words[index])
                st.args = st.args._replace(words=(*words[:index], found, *words[index + 1 :]))
            elif index == len(words) and st.args.rest:
                st.args = st.args._replace(words=(*words, Found(value, st.args.rest)))
            return
        var = st.vars.get(piece.name)
        changes = KNOWN_VARIABLES.get(piece.name) in ("number", "unknown")  # by itself, later
        if var is not None and var.arrays is None and not var.flags & Flag.REF and not changes:
            st.vars[piece.name] = var._replace(value=value, unset=False)

    def among(self, st: State, word: Word, left: Value) -> None:
        """Where a variable or argument was found to be one of these texts, what else it might be is gone."""
        piece = word.pieces[0] if len(word.pieces) == 1 else None
        if not isinstance(piece, Param) or not _plain(piece):
            return
        index = int(piece.name) - 1 if piece.name.isdigit() and len(piece.name) < 3 else -1
        words, var = st.args.words, st.vars.get(piece.name)
        if 0 <= index < len(words) and words[index] & left:
            st.args = st.args._replace(words=(*words[:index], words[index] & left, *words[index + 1 :]))
        elif var is not None and var.arrays is None and not var.flags & Flag.REF and var.value & left:
            st.vars[piece.name] = var._replace(value=var.value & left)

    def filled(self, st: State, word: Word, where: bool) -> Result:  # noqa: FBT001  the way on which the text is not empty
        """A variable whose text was found to be empty, or not, is so on the two ways."""
        piece = word.pieces[0] if len(word.pieces) == 1 else None
        if not isinstance(piece, Param) or not (_plain(piece) or (piece.op in ("-", ":-") and _empty(piece.arg))):
            return st, st
        var = st.vars.get(piece.name)
        if (
            var is None
            or var.arrays is not None
            or var.flags & Flag.REF
            or len(var.value) < 2
            or Text(()) not in var.value
        ):
            return st, st
        ok, fail = fork(st, st)
        full, bare = (ok, fail) if where else (fail, ok)
        assert full is not None
        assert bare is not None
        full.vars[piece.name] = var._replace(value=var.value - {Text(())})
        return ok, fail

    def refined(self, ok: State | None, fail: State | None, words: list[Word], holds: str) -> Result:
        """Variables that a check has shown to be numbers are numbers where it holds."""
        names = [p.name for w in words if len(w.pieces) == 1 and isinstance(p := w.pieces[0], Param) and _plain(p)]
        if not names or not holds:
            return ok, fail
        ok, fail = fork(ok, fail)
        target = ok if holds == "ok" else fail
        for name in names if target is not None else ():
            var = target.vars.get(name) if target is not None else None
            if target is not None and var is not None and var.arrays is None and not var.flags & Flag.REF:
                target.vars[name] = var._replace(value=frozenset(_as_number(item) for item in texts(var.value)))
        return ok, fail

    def rematched(self, value: Value, regex: Word, st: State) -> None:
        """`BASH_REMATCH` holds pieces of the text that was matched; a group of digits is a number."""
        written = [piece.text for piece in regex.pieces if isinstance(piece, Lit)]
        known = len(written) == len(regex.pieces)
        shape = "".join(written) if known else literal_of(self.expander.single(regex, st)) or ""
        pieces: Value = frozenset(blur(item) for item in texts(value))
        groups = (NUMBER if _FIGURES.fullmatch(group) else pieces for group in _groups(shape))
        pairs = tuple((str(index), group) for index, group in enumerate((pieces, *groups)))
        self.data_flow.stored("BASH_REMATCH")
        st.vars["BASH_REMATCH"] = Var(pieces, frozenset({Items(pairs, pieces)}))


def _plain(piece: Param) -> bool:
    return not (piece.op or piece.length or piece.indirect or piece.index)


def _empty(word: Word | None) -> bool:
    return word is None or not word.pieces


def _as_number(item: Text) -> Text:
    if is_numeric(item):
        return item
    part = item.parts[0] if len(item.parts) == 1 else None
    return Text((part._replace(alphabet=NUMERIC) if isinstance(part, Hole) else Hole("any", NUMERIC, False),))


def _groups(regex: str) -> list[str]:
    """The contents of the groups of a regular expression, in the order of their opening parentheses."""
    out: list[tuple[int, str]] = []
    stack: list[int] = []
    for index, ch in enumerate(regex):
        if ch == "(":
            stack.append(index)
        elif ch == ")" and stack:
            start = stack.pop()
            out.append((start, regex[start + 1 : index]))
    return [content for _, content in sorted(out)]
