"""Words as texts: what a word may begin with, and how it is cut."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis import domain
from remit.analysis.domain import (
    Anything,
    Data,
    Hole,
    Instance,
    Num,
    Text,
    Value,
    concat,
    folder_of_given,
    of_caller,
    piece,
    text,
)
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.world import Child, World


WILD = Text((Hole(domain.UNKNOWN, domain.ANYTHING, False),))
SOME: Value = frozenset({WILD})
MACHINE: Value = frozenset({Text((Hole(domain.FILE, domain.ANYTHING, False),))})
EMPTY = Text(())


def texts(value: Value) -> frozenset[Text]:
    """A value as the texts that a child receives. Nothing known (or no text at all) is any text."""
    if len(value) == 1:
        (atom,) = value
        if isinstance(atom, Text):
            return value  # type: ignore[return-value]
    out: set[Text] = set()
    for atom in value:
        if isinstance(atom, Text):
            out.add(atom)
        elif isinstance(atom, Num):
            exact = atom.low is not None and atom.low == atom.high and float(atom.low).is_integer()
            out.add(text(str(int(atom.low or 0))) if exact else Text((Hole(domain.UNKNOWN, domain.NUMERIC),)))
        elif isinstance(atom, Instance) and atom.payload is not None:
            out |= atom.payload
        elif isinstance(atom, Anything):
            out.add(Text((Hole(atom.origin),)))
        elif isinstance(atom, Data):
            out.add(Text((Hole(atom.origin, domain.ANYTHING, False),)))
        else:
            out.add(WILD)
    return frozenset(out) or frozenset({WILD})


def literal(value: Value) -> str | None:
    """The text itself, if it is the only one and has no hole."""
    found = texts(value)
    return next(iter(found)).literal if len(found) == 1 else None


def head(item: Text) -> str:
    """The literal with which a text begins (empty if a hole comes first)."""
    first = item.parts[0] if item.parts else ""
    return first if isinstance(first, str) else ""


def tail(item: Text) -> str:
    """The literal with which a text ends."""
    last = item.parts[-1] if item.parts else ""
    return last if isinstance(last, str) else ""


def cut(item: Text, count: int) -> Text:
    """A text without its first `count` literal characters."""
    start = head(item)
    return text(start[count:], *item.parts[1:]) if start else item


def partition(item: Text, mark: str) -> tuple[Text, Text] | None:
    """What stands before and after the first `mark` in a literal part; None if there is none."""
    for index, part in enumerate(item.parts):
        if isinstance(part, str) and mark in part:
            before, _, after = part.partition(mark)
            return text(*item.parts[:index], before), text(after, *item.parts[index + 1 :])
    return None


def filled(item: Text, pattern: re.Pattern[str], hole: Hole) -> Text:
    """A text with a hole in place of what matches a pattern."""
    parts: list[str | Hole] = []
    for part in item.parts:
        first, *others = pattern.split(part) if isinstance(part, str) else [part]
        parts.append(first)
        for piece_ in others:
            parts += [hole, piece_]
    return text(*parts)


def from_user(hole: Hole) -> bool:
    """Whether the hole is exactly what the caller, the environment or the model gives."""
    return hole.exact and of_caller(hole)


def cut_from_user(hole: Hole) -> bool:
    """Whether the hole is what the caller gives, or a piece of it: nothing in it is the skill's own."""
    return of_caller(hole) and (
        hole.exact or hole.alphabet in {domain.SEGMENT, domain.FLAT, domain.PIECE, domain.TRIMMED}
    )


def begins_with_user_text(item: Text) -> bool:
    """Whether the text begins with exactly what the caller gives."""
    return bool(item.parts) and isinstance(item.parts[0], Hole) and from_user(item.parts[0])


def dash(item: Text) -> str:
    """Whether a word may be an option: `no`, `yes` (it begins with a dash), `user` (only if the user says so), `wild`."""
    if not item.parts:
        return "no"
    first = item.parts[0]
    if isinstance(first, str):
        return "yes" if first[0] == "-" and item.parts != ("-",) else "no"
    if first.origin in domain.ANCHORS or first.origin == domain.RANDOM or first.alphabet == domain.NUMERIC:
        return "no"
    return "user" if cut_from_user(first) else "wild"


def has_hole(item: Text) -> bool:
    """Whether part of the text is unknown."""
    return any(isinstance(part, Hole) for part in item.parts)


def derived(value: Value, alphabet: str = domain.ANYTHING) -> Value:
    """Text computed from another. Its origins are kept, unless words of the skill are in it: computing changes words, and
    a command that is hidden in them must not pass for text of the caller."""
    out = set()
    for item in texts(value):
        origins = {part.origin for part in item.parts if isinstance(part, Hole)}
        if any(isinstance(part, str) and not part.isspace() for part in item.parts):
            origins = {domain.UNKNOWN}
        for origin in origins or {domain.UNKNOWN}:
            out.add(Text((Hole(domain.FILE if origin in domain.ANCHORS else origin, alphabet, False),)))
    return frozenset(out)


def _own_words(value: Value) -> bool:
    """Whether a text is made of words of the skill, or holds one that looks like a substitution."""
    for item in texts(value):
        words = [part for part in item.parts if isinstance(part, str)]
        if any("$(" in part or "`" in part for part in words) or (words and len(words) == len(item.parts)):
            return True
    return False


def unlisted_output(world: World, child: Child) -> Value:
    """What a program prints of which only its words and its input are known: text of the machine, unless words or files
    of the skill may have been turned into something else."""
    if child.stdin and _own_words(child.stdin):
        return SOME
    for word in child.words[1:]:
        for item in texts(word):
            if any(isinstance(part, str) and ("$(" in part or "`" in part) for part in item.parts):
                return SOME
            if head(item)[:1] != "-" and world.skill_files(frozenset({item}), child.cwd):
                return SOME
    return MACHINE


