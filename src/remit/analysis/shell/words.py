"""The word lexer: quotes, expansions and here-documents, exactly as bash reads them.

It works on offsets of the unit's text. Where bash would read something that we do not (a line continuation inside an
operator, `${ cmd; }`), it raises `ShellSyntaxError`; it never guesses.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from remit.analysis.domain import Text
from remit.analysis.shell import syntax
from remit.analysis.shell.ansi import decode_ansi
from remit.analysis.shell.syntax import FIRST_PLACEHOLDER, Lit, Program, ShellSyntaxError, Unit, Word
from remit.core.patterns import lazy_pattern

_PLAIN = lazy_pattern(r"[^ \t\n|&;<>()$`\"'\\]+")
_DOUBLE = lazy_pattern(r'[^$`"\\]+')
_HERE = lazy_pattern(r"[^$`\\]+")
_PARAM_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]")
_SHORT_PARAM = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_OPERATOR = lazy_pattern(r":[-=?+]|[-=?+]|##?|%%?|\^\^?|,,?|//|/[#%]|/|@[A-Za-z]|:")
_SPECIAL = frozenset("*?[{~(")  # what may still expand in an unquoted literal
_MAX_DEPTH = 60


class WordLexer(ABC):
    """Reads words; the parser of commands extends it, because `$(…)` holds commands."""

    def __init__(self, unit: Unit, depth: int = 0) -> None:
        self.unit = unit
        self.text = unit.text
        self.size = len(unit.text)
        self.pos = 0
        self.depth = depth

    @abstractmethod
    def substitution(self) -> Program:
        """Commands up to the closing parenthesis, which is consumed."""

    @abstractmethod
    def whole(self, unit: Unit) -> Program:
        """A text of its own: the inside of backticks."""

    def fail(self, reason: str, pos: int | None = None) -> ShellSyntaxError:
        """The error to raise."""
        return ShellSyntaxError(reason, self.pos if pos is None else pos)

    # -- words ------------------------------------------------------------------------------------------------------

    def word(self) -> Word | None:
        """The word at this offset, or None if there is none."""
        start = self.pos
        plain = _PLAIN.match(self.text, start)
        if plain is not None:
            end = plain.end()
            if end == self.size or self.text[end] in " \t\n;|&)":
                self.pos = end
                return literal(plain.group(), start)
        pieces: list[syntax.Piece] = []
        while self.pos < self.size and self._piece(pieces):
            pass
        if self.pos == start:
            return None
        return make_word(pieces, start)

    def _piece(self, pieces: list[syntax.Piece]) -> bool:
        text, pos = self.text, self.pos
        plain = _PLAIN.match(text, pos)
        if plain is not None:
            pieces.append(Lit(plain.group(), False))
            self.pos = plain.end()
            return True
        ch = text[pos]
        if ch in "'\"\\$`":
            self.quoting(ch, pieces)
            return True
        if ch == "(" and pieces and isinstance(pieces[-1], Lit) and not pieces[-1].quoted:
            if pieces[-1].text[-1] in "@!*+?":
                self._extended_pattern(pieces)
                return True
            return False
        if ch in "<>" and text.startswith("(", pos + 1):
            self.pos = pos + 2
            pieces.append(syntax.ProcSub(self._nested(), ch, pos))
            return True
        return False

    def quoting(self, ch: str, pieces: list[syntax.Piece]) -> None:
        """A quote or an expansion outside double quotes."""
        if ch == "'":
            end = self.text.find("'", self.pos + 1)
            if end < 0:
                raise self.fail("a single quote is not closed")
            pieces.append(Lit(self.text[self.pos + 1 : end], True))
            self.pos = end + 1
        elif ch == '"':
            self.pos += 1
            self._double(pieces)
        elif ch == "\\":
            self._escape(pieces)
        elif ch == "$":
            self._dollar(pieces, quoted=False)
        else:
            self._backtick(pieces, quoted=False)

    def _escape(self, pieces: list[syntax.Piece]) -> None:
        following = self.text[self.pos + 1 : self.pos + 2]
        self.pos += 1 + len(following)
        if following != "\n":
            pieces.append(Lit(following or "\\", True))

    def _extended_pattern(self, pieces: list[syntax.Piece]) -> None:
        """`@(a|b)` and its like: active characters up to the closing parenthesis; blanks belong to it."""
        start, level = self.pos, 0
        while self.pos < self.size:
            ch = self.text[self.pos]
            if ch in "'\"\\$`":
                self.quoting(ch, pieces)
                continue
            if ch == "\n":
                break
            level += {"(": 1, ")": -1}.get(ch, 0)
            pieces.append(Lit(ch, False))
            self.pos += 1
            if not level:
                return
        raise self.fail("a pattern's parenthesis is not closed", start)

    def _double(self, pieces: list[syntax.Piece]) -> None:
        start = self.pos
        count = len(pieces)
        while self.pos < self.size:
            if (match := _DOUBLE.match(self.text, self.pos)) is not None:
                pieces.append(Lit(match.group(), True))
                self.pos = match.end()
                continue
            ch = self.text[self.pos]
            if ch == '"':
                self.pos += 1
                if len(pieces) == count:
                    pieces.append(Lit("", True))
                return
            self.inside_double(ch, pieces, '$`"\\')
        raise self.fail("a double quote is not closed", start - 1)

    def inside_double(self, ch: str, pieces: list[syntax.Piece], escapable: str) -> None:
        """`$`, a backtick or a backslash inside double quotes or a here-document."""
        if ch == "$":
            self._dollar(pieces, quoted=True)
        elif ch == "`":
            self._backtick(pieces, quoted=True)
        else:
            following = self.text[self.pos + 1 : self.pos + 2]
            self.pos += 1 + len(following)
            if following and following in escapable:
                pieces.append(Lit(following, True))
            elif following != "\n":
                pieces.append(Lit("\\" + following, True))

    # -- expansions -------------------------------------------------------------------------------------------------

    def _dollar(self, pieces: list[syntax.Piece], *, quoted: bool) -> None:
        text, start = self.text, self.pos
        following = text[start + 1 : start + 2]
        if following == "(":
            if text.startswith("((", start + 1) and (expr := self._arithmetic(start + 3, "))")) is not None:
                pieces.append(syntax.Arith(expr, quoted, start))
                return
            self.pos = start + 2
            pieces.append(syntax.CmdSub(self._nested(), quoted, start))
        elif following == "{":
            self.pos = start + 2
            pieces.append(self._braced(start, quoted=quoted))
        elif (match := _SHORT_PARAM.match(text, start + 1)) is not None:
            self.pos = match.end()
            pieces.append(syntax.Param(match.group(), quoted, start))
        elif following == "'" and not quoted:
            decoded, self.pos = decode_ansi(text, start + 2)
            if self.pos < 0:
                self.pos = start
                raise self.fail("a single quote is not closed")
            pieces.append(Lit(decoded, True))
        elif following == '"' and not quoted:
            self.pos = start + 2
            self._double(pieces)
        elif following == "[":
            expr = self._arithmetic(start + 2, "]")
            if expr is None:
                raise self.fail("an arithmetic expansion is not closed")
            pieces.append(syntax.Arith(expr, quoted, start))
        elif text.startswith("\\\n", start + 1):
            raise self.fail("a line continuation splits an expansion")
        else:
            self.pos = start + 1
            pieces.append(Lit("$", True))

    def _nested(self) -> Program:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.fail("substitutions are nested too deeply")
        program = self.substitution()
        self.depth -= 1
        return program

    def _backtick(self, pieces: list[syntax.Piece], *, quoted: bool) -> None:
        start = self.pos
        inner: list[str] = []
        pos = start + 1
        escapable = '$`\\"' if quoted else "$`\\"
        while True:
            if pos >= self.size:
                raise self.fail("a backtick is not closed")
            ch = self.text[pos]
            if ch == "`":
                break
            if ch == "\\" and self.text[pos + 1 : pos + 2] and self.text[pos + 1] in escapable:
                pos += 1
                ch = self.text[pos]
            inner.append(ch)
            pos += 1
        self.pos = pos + 1
        unit = Unit("".join(inner), self.unit.relay, self.unit.line(start), self.unit.holes)
        if self.depth > _MAX_DEPTH:
            raise self.fail("substitutions are nested too deeply")
        pieces.append(syntax.CmdSub(self.whole(unit), quoted, start))

    def _arithmetic(self, start: int, close: str) -> Word | None:
        """An expression up to `close`; None (and nothing consumed) if this is not one."""
        saved = self.pos
        self.pos = start
        word = self.expression(close)
        if word is None:
            self.pos = saved
            return None
        self.pos += len(close)
        return word

    def expression(self, stops: str) -> Word | None:
        """Arithmetic up to a stop at depth 0, which is not consumed: `))`, `]`, or any character of `:}` / `;)`."""
        start, level, pieces = self.pos, 0, list[syntax.Piece]()
        opening, closing = ("[", "]") if stops == "]" else ("(", ")")
        while self.pos < self.size:
            ch = self.text[self.pos]
            if ch in "$`":
                self.inside_double(ch, pieces, "")
                continue
            if ch == "\\":
                self.pos += 1
                if self.text.startswith("\n", self.pos):
                    self.pos += 1
                continue
            if not level:
                if stops == "))":
                    if ch == ")":
                        return make_word(pieces, start) if self.text.startswith("))", self.pos) else None
                elif ch in stops:
                    return make_word(pieces, start)
            level += 1 if ch == opening else -1 if ch == closing else 0
            if ch not in "\"'":
                pieces.append(Lit(ch, True))
            self.pos += 1
        return None

    def _braced(self, start: int, *, quoted: bool) -> syntax.Param:
        text = self.text
        length = indirect = False
        if text.startswith("#", self.pos) and not re.match(r"#(?:\}|[-=?+:#%/]\S*\})", text[self.pos : self.pos + 80]):
            length = True
            self.pos += 1
        elif text.startswith("!", self.pos) and text[self.pos + 1 : self.pos + 2] not in ("}", "-", ":", "="):
            indirect = True
            self.pos += 1
        match = _PARAM_NAME.match(text, self.pos)
        if match is None:
            if self.pos < self.size and text[self.pos] >= FIRST_PLACEHOLDER:
                name = text[self.pos]
                self.pos += 1
            else:
                raise self.fail("a parameter expansion cannot be read", start)
        else:
            name = match.group()
            self.pos = match.end()
        param = syntax.Param(name, quoted, start, length=length, indirect=indirect, braced=True)
        if text.startswith("[", self.pos):
            self.pos += 1
            param.index = self.subscript()
        if indirect and text[self.pos : self.pos + 2] in ("@}", "*}"):
            param.op = "names"
            self.pos += 1
        elif not text.startswith("}", self.pos):
            self._operation(param)
        if not text.startswith("}", self.pos):
            raise self.fail("a parameter expansion is not closed", start)
        self.pos += 1
        return param

    def _operation(self, param: syntax.Param) -> None:
        match = _OPERATOR.match(self.text, self.pos)
        if match is None or param.length:
            raise self.fail("a parameter expansion cannot be read", param.pos)
        op = param.op = match.group()
        self.pos = match.end()
        if op == ":":
            param.arg = self.expression(":}")
            if param.arg is not None and self.text.startswith(":", self.pos):
                self.pos += 1
                param.arg2 = self.expression("}")
        elif op[0] == "/":
            param.arg = self._operand("/}", pattern=True, quoted=param.quoted)
            if self.text.startswith("/", self.pos):
                self.pos += 1
                param.arg2 = self._operand("}", pattern=True, quoted=param.quoted)
        elif op[0] != "@":
            pattern = op[0] in "#%^,"
            param.arg = self._operand("}", pattern=pattern, quoted=param.quoted)

    def _operand(self, stops: str, *, pattern: bool, quoted: bool) -> Word:
        """The word after an operator, up to an unquoted stop, which is not consumed.

        Inside double quotes a single quote is itself, except in patterns, which have quotes of their own.
        """
        start, pieces = self.pos, list[syntax.Piece]()
        inherit = quoted and not pattern
        while self.pos < self.size:
            ch = self.text[self.pos]
            if ch in stops:
                return make_word(pieces, start)
            if ch == "'" and inherit:
                pieces.append(Lit(ch, True))
                self.pos += 1
            elif ch == '"' and inherit:
                self.pos += 1
                self._double(pieces)
            elif ch in "$`\\" and inherit:
                self.inside_double(ch, pieces, '$`"\\}')
            elif ch in "'\"\\$`":
                self.quoting(ch, pieces)
            elif ch in "<>" and self.text.startswith("(", self.pos + 1) and not quoted:
                self._piece(pieces)
            else:
                pieces.append(Lit(ch, inherit))
                self.pos += 1
        raise self.fail("a parameter expansion is not closed", start)

    def subscript(self) -> Word:
        """What stands between brackets; the closing one is consumed."""
        start, level, pieces = self.pos, 0, list[syntax.Piece]()
        while self.pos < self.size:
            ch = self.text[self.pos]
            if ch in "'\"\\$`":
                self.quoting(ch, pieces)
                continue
            if ch == "]" and not level:
                self.pos += 1
                return make_word(pieces, start)
            if ch == "\n":
                break
            level += 1 if ch == "[" else -1 if ch == "]" else 0
            pieces.append(Lit(ch, False))
            self.pos += 1
        raise self.fail("a subscript is not closed", start)

    def here_body(self, body: str, line: int) -> Word:
        """The body of an unquoted here-document: expansions, but quotes are themselves."""
        inner = type(self)(Unit(body, self.unit.relay, line, self.unit.holes), self.depth + 1)
        if inner.depth > _MAX_DEPTH:
            raise self.fail("substitutions are nested too deeply")
        pieces: list[syntax.Piece] = []
        while inner.pos < inner.size:
            if (match := _HERE.match(body, inner.pos)) is not None:
                pieces.append(Lit(match.group(), True))
                inner.pos = match.end()
            else:
                inner.inside_double(body[inner.pos], pieces, "$`\\")
        return make_word(pieces, 0)


def literal(text: str, pos: int) -> Word:
    """A word without any quote or expansion."""
    plain = _SPECIAL.isdisjoint(text) and (text.isascii() or max(text) < FIRST_PLACEHOLDER)
    return Word((Lit(text, False),), pos, text, frozenset({Text((text,))}) if plain else None)


def make_word(pieces: list[syntax.Piece], pos: int) -> Word:
    """A word of these pieces, neighbouring literals joined."""
    joined: list[syntax.Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if isinstance(piece, Lit) and isinstance(last, Lit) and last.quoted == piece.quoted:
            joined[-1] = Lit(last.text + piece.text, piece.quoted)
        else:
            joined.append(piece)
    const = bare = None
    if all(isinstance(piece, Lit) for piece in joined):
        literals = [piece for piece in joined if isinstance(piece, Lit)]
        whole = "".join(piece.text for piece in literals)
        if all(not piece.quoted for piece in literals):
            bare = whole
        active = any(not piece.quoted and not _SPECIAL.isdisjoint(piece.text) for piece in literals)
        if not active and (whole.isascii() or max(whole, default="") < FIRST_PLACEHOLDER):
            const = frozenset({Text((whole,) if whole else ())})
    return Word(tuple(joined), pos, bare, const)
