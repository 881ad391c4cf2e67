"""What a single expansion yields: a variable, the operators of `${…}`, and arithmetic."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, UNKNOWN, Hole, Text, Value, lit, text
from remit.analysis.each import each
from remit.analysis.shell.lookup import KNOWN_VARIABLES, change_case, element, integer, without_operator
from remit.analysis.shell.part import ShellPart
from remit.analysis.shell.patterns import substituted, trim
from remit.analysis.shell.state import Flag, Items, State, Var, ever
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    Fields,
    bag,
    blur,
    is_numeric,
    join,
    join_all,
    literal_of,
    may_be_empty,
    texts,
)
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.shell.syntax import Param, Word


class Parameters(ShellPart):
    """The operators of `${…}`, on what variables hold."""

    # -- lists ------------------------------------------------------------------------------------------------------

    def list_value(self, piece: Param, st: State) -> list[Fields] | None:  # noqa: PLR0911  one case for each form of the grammar
        """The words of `$@`, `${a[@]}`, `${!a[@]}` …; None if the expansion is one text."""
        if piece.length:
            return None
        if piece.index is None:
            if piece.op == "names":
                return [Fields((), TOP)]
            if piece.name not in ("@", "*") or piece.indirect:
                return None
            self.data_flow.read_arguments()
            base = [st.args]
            if piece.op == ":" and piece.arg is not None:
                zero = Fields((self.run.script, *st.args.words), st.args.rest)
                return [self._cut(piece, zero, st)]
        elif piece.index.bare in ("@", "*"):
            arrays = self.lookup.arrays(piece.name, st, piece.pos)
            if piece.indirect:
                var = st.vars.get(self.lookup.resolve(piece.name, st)[0])
                more = TOP if var is not None and var.flags & Flag.ASSOC else NUMBER
                return [Fields(tuple(lit(key) for key, _ in a.pairs), more if a.rest else BOTTOM) for a in arrays]
            base = [a.fields for a in arrays]
            if piece.op == ":" and piece.arg is not None:
                return [self._cut(piece, fields, st) for fields in base]
        else:
            return None
        if not piece.op or piece.op == ":":
            return base
        return [
            Fields(
                tuple(self.operate(piece, word, st) for word in fields.words),
                self.operate(piece, fields.rest, st) if fields.rest else BOTTOM,
            )
            for fields in base
        ]

    def _cut(self, piece: Param, fields: Fields, st: State) -> Fields:
        assert piece.arg is not None
        start = integer(self.arithmetic.value(piece.arg, st, piece.pos))
        size = integer(self.arithmetic.value(piece.arg2, st, piece.pos)) if piece.arg2 is not None else -1
        if start is None or size is None or start < 0 or (fields.rest and start > len(fields.words)):
            return Fields((), bag(fields))
        if size < 0 and piece.arg2 is None:
            return Fields(fields.words[start:], fields.rest)
        words = fields.words[start : start + size]
        return Fields(words, fields.rest if len(words) < size else BOTTOM)

    # -- operators --------------------------------------------------------------------------------------------------

    def base(self, piece: Param, st: State) -> Value:
        """The parameter's own value, before its operator."""
        value = self.lookup.value_of(piece.name, st, piece.pos) if piece.index is None else self._element(piece, st)
        return self._indirect(value, piece, st) if piece.indirect else value

    def _element(self, piece: Param, st: State) -> Value:
        assert piece.index is not None
        if KNOWN_VARIABLES.get(piece.name) == "script" and piece.name not in st.vars:
            return self.run.script
        if piece.index.bare in ("@", "*"):
            return join_all(self.lookup.joined(a.fields, st) for a in self.lookup.arrays(piece.name, st, piece.pos))
        key = self.lookup.key(piece.name, piece.index, st, piece.pos)
        return element(self.lookup.arrays(piece.name, st, piece.pos), key)

    def _indirect(self, value: Value, piece: Param, st: State) -> Value:
        out: Value = BOTTOM
        for item in each(texts(value)):
            name = item.literal
            if name and (name.isidentifier() or name.isdigit()) and name.isascii():
                out = join(out, self.lookup.value_of(name, st, piece.pos))
            elif name != "":
                self.lookup.code_position(frozenset({item}), st, piece.pos, "an indirect expansion")
                via = Via(Cause.VARIABLE, words="reads a variable by a computed name")
                self.lookup.report("env.read", frozenset({item}), st, piece.pos, via)
                out = join(out, join(TOP, join_all(var.value for var in st.vars.values())))
        return out or EMPTY

    def scalar(self, piece: Param, st: State) -> Value:
        """An expansion that is one text."""
        if piece.length:
            return self._length(piece, st)
        value = self.base(piece, st)
        return self.operate(piece, value, st) if piece.op else value

    def _length(self, piece: Param, st: State) -> Value:
        if piece.index is not None and piece.index.bare in ("@", "*"):
            arrays = self.lookup.arrays(piece.name, st, piece.pos)
            return join_all(NUMBER if a.rest else lit(str(len(a.pairs))) for a in arrays) or lit("0")
        known = [item.literal for item in texts(self.base(piece, st))]
        if any(k is None for k in known) or piece.name in "@*":
            return NUMBER
        return frozenset(text(str(len(k or ""))) for k in known)

    def choose(self, piece: Param, st: State) -> tuple[Value | list[Fields], bool]:
        """`${x:-w}` and its like: what of the value itself remains, and whether the word may be used."""
        lists = self.list_value(without_operator(piece), st)
        plus = piece.op in ("+", ":+")
        if lists is not None:
            empty = any(not fields.words for fields in lists)
            filled = any(fields.words or fields.rest for fields in lists)
            if plus:
                return BOTTOM, filled
            return [f for f in lists if f.words or f.rest], empty
        value = self.base(piece, st)
        colon = piece.op[0] == ":"
        empty = any(may_be_empty(item) for item in texts(value))
        if not colon:
            empty = self._may_be_unset(piece, st)
        if plus:
            return BOTTOM, any(item.parts for item in texts(value)) or not colon
        kept = frozenset(item for item in texts(value) if item.parts or not colon)
        if not colon and empty and value == EMPTY:
            kept = frozenset()  # it is not set at all
        return kept, empty

    def _may_be_unset(self, piece: Param, st: State) -> bool:
        if piece.name[0].isdigit() or piece.name in "@*":
            index = int(piece.name) if piece.name.isdigit() and len(piece.name) < 6 else 0
            return index > len(st.args.words) or piece.name in "@*"
        var = st.vars.get(self.lookup.resolve(piece.name, st)[0])
        return var is None or var.unset or var.arrays is not None or bool(var.flags & Flag.UNSET)

    def operate(self, piece: Param, value: Value, st: State) -> Value:
        """The operator of an expansion, on each text."""
        op = piece.op
        if op[0] == "@":
            return self._transform(op[1], value, piece, st)
        if op in ("?", ":?"):
            if piece.arg is not None:
                self.expander.single(piece.arg, st)
            return frozenset(item for item in texts(value) if item.parts) or EMPTY
        if op == ":":
            return self._slice(piece, value, st)
        if piece.arg is None:
            return value
        pattern = self.expander.pattern(piece.arg, st)
        if op[0] in "^,":
            return frozenset(change_case(item, op) for item in texts(value))
        if op[0] in "#%":
            return frozenset(trim(item, p, op) for item in texts(value) for p in texts(pattern))
        new = self.expander.single(piece.arg2, st) if piece.arg2 is not None else EMPTY
        if "nocasematch" in st.options:
            return frozenset(blur(item) for item in texts(value))
        every = [substituted(i, p, r, op) for i in texts(value) for p in texts(pattern) for r in texts(new)]
        return frozenset().union(*every)

    def _transform(self, op: str, value: Value, piece: Param, st: State) -> Value:
        if op == "P":
            return self._prompt(value, piece, st)
        if op in "UuL":
            return frozenset(change_case(item, {"U": "^^", "u": "^", "L": ",,"}[op]) for item in texts(value))
        if op == "a":
            return TOP
        if op == "Q":
            return frozenset(Text((Hole(UNKNOWN, "quoted", False),)) for _ in texts(value))
        return frozenset(blur(item) for item in texts(value))

    def _prompt(self, value: Value, piece: Param, st: State) -> Value:
        """`${x@P}`: the text is decoded as a prompt and then expanded like the inside of double quotes."""
        out: Value = BOTTOM
        for item in each(texts(value)):
            known = item.literal
            if known is not None and not set(known) & set("$`\\!"):
                out = join(out, frozenset({item}))
            elif known is not None and "\\" not in known:
                self.lookup.evaluate(item, st, piece.pos)
                out = TOP
            elif not is_numeric(item):
                self.lookup.opaque("a prompt expansion evaluates text as code", piece.pos, "avoid `@P`")
                out = TOP
        return out or value

    def _slice(self, piece: Param, value: Value, st: State) -> Value:
        if piece.arg is None:
            return value
        start = integer(self.arithmetic.value(piece.arg, st, piece.pos))
        size = integer(self.arithmetic.value(piece.arg2, st, piece.pos)) if piece.arg2 is not None else None
        out = set[Text]()
        for item in each(texts(value)):
            known = item.literal
            if known is None or start is None or (piece.arg2 is not None and size is None):
                out.add(blur(item))
                continue
            begin = start if start >= 0 else max(len(known) + start, 0)
            end = len(known) if size is None else begin + size if size >= 0 else len(known) + size
            out.add(text(known[begin:end]))
        return frozenset(out)


