"""Words to fields: quotes, splitting, tildes, patterns, and the alternatives that they leave open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import ANYTHING, BOTTOM, FILE, HOME, SEGMENT, UNKNOWN, Hole, Part, Text, Value, text
from remit.analysis.shell.braces import brace_expand
from remit.analysis.shell.params import Parameters
from remit.analysis.shell.patterns import activate, folder_name, is_pattern, plain
from remit.analysis.shell.syntax import DEACTIVATE, FIRST_PLACEHOLDER, MARK, OPEN, STAR, CmdSub, Lit, Param, ProcSub
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

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.analysis.shell.state import State
    from remit.analysis.shell.syntax import Piece, Word

MAX_ALTERNATIVES = 12
_TILDE = re.compile(r"~([A-Za-z0-9_.+-]*)(?=/|:|$)")
_ACTIVE = re.compile(rf"{STAR}{STAR}|[{STAR}{MARK}]+|{OPEN}[^\]/]+\]")
_OPTIONAL = frozenset({"-", ":-", "+", ":+", "=", ":="})


class _Partial(NamedTuple):
    """A list of fields while it is built: `current` is the field that is still open (None: none is)."""

    words: tuple[Value, ...] = ()
    current: Value | None = None
    rest: Value = BOTTOM

    def close(self) -> _Partial:
        """End the open field."""
        if self.current is None:
            return self
        if self.rest:
            return _Partial(self.words, None, join(self.rest, self.current))
        return _Partial((*self.words, self.current), None, BOTTOM)

    def glue(self, value: Value) -> _Partial:
        """Add text to the open field."""
        return self._replace(current=value if self.current is None else cat(self.current, value))


class Expander(Parameters):
    """Expansion of words. `params.Parameters` knows what a single expansion yields."""

    def fields(self, words: Iterable[Word], st: State) -> list[Fields]:
        """The possible lists of arguments that these words make."""
        done = [Fields()]
        for word in words:
            if word.const is not None:
                done = [_append(before, word.const) for before in done]
                continue
            options = self.word_fields(word, st)
            done = _combine(done, options)
        return done

    def word_fields(self, word: Word, st: State) -> list[Fields]:
        """The possible lists of fields that one word makes."""
        if word.braces is None:
            word.braces = brace_expand(word) if self.braces else (word,)
        if len(word.braces) == 2 and word.braces[0] is word.braces[1]:
            return [Fields((), bag(fields)) for fields in self._word_lists(word.braces[0], st)]
        done = [Fields()]
        for part in word.braces:
            if part.pieces or part is word:  # `{,z}`: an empty alternative is no word
                done = _combine(done, self._word_lists(part, st))
        if len(word.braces) > 1 and self.dialect == "sh":  # it depends on what sh is
            return _dedupe(done + self._word_lists(word, st))
        return done

    def _word_lists(self, word: Word, st: State) -> list[Fields]:
        if word.const is not None:
            return [Fields((word.const,))]
        partials = self._pieces(word.pieces, [_Partial()], st, tilde=True)
        return _dedupe([self._finish(partial.close(), st, word.pos) for partial in partials])

    def _pieces(
        self, pieces: Sequence[Piece], partials: list[_Partial], st: State, *, tilde: bool = False
    ) -> list[_Partial]:
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

    def _parameter(self, piece: Param, partials: list[_Partial], st: State) -> list[_Partial]:
        if piece.op in _OPTIONAL and piece.arg is not None:
            return self._optional(piece, partials, st)
        lists = self.list_value(piece, st)
        if lists is None:
            return self._add(partials, self.scalar(piece, st), st, quoted=piece.quoted)
        if piece.quoted and (piece.name == "*" or (piece.index is not None and piece.index.bare == "*")):
            joined = join_all(self.joined(fields, st) for fields in lists)
            return [p.glue(joined) for p in partials]
        out = [self._add_list(p, fields, st, quoted=piece.quoted) for p in partials for fields in lists]
        return _limit([p for group in out for p in group])

    def _optional(self, piece: Param, partials: list[_Partial], st: State) -> list[_Partial]:
        """`${x:-word}`: the word keeps its own quotes, so it is expanded in place."""
        kept, used = self.choose(piece, st)
        out: list[_Partial] = []
        if isinstance(kept, list):
            out += [q for p in partials for fields in kept for q in self._add_list(p, fields, st, quoted=piece.quoted)]
        elif kept:
            out += self._add(partials, kept, st, quoted=piece.quoted)
        if used:
            assert piece.arg is not None
            if piece.op in ("=", ":="):
                value = self.single(piece.arg, st)
                self.assign(piece.name, value, st, weak=bool(kept))
                out += self._add(partials, value, st, quoted=piece.quoted)
            else:
                inner = self._pieces(piece.arg.pieces, partials, st, tilde=True)
                if piece.quoted and not piece.arg.pieces:
                    inner = [p.glue(EMPTY) for p in inner]
                out += self._resplit(inner, partials, piece, st)
        if not out:
            out = [p.glue(EMPTY) for p in partials] if piece.quoted else partials
        return _limit(out)

    def _resplit(self, inner: list[_Partial], before: list[_Partial], piece: Param, st: State) -> list[_Partial]:
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

    def _add_list(self, partial: _Partial, fields: Fields, st: State, *, quoted: bool) -> list[_Partial]:
        if not quoted:
            done = [partial]
            for index, word in enumerate(fields.words):
                done = self._add([p.close() for p in done] if index else done, word, st, quoted=False)
            if fields.rest:
                loose = frozenset(piece for item in texts(fields.rest) for piece in _loosen(item))
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

    def _add(self, partials: list[_Partial], value: Value, st: State, *, quoted: bool) -> list[_Partial]:
        """Add an expansion's text; unquoted it is split."""
        if quoted:
            return [p.glue(value) for p in partials]
        separators = self.separators(st)
        whole: set[Text] = set()
        split: list[tuple[Text, list[Text | None]]] = []
        for item in texts(value):
            pieces = split_text(item, separators)
            if len(pieces) == 1 and pieces[0] is not None and not _splits(item):
                whole.add(pieces[0])
            else:
                split.append((item, pieces))
        out: list[_Partial] = []
        if whole:
            out += [p.glue(frozenset(whole)) for p in partials]
        for _, pieces in split:
            out += [_glue_split(p, pieces) for p in partials]
        return _limit(out)

    # -- parts of words ---------------------------------------------------------------------------------------------

    def literal(self, piece: Lit, st: State, *, tilde: bool = False, last: bool = True, pattern: bool = True) -> Value:
        """A literal as text: active characters where it is not quoted, holes where the program had them."""
        raw = piece.text
        parts: list[Part] = []
        if not piece.quoted:
            if (
                tilde
                and raw.startswith("~")
                and (match := _TILDE.match(raw)) is not None
                and (last or match.end() < len(raw))
            ):
                raw = raw[match.end() :]
                home = _home(match.group(1), st)
                if isinstance(home, frozenset):
                    return cat(home, self.literal(Lit(raw, False), st, pattern=pattern)) if raw else home
                parts.append(home)
            if pattern:
                raw = activate(raw)
        if raw.isascii() or max(raw) < FIRST_PLACEHOLDER:
            parts.append(raw)
        else:
            parts += [self.unit.holes.get(ch, ch) if ch >= FIRST_PLACEHOLDER else ch for ch in raw]
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
                    value = frozenset(_tildes(item) for item in texts(value))
            else:
                value = self.piece_value(piece, st)
                if not piece.quoted:
                    value = frozenset(_activated(item) for item in texts(value))
            out = cat(out, value)
        return out

    def piece_value(self, piece: Piece, st: State) -> Value:
        """One expansion as one text."""
        if isinstance(piece, Param):
            lists = self.list_value(piece, st) if piece.op not in _OPTIONAL else None
            if lists is not None:
                return join_all(self.joined(fields, st) for fields in lists)
            if piece.op in _OPTIONAL and piece.arg is not None:
                kept, used = self.choose(piece, st)
                value = join_all(self.joined(f, st) for f in kept) if isinstance(kept, list) else kept
                if used:
                    default = self.single(piece.arg, st)
                    if piece.op in ("=", ":="):
                        self.assign(piece.name, default, st, weak=bool(kept))
                    value = join(value, default)
                return value or EMPTY
            return self.scalar(piece, st)
        if isinstance(piece, CmdSub):
            return self.capture(piece.body, st)
        if isinstance(piece, ProcSub):
            return self.process(piece, st)
        if isinstance(piece, Lit):
            return self.literal(piece, st)
        return self.arithmetic(piece.expr, st, piece.pos)

    # -- patterns ---------------------------------------------------------------------------------------------------

    def _finish(self, partial: _Partial, st: State, pos: int) -> Fields:
        """File names for the words that are patterns."""
        words, rest = partial.words, partial.rest
        if not any(_marked(item) for word in (*words, rest) for item in texts(word)):
            return Fields(words, rest)
        for index, word in enumerate(words):
            if any(_active(item) for item in texts(word)):
                loose = join_all(self._file_names(value, st, pos) for value in words[index:])
                known = tuple(frozenset(plain(item) for item in texts(word)) for word in words[:index])
                return Fields(known, join(self._file_names(rest, st, pos) if rest else BOTTOM, loose))
        words = tuple(frozenset(plain(item) for item in texts(word)) for word in words)
        return Fields(words, self._file_names(rest, st, pos) if rest else BOTTOM)

    def _file_names(self, value: Value, st: State, pos: int) -> Value:
        out: set[Text] = set()
        for item in texts(value):
            if not _active(item):
                out.add(plain(item))
                continue
            out.add(plain(item))
            found = _matches(item)
            if found != plain(item):
                out.add(found)
                folder = folder_name(_matches(item))
                where = frozenset({folder}) if folder != found else st.cwd
                self.report("file.read", where, st, pos, "expands a file name pattern")
        return frozenset(out)


