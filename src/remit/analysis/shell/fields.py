"""Lists of fields while they are built, splitting, and the names that a pattern may match."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis import domain
from remit.analysis.domain import Hole, Part, Text, Value, text
from remit.analysis.each import each
from remit.analysis.shell.patterns import activate, is_pattern
from remit.analysis.shell.syntax import DEACTIVATE, MARK, OPEN, STAR
from remit.analysis.shell.values import TOP, Fields, bag, cat, inexact, join, join_all, join_fields, may_split, texts
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.shell.state import State

MAX_ALTERNATIVES = 12
MAX_CASES = 64
_ACTIVE = lazy_pattern(rf"{STAR}{STAR}|[{STAR}{MARK}]+|{OPEN}[^\]/]+\]")


class Partial(NamedTuple):
    """A list of fields while it is built: `current` is the field that is still open (None: none is)."""

    words: tuple[Value, ...] = ()
    current: Value | None = None
    rest: Value = domain.BOTTOM

    def close(self) -> Partial:
        """End the open field."""
        if self.current is None:
            return self
        if self.rest:
            return Partial(self.words, None, join(self.rest, self.current))
        return Partial((*self.words, self.current), None, domain.BOTTOM)

    def glue(self, value: Value) -> Partial:
        """Add text to the open field."""
        return self._replace(current=value if self.current is None else cat(self.current, value))


def append(before: Fields, value: Value) -> Fields:
    """A word more."""
    if before.rest:
        return Fields(before.words, join(before.rest, value), before.rest, value)
    return Fields((*before.words, value))


def extend(before: Fields, after: Fields) -> Fields:
    """The words of both lists."""
    if not before.rest:
        return Fields(before.words + after.words, after.rest, after.inner, after.last)
    if not (after.words or after.rest):
        return before
    rest = join(before.rest, bag(after))
    if not after.rest:
        return Fields(before.words, rest, join_all((before.rest, *after.words[:-1])), after.words[-1])
    if not after.last:
        return Fields(before.words, rest)
    return Fields(before.words, rest, join_all((before.rest, *after.words, after.inner)), after.last)


def combine(done: list[Fields], options: list[Fields]) -> list[Fields]:
    """Every list followed by every option; too many options become one."""
    if len(options) == 1:
        return [extend(before, options[0]) for before in done]
    if len(done) * len(options) > MAX_ALTERNATIVES:
        return [extend(before, reduce(join_fields, options)) for before in done]
    return [extend(before, option) for before in done for option in options]


def dedupe(options: list[Fields]) -> list[Fields]:
    """Each list once."""
    return list(dict.fromkeys(options)) if len(options) > 1 else options


def limit(partials: list[Partial]) -> list[Partial]:
    """At most so many alternatives; further ones become one loose list."""
    partials = list(dict.fromkeys(partials))
    if len(partials) <= MAX_ALTERNATIVES:
        return partials
    merged = reduce(join_fields, (Fields(p.words, p.rest) for p in (q.close() for q in partials)))
    opened = join_all(p.current for p in partials if p.current is not None)
    return [Partial(merged.words, None, join(merged.rest, opened))]


def splits(item: Text) -> bool:
    """Whether an unquoted text may become several words or none."""
    return not item.parts or any(isinstance(part, Hole) and may_split(part) for part in item.parts)


def active(item: Text) -> bool:
    """Whether a text is a pattern: a bracket counts only with its partner."""
    if not any(isinstance(part, str) and is_pattern(part) for part in item.parts):
        return False
    return _ACTIVE.search("".join(part if isinstance(part, str) else "x" for part in item.parts)) is not None


def marked(item: Text) -> bool:
    """Whether a text holds an active character."""
    return any(isinstance(part, str) and is_pattern(part) for part in item.parts)


def activated(item: Text) -> Text:
    """The text with its pattern characters active."""
    return Text(tuple(activate(part) if isinstance(part, str) else part for part in item.parts))


def split_text(item: Text, separators: str | None) -> list[Text | None]:
    """Fields of an unquoted expansion; None stands for a separator. `separators` None: anything may separate."""
    out: list[Text | None] = []
    current: list[Part] = []
    present = False
    for part in item.parts:
        if isinstance(part, Hole):
            current.append(part)
            present = True
            continue
        for chunk, is_break in chunks(part, separators or ""):
            if is_break:
                if present:
                    out.append(text(*current))
                elif chunk.strip(" \t\n") and (not out or out[-1] is None):
                    out.append(Text(()))
                out.append(None)
                current, present = [], False
            else:
                current.append(activate(chunk))
                present = True
    if present:
        out.append(text(*current))
    return out


def chunks(literal: str, separators: str) -> Iterable[tuple[str, bool]]:
    """Pieces of a literal, each with whether it separates."""
    if not separators:
        return ((literal, False),)
    blanks = re.escape("".join(ch for ch in separators if ch in " \t\n"))
    others = re.escape("".join(ch for ch in separators if ch not in " \t\n"))
    blank = f"[{blanks}]" if blanks else "(?!)"
    one = f"{blank}*[{others}]{blank}*" if others else "(?!)"
    pattern = re.compile(f"{one}|{blank}+")
    out: list[tuple[str, bool]] = []
    pos = 0
    for match in pattern.finditer(literal):
        if match.start() > pos:
            out.append((literal[pos : match.start()], False))
        out.append((match.group(), True))
        pos = match.end()
    if pos < len(literal):
        out.append((literal[pos:], False))
    return out


def glue_split(partial: Partial, pieces: list[Text | None]) -> Partial:
    """Add the fields of an unquoted expansion."""
    for piece in pieces:
        if piece is None:
            partial = partial.close()
        elif splits(piece) and piece.parts:
            prefix = partial.current
            loose: Value = frozenset(loosen(piece))
            if prefix is not None:
                loose = join(loose, cat(prefix, loose))
                loose = join(loose, prefix)
            partial = Partial(partial.words, None, join(partial.rest, loose))
        else:
            partial = partial.glue(frozenset({piece}))
    return partial


def loosen(item: Text) -> list[Text]:
    """The words that a text with splitting holes may become: each hole may end a word before or after it."""
    if not any(isinstance(part, Hole) and may_split(part) for part in item.parts):
        return [item]
    parts: list[Part] = [
        part if isinstance(part, str) else inexact(part)._replace(alphabet=piece_alphabet(part)) for part in item.parts
    ]
    out = {text(*parts)}
    for index, part in enumerate(parts):
        if isinstance(part, Hole) and may_split(part):
            out |= {text(*parts[: index + 1]), text(*parts[index:]), text(part)}
    return list(out)


def piece_alphabet(part: Hole) -> str:
    """The alphabet of a word out of a hole."""
    return (
        part.alphabet if not may_split(part) else domain.FLAT if part.alphabet in domain.NO_SLASH else domain.ANYTHING
    )


def matches(item: Text) -> Text:
    """The names that a pattern may match."""
    parts: list[Part] = []
    for part in item.parts:
        if isinstance(part, Hole):
            parts.append(part)
            continue
        pos = 0
        for match in _ACTIVE.finditer(part):
            before = part[pos : match.start()].translate(DEACTIVATE)
            pos = match.end()
            dotted = before.endswith(".") and (before == "." or before[-2:-1] == "/")
            wide = match.group() == STAR * 2 or dotted
            parts += [before, Hole(domain.FILE, domain.ANYTHING if wide else domain.SEGMENT, False)]
        parts.append(part[pos:].translate(DEACTIVATE))
    return text(*parts)


def home_of(user: str, st: State) -> Hole | Value:
    """What a tilde with this name stands for."""
    if not user:
        home = st.vars.get("HOME")
        return Hole(domain.HOME) if home is None else home.value
    if user == "+":
        return st.cwd
    return TOP if user == "-" else Hole(domain.UNKNOWN, domain.ANYTHING, False)


def tildes(item: Text) -> Text:
    """`a:~/b` in an assignment."""
    parts: list[Part] = []
    for part in item.parts:
        if isinstance(part, str) and ":~" in part:
            chunks = part.split(":~/")
            for index, chunk in enumerate(chunks):
                parts += [chunk] if not index else [":", Hole(domain.HOME), "/" + chunk]
        else:
            parts.append(part)
    return text(*parts)


def spelled(args: Fields, *, every: bool) -> list[Fields] | None:
    """The words of a builtin spelled out, which looks at the very text of a word: each that may be one of several is a case of its own.
    None if there are too many. `every`: all words are looked at, not only those that may be options."""
    cases: list[tuple[Value, ...]] = [()]
    leading = True
    for word in args.words:
        choices = _choices(word, every=every) if every or leading else [word]
        leading = leading and any(map(_option, texts(word)))
        cases = [(*before, choice) for before in cases for choice in choices]
        if len(cases) > MAX_CASES:
            return None
    return [Fields(words, args.rest) for words in cases]


def _choices(word: Value, *, every: bool) -> list[Value]:
    """A text for each option that the word may be, and what else it may be together."""
    if len(word) < 2:
        return [word]
    alone = [item for item in each(texts(word)) if every or _option(item)]
    others: Value = texts(word) - frozenset(alone)
    return [*(frozenset({item}) for item in alone), *([others] if others else [])]


def _option(item: Text) -> bool:
    known = item.literal
    return known is not None and known[:1] in ("-", "+") and len(known.split()) == 1
