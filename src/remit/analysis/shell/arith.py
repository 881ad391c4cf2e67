"""Arithmetic: what it assigns, what it yields, and whether it may run a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import Hole, Text, Value, lit
from remit.analysis.each import each
from remit.analysis.shell.part import ShellPart
from remit.analysis.shell.state import Items, State, Var, ever
from remit.analysis.shell.values import EMPTY, NUMBER, is_numeric, join, literal_of, texts
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.shell.syntax import Word

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
                for text in each(texts(value)):
                    if text.literal != part:
                        self._assign_names(text, NUMBER, st, weak=True)
                        self._check_names(text, st, pos, depth + 1)

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
