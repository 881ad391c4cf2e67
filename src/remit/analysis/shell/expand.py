"""Words to fields: quotes, splitting, tildes, patterns, and the alternatives that they leave open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

from remit.analysis import domain
from remit.analysis.domain import ARG, BOTTOM, Hole, Part, Text, Value, lit, of_caller, text
from remit.analysis.each import each
from remit.analysis.shell.lookup import BLANKS
from remit.analysis.shell.part import ShellPart
from remit.analysis.shell.patterns import activate, folder_name, is_pattern, plain
from remit.analysis.shell.state import GLOBBING, State
from remit.analysis.shell.syntax import (
    DEACTIVATE,
    FIRST_PLACEHOLDER,
    MARK,
    OPEN,
    STAR,
    CmdSub,
    Lit,
    Param,
    Piece,
    ProcSub,
    Word,
)
from remit.analysis.shell.values import (
    EMPTY,
    TOP,
    Fields,
    bag,
    cat,
    inexact,
    join,
    join_all,
    join_fields,
    may_split,
    texts,
)
from remit.analysis.shell.words import make_word
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

# Lists of fields while they are built, splitting, and the names that a pattern may match.

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


# Brace expansion: `{a,b}` and `{1..3}` make several words before anything else is expanded.

_RANGE = lazy_pattern(r"(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.(-?\d{1,9}))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?")
LIMIT = 64
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME_CHARS = _NAME_START | frozenset("0123456789")


def brace_expand(word: Word) -> tuple[Word, ...]:
    """The words that this one becomes. Too many are one word twice, with a number where the range stood, or with `*`:
    a word that stands for any number of words is seen by its repetition."""
    if not any(isinstance(p, Lit) and not p.quoted and "{" in p.text for p in word.pieces):
        return (word,)
    stream: list[Piece | str] = []
    for piece in word.pieces:
        if isinstance(piece, Lit) and not piece.quoted:
            stream.extend(piece.text)
        else:
            stream.append(piece)
    expanded = _expand(stream, 0)
    if expanded is None:
        many = make_word([Param("_", True, word.pos, braced=True)], word.pos)
        return (many, many)
    if len(expanded) == 1 and expanded[0] == stream:
        return (word,)
    return tuple(make_word(_relexed(items), word.pos) for items in expanded)


def _relexed(items: list[Piece | str]) -> list[Piece]:
    """Braces are expanded before variables are read: in `x{$a,b}y` the first word reads the variable `ay`."""
    out: list[Piece] = []
    for item in items:
        last = out[-1] if out else None
        if not isinstance(item, str):
            out.append(item)
        elif isinstance(last, Param) and not last.braced and last.name[0] in _NAME_START and item in _NAME_CHARS:
            out[-1] = Param(last.name + item, last.quoted, last.pos)
        else:
            out.append(Lit(item, False))
    return out


def _expand(stream: list[Piece | str], depth: int) -> list[list[Piece | str]] | None:
    """All expansions of a stream of characters and opaque pieces; the leftmost real brace first."""
    start = 0
    while depth < 12:
        found = _find(stream, start)
        if found is None:
            break
        begin, end, commas = found
        options = _options(stream, begin, end, commas)
        if options is None:
            start = begin + 1
            continue
        tails = _expand(stream[end + 1 :], depth + 1)
        if tails is None:
            return None
        out: list[list[Piece | str]] = []
        for option in options:
            inner = _expand(option, depth + 1)
            if inner is None or len(out) + len(inner) * len(tails) > LIMIT:
                return None
            out.extend(stream[:begin] + middle + tail for middle in inner for tail in tails)
        return out
    return [stream]


def _find(stream: list[Piece | str], start: int) -> tuple[int, int, list[int]] | None:
    """The next brace that closes: its ends and the commas directly inside."""
    for begin in range(start, len(stream)):
        if stream[begin] != "{":
            continue
        level, commas = 0, list[int]()
        for at in range(begin + 1, len(stream)):
            ch = stream[at]
            if ch == "{":
                level += 1
            elif ch == "}":
                if not level:
                    return begin, at, commas
                level -= 1
            elif ch == "," and not level:
                commas.append(at)
    return None


def _options(stream: list[Piece | str], begin: int, end: int, commas: list[int]) -> list[list[Piece | str]] | None:
    if commas:
        cuts = [begin, *commas, end]
        return [stream[a + 1 : b] for a, b in pairwise(cuts)]
    inside = stream[begin + 1 : end]
    if not all(isinstance(x, str) for x in inside):
        return None
    match = _RANGE.fullmatch("".join(x for x in inside if isinstance(x, str)))
    if match is None:
        return None
    if match.group(1) is not None:
        if abs(int(match.group(1)) - int(match.group(2))) // abs(int(match.group(3) or 1) or 1) >= LIMIT // 2:
            number = Param("RANDOM", True, 0, braced=True)
            return [[number], [number]]
        values = _numbers(match.group(1), match.group(2), match.group(3))
    else:
        values = [chr(c) for c in _steps(ord(match.group(4)), ord(match.group(5)), int(match.group(6) or 1))]
    return [list(value) for value in values]


def _steps(low: int, high: int, step: int) -> range:
    step = abs(step) or 1
    if abs(high - low) // step > 10_000:
        high = low + 10_000 * step * (1 if high > low else -1)
    return range(low, high + 1, step) if low <= high else range(low, high - 1, -step)


def _numbers(first: str, last: str, step: str | None) -> list[str]:
    padded = any(len(n.lstrip("-")) > 1 and n.lstrip("-").startswith("0") for n in (first, last))
    width = max(len(first), len(last)) if padded else 0
    return [f"{n:0{width}d}" if width else str(n) for n in _steps(int(first), int(last), int(step or 1))]


_TILDE = lazy_pattern(r"~([A-Za-z0-9_.+-]*)(?=/|:|$)")
_OPTIONAL = frozenset({"-", ":-", "+", ":+", "=", ":="})


class Expander(ShellPart):
    """Expansion of words."""

    def fields(self, words: Iterable[Word], st: State) -> list[Fields]:
        """The possible lists of arguments that these words make."""
        done = [Fields()]
        for word in words:
            if word.const is not None:
                done = [append(before, word.const) for before in done]
                continue
            options = self.word_fields(word, st)
            done = combine(done, options)
        return done

    def word_fields(self, word: Word, st: State) -> list[Fields]:
        """The possible lists of fields that one word makes."""
        if word.braces is None:
            word.braces = brace_expand(word) if self.run.braces else (word,)
        if len(word.braces) == 2 and word.braces[0] is word.braces[1]:
            return [Fields((), bag(fields)) for fields in self._word_lists(word.braces[0], st)]
        done = [Fields()]
        for part in word.braces:
            if part.pieces or part is word:  # `{,z}`: an empty alternative is no word
                done = combine(done, self._word_lists(part, st))
        if len(word.braces) > 1 and self.run.dialect == "sh":  # it depends on what sh is
            return dedupe(done + self._word_lists(word, st))
        return done

    def _word_lists(self, word: Word, st: State) -> list[Fields]:
        if word.const is not None:
            return [Fields((word.const,))]
        partials = self._pieces(word.pieces, [Partial()], st, tilde=True)
        return dedupe([self._finish(partial.close(), st, word.pos) for partial in partials])

    def _pieces(
        self, pieces: Sequence[Piece], partials: list[Partial], st: State, *, tilde: bool = False
    ) -> list[Partial]:
        for index, piece in enumerate(pieces):
            if isinstance(piece, Lit):
                value = self.literal(piece, st, tilde=tilde and not index, last=index + 1 == len(pieces))
                partials = [p.glue(value) for p in partials]
            elif isinstance(piece, Param):
                partials = self._parameter(piece, partials, st)
            else:
                value = self.piece_value(piece, st)
                partials = self._add(partials, value, st, quoted=piece.quoted)
        return partials

    def _parameter(self, piece: Param, partials: list[Partial], st: State) -> list[Partial]:
        if piece.op in _OPTIONAL and piece.arg is not None:
            return self._optional(piece, partials, st)
        lists = self.parameters.list_value(piece, st)
        if lists is None:
            return self._add(partials, self.parameters.scalar(piece, st), st, quoted=piece.quoted)
        if piece.quoted and (piece.name == "*" or (piece.index is not None and piece.index.bare == "*")):
            joined = join_all(self.lookup.joined(fields, st) for fields in lists)
            return [p.glue(joined) for p in partials]
        out = [self._add_list(p, fields, st, quoted=piece.quoted) for p in partials for fields in lists]
        return limit([p for group in out for p in group])

    def _optional(self, piece: Param, partials: list[Partial], st: State) -> list[Partial]:
        """`${x:-word}`: the word keeps its own quotes, so it is expanded in place."""
        kept, used = self.parameters.choose(piece, st)
        out: list[Partial] = []
        if isinstance(kept, list):
            out += [q for p in partials for fields in kept for q in self._add_list(p, fields, st, quoted=piece.quoted)]
        elif kept:
            out += self._add(partials, kept, st, quoted=piece.quoted)
        if used:
            assert piece.arg is not None
            if piece.op in ("=", ":="):
                value = self.single(piece.arg, st)
                self.lookup.assign(piece.name, value, st, weak=bool(kept))
                out += self._add(partials, value, st, quoted=piece.quoted)
            else:
                inner = self._pieces(piece.arg.pieces, partials, st, tilde=True)
                if piece.quoted and not piece.arg.pieces:
                    inner = [p.glue(EMPTY) for p in inner]
                out += self._resplit(inner, partials, piece, st)
        if not out:
            out = [p.glue(EMPTY) for p in partials] if piece.quoted else partials
        return limit(out)

    def _resplit(self, inner: list[Partial], before: list[Partial], piece: Param, st: State) -> list[Partial]:
        """Unquoted blanks of a literal operand separate words too."""
        assert piece.arg is not None
        if piece.quoted or not any(isinstance(p, Lit) and not p.quoted and " " in p.text for p in piece.arg.pieces):
            return inner
        out = before
        for part in piece.arg.pieces:
            if isinstance(part, Lit) and not part.quoted:
                out = self._add(out, frozenset({text(part.text)}), st, quoted=False)
            else:
                out = self._pieces((part,), out, st)
        return out

    def _add_list(self, partial: Partial, fields: Fields, st: State, *, quoted: bool) -> list[Partial]:
        if not quoted:
            done = [partial]
            for index, word in enumerate(fields.words):
                done = self._add([p.close() for p in done] if index else done, word, st, quoted=False)
            if fields.rest:
                loose = frozenset(piece for item in texts(fields.rest) for piece in loosen(item))
                done = [p._replace(rest=join(p.rest, loose)) for p in (p.close() for p in done)]
            return done
        out = partial
        for index, word in enumerate(fields.words):
            out = (out.close() if index else out).glue(word)
        if fields.rest:
            prefix = out.current if out.current is not None and not fields.words else None
            out = out.close() if fields.words else out._replace(current=None)
            rest = join(out.rest, fields.rest)
            if prefix is not None:
                rest = join_all((rest, prefix, cat(prefix, fields.rest)))
            out = out._replace(rest=rest)
        return [out]

    def _add(self, partials: list[Partial], value: Value, st: State, *, quoted: bool) -> list[Partial]:
        """Add an expansion's text; unquoted it is split."""
        if quoted:
            return [p.glue(value) for p in partials]
        separators = self.lookup.separators(st)
        whole: set[Text] = set()
        split: list[tuple[Text, list[Text | None]]] = []
        for item in each(texts(value)):
            if self.run.naming and _callers(item):
                # The caller names a program, perhaps with words for it; if it names none, the next word is the program.
                whole.add(item)
                split.append((Text(()), []))
                continue
            pieces = split_text(item, separators)
            if separators == BLANKS and len(pieces) == 1 and pieces[0] is not None and splits(item) and _given(item):
                self.run.world.assume("one-word-arguments", self.lookup.site(self.run.at))
                whole.add(pieces[0])
                if len(item.parts) == 1:  # or it is empty
                    split.append((Text(()), []))
                continue
            if len(pieces) == 1 and pieces[0] is not None and not splits(item):
                whole.add(pieces[0])
            else:
                split.append((item, pieces))
        out: list[Partial] = []
        if whole:
            out += [p.glue(frozenset(whole)) for p in partials]
        for _, pieces in split:
            out += [glue_split(p, pieces) for p in partials]
        return limit(out)

    # -- parts of words ---------------------------------------------------------------------------------------------

    def literal(self, piece: Lit, st: State, *, tilde: bool = False, last: bool = True, pattern: bool = True) -> Value:
        """A literal as text: active characters where it is not quoted, holes where the program had them."""
        raw = piece.text
        parts: list[Part] = []
        if not piece.quoted:
            match = _TILDE.match(raw) if tilde else None
            if match is not None and (last or match.end() < len(raw)):
                raw = raw[match.end() :]
                home = home_of(match.group(1), st)
                if isinstance(home, frozenset):
                    return cat(home, self.literal(Lit(raw, False), st, pattern=pattern)) if raw else home
                parts.append(home)
            if pattern:
                raw = activate(raw)
        if raw.isascii() or max(raw) < FIRST_PLACEHOLDER:
            parts.append(raw)
        else:
            self.data_flow.filled_in(raw)
            parts += [self.run.unit.holes.get(ch, ch) if ch >= FIRST_PLACEHOLDER else ch for ch in raw]
        return frozenset({text(*parts)})

    def single(self, word: Word, st: State, *, assignment: bool = False) -> Value:
        """The word as one text: no splitting, no patterns (assignments, redirections, `case`)."""
        if word.const is not None:
            return word.const
        value = self.pattern(word, st, assignment=assignment)
        return frozenset(plain(item) for item in texts(value))

    def pattern(self, word: Word, st: State, *, assignment: bool = False) -> Value:
        """The word as one text in which unquoted pattern characters are active."""
        if word.const is not None:
            return word.const
        out = EMPTY
        size = len(word.pieces)
        for index, piece in enumerate(word.pieces):
            if isinstance(piece, Lit):
                value = self.literal(piece, st, tilde=not index, last=index + 1 == size)
                if assignment and not piece.quoted and ":~" in piece.text:
                    value = frozenset(tildes(item) for item in texts(value))
            else:
                value = self.piece_value(piece, st)
                if not piece.quoted:
                    value = frozenset(activated(item) for item in texts(value))
            out = cat(out, value)
        return out

    def piece_value(self, piece: Piece, st: State) -> Value:
        """One expansion as one text."""
        if isinstance(piece, Param):
            lists = self.parameters.list_value(piece, st) if piece.op not in _OPTIONAL else None
            if lists is not None:
                return join_all(self.lookup.joined(fields, st) for fields in lists)
            if piece.op in _OPTIONAL and piece.arg is not None:
                kept, used = self.parameters.choose(piece, st)
                value = join_all(self.lookup.joined(f, st) for f in kept) if isinstance(kept, list) else kept
                if used:
                    default = self.single(piece.arg, st)
                    if piece.op in ("=", ":="):
                        self.lookup.assign(piece.name, default, st, weak=bool(kept))
                    value = join(value, default)
                return value or EMPTY
            return self.parameters.scalar(piece, st)
        if isinstance(piece, CmdSub):
            return self.flow.capture(piece.body, st)
        if isinstance(piece, ProcSub):
            return self.redirects.process(piece, st)
        if isinstance(piece, Lit):
            return self.literal(piece, st)
        return self.arithmetic.value(piece.expr, st, piece.pos)

    # -- patterns ---------------------------------------------------------------------------------------------------

    def _finish(self, partial: Partial, st: State, pos: int) -> Fields:
        """File names for the words that are patterns."""
        words, rest = partial.words, partial.rest
        if not any(marked(item) for word in (*words, rest) for item in texts(word)):
            return Fields(words, rest)
        if not rest and (listed := self._listed(words, st, pos)) is not None:
            return Fields(listed)
        for index, word in enumerate(words):
            if any(active(item) for item in texts(word)):
                names = [self._file_names(value, st, pos) for value in words[index:]]
                known = tuple(frozenset(plain(item) for item in texts(word)) for word in words[:index])
                if rest or len(names) == 1 or any(map(active, texts(words[-1]))):
                    return Fields(known, join_all((self._file_names(rest, st, pos) if rest else BOTTOM, *names)))
                return Fields(known, join_all(names), join_all(names[:-1]), names[-1])
        words = tuple(frozenset(plain(item) for item in texts(word)) for word in words)
        return Fields(words, self._file_names(rest, st, pos) if rest else BOTTOM)

    def _listed(self, words: tuple[Value, ...], st: State, pos: int) -> tuple[Value, ...] | None:
        """The words with each pattern replaced by the names that it becomes, where the world knows them all."""
        out: list[Value] = []
        for word in words:
            items = texts(word)
            if not any(map(active, items)):
                out.append(frozenset(map(plain, items)))
                continue
            (item,) = items if len(items) == 1 else (None,)
            pattern = None if item is None or st.options & GLOBBING or "GLOBIGNORE" in st.vars else _written(item)
            names = None if pattern is None else self.run.world.matching(pattern, st.cwd)
            if item is None or names is None:
                return None
            self._list_folder(matches(item), st, pos)
            out += map(lit, names) if names else (frozenset({plain(item)}),)
        return tuple(out)

    def _list_folder(self, found: Text, st: State, pos: int) -> None:
        """Names that match a pattern are looked for in their folder."""
        folder = folder_name(found)
        where = frozenset({folder}) if folder != found else st.cwd
        self.lookup.report("file.read", where, st, pos, Via(Cause.SHELL, words="expands a file name pattern"))

    def _file_names(self, value: Value, st: State, pos: int) -> Value:
        out: set[Text] = set()
        for item in each(texts(value)):
            out.add(plain(item))
            found = matches(item) if active(item) else plain(item)
            if found != plain(item):
                out.add(found)
                self._list_folder(found, st, pos)
        return frozenset(out)


def _written(item: Text) -> str | None:
    """A pattern of `*` and `?` alone with everything else escaped; None for others, whose meaning depends on the locale or on options."""
    literal = item.literal
    if literal is None or OPEN in literal or STAR * 2 in literal:
        return None
    return re.sub(r"[*?\\\[]", r"\\\g<0>", literal).translate(DEACTIVATE)


def _given(item: Text) -> bool:
    """Whether all that is not known of a text is exactly what the caller gives."""
    return all(isinstance(part, str) or not may_split(part) or (of_caller(part) and part.exact) for part in item.parts)


def _callers(item: Text) -> bool:
    """Whether a text is what the caller or the environment gives, and nothing else."""
    part = item.parts[0] if len(item.parts) == 1 else None
    return isinstance(part, Hole) and part.exact and (part.origin == ARG or part.origin.startswith("env:"))