def basename(item: Text) -> Text:
    """The last component of a path, as `basename` prints it."""
    parts = list(item.parts)
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip("/")
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index]
        if isinstance(part, str):
            if "/" in part:
                return text(part.rpartition("/")[2], *parts[index + 1 :])
        elif part.alphabet not in domain.NO_SLASH:
            after = parts[index + 1 :]
            return text(Hole(domain.FILE if part.origin in domain.ANCHORS else part.origin, domain.FLAT, False), *after)
    return text(*parts)


def dirname(item: Text) -> Text:
    """The folder part of a path, as `dirname` prints it."""
    if beside := folder_of_given(item):
        return beside
    parts = list(item.parts)
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip("/") or parts[-1]
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index]
        if isinstance(part, str):
            if "/" in part:
                before = part.rpartition("/")[0]
                return text(*parts[:index], before) if index or before else text("/")
        elif part.alphabet not in domain.NO_SLASH:
            return Text((*parts[:index], piece(part)))
    return text(".")


def below(item: Text) -> Text:
    """Anything inside a folder."""
    start = item if not item.parts or tail(item).endswith("/") else concat(item, text("/"))
    return concat(start, Text((Hole(domain.FILE, domain.TREE, False),)))


# Whether a value matches the pattern of a condition, also if part of it is unknown.

_HOLES = {domain.NUMERIC: "[0-9eE+.-]*", domain.SEGMENT: "[^/]+", domain.FLAT: "[^/]*"}
_ATOM = lazy_pattern(r"(?:\\(.)|\[(.)\]|([^\\\[\](){}.*+?|^$]))(\?)?")
_CHOICES = 16
_SCHEME = lazy_pattern(r"[a-z][a-z0-9+.-]*:/*")
ANY_CASE = "(?i)"


class _Form(NamedTuple):
    """One alternative of a simple pattern: a literal, open at its start or end."""

    literal: str
    before: bool
    after: bool


def matches(values: list[Value], pattern: str, *, unsure: bool) -> bool | None:
    """Whether the whole value matches: None if that depends on what is not known."""
    answers = {_one(item, pattern) for value in values for item in texts(value)}
    if answers == {True}:
        return None if unsure else True
    return False if answers == {False} else None


def _one(item: Text, pattern: str) -> bool | None:
    if item.literal is not None:
        return re.fullmatch(pattern, item.literal, re.DOTALL) is not None
    if pattern.startswith(ANY_CASE):  # a hole may be of any case too
        pattern = pattern.removeprefix(ANY_CASE).lower()
        item = Text(tuple(part.lower() if isinstance(part, str) else part for part in item.parts))
    forms = _forms(pattern)
    if forms is None:
        return None
    answers = {_form(item, form) for form in forms}
    return True if True in answers else None if None in answers else False


@lru_cache(maxsize=512)
def _forms(pattern: str) -> tuple[_Form, ...] | None:
    """The alternatives of a pattern of literals, `x?`, one group and `.*` at the ends; None for any other pattern."""
    branches = _branches(pattern)
    if branches is None:
        return None
    out: list[_Form] = []
    for branch in branches:
        before, after = branch.startswith(".*"), branch.endswith(".*") and branch != ".*"
        middle = branch[2:] if before else branch
        middle = middle[:-2] if after else middle
        pieces: list[tuple[str, ...]] = []
        at = 0
        while at < len(middle):
            found = _ATOM.match(middle, at)
            if found is None:
                return None
            char = found[1] or found[2] or found[3]
            if found[1] and found[1].isalnum():
                return None
            pieces.append((char, "") if found[4] else (char,))
            at = found.end()
        literals = ["".join(choice) for choice in product(*pieces)]
        if len(literals) > _CHOICES:
            return None
        out.extend(_Form(literal, before, after) for literal in literals)
    return tuple(out)


def _branches(pattern: str) -> list[str] | None:
    group = re.fullmatch(r"([^()|]*)\(([^()]*)\)([^()|]*)", pattern)
    if group is not None:
        return [group[1] + middle + group[3] for middle in group[2].split("|")]
    return None if "(" in pattern else pattern.split("|")


def asks_for_address(pattern: str) -> bool:
    """Whether a condition asks if a word is an address (`https?:.*`) rather than a path."""
    forms = _forms(pattern.removeprefix(ANY_CASE))
    return bool(forms) and all(
        not form.before and form.after and _SCHEME.fullmatch(form.literal) for form in forms or ()
    )


def _form(item: Text, form: _Form) -> bool | None:
    if not form.before and not form.after:
        first = item.parts[0]
        if form.literal.startswith("-") and isinstance(first, Hole) and cut_from_user(first):
            return False  # the assumption `option-like-arguments`, which the reader has printed for this word
        expression = "".join(map(_expression, item.parts))
        return None if re.fullmatch(expression, form.literal, re.DOTALL) else False
    if form.before and form.after:
        return True if any(isinstance(part, str) and form.literal in part for part in item.parts) else None
    if form.before:
        end = tail(item)
        return True if end.endswith(form.literal) else None if form.literal.endswith(end) else False
    start = _start(item)
    return True if start.startswith(form.literal) else None if form.literal.startswith(start) else False


def _expression(part: str | Hole) -> str:
    if isinstance(part, str):
        return re.escape(part)
    return "/.*" if part.origin in domain.ANCHORS else _HOLES.get(part.alphabet, ".*")


def _start(item: Text) -> str:
    """The characters with which a text begins for certain; a folder of the run begins with a slash."""
    first = item.parts[0]
    if isinstance(first, str):
        return first
    return "/" if first.origin in domain.ANCHORS else ""