def _append(before: Fields, value: Value) -> Fields:
    if before.rest:
        return Fields(before.words, join(before.rest, value))
    return Fields((*before.words, value))


def _extend(before: Fields, after: Fields) -> Fields:
    if before.rest:
        return Fields(before.words, join(before.rest, bag(after)))
    return Fields(before.words + after.words, after.rest)


def _combine(done: list[Fields], options: list[Fields]) -> list[Fields]:
    if len(options) == 1:
        return [_extend(before, options[0]) for before in done]
    if len(done) * len(options) > MAX_ALTERNATIVES:
        merged = options[0]
        for option in options[1:]:
            merged = join_fields(merged, option)
        return [_extend(before, merged) for before in done]
    return [_extend(before, option) for before in done for option in options]


def _dedupe(options: list[Fields]) -> list[Fields]:
    return list(dict.fromkeys(options)) if len(options) > 1 else options


def _limit(partials: list[_Partial]) -> list[_Partial]:
    """At most so many alternatives; further ones become one loose list."""
    partials = list(dict.fromkeys(partials))
    if len(partials) <= MAX_ALTERNATIVES:
        return partials
    merged = Fields()
    closed = [p.close() for p in partials]
    merged = Fields(closed[0].words, closed[0].rest)
    for p in closed[1:]:
        merged = join_fields(merged, Fields(p.words, p.rest))
    opened = join_all(p.current for p in partials if p.current is not None)
    return [_Partial(merged.words, None, join(merged.rest, opened))]


