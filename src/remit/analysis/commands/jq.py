"""jq: a filter is pure but for the environment and modules. What it builds begins with a bracket."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.program_text import Program, source
from remit.analysis.commands.values import texts, unlisted_output
from remit.analysis.domain import ANY, Value, concat, lit, text
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

_ENVIRONMENT = lazy_pattern(r"(?<![\w.$])(?:env|\$ENV)(?:\.(\w+))?(?![\w(])")
# What the filters of yq have besides: variables, and files that are loaded.
_YQ = lazy_pattern(r"(?<![\w.$])(?:(?:str)?env\(\s*(\w+)\s*\)|(envsubst|load)\w*\b)")
_YQ_ACTS = {"envsubst": "env.read", "load": "file.read"}
_MODULE = lazy_pattern(r"(?<![\w.$])(?:import|include)\s*\"")


def read_jq(program: Program) -> bool:
    """Report what a filter reads besides its input. A filter can do no more, so that none is ever not understood."""
    code = _code(program.text)
    if _MODULE.search(code):
        program.effect("file.read", ANY)
    for found in _YQ.finditer(code):
        program.effect("env.read", lit(found[1])) if found[1] else program.effect(_YQ_ACTS[found[2]], ANY)
    for found in _ENVIRONMENT.finditer(code):
        program.effect("env.read", lit(found[1]) if found[1] else ANY)
    program.place(program.text)
    return True


def _code(program: str) -> str:
    """A filter without its strings; the code that stands in them, behind a backslash and a bracket, stays."""
    out: list[str] = []
    at = 0
    while at < len(program):
        if program[at] != '"':
            out.append(program[at])
            at += 1
            continue
        end = _string_end(program, at)
        out += [' "', *(_code(inner) for inner in _interpolated(program[at + 1 : end])), '" ']
        at = end + 1
    return "".join(out)


def _interpolated(string: str) -> list[str]:
    """The pieces of code inside a string, each with its brackets."""
    out: list[str] = []
    at = 0
    while at < len(string):
        if string.startswith("\\(", at):
            end = _code_end(string, at + 2)
            out.append(string[at + 1 : end])
            at = end
        else:
            at += 2 if string[at] == "\\" else 1
    return out


_OPEN, _CLOSE = "([{", ")]}"
_LISTS = lazy_pattern(r"(?:keys|keys_unsorted|to_entries|(?:map|sort_by|group_by|unique_by)\(.*\))", re.DOTALL)
_OBJECTS = lazy_pattern(r"(?:from_entries|\$ARGS\.named|with_entries\(.*\))", re.DOTALL)
_FLOW = lazy_pattern(r"\b(?:def|as|if|reduce|foreach|try|label)\b|//|[?]")


def built(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """What is printed: text that begins with a bracket if the filter builds an object or a list, else the second argument."""
    starts = {_bracket(source(item)) for item in call.texts(args[0])}
    others = call.values(args[1])
    if not starts or "" in starts:
        return others
    found = [value if value != ANY else unlisted_output(call.world, call.child) for value in others]
    rest = [item for value in found for item in texts(value)]
    return [frozenset(concat(text(start), item) for start in starts for item in rest)]


def _bracket(program: str) -> str:
    """The bracket with which every result of a filter begins; nothing if that is not known."""
    last = _split(program, "|")[-1:]
    starts = {_sum(part) for stage in last for part in _split(stage, ",")}
    return starts.pop() if len(starts) == 1 else ""


def _sum(part: str) -> str:
    """An object is added to objects only, and a list to lists: one term that is built says what the sum is."""
    return next((start for term in _split(part, "+") if (start := _term(term.strip()))), "")


def _term(term: str) -> str:
    if _LISTS.fullmatch(term):
        return "[" if _whole(term, term.find("(")) else ""
    if _OBJECTS.fullmatch(term):
        return "{" if _whole(term, term.find("(")) else ""
    return term[0] if term[:1] in {"{", "["} and _whole(term, 0) else ""


def _whole(term: str, start: int) -> bool:
    """Whether the bracket that opens at `start` closes at the end of the term."""
    return start < 0 or [at for at, depth in _depths(term[start:]) if depth == 0][:1] == [len(term) - start - 1]


def _depths(program: str) -> list[tuple[int, int]]:
    """Every character outside strings, with the brackets that are open behind it; nothing if they do not fit."""
    out: list[tuple[int, int]] = []
    depth = at = 0
    while at < len(program) and program[at] != "#":
        if program[at] == '"':
            at = _string_end(program, at)
        else:
            depth += (program[at] in _OPEN) - (program[at] in _CLOSE)
            out.append((at, depth))
        at += 1
    return out if depth == 0 and at == len(program) else []


def _string_end(program: str, at: int) -> int:
    """Where the string ends that begins here; code may stand in it, behind a backslash and a bracket."""
    at += 1
    while at < len(program) and program[at] != '"':
        if program.startswith("\\(", at):
            at = _code_end(program, at + 2)
        else:
            at += 2 if program[at] == "\\" else 1
    return at


def _code_end(program: str, at: int) -> int:
    depth = 1
    while at < len(program) and depth:
        if program[at] == '"':
            at = _string_end(program, at)
        elif program[at] in "()":
            depth += 1 if program[at] == "(" else -1
        at += 1
    return at


def _split(program: str, mark: str) -> list[str]:
    """The parts between marks that stand outside all brackets and strings; one that says nothing if more stands there."""
    outside = [at for at, depth in _depths(program) if depth == 0]
    if not outside or _FLOW.search("".join(program[at] for at in outside)):
        return [""]
    cuts = [at for at in outside if program[at] == mark]
    starts, ends = [0, *(at + 1 for at in cuts)], [*cuts, len(program)]
    return [program[start:end] for start, end in zip(starts, ends, strict=True)]
