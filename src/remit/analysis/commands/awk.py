"""awk: which files a program reads and writes, and which commands it runs."""

from __future__ import annotations

import re
from typing import NamedTuple

from remit.analysis.commands.program_text import Program, Source, is_hole, restored
from remit.analysis.commands.values import SOME, WILD, texts
from remit.analysis.domain import ANY, Text, Value, concat, lit, text
from remit.analysis.each import each
from remit.core.patterns import lazy_pattern

_TOKEN = lazy_pattern(
    r"""(?P<blank>[ \t\r]+|\\\n|\#[^\n]*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<name>[A-Za-z_]\w*)
    |(?P<number>\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)|(?P<mark>\|&|\|\||&&|>>|[-+*/%^=!<>]=|\+\+|--|\*\*|!~|[^\s\w])|(?P<newline>\n)""",
    re.VERBOSE | re.DOTALL,
)
_REGEX = lazy_pattern(r"/(?:[^/\\\n\[]|\\.|\[\]?[^\]\n]*\])*/")
# After these tokens a slash divides; after anything else it begins a regular expression.
_VALUE_ENDS = frozenset({")", "]", "$", "++", "--"})
_KEYWORDS = frozenset({"return", "print", "printf", "in", "case", "if", "else", "do", "while"})
_BEFORE_VALUES = frozenset(
    "= == != < > <= >= += -= *= /= %= ^= ~ !~ + - * / % ^ ** ( , [ $ && || ! ? : >> print printf return in".split()
)
_ENDS = frozenset({"\n", ";", "}", "{"})
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", "a": "\a", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}


class _Token(NamedTuple):
    kind: str
    text: str


def read_awk(program: Program) -> bool:
    """Report what a program does; False if it is not understood."""
    tokens = _tokens(program.text)
    if tokens is None:
        return False
    _Reader(program, tokens).run()
    return True


def _tokens(program: Source) -> list[_Token] | None:
    out: list[_Token] = []
    at = 0
    while at < len(program):
        if program[at] == "/" and _regex_possible(out):
            found = _REGEX.match(program, at)
            if found is None:
                return None
            out.append(_Token("regex", found.group()))
            at = found.end()
            continue
        if program[at] == "/" and (found := _REGEX.match(program, at)) and '"' in found.group():
            return None  # behind `)` or a name it may begin a pattern as well, and a quote in it hides code
        if is_hole(program[at]):
            out.append(_Token("hole", program[at]))
            at += 1
            continue
        found = _TOKEN.match(program, at)
        if found is None:
            return None
        if found.lastgroup != "blank":
            out.append(_Token(found.lastgroup or "", found.group()))
        at = found.end()
    return out


def _regex_possible(before: list[_Token]) -> bool:
    if not before:
        return True
    last = before[-1]
    if last.kind in {"string", "number", "hole", "regex"} or (last.kind == "name" and last.text not in _KEYWORDS):
        return False
    return last.text not in _VALUE_ENDS


