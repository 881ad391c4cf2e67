"""The grammar of bash, by recursive descent over offsets.

A text is read one complete command after the other, as bash does: what stands before a syntax error runs, so the error
becomes a `Broken` command at its place, and text after an `exit` may be anything.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from remit.analysis.shell import syntax
from remit.analysis.shell.syntax import Piece, ShellSyntaxError, Unit, Word
from remit.analysis.shell.words import WordLexer, make_word
from remit.core.patterns import lazy_pattern

_BLANK = lazy_pattern(r"(?:[ \t]|\\\n)*(?:#[^\n]*)?")
_REDIRECT = lazy_pattern(r"(\d{1,9}|\{[A-Za-z_]\w*\})?(&>>|&>|<<<|<<-|<<|<&|>&|<>|>>|>\||<|>)(?!\()")
_ASSIGN = lazy_pattern(r"([A-Za-z_][A-Za-z0-9_]*)(?:(\+?=)|\[)")
_FUNCTION = lazy_pattern(r"[ \t]*\([ \t]*\)")
_DECLARE = frozenset({"declare", "typeset", "local", "export", "readonly"})
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
                first, declares = word.bare, word.bare in _DECLARE
            elif len(words) == 1 and not declares and first in ("command", "builtin"):
                declares = word.bare in _DECLARE
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
