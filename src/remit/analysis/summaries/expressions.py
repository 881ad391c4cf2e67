"""Tokens and expressions of the summary language (docs/summaries.md)."""

from __future__ import annotations

import re
from collections.abc import Collection

from remit.analysis.summaries.model import Condition, Expr
from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern

_TOKEN = lazy_pattern(
    r"""\s*(?:
      (?P<string>'[^']*'|"[^"]*")
    | (?P<hole><[\w:.*-]+>)
    | (?P<arrow>->)
    | (?P<chars>~\[[^\]]*\])
    | (?P<url>~url\b)
    | (?P<cmp>==|!=)
    | (?P<number>-?\d+(?:\.\d+)?)
    | (?P<name>@?[A-Za-z_$][\w$]*(?:[./-]+[\w$]+)*)
    | (?P<close>\.\*)
    | (?P<punct>[()\[\],|*!:=/{}])
    )""",
    re.VERBOSE,
)

FUNCTIONS = frozenset(
    "join nest words cat dirname parents own socketpath basename stem withsuffix abspath normpath expanduser quoted item key strip lower upper "
    "env rest fileurl packageof matches globbase relative replaced folder values withending".split()
)
_SIMPLE = {
    "any": Expr("any"),
    "text": Expr("sometext"),
    "num": Expr("somenum"),
    "bool": Expr("somebool"),
    "none": Expr("const", "none"),
    "true": Expr("const", "true"),
    "false": Expr("const", "false"),
    "None": Expr("const", "none"),
    "True": Expr("const", "true"),
    "False": Expr("const", "false"),
}
ANYTHING = Expr("any")
KINDS = frozenset({"text", "num", "function", "object", "list", "dict"})


class Tokens:
    """A cursor over the tokens of one entry, with errors that name the file and line."""

    def __init__(self, text: str, where: str, module: str) -> None:
        self.where = where
        self.module = module
        self.items: list[tuple[str, str]] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not found or found.lastgroup is None:
                raise self.error(f"cannot read `{text[at : at + 20].strip()}`")
            self.items.append((found.lastgroup, found[found.lastgroup]))
            at = found.end()
        self.at = 0

    def error(self, message: str) -> DataError:
        """An error at this entry."""
        return DataError(f"{self.where}: {message}", "see docs/summaries.md for the language of summaries")

    def peek(self, offset: int = 0) -> str:
        """The text of a coming token (empty at the end)."""
        at = self.at + offset
        return self.items[at][1] if at < len(self.items) else ""

    def kind(self) -> str:
        """The kind of the next token."""
        return self.items[self.at][0] if self.at < len(self.items) else ""

    def next(self) -> str:
        """Take a token."""
        if self.at >= len(self.items):
            raise self.error("the line ends too early")
        self.at += 1
        return self.items[self.at - 1][1]

    def accept(self, text: str) -> bool:
        """Take the token if it is this one."""
        if self.peek() == text and self.kind() != "string":
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Take exactly this token."""
        if not self.accept(text):
            raise self.error(f"expected `{text}` before `{self.peek() or 'the end of the line'}`")


def expression(tokens: Tokens, params: Collection[str]) -> Expr:
    """A union of options, each perhaps with a condition."""
    options = [option(tokens, params)]
    while tokens.accept("|"):
        options.append(option(tokens, params))
    return options[0] if len(options) == 1 else Expr("union", args=tuple(options))


def option(tokens: Tokens, params: Collection[str]) -> Expr:
    """A term that holds always, or under a condition: `R if p`."""
    value = term(tokens, params)
    if tokens.accept("if"):
        return Expr("when", args=(value,), conditions=conditions(tokens, params))
    return value


def term(tokens: Tokens, params: Collection[str]) -> Expr:
    """One term of an expression."""
    kind = tokens.kind()
    if tokens.accept("("):
        inner = expression(tokens, params)
        tokens.expect(")")
        return inner
    if tokens.accept("*"):
        return Expr("star", args=(term(tokens, params),))
    word = tokens.next()
    if kind == "string":
        return Expr("lit", word[1:-1])
    if kind == "hole":
        return Expr("hole", word[1:-1])
    if kind == "number":
        return Expr("num", word)
    if kind != "name":
        raise tokens.error(f"expected an expression before `{word}`")
    return named(tokens, word, params)


def named(tokens: Tokens, word: str, params: Collection[str]) -> Expr:  # noqa: PLR0911  one case for each form of the grammar
    """A term that begins with a name."""
    if word in params:
        return Expr("param", word)
    if word in {"iter", "list", "dict", "awaits"}:
        inner = term(tokens, params)
        return inner if word == "awaits" else Expr(word, args=(inner,))
    if word == "tuple":
        return Expr("tuple", args=arguments(tokens, params))
    if word == "module":
        return Expr(word, tokens.next())
    if word in {"class", "member"}:
        return Expr(word, qualified(tokens, tokens.next()))
    if word == "result":
        callee = term(tokens, params)
        args = arguments(tokens, params) if tokens.peek() == "(" else ()
        return Expr("result", args=(callee, *args))
    if word == "data":
        origin = tokens.next()[1:-1] if tokens.kind() == "hole" else "any"
        return Expr("data", origin)
    if word == "text" and tokens.kind() == "hole":
        return Expr("hole", tokens.next()[1:-1])
    if word in FUNCTIONS and tokens.peek() == "(":
        return Expr(word, args=arguments(tokens, params))
    if word in _SIMPLE:
        return _SIMPLE[word]
    payload = arguments(tokens, params) if tokens.peek() == "(" else ()
    return Expr("instance", qualified(tokens, word), payload)


def qualified(tokens: Tokens, word: str) -> str:
    """A name without a module is one of the module that the section describes."""
    return word if "." in word or not tokens.module else f"{tokens.module}.{word}"


def arguments(tokens: Tokens, params: Collection[str]) -> tuple[Expr, ...]:
    """Expressions between parentheses."""
    tokens.expect("(")
    out: list[Expr] = []
    while not tokens.accept(")"):
        out.append(expression(tokens, params))
        if tokens.peek() != ")":
            tokens.expect(",")
    return tuple(out)


def conditions(tokens: Tokens, params: Collection[str]) -> tuple[Condition, ...]:
    """What follows `if`."""
    out: list[Condition] = []
    while True:
        out.append(condition(tokens, params))
        if not tokens.accept("and"):
            return tuple(out)


def condition(tokens: Tokens, params: Collection[str]) -> Condition:
    """One test."""
    if tokens.accept("not"):
        return Condition("false", term(tokens, params))
    if tokens.accept("given"):
        return Condition("given", term(tokens, params))
    subject = term(tokens, params)
    if tokens.accept("is"):
        wanted = tokens.next()
        if wanted not in KINDS:
            raise tokens.error(f"`is {wanted}`: expected one of {', '.join(sorted(KINDS))}")
        return Condition("kind", subject, wanted)
    kind = tokens.kind()
    if kind == "chars":
        return Condition("chars", subject, tokens.next()[2:-1])
    if kind == "url":
        tokens.next()
        return Condition("url", subject)
    if kind == "cmp":
        test = "eq" if tokens.next() == "==" else "ne"
        value_kind = tokens.kind()
        value = tokens.next()
        return Condition(test, subject, value[1:-1] if value_kind == "string" else value)
    return Condition("true", subject)