class _Reader:
    """Looks for the few constructs of awk that act."""

    def __init__(self, program: Program, tokens: list[_Token]) -> None:
        self.program, self.tokens = program, tokens

    def run(self) -> None:
        for index, token in enumerate(self.tokens):
            if token.kind in {"string", "regex"} or (token.kind == "hole" and self._is_value(index)):
                self.program.place(token.text)
            elif token.kind == "name":
                self._name(index, token.text)
            elif token.text == "@":
                self.program.opaque("`awk` includes a library or calls a function by a computed name", "avoid `@`")
            elif token.text in {"|", "|&"}:
                self._pipe(index)

    def _is_value(self, index: int) -> bool:
        """Whether a hole stands where only a value can stand: behind an operator, or behind a word that takes a value."""
        return index > 0 and self.tokens[index - 1].text in _BEFORE_VALUES

    def _next(self, index: int) -> str:
        return self.tokens[index + 1].text if index + 1 < len(self.tokens) else ""

    def _name(self, index: int, name: str) -> None:
        if name == "system" and self._next(index) == "(":
            self._shell(self._parenthesised(index + 1))
        elif name in {"print", "printf"}:
            self._redirection(index + 1)
        elif name == "getline":
            self._getline(index + 1)
        elif name == "ENVIRON":
            self._environment(index + 1)
        elif name == "ARGV" and self._assigned(index + 1):
            self.program.effect("file.read", ANY)

    def _assigned(self, index: int) -> bool:
        """Whether `ARGV[…]` is given a new value: awk then reads that file."""
        depth = 0
        for token in self.tokens[index:]:
            depth += (token.text == "[") - (token.text == "]")
            if depth == 0 and token.text != "]":
                return token.text in {"=", "+="}
        return False

    def _environment(self, index: int) -> None:
        if self._next(index - 1) == "[" and index + 2 < len(self.tokens) and self.tokens[index + 2].text == "]":
            key = self.tokens[index + 1]
            if key.kind == "string":
                self.program.effect("env.read", lit(key.text[1:-1]))
                return
        self.program.effect("env.read", ANY)

    def _parenthesised(self, start: int) -> list[_Token]:
        depth = 0
        out = []
        for token in self.tokens[start:]:
            depth += (token.text == "(") - (token.text == ")")
            out.append(token)
            if depth == 0:
                return out[1:-1]
        return out[1:]

    def _statement(self, start: int) -> list[_Token]:
        """Tokens up to the end of the statement."""
        depth = 0
        out: list[_Token] = []
        for token in self.tokens[start:]:
            if token.text in "([":
                depth += 1
            elif token.text in ")]":
                depth -= 1
            if depth < 0 or (depth == 0 and token.text in _ENDS):
                return out
            out.append(token)
        return out

    def _redirection(self, start: int) -> None:
        """`print … > file`: outside parentheses `>` redirects."""
        depth = 0
        statement = self._statement(start)
        for index, token in enumerate(statement):
            depth += (token.text in "([") - (token.text in ")]")
            if depth == 0 and token.text in {">", ">>"}:
                self._file("file.write", statement[index + 1 :])
                return

    def _getline(self, start: int) -> None:
        statement = self._statement(start)
        for index, token in enumerate(statement[:6]):
            if token.text == "<":
                self._file("file.read", statement[index + 1 : index + 2])
                return

    def _pipe(self, index: int) -> None:
        """`command | getline` and `print | command`."""
        if self._next(index) == "getline":
            start = index
            while start > 0 and self.tokens[start - 1].text not in (*_ENDS, "(", "while", "&&", "||", "!", ","):
                start -= 1
            self._shell(self.tokens[start:index])
        else:
            self._shell(self._statement(index + 1), SOME)

    def _file(self, capability: str, tokens: list[_Token]) -> None:
        value = self._value(tokens)
        for item in each(texts(value)):
            name = item.literal
            if name is not None and name.startswith("/inet"):
                self.program.effect("net.connect", ANY)
            elif name not in {"/dev/stdout", "/dev/stderr", "/dev/stdin", "-", "/dev/null"}:
                self.program.effect(capability, frozenset({item}))

    def _shell(self, tokens: list[_Token], stdin: Value | None = None) -> None:
        self.program.shell(self._value(tokens), stdin)

    def _value(self, tokens: list[_Token]) -> Value:
        """The text of an expression: strings are joined, all else is unknown."""
        while len(tokens) > 1 and tokens[0].text == "(" and tokens[-1].text == ")":
            tokens = tokens[1:-1]
        out = Text(())
        for token in tokens:
            if token.kind == "string":
                piece = restored(_unescape(token.text[1:-1]), self.program.text)
            elif token.kind in {"name", "hole", "number", "regex"} or token.text in "$()[],?:.+-*/%":
                piece = WILD
            else:
                return frozenset({WILD})
            out = out if piece == WILD and out.parts[-1:] == WILD.parts else concat(out, piece)
        return frozenset({out if out.parts else text()})


_ESCAPE = lazy_pattern(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(\n)|(.))", re.DOTALL)


def _unescape(body: str) -> str:
    """What a string of a program holds."""

    def plain(found: re.Match[str]) -> str:
        octal, hexadecimal, newline, other = found.groups()
        if octal or hexadecimal:
            return chr(int(octal, 8) & 0xFF if octal else int(hexadecimal, 16))
        return "" if newline else _ESCAPES.get(other, other)

    return _ESCAPE.sub(plain, body)