def _splits(item: Text) -> bool:
    return not item.parts or any(isinstance(part, Hole) and may_split(part) for part in item.parts)


def _active(item: Text) -> bool:
    """Whether a text is a pattern: a bracket counts only with its partner."""
    if not any(isinstance(part, str) and is_pattern(part) for part in item.parts):
        return False
    return _ACTIVE.search("".join(part if isinstance(part, str) else "x" for part in item.parts)) is not None


def _marked(item: Text) -> bool:
    return any(isinstance(part, str) and is_pattern(part) for part in item.parts)


def _activated(item: Text) -> Text:
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
        for chunk, is_break in _chunks(part, separators or ""):
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


def _chunks(literal: str, separators: str) -> Iterable[tuple[str, bool]]:
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


def _glue_split(partial: _Partial, pieces: list[Text | None]) -> _Partial:
    for piece in pieces:
        if piece is None:
            partial = partial.close()
        elif _splits(piece) and piece.parts:
            prefix = partial.current
            loose: Value = frozenset(_loosen(piece))
            if prefix is not None:
                loose = join(loose, cat(prefix, loose))
                loose = join(loose, prefix)
            partial = _Partial(partial.words, None, join(partial.rest, loose))
        else:
            partial = partial.glue(frozenset({piece}))
    return partial


def _loosen(item: Text) -> list[Text]:
    """The words that a text with splitting holes may become: each hole may end a word before or after it."""
    if not any(isinstance(part, Hole) and may_split(part) for part in item.parts):
        return [item]
    parts: list[Part] = [
        part if isinstance(part, str) else inexact(part)._replace(alphabet=_piece_alphabet(part)) for part in item.parts
    ]
    out = {text(*parts)}
    for index, part in enumerate(parts):
        if isinstance(part, Hole) and may_split(part):
            out |= {text(*parts[: index + 1]), text(*parts[index:]), text(part)}
    return list(out)


def _piece_alphabet(part: Hole) -> str:
    return part.alphabet if not may_split(part) else SEGMENT if part.alphabet == SEGMENT else ANYTHING


def _matches(item: Text) -> Text:
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
            parts += [before, Hole(FILE, ANYTHING if wide else SEGMENT, False)]
        parts.append(part[pos:].translate(DEACTIVATE))
    return text(*parts)


def _home(user: str, st: State) -> Hole | Value:
    if not user:
        home = st.vars.get("HOME")
        return Hole(HOME) if home is None else home.value
    if user == "+":
        return st.cwd
    return TOP if user == "-" else Hole(UNKNOWN, ANYTHING, False)


def _tildes(item: Text) -> Text:
    """`a:~/b` in an assignment."""
    parts: list[Part] = []
    for part in item.parts:
        if isinstance(part, str) and ":~" in part:
            chunks = part.split(":~/")
            for index, chunk in enumerate(chunks):
                parts += [chunk] if not index else [":", Hole(HOME), "/" + chunk]
        else:
            parts.append(part)
    return text(*parts)
