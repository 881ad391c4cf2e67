"""What filters print: pieces of what they read, and words that stand in their own programs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.analysis import domain
from remit.analysis.commands.python_prints import prints
from remit.analysis.commands.values import SOME, WILD, texts
from remit.analysis.domain import Hole, Part, Text, Value, lit
from remit.analysis.injection import opened
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

# In the words of a filter these can make text that stands neither in the words nor in the input.
_MAKES = lazy_pattern(r"\$\(|`|%c|\\[x0-7]|@base64d|implode|@sh")
_SED_MAKES = lazy_pattern(r"\$\(|`|\\[xdoc]")
_SOFT = lazy_pattern(r"[^$`(;\\|&]*")
_FIGURES = lazy_pattern(r"[\d\s.,:|/%+-]*")
# Texts inside the programs of awk and jq; what stands in `\(…)` is a piece of the input.
_STRINGS = lazy_pattern(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_INTERPOLATED = lazy_pattern(r"\\\([^()]*\)|\\[nt]")
# A command of sed that inserts nothing, or text without letters.
_SED = lazy_pattern(
    r"\s*(?:(?:\d+|\$|/(?:[^/\\]|\\.)*/)(?:,\s*(?:\d+|\$|/(?:[^/\\]|\\.)*/))?\s*!?)?\s*"
    r"(?:[pdqPDnNgGhHx=]|s(?P<d>[/|#,@!:])(?:(?!(?P=d))(?:[^\\]|\\.))*(?P=d)"
    r"(?P<new>(?:(?!(?P=d))(?:[^\\]|\\.))*)(?P=d)[gpIi0-9]*)\s*(?:[;}]|$)"
)
_INSERTABLE = lazy_pattern(r"[^$`(;\\|&'\"\n]*")


def picked(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """What a filter leaves of its input: pieces of it, in another order, and words of its own program (the second
    argument), or values that are handed to it. Numbers stay numbers, and words of the skill in which no command can stand are no hidden commands."""
    sed = "sed" in call.label
    makes = _SED_MAKES if sed else _MAKES
    if any(isinstance(p, str) and makes.search(p) for w in call.child.words[1:] for i in texts(w) for p in i.parts):
        return [SOME]
    inserted = _inserted([item for arg in args[1:2] for item in call.texts(arg)], sed=sed)
    handed = [part for arg in args[2:] for item in call.texts(arg) for part in item.parts]
    if inserted is None or not all(map(_harmless, handed)):
        return [SOME]
    inserts = bool(inserted or handed)
    return [frozenset(_pieces(item, inserts=inserts) for item in texts(v)) for v in call.values(args[0])] or [SOME]


def python_output(call: Call, code: Value, argv: Value) -> Value:
    """What Python code prints: a number, pieces of what it reads, or text of which nothing is known."""
    return frozenset(_python_output(call, item, argv) for item in texts(code))


def _python_output(call: Call, item: Text, argv: Value) -> Text:
    source = item.literal
    if source is None:
        code = opened("python", item)
        if code is None or not all(_harmless(part) for part in item.parts if isinstance(part, Hole)):
            return WILD
        source = code.source
    found = prints(source)
    if found is None:
        return WILD
    if found.numbers:
        return Text((Hole(domain.UNKNOWN, domain.NUMERIC, False),))
    environ = (call.child.env or {}).values()
    read = [*[call.child.stdin] * found.stdin, *[argv] * found.argv, *environ]
    files = [lit(path) for path in found.files]
    own = any(call.world.skill_files(path, call.child.cwd) or call.world.written(path) for path in files)
    safe = all(_harmless(part) for value in read if value for one in texts(value) for part in one.parts)
    return WILD if own or not safe else Text((Hole(domain.BLENDED, domain.ANYTHING, False),))


def _harmless(part: Part) -> bool:
    """Whether a value that is handed to a filter is no command that the skill hides there."""
    if isinstance(part, Hole):
        return part.origin not in (domain.UNKNOWN, domain.MIXED) or part.alphabet == domain.NUMERIC
    return bool(_INSERTABLE.fullmatch(part))


def _inserted(programs: Iterable[Text], *, sed: bool) -> list[str] | None:
    """The texts that a program puts into its output; None if it is not known or may be a command by itself."""
    out: list[str] = []
    for item in programs:
        if item.literal is None:
            return None
        found = _replacements(item.literal) if sed else _STRINGS.findall(item.literal)
        if found is None or (not sed and '"' in _STRINGS.sub("", item.literal)):
            return None
        texts_ = [_INTERPOLATED.sub("", one) for one in found]
        if not all(map(_INSERTABLE.fullmatch, texts_)):
            return None
        out += [one for one in texts_ if any(char.isalpha() for char in one)]
    return out


def _replacements(script: str) -> list[str] | None:
    """What the commands of a sed script insert; None for commands that are not simple."""
    out: list[str] = []
    pos = 0
    while pos < len(script):
        found = _SED.match(script, pos)
        if found is None or found.end() == pos:
            return None
        pos = found.end()
        out.append(re.sub(r"\\[0-9nt&/.]", "", found.group("new") or ""))
    return out


def _pieces(item: Text, *, inserts: bool) -> Text:
    words = [part for part in item.parts if isinstance(part, str)]
    holes = [part for part in item.parts if isinstance(part, Hole) and part.alphabet != domain.NUMERIC]
    if not holes and not inserts and item.parts and all(map(_FIGURES.fullmatch, words)):
        return Text((Hole(domain.UNKNOWN, domain.NUMERIC, False),))
    origins = {domain.FILE if part.origin in domain.ANCHORS else part.origin for part in holes}
    if domain.UNKNOWN in origins or not all(map(_SOFT.fullmatch, words)):
        return WILD
    inserts = inserts or any(char.isalnum() for word in words for char in word)
    if len(origins) == 1 and not inserts:
        return Text((Hole(origins.pop(), domain.ANYTHING, False),))
    outside = origins & {domain.FILE, domain.NET, domain.BLENDED}
    origin = domain.BLENDED if outside and inserts else domain.FILE if outside else domain.MIXED
    return Text((Hole(origin, domain.ANYTHING, False),))
