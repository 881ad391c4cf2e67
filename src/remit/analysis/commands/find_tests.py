"""Which files an action of `find` is run for: the names and paths that its tests leave.

Only what must have held before an action narrows it: tests of the same chain of `and`, and those before the parentheses around it. A
test that is negated, or that is not understood, narrows nothing. Neither does anything where words are not known, or where links are
followed: then the files may be all below the starting points.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.commands.values import below, literal, texts
from remit.analysis.domain import FILE, SEGMENT, Hole, Text, Value, text

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call

_OR = frozenset({"-o", "-or", ","})
_NOT = frozenset({"!", "-not"})
_FOLLOWS = frozenset({"-L", "-follow", "-f", "-files0-from", "-X", "-E"})
_RUNS = frozenset({"-exec", "-ok", "-execdir", "-okdir"})
_PRINTS = frozenset({"-print", "-print0"})
_ACTS = _RUNS | _PRINTS | {"-delete", "-ls", "-printf", "-fprint", "-fprint0", "-fls", "-fprintf", "-quit"}
_WILD = re.compile(r"\*|\?|\[!?\]?[^\]]*\]")


_Test = tuple[str, str]  # `-name` or `-path`, and a pattern
_Left = frozenset[_Test] | None  # one of these must have held; None: nothing is known


class _Level(NamedTuple):
    """Inside of parentheses: what held before them, whether they are negated, and how their alternatives end."""

    before: _Left
    negated: bool
    ends: list[_Left]


def found_paths(call: Call, starts: Sequence[Value], action: str) -> Value | None:
    """The paths for which `find` may run an action (`-delete`, `-exec`, `-print`); None where its tests do not say."""
    words = [literal(word) for word in call.child.words[1:]]
    reading = call.reading
    if call.child.rest or reading.wild or reading.user or reading.unknown:
        return None
    at = next((at for at, word in enumerate(words) if word and (word[0] == "-" or word in ("(", "!"))), len(words))
    if None in words[at:]:
        return None
    tests = _tests([str(word) for word in words[at:]], call, action)
    if tests is None:
        return None
    bases = [item for value in starts for item in texts(value)] or [text(".")]
    return frozenset(path for base in bases for test in tests for path in _paths(base, test))


def _tests(words: list[str], call: Call, action: str) -> _Left:
    """What must have held at each place of an action; printing is what is done where nothing else is."""
    wanted = _RUNS if action == "-exec" else _PRINTS if action == "-print" else {action}
    at_actions: list[_Left] = []
    now: _Left = None
    negated = False
    levels = [_Level(None, False, [])]
    acts = False
    at = 0
    while at < len(words):
        word, values = words[at], _values(words, at, call)
        at += 1 + values
        level = levels[-1]
        if word in _FOLLOWS:
            return None
        if word in _NOT:
            negated = not negated
            continue
        if word in _OR:
            level.ends.append(now)
            now = level.before
        elif word == "(":
            levels.append(_Level(now, negated, []))
        elif word == ")":
            if len(levels) == 1:
                return None
            levels.pop()
            ends = _either([*level.ends, now])
            now = level.before if level.negated or ends is None else ends
        elif word in ("-name", "-path", "-wholename") and not negated and values and "\\" not in words[at - 1]:
            now = frozenset({("-name" if word == "-name" else "-path", words[at - 1])})
        if word in _ACTS:
            acts = True
        if word in wanted:
            at_actions.append(now)
        negated = False
    if action == "-print" and not acts:
        at_actions = [*levels[0].ends, now]
    return _either(at_actions) if at_actions and len(levels) == 1 else None


def _values(words: list[str], at: int, call: Call) -> int:
    """How many words belong to the one at a place."""
    if words[at] in _RUNS:
        ends = (
            end for end in range(at + 1, len(words)) if words[end] == ";" or words[end - 1 : end + 1] == ["{}", "+"]
        )
        return next(ends, len(words) - 1) - at
    option = call.command.options.get(words[at])
    return min(len(option.values), len(words) - at - 1) if option else 0


def _either(sides: Iterable[_Left]) -> _Left:
    out: set[_Test] = set()
    for side in sides:
        if side is None:
            return None
        out |= side
    return frozenset(out)


def _paths(base: Text, test: _Test) -> Iterator[Text]:
    """The paths below a starting point, and that point itself, that may pass a test."""
    option, pattern = test
    inside = below(base)
    start = base.literal
    if option == "-path":
        fixed = _WILD.split(pattern, maxsplit=1)[0]
        folder = fixed[: fixed.rfind("/") + 1]
        under = start is not None and folder.startswith(start.rstrip("/") + "/") and ".." not in folder.split("/")
        if fixed == pattern:
            yield text(fixed)
        elif under:
            yield text(folder)
            yield below(text(folder))
        else:
            yield base
            yield inside
        return
    name = _named(pattern)
    yield text(*inside.parts, "/", *name)  # also of none: `./**/x` holds `./x`
    if start is None or fnmatchcase(posixpath.basename(start.rstrip("/")) or start, pattern):
        yield base


def _named(pattern: str) -> tuple[str | Hole, ...]:
    """A pattern of names as a text in which every wildcard stands for anything within a name."""
    parts: list[str | Hole] = []
    end = 0
    for wild in _WILD.finditer(pattern):
        parts += [pattern[end : wild.start()], Hole(FILE, SEGMENT, exact=False)]
        end = wild.end()
    return (*parts, pattern[end:])
