"""The grammar of bash, by recursive descent over offsets.

A text is read one complete command after the other, as bash does: what stands before a syntax error runs, so the error
becomes a `Broken` command at its place, and text after an `exit` may be anything.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial

from remit.analysis.shell import syntax
from remit.analysis.shell.syntax import Piece, ShellSyntaxError, Unit, Word
from remit.analysis.shell.words import WordLexer, make_word
from remit.core.patterns import lazy_pattern

_BLANK = lazy_pattern(r"(?:[ \t]|\\\n)*(?:#[^\n]*)?")
_REDIRECT = lazy_pattern(r"(\d{1,9}|\{[A-Za-z_]\w*\})?(&>>|&>|<<<|<<-|<<|<&|>&|<>|>>|>\||<|>)(?!\()")
_ASSIGN = lazy_pattern(r"([A-Za-z_][A-Za-z0-9_]*)(?:(\+?=)|\[)")
_FUNCTION = lazy_pattern(r"[ \t]*\([ \t]*\)")
DECLARES = frozenset({"declare", "typeset", "local", "export", "readonly"})
_SPLIT_OPERATOR = lazy_pattern(r"[&|;<>]\\\n[&|;<>(]")
RESERVED_ENDS = frozenset({"then", "else", "elif", "fi", "do", "done", "esac", "}"})
_COMPOUND_DEPTH = 80


class CommandParser(WordLexer):
    """Lists, pipelines and simple commands. `compound` (the reserved words) is added by `Parser`."""

    def __init__(self, unit: Unit, depth: int = 0) -> None:
        super().__init__(unit, depth)
        self.pending: list[tuple[syntax.Redirect, str, bool, bool]] = []
        self.nesting = 0

    @abstractmethod
    def compound(self, word: str) -> syntax.Command | None:
        """The compound command that begins with this reserved word or parenthesis."""

    # -- programs ---------------------------------------------------------------------------------------------------

    def program(self) -> syntax.Program:
        """The whole text."""
        items: list[syntax.Command] = []
        begins: list[int] = []
        try:
            while True:
                self.newlines()
                if self.pos >= self.size:
                    break
                begins.append(self.pos)
                items.append(self.complete())
        except ShellSyntaxError as error:
            items.append(syntax.Broken(error.reason, min(error.pos, self.size)))
        except RecursionError:
            items.append(syntax.Broken("the program is nested too deeply", min(self.pos, self.size)))
        begins += [min(self.pos, self.size)] * (len(items) - len(begins))
        return syntax.Program(self.unit, tuple(items), tuple(begins))

    def complete(self) -> syntax.Command:
        """Commands up to the end of the line."""
        node = self.and_or_list(one_line=True)
        self.blank()
        if self.pos < self.size and self.text[self.pos] != "\n":
            raise self.fail(f"unexpected `{self.text[self.pos : self.pos + 12].split()[0]}`")
        return node

    def substitution(self) -> syntax.Program:
        """Commands up to `)`."""
        saved, self.pending = self.pending, []
        body = self.commands(lambda: self.text.startswith(")", self.pos))
        if not self.text.startswith(")", self.pos):
            raise self.fail("a command substitution is not closed")
        if self.pending:
            raise self.fail("a here-document begins outside its substitution")
        self.pos += 1
        self.pending = saved
        return syntax.Program(self.unit, (body,))

    def whole(self, unit: Unit) -> syntax.Program:
        """The inside of backticks. A syntax error there is an error here."""
        inner = type(self)(unit, self.depth + 1)
        program = inner.program()
        for item in program.items:
            if isinstance(item, syntax.Broken):
                raise self.fail(item.reason)
        return program

    # -- lists ------------------------------------------------------------------------------------------------------

    def blank(self) -> None:
        """Skip blanks, line continuations and a comment."""
        match = _BLANK.match(self.text, self.pos)
        if match is not None:
            self.pos = match.end()

    def newlines(self) -> None:
        """Skip blanks and line ends; the bodies of here-documents follow the line that names them."""
        while True:
            self.blank()
            if not self.text.startswith("\n", self.pos):
                return
            self.line_end()

    def line_end(self) -> None:
        """Consume a line end and the here-documents that wait for it."""
        self.pos += 1
        pending, self.pending = self.pending, []
        for redirect, delimiter, quoted, tabs in pending:
            self._here_document(redirect, delimiter, quoted=quoted, tabs=tabs)

    def _here_document(self, redirect: syntax.Redirect, delimiter: str, *, quoted: bool, tabs: bool) -> None:
        start, lines = self.pos, list[str]()
        while self.pos < self.size:
            end = self.text.find("\n", self.pos)
            line = self.text[self.pos : end] if end >= 0 else self.text[self.pos :]
            self.pos = end + 1 if end >= 0 else self.size
            while not quoted and end >= 0 and _continues(line):
                end = self.text.find("\n", self.pos)
                line = line[:-1] + "\\\n" + (self.text[self.pos : end] if end >= 0 else self.text[self.pos :])
                self.pos = end + 1 if end >= 0 else self.size
            if tabs:
                line = line.lstrip("\t")
            if line.replace("\\\n", "") == delimiter:
                break
            lines.append(line + "\n")
        body = "".join(lines)
        if quoted:
            redirect.word = make_word([syntax.Lit(body, True)], start)
        else:
            redirect.word = self.here_body(body, self.unit.line(start))

    def commands(self, at_end: Callable[[], bool]) -> syntax.Command:
        """A list that may span lines, up to where `at_end` holds (not consumed)."""
        items: list[syntax.Command] = []
        self.nesting += 1
        if self.nesting > _COMPOUND_DEPTH:
            raise self.fail("commands are nested too deeply")
        while True:
            self.newlines()
            if self.pos >= self.size or at_end():
                break
            items.append(self.and_or_list(one_line=False, at_end=at_end))
        self.nesting -= 1
        return items[0] if len(items) == 1 else syntax.Seq(tuple(items))

    def and_or_list(self, *, one_line: bool, at_end: Callable[[], bool] | None = None) -> syntax.Command:
        """`a && b; c & d` up to the end of the line (or the end of the list)."""
        items: list[syntax.Command] = []
        while True:
            node = self.and_or()
            self.blank()
            text, pos = self.text, self.pos
            more = False
            if text.startswith("&", pos) and not text.startswith(("&&", "&>"), pos):
                node = syntax.Background(node)
                self.pos += 1
                more = True
            elif text.startswith(";", pos) and not text.startswith((";;", ";&"), pos):
                self.pos += 1
                more = True
            items.append(node)
            self.blank()
            if not more or self.pos >= self.size or self.text[self.pos] == "\n" or (at_end and at_end()):
                return items[0] if len(items) == 1 else syntax.Seq(tuple(items))
            if one_line and self.text[self.pos] in ";)":
                raise self.fail(f"unexpected `{self.text[self.pos]}`")

    def and_or(self) -> syntax.Command:
        """Pipelines joined by `&&` and `||`."""
        node = self.pipeline()
        while True:
            self.blank()
            op = self.text[self.pos : self.pos + 2]
            if op not in ("&&", "||"):
                self._no_split_operator()
                return node
            self.pos += 2
            self.newlines()
            node = syntax.AndOr(node, op, self.pipeline())

    def _no_split_operator(self) -> None:
        if _SPLIT_OPERATOR.match(self.text, self.pos):
            raise self.fail("a line continuation splits an operator")

    def pipeline(self) -> syntax.Command:
        """Commands joined by `|` and `|&`, perhaps negated or timed."""
        negated, prefixed = False, False
        while True:
            self.blank()
            if self.word_is("!"):
                self.pos += 1
                negated, prefixed = not negated, True
            elif self.word_is("time"):
                self.pos += 4
                self.blank()
                for option in ("-p", "--"):
                    if self.word_is(option):
                        self.pos += 2
                        self.blank()
                prefixed = True
            else:
                break
        if prefixed and (self.pos >= self.size or self.text[self.pos] in "\n;&|)"):
            return syntax.Seq(())
        stages, both = [self.command()], list[bool]()
        while True:
            self.blank()
            if not self.text.startswith("|", self.pos) or self.text.startswith("||", self.pos):
                break
            self._no_split_operator()
            both.append(self.text.startswith("|&", self.pos))
            self.pos += 2 if both[-1] else 1
            self.newlines()
            stages.append(self.command())
        node: syntax.Command = syntax.Pipeline(tuple(stages), (*both, False)) if len(stages) > 1 else stages[0]
        return syntax.Not(node) if negated else node

    def word_is(self, word: str) -> bool:
        """Whether this word, unquoted and whole, stands here."""
        end = self.pos + len(word)
        return self.text.startswith(word, self.pos) and (end >= self.size or self.text[end] in " \t\n;&|()<>")

    # -- commands ---------------------------------------------------------------------------------------------------

    def command(self) -> syntax.Command:  # noqa: C901  one case for each form of the grammar
        """A compound command, a function definition or a simple command."""
        start = self.pos
        if start >= self.size:
            raise self.fail("a command is missing at the end")
        if self.text[start] == "(":
            node = self.compound("(")
            assert node is not None
            return node
        redirects, assigns, words = list[syntax.Redirect](), list[syntax.Assign](), list[Word | syntax.Assign]()
        declares, first = False, None
        while True:
            self.blank()
            if self.pos >= self.size:
                break
            if (redirect := self.redirect()) is not None:
                redirects.append(redirect)
                continue
            if (not words or declares) and (assign := self.assignment()) is not None:
                (words or assigns).append(assign)
                continue
            word = self.word()
            if word is None:
                break
            if not words and word.bare is not None:
                if not assigns and not redirects and (node := self._reserved(word)) is not None:
                    return node
                first, declares = word.bare, word.bare in DECLARES
            elif len(words) == 1 and not declares and first in ("command", "builtin"):
                declares = word.bare in DECLARES
            words.append(word)
        if not (redirects or assigns or words):
            raise self.fail(f"unexpected `{self.text[start : start + 12].split(chr(10))[0]}`", start)
        if self.text.startswith("(", self.pos):
            raise self.fail("unexpected `(`")
        return syntax.Simple(tuple(assigns), tuple(words), tuple(redirects), start, self.pos)

    def _reserved(self, word: Word) -> syntax.Command | None:
        assert word.bare is not None
        if word.bare in RESERVED_ENDS:
            raise self.fail(f"unexpected `{word.bare}`", word.pos)
        node = self.compound(word.bare)
        if node is None and (match := _FUNCTION.match(self.text, self.pos)) is not None:
            self.pos = match.end()
            return self.function(word.bare, word.pos)
        return node

    def function(self, name: str, start: int) -> syntax.Function:
        """The body of a function definition."""
        self.newlines()
        at = self.pos
        body = self.command()
        if isinstance(body, (syntax.Simple, syntax.Function)):
            raise self.fail("a function's body is not a compound command", at)
        return syntax.Function(name, body, self.unit, self.text[at : self.pos], start)

    def redirect(self) -> syntax.Redirect | None:
        """A redirection, if one stands here."""
        match = _REDIRECT.match(self.text, self.pos)
        if match is None:
            if self.pos < self.size and self.text[self.pos] in "<>":
                self._no_split_operator()
            return None
        start = self.pos
        number, op = match.groups()
        fd: int | str | None = None
        if number is not None:
            fd = int(number) if number[0] != "{" else number[1:-1]
        self.pos = match.end()
        self.blank()
        if op in ("<<", "<<-"):
            return self._here_start(fd, op, start)
        word = self.word()
        if word is None:
            raise self.fail("a redirection has no target", start)
        return syntax.Redirect(fd, op, word, start)

    def _here_start(self, fd: int | str | None, op: str, start: int) -> syntax.Redirect:
        at = self.pos
        word = self.word()
        if word is None:
            raise self.fail("a here-document has no delimiter", start)
        raw = self.text[at : self.pos]
        if "\n" in raw:
            raise self.fail("a here-document's delimiter spans lines", start)
        if all(isinstance(piece, syntax.Lit) for piece in word.pieces):
            delimiter = "".join(piece.text for piece in word.pieces if isinstance(piece, syntax.Lit))
        elif not any(ch in raw for ch in "'\"\\`"):
            delimiter = raw
        else:
            raise self.fail("a here-document's delimiter cannot be read", start)
        quoted = any(ch in raw for ch in "'\"\\")
        redirect = syntax.Redirect(fd, "<<", make_word([], at), start)
        self.pending.append((redirect, delimiter, quoted, op == "<<-"))
        return redirect

    def assignment(self) -> syntax.Assign | None:
        """`name=…` or `name[…]=…`, if one stands here."""
        match = _ASSIGN.match(self.text, self.pos)
        if match is None:
            return None
        start, index, op = self.pos, None, match.group(2)
        self.pos = match.end()
        if op is None:
            try:
                index = self.subscript()
            except ShellSyntaxError:
                self.pos = start
                return None
            op = next((o for o in ("+=", "=") if self.text.startswith(o, self.pos)), None)
            if op is None:
                self.pos = start
                return None
            self.pos += len(op)
        if self.text.startswith("(", self.pos):
            return syntax.Assign(match.group(1), index, op == "+=", self.array(), start)
        return syntax.Assign(match.group(1), index, op == "+=", self.word() or make_word([], self.pos), start)

    def array(self) -> syntax.Array:
        """`( … )` after `name=`."""
        start = self.pos
        self.pos += 1
        items: list[tuple[Word | None, Word]] = []
        while True:
            self.newlines()
            if self.text.startswith(")", self.pos):
                self.pos += 1
                return syntax.Array(tuple(items))
            key = None
            if self.text.startswith("[", self.pos):
                key = self._element_key()
            word = self.word()
            if word is None:
                if key is None:
                    raise self.fail("an array is not closed", start)
                word = make_word([], self.pos)
            items.append((key, word))

    def _element_key(self) -> Word | None:
        start = self.pos
        self.pos += 1
        try:
            key = self.subscript()
        except ShellSyntaxError:
            self.pos = start
            return None
        for op in ("=", "+="):
            if self.text.startswith(op, self.pos):
                self.pos += len(op)
                return key
        self.pos = start
        return None

    def regex(self) -> Word:
        """The right side of `=~`: blanks end it outside parentheses and brackets."""
        start, level, pieces = self.pos, 0, list[Piece]()
        while self.pos < self.size:
            ch = self.text[self.pos]
            if ch in "'\"\\$`":
                self.quoting(ch, pieces)
                continue
            if (
                ch == "\n"
                or (not level and ch in " \t&;")
                or (ch == "|" and not level and self.text.startswith("||", self.pos))
            ):
                break
            level += {"(": 1, ")": -1}.get(ch, 0)
            if level < 0:
                break
            pieces.append(syntax.Lit(ch, False))
            self.pos += 1
        return make_word(pieces, start)


def _continues(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


# The commands that begin with a reserved word: loops, conditions, groups, `[[ … ]]`, `(( … ))`.

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
