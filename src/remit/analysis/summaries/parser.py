"""Reads summary files: sections, lines, entries."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import partial

from remit.analysis.summaries.model import SETS, Condition, EffectLine, Entry, Expr, Parameter, Section, Sections
from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.table import logical_lines

# Tokens and expressions of the summary language (docs/summaries.md).

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
    "env rest fileurl packageof matches globbase relative replaced resolved folder values withending".split()
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


_HEADER = lazy_pattern(r"\[(module|class)\s+([^\s(\]]+)\s*(?:\(([^)]*)\))?\s*\]\s*$")
_MEMBER = lazy_pattern(r"[\w$#-]+(?=[\s(]|$)")
_REMEDY = "see docs/summaries.md for the language of summaries"
_FLAGS = frozenset({"decorates", "identity", "looks", "passes", "intrinsic", "assumes", "mutates", "keeps"})


def parse(source: str, file: str) -> Sections:
    """All sections of a summary file, in order."""
    sections: Sections = {}
    current: Section | None = None
    for number, line in logical_lines(source):
        if line[0] != "[" and current is not None:
            read_line(line, number, f"{file}:{number}", current)
            continue
        if header := _HEADER.match(line):
            current = open_section(header, sections, file, number)
        else:
            raise DataError(f"{file}:{number}: expected `[module name]` or `[class name(bases)]`", _REMEDY)
    return sections


def open_section(header: re.Match[str], sections: Sections, file: str, number: int) -> Section:
    """Begin (or go on with) a section."""
    kind, name, bases = header.groups()
    is_class = kind == "class"
    known = sections.get(name)
    if known is not None:
        if known.is_class != is_class or bases:
            raise DataError(f"{file}:{number}: `{name}` is described twice", _REMEDY)
        return known
    parents = tuple(base.strip() for base in (bases or "").split(",") if base.strip())
    module = name.rpartition(".")[0]
    parents = tuple(base if "." in base else f"{module}.{base}" for base in parents)
    section = Section(name, is_class, file, number, parents)
    sections[name] = section
    return section


def read_line(line: str, number: int, where: str, section: Section) -> None:
    """Add one line to its section."""
    if line.startswith(".*"):
        if section.rest is not None:
            raise DataError(f"{where}: `{section.name}` is closed twice", _REMEDY)
        section.rest = closing(line, number, where, section)
        return
    first, _, tail = line.partition(" ")
    if first == "pure" and not tail.lstrip().startswith((":", "->", "!")):
        names_text, arrow, result = tail.partition("->")
        names = names_text.replace(",", " ").split()
        if not names:
            raise DataError(f"{where}: `pure` needs names", _REMEDY)
        for name in names:
            add(section, name, where, partial(pure_entry, result if arrow else "any", number, where, section))
    elif first == "sets":
        names_text, _, effects = tail.partition(":")
        for name in names_text.split():
            add(section, SETS + name, where, partial(set_entry, effects, number, where, section))
    elif first == "same":
        names_text, _, original = tail.partition("=")
        if original.strip() not in section.entries:
            raise DataError(f"{where}: `{original.strip()}` is not listed above", _REMEDY)
        for name in names_text.replace(",", " ").split():
            add(section, name, where, partial(same_entry, original.strip(), number, section))
    else:
        found = _MEMBER.match(line)
        if found is None:
            raise DataError(f"{where}: `{first}` is not the name of a member", _REMEDY)
        add(section, found.group(), where, partial(entry, line, number, where, section))


def add(section: Section, name: str, where: str, parse: Callable[[str], Entry]) -> None:
    """Each member once."""
    if name in section.entries:
        raise DataError(f"{where}: `{section.name}.{name}` is listed twice", _REMEDY)
    section.entries.later(name, parse)


def pure_entry(result: str, number: int, where: str, section: Section, name: str) -> Entry:
    """One of the names of a `pure` line."""
    tokens = Tokens(result, where, module_of(section))
    value = expression(tokens, ())
    made = Entry(name, number, None, (), value, flags(tokens), pure=True)
    finish(tokens)
    return made


def same_entry(original: str, number: int, section: Section, name: str) -> Entry:
    """One of the names of a `same` line."""
    template = section.entries.get(original)
    assert template is not None
    return Entry(name, number, template.params, template.effects, template.result, template.flags, template.pure)


def set_entry(effects: str, number: int, where: str, section: Section, name: str) -> Entry:
    """One of the names of a `sets` line: what assigning this attribute does."""
    tokens = Tokens(effects, where, module_of(section))
    params = (Parameter("self"), Parameter("value"))
    made = effect_list(tokens, {"self", "value"}) if tokens.peek() else ()
    finish(tokens)
    return Entry(name, number, params, made, Expr("const", "none"))


def module_of(section: Section) -> str:
    """The module whose short class names a section may use."""
    return section.name.rpartition(".")[0] if section.is_class else section.name


def closing(line: str, number: int, where: str, section: Section) -> Entry:
    """`.* pure`, `.* opaque "reason"`, or `.*(…) : effects -> result`."""
    tokens = Tokens(line[2:], where, module_of(section))
    if tokens.accept("pure"):
        result = expression(tokens, ("self",)) if tokens.accept("->") else Expr("any")
        finish(tokens)
        return Entry(".*", number, None, (), result, (), pure=True)
    if tokens.accept("opaque"):
        reason = tokens.next()[1:-1]
        finish(tokens)
        return Entry(".*", number, None, (EffectLine("opaque", reason),), Expr("any"))
    return rest_of_entry(".*", tokens, number)


def entry(line: str, number: int, where: str, section: Section, name: str) -> Entry:
    """A line that describes one member."""
    tokens = Tokens(line, where, module_of(section))
    tokens.next()
    return rest_of_entry(name, tokens, number)


def rest_of_entry(name: str, tokens: Tokens, number: int) -> Entry:
    """Parameters, effects, result and flags."""
    params = parameters(tokens) if tokens.peek() == "(" else None
    names = {parameter.name for parameter in params or ()} | {"self"}
    if tokens.accept("pure") and params is None:
        result = expression(tokens, names) if tokens.accept("->") else Expr("any")
        return Entry(name, number, None, (), result, flags(tokens), pure=True)
    effects = effect_list(tokens, names) if tokens.accept(":") else ()
    result_expr = expression(tokens, names) if tokens.accept("->") else None
    out = Entry(name, number, params, effects, result_expr, flags(tokens))
    finish(tokens)
    return out


def finish(tokens: Tokens) -> None:
    """Nothing may be left over."""
    if tokens.peek():
        raise tokens.error(f"unexpected `{tokens.peek()}`")


def flags(tokens: Tokens) -> tuple[tuple[str, str], ...]:
    """What follows `!`: names with an optional argument, separated by commas."""
    out: list[tuple[str, str]] = []
    if not tokens.accept("!"):
        return ()
    while tokens.peek():
        name = tokens.next()
        if name not in _FLAGS:
            raise tokens.error(f"unknown flag `{name}`")
        value = "" if tokens.peek() in {",", ""} else tokens.next()
        out.append((name, value))
        if tokens.peek():
            tokens.expect(",")
    return tuple(out)


def parameters(tokens: Tokens) -> tuple[Parameter, ...]:
    """A parameter list; `...` is not needed: `*_, **_` take what is not named."""
    tokens.expect("(")
    out: list[Parameter] = []
    kind = "positional"
    while not tokens.accept(")"):
        if tokens.accept("/"):
            pass
        elif tokens.accept("*"):
            if tokens.accept("*"):
                out.append(Parameter(tokens.next(), "keywords"))
            elif tokens.kind() == "name":
                out.append(Parameter(tokens.next(), "rest"))
                kind = "keyword"
            else:
                kind = "keyword"
        else:
            name = tokens.next()
            default = default_value(tokens) if tokens.accept("=") else None
            out.append(Parameter(name, kind, default))
        if tokens.peek() != ")":
            tokens.expect(",")
    return tuple(out)


def default_value(tokens: Tokens) -> Expr:
    """A literal default; `()`, `[]` and `{}` are empty collections."""
    for left, right in (("(", ")"), ("[", "]"), ("{", "}")):
        if tokens.peek() == left and tokens.peek(1) == right:
            tokens.next()
            tokens.next()
            return Expr("tuple")
    return term(tokens, ())


def effect_list(tokens: Tokens, params: Collection[str]) -> tuple[EffectLine, ...]:
    """Effects separated by commas."""
    out = [effect(tokens, params)]
    while tokens.accept(","):
        out.append(effect(tokens, params))
    return tuple(out)


def effect(tokens: Tokens, params: Collection[str]) -> EffectLine:
    """One effect with its conditions."""
    word = tokens.next()
    if word == "pure":
        made = EffectLine("none", "")
    elif word == "opaque":
        made = EffectLine("opaque", tokens.next()[1:-1])
    elif word == "calls":
        callee = named(tokens, tokens.next(), params)
        args = arguments(tokens, params)
        made = EffectLine("calls", "", (callee, *args))
    elif word == "runs":
        kind = tokens.next()
        if kind not in {"argv", "sh"}:
            raise tokens.error(f"`runs {kind}`: expected `runs argv` or `runs sh`")
        args, keywords = call_arguments(tokens, params)
        made = EffectLine(kind, "", args, keywords)
    elif word in {"code", "loads"}:
        made = EffectLine(word, tokens.next(), *call_arguments(tokens, params))
    elif word == "template":
        kind = tokens.next()
        if kind not in {"text", "file", "sandboxed"}:
            raise tokens.error(f"`template {kind}`: expected `text`, `file` or `sandboxed`")
        made = EffectLine(word, kind, arguments(tokens, params))
    elif word in {"imports", "setenv", "chdir", "link"}:
        made = EffectLine(word, "", arguments(tokens, params))
    else:
        made = EffectLine("cap", word, arguments(tokens, params))
    if tokens.accept("if"):
        return EffectLine(made.kind, made.text, made.args, made.keywords, conditions(tokens, params))
    return made


def call_arguments(tokens: Tokens, params: Collection[str]) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """Positional and keyword expressions."""
    tokens.expect("(")
    args: list[Expr] = []
    keywords: list[tuple[str, Expr]] = []
    while not tokens.accept(")"):
        if tokens.peek(1) == "=" and tokens.kind() == "name":
            name = tokens.next()
            tokens.expect("=")
            keywords.append((name, expression(tokens, params)))
        else:
            args.append(expression(tokens, params))
        if tokens.peek() != ")":
            tokens.expect(",")
    return tuple(args), tuple(keywords)
