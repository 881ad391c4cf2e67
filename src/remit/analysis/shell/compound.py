"""The commands that begin with a reserved word: loops, conditions, groups, `[[ … ]]`, `(( … ))`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from remit.analysis.shell import syntax
from remit.analysis.shell.parser import CommandParser
from remit.analysis.shell.words import make_word
from remit.core.patterns import lazy_pattern

_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*")
_FUNCTION_NAME = lazy_pattern(r"[^\s|&;<>()$`\"'\\]+")
_PARENS = lazy_pattern(r"[ \t]*\([ \t]*\)")
_TEST_STOPS = ("]]", "&&", "||", "(", ")")
_TEST_BINARY = frozenset(
    {"=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"}
)
_TEST_UNARY = lazy_pattern(r"-[a-hknoprstuvwxzGLNORS]")


class Parser(CommandParser):
    """The whole grammar."""

    def compound(self, word: str) -> syntax.Command | None:
        """The compound command whose first word was read; with its redirections."""
        start = self.pos - len(word) if word != "(" else self.pos
        reader = _READERS.get(word)
        if reader is None:
            return None
        self.nesting += 1
        if self.nesting > 80:
            raise self.fail("commands are nested too deeply")
        node = reader(self)
        self.nesting -= 1
        if node is None:
            self.pos = start + len(word)
            return None
        redirects: list[syntax.Redirect] = []
        while True:
            self.blank()
            redirect = self.redirect()
            if redirect is None:
                break
            redirects.append(redirect)
        return syntax.Redirected(node, tuple(redirects), start) if redirects else node

    def until(self, *ends: str) -> syntax.Command:
        """A list up to one of these reserved words, which is not consumed."""
        body = self.commands(lambda: any(self.word_is(end) for end in ends))
        if self.pos >= self.size:
            raise self.fail(f"`{ends[0]}` is missing")
        return body

    def expect(self, word: str) -> None:
        """Consume a reserved word."""
        self.newlines()
        if not self.word_is(word):
            raise self.fail(f"`{word}` is missing")
        self.pos += len(word)

    def paren(self) -> syntax.Command | None:
        """`( … )` or `(( … ))`."""
        start = self.pos
        if self.text.startswith("((", start):
            self.pos += 2
            expr = self.expression("))")
            if expr is not None:
                self.pos += 2
                return syntax.ArithCommand(expr, start)
            self.pos = start
        self.pos += 1
        body = self.commands(lambda: self.text.startswith(")", self.pos))
        if not self.text.startswith(")", self.pos):
            raise self.fail("a subshell is not closed", start)
        self.pos += 1
        return syntax.Subshell(body)

    def brace(self) -> syntax.Command | None:
        """`{ … }`."""
        body = self.until("}")
        self.pos += 1
        return body if isinstance(body, syntax.Seq) else syntax.Seq((body,))

    def if_(self) -> syntax.Command | None:
        """`if … then … elif … else … fi`."""
        clauses: list[tuple[syntax.Command, syntax.Command]] = []
        otherwise: syntax.Command | None = None
        while True:
            cond = self.until("then")
            self.pos += 4
            clauses.append((cond, self.until("elif", "else", "fi")))
            if self.word_is("elif"):
                self.pos += 4
                continue
            if self.word_is("else"):
                self.pos += 4
                otherwise = self.until("fi")
            self.expect("fi")
            return syntax.If(tuple(clauses), otherwise)

    def loop(self, *, until: bool) -> syntax.Command:
        """`while … do … done`, `until … do … done`."""
        cond = self.until("do")
        return syntax.While(cond, self.do_group(), until)

    def do_group(self) -> syntax.Command:
        """`do … done`."""
        self.expect("do")
        body = self.until("done")
        self.pos += 4
        return body

    def for_(self, *, select: bool) -> syntax.Command:
        """`for name in words` and `for (( … ))`, `select name in words`."""
        start = self.pos
        self.blank()
        if self.text.startswith("((", self.pos):
            return self._arith_for(start)
        match = _NAME.match(self.text, self.pos)
        if match is None:
            raise self.fail("a loop has no variable", start)
        self.pos = match.end()
        words: tuple[syntax.Word, ...] | None = None
        self.newlines()
        if self.word_is("in"):
            self.pos += 2
            words = self._words()
        if self.text.startswith(";", self.pos):
            self.pos += 1
        return syntax.For(match.group(), words, self._loop_body(), select, start)

    def _loop_body(self) -> syntax.Command:
        self.newlines()
        if self.word_is("{"):
            self.pos += 1
            body = self.brace()
            assert body is not None
            return body
        return self.do_group()

    def _words(self) -> tuple[syntax.Word, ...]:
        words: list[syntax.Word] = []
        self.blank()
        while (word := self.word()) is not None:
            words.append(word)
            self.blank()
        return tuple(words)

    def _arith_for(self, start: int) -> syntax.Command:
        self.pos += 2
        parts: list[syntax.Word] = []
        for stops in (";", ";", "))"):
            part = self.expression(stops)
            if part is None:
                raise self.fail("an arithmetic loop cannot be read", start)
            parts.append(part)
            self.pos += len(stops)
        self.blank()
        if self.text.startswith(";", self.pos):
            self.pos += 1
        return syntax.ArithFor((parts[0], parts[1], parts[2]), self._loop_body(), start)

    def case(self) -> syntax.Command | None:
        """`case word in patterns) … ;; esac`."""
        start = self.pos
        self.blank()
        subject = self.word()
        if subject is None:
            raise self.fail("`case` has no word", start)
        self.expect("in")
        items: list[tuple[tuple[syntax.Word, ...], syntax.Command, str]] = []
        while True:
            self.newlines()
            if self.word_is("esac"):
                self.pos += 4
                return syntax.Case(subject, tuple(items), start)
            if self.pos >= self.size:
                raise self.fail("`esac` is missing", start)
            items.append(self._case_item())

    def _case_item(self) -> tuple[tuple[syntax.Word, ...], syntax.Command, str]:
        if self.text.startswith("(", self.pos):
            self.pos += 1
        patterns: list[syntax.Word] = []
        while True:
            self.blank()
            word = self.word()
            if word is None:
                raise self.fail("a pattern is missing")
            patterns.append(word)
            self.blank()
            if self.text.startswith("|", self.pos):
                self.pos += 1
                continue
            if not self.text.startswith(")", self.pos):
                raise self.fail("a pattern is not closed")
            self.pos += 1
            break
        body = self.commands(lambda: self.text.startswith((";;", ";&"), self.pos) or self.word_is("esac"))
        end = next((e for e in (";;&", ";;", ";&") if self.text.startswith(e, self.pos)), "")
        self.pos += len(end)
        return tuple(patterns), body, end or ";;"

    def function_(self) -> syntax.Command | None:
        """`function name [()] body`."""
        start = self.pos
        self.blank()
        match = _FUNCTION_NAME.match(self.text, self.pos)
        if match is None:
            raise self.fail("a function has no name", start)
        self.pos = match.end()
        if (parens := _PARENS.match(self.text, self.pos)) is not None:
            self.pos = parens.end()
        return self.function(match.group(), start)

    def coproc(self) -> syntax.Command | None:
        """`coproc [NAME] command`: a name stands only before a compound command."""
        start = self.pos
        self.blank()
        match = _NAME.match(self.text, self.pos)
        if match is not None and match.group() not in _READERS:
            self.pos = match.end()
            self.blank()
            if self.text.startswith("(", self.pos) or any(self.word_is(word) for word in _READERS):
                return syntax.Coproc(match.group(), self.command(), start)
            self.pos = match.start()
        return syntax.Coproc("COPROC", self.command(), start)

    # -- [[ ]] ------------------------------------------------------------------------------------------------------

    def test(self) -> syntax.Command | None:
        """`[[ … ]]`."""
        start = self.pos
        terms: list[tuple[str, tuple[syntax.Word, ...]]] = []
        level, marks = 0, set[str]()
        while True:
            self.newlines()
            if self.pos >= self.size:
                raise self.fail("`]]` is missing", start)
            if self.word_is("]]") and not level:
                self.pos += 2
                negated = marks == {"!"} and len(terms) == 1
                return syntax.Test(tuple(terms), start, "ok" if marks <= {"&&"} else "fail" if negated else "")
            if self.text.startswith(("&&", "||"), self.pos):
                marks.add(self.text[self.pos : self.pos + 2])
                self.pos += 2
            elif self.word_is("!"):
                marks.add("!" if "!" not in marks else "!!")
                self.pos += 1
            elif self.text[self.pos] == "(":
                level += 1
                marks.add("(")
                self.pos += 1
            elif self.text[self.pos] == ")":
                level -= 1
                self.pos += 1
            else:
                terms.append(self._term())

    def _term(self) -> tuple[str, tuple[syntax.Word, ...]]:
        first = self._operand_word()
        self.newlines()
        unary = first.bare is not None and _TEST_UNARY.fullmatch(first.bare) and not self._at_binary()
        if unary and first.bare is not None and not self.text.startswith(_TEST_STOPS, self.pos):
            return first.bare, (self._operand_word(),)
        op = self._at_binary()
        if not op:
            return "-n", (first,)
        self.pos += len(op)
        self.blank()
        if op == "=~":
            return op, (first, self.regex())
        return op, (first, self._operand_word())

    def _at_binary(self) -> str:
        for size in (3, 2, 1):
            op = self.text[self.pos : self.pos + size]
            if op in _TEST_BINARY and (size == 1 or self.text[self.pos + size : self.pos + size + 1] in " \t\n\"'$"):
                return op
        return ""

    def _operand_word(self) -> syntax.Word:
        word = self.word()
        if word is None:
            raise self.fail("a condition cannot be read")
        return word


_READERS: dict[str, Callable[[Parser], syntax.Command | None]] = {
    "(": Parser.paren,
    "{": Parser.brace,
    "if": Parser.if_,
    "while": partial(Parser.loop, until=False),
    "until": partial(Parser.loop, until=True),
    "for": partial(Parser.for_, select=False),
    "select": partial(Parser.for_, select=True),
    "case": Parser.case,
    "function": Parser.function_,
    "coproc": Parser.coproc,
    "[[": Parser.test,
}


def parse(unit: syntax.Unit) -> syntax.Program:
    """The program of a text; never raises."""
    return Parser(unit).program()


def parse_word(unit: syntax.Unit) -> syntax.Word:
    """A text read as the inside of double quotes (prompt strings, trap bodies never need this; values do)."""
    return Parser(unit).here_body(unit.text, unit.base_line) if unit.text else make_word([], 0)