# Arithmetic: what it assigns, what it yields, and whether it may run a command.

_NAME = lazy_pattern(r"(?<![\w#])([A-Za-z_]\w*)(\s*\[[^\]]*\])?")
_ASSIGNED = lazy_pattern(
    r"(?<![\w#])([A-Za-z_]\w*)(?:\s*\[[^\]]*\])?\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)"
)
_SUM = lazy_pattern(r"\s*(-?(?:0|[1-9]\d{0,14}))\s*(?:([-+*/%])\s*(-?(?:0|[1-9]\d{0,14}))\s*)?")
_NUMBER = lazy_pattern(r"\s*[-+]?(?:0[xX][0-9a-fA-F]+|\d+#\w+|\d+)\s*")
_MAX_DEPTH = 4


class Arithmetic(ShellPart):
    """Evaluation of `$((…))`, `((…))`, `let`, subscripts and offsets."""

    def value(self, expr: Word, st: State, pos: int) -> Value:
        """The value of an expression that stands in the program."""
        return self.value_of_text(self.expander.single(expr, st), st, pos)

    def value_of_text(self, value: Value, st: State, pos: int) -> Value:
        """The value of an expression, given as text after expansion."""
        self.lookup.code_position(value, st, pos, "arithmetic")
        result: Value | None = None
        weak = len(value) > 1
        for item in each(texts(value)):
            known = item.literal
            self._check_names(item, st, pos, 0)
            one = NUMBER
            if known is not None and (folded := self._fold(known, st, pos)) is not None:
                one = lit(str(folded))
            self._assign_names(item, one, st, weak=weak)
            result = one if result is None else join(result, one)
        return result if result is not None else NUMBER

    def _check_names(self, item: Text, st: State, pos: int, depth: int) -> None:
        """Variables are evaluated as expressions in their turn."""
        if depth > _MAX_DEPTH:
            return
        for part in item.parts:
            if isinstance(part, Hole) or _NUMBER.fullmatch(part):
                continue
            for match in _NAME.finditer(part):
                name = match.group(1)
                assigned = re.match(r"\s*(?:\[[^\]]*\])?\s*=(?!=)", part[match.end(1) :])
                if assigned:
                    continue
                value = self.lookup.value_of(name, st, pos)
                if all(is_numeric(text) for text in texts(value)):
                    continue
                self.lookup.code_position(value, st, pos, f"arithmetic on `{name}`")
                for one in each(texts(value)):
                    if one.literal != part:
                        self._assign_names(one, NUMBER, st, weak=True)
                        self._check_names(one, st, pos, depth + 1)

    def _assign_names(self, item: Text, value: Value, st: State, *, weak: bool) -> None:
        for part in item.parts:
            if isinstance(part, str):
                for match in _ASSIGNED.finditer(part):
                    plain = match.group(1) is not None and re.fullmatch(r"\s*\w+\s*=(?!=)[^,=?:&|]*", part) is not None
                    name = match.group(1) or match.group(2)
                    if "[" in match.group():
                        st.vars[name] = ever(st.vars.get(name, Var(EMPTY, frozenset({Items()}))), NUMBER)
                        continue
                    weak = weak or "?" in part or "&&" in part or "||" in part
                    self.lookup.assign(name, value if plain else NUMBER, st, weak=weak)

    def _fold(self, expr: str, st: State, pos: int) -> int | None:
        """A constant, a variable, or one operation on two of them."""
        if len(expr) > 60:
            return None
        plain = re.sub(r"^\s*\w+\s*=(?!=)", "", expr)
        filled = _NAME.sub(lambda m: self._known(m, st, pos), plain)
        match = _SUM.fullmatch(filled)
        if match is None:
            return None
        left, op, right = match.groups()
        a = int(left)
        if op is None:
            return a
        b = int(right)
        if op in "/%":
            return None if b == 0 or a < 0 or b < 0 else a // b if op == "/" else a % b
        result = a + b if op == "+" else a - b if op == "-" else a * b
        return result if abs(result) < 2**63 else None

    def _known(self, match: re.Match[str], st: State, pos: int) -> str:
        if match.group(2):
            return "?"
        known = literal_of(self.lookup.value_of(match.group(1), st, pos)) if match.group(1) in st.vars else None
        return known.strip() if known and re.fullmatch(r"\s*(?:0|[1-9]\d{0,14})\s*", known) else "?"
