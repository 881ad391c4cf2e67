"""Reads summary files: sections, lines, entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING

from remit.analysis.summaries.expressions import Tokens, arguments, conditions, expression, named, term
from remit.analysis.summaries.model import SETS, EffectLine, Entry, Expr, Parameter, Section, Sections
from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    import re

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


def logical_lines(source: str) -> Iterator[tuple[int, str]]:
    """Lines without comments, continuations joined, with the number of their first line."""
    pending, start = "", 0
    for number, raw in enumerate(source.splitlines(), 1):
        line = strip_comment(raw) if "#" in raw else raw
        text = line.strip()
        if not text:
            continue
        if line[0] in " \t" and pending:
            pending += " " + text
            continue
        if pending:
            yield start, pending
        pending, start = text, number
    if pending:
        yield start, pending


def strip_comment(line: str) -> str:
    """The line without `# …` (at its start, or after two blanks)."""
    if line.lstrip().startswith("#"):
        return ""
    at = line.find("  #")
    return line if at < 0 else line[:at]


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
