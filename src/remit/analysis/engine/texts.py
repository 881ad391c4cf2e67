"""Operations on abstract texts: concatenation, derived values, and paths and URLs as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

from remit.analysis.domain import (
    ANCHORS,
    ANYTHING,
    CWD,
    FLAT,
    HOME,
    MISSING,
    NEVER,
    NO_SLASH,
    NUMERIC,
    QUOTED,
    SEGMENT,
    SOME_TEXT,
    TREE,
    UNKNOWN,
    UNREACHED,
    Anything,
    Atom,
    Const,
    Data,
    Hole,
    Instance,
    Num,
    Text,
    Value,
    concat,
    folder_of_given,
    piece,
)
from remit.analysis.domain import text as normal
from remit.analysis.each import each
from remit.analysis.engine.heap import widen_texts, widened
from remit.core.patterns import lazy_pattern

MAX_COMBINATIONS = 24
MAX_PARTS = 200
_CONST_TEXT = {"none": "None", "true": "True", "false": "False", "undefined": "undefined", "missing": "undefined"}
EMPTY = Text(())


def texts_of(value: Value) -> list[Text]:
    """Every text that a value can be when something needs a text.

    What may be missing has no text besides the others. A run that gets there has the word `undefined` in its place; where the skill
    has something of that name, who joins texts has taken it into account (`Methods.words`).
    """
    out: list[Text] = []
    for atom in value if len(value) < 2 else each(value):
        if type(atom) is Text:
            out.append(atom)
        elif isinstance(atom, Num):
            out.append(number_text(atom))
        elif isinstance(atom, Const):
            if atom == NEVER or (atom == MISSING and len(value) > 1):
                continue
            out.append(Text((_CONST_TEXT.get(atom.name, atom.name),)))
        elif isinstance(atom, Data):
            out.append(Text((Hole(atom.origin, exact=False),)))
        elif isinstance(atom, Instance) and atom.payload is not None:
            out.extend(each(atom.payload))
        elif isinstance(atom, Anything):
            out.append(Text((Hole(atom.origin, exact=atom.origin != UNKNOWN),)))
        else:
            out.append(Text((Hole(UNKNOWN),)))
    return out


def number_text(atom: Num) -> Text:
    """A number as text: itself if it is one, else digits."""
    if atom.low is not None and atom.low == atom.high:
        return Text(
            (repr(atom.low) if isinstance(atom.low, float) and atom.low != int(atom.low) else str(int(atom.low)),)
        )
    return Text((Hole(UNKNOWN, NUMERIC),))


def literals(value: Value) -> list[str] | None:
    """The possible literals, or None if the value may be something else than missing."""
    out: list[str] = []
    for atom in each(value):
        found = atom.literal if isinstance(atom, Text) else None
        if found is not None:
            out.append(found)
        elif atom != MISSING:
            return None
    return out or None


def literal_texts(value: Value) -> list[str]:
    """Those of the possible texts that are literals."""
    return [found for atom in each(value) if isinstance(atom, Text) and (found := atom.literal) is not None]


def _short(text: Text) -> Text:
    """A text of very many parts is what it begins with, and something: each further part would copy all before it."""
    return text if len(text.parts) <= MAX_PARTS else Text((*text.parts[: MAX_PARTS // 2], Hole(UNKNOWN, exact=False)))


def concat_values(values: list[Value]) -> Value:
    """Texts one after the other, in every combination."""
    combined: list[Text] = [EMPTY]
    for value in values:
        if value == UNREACHED:
            return UNREACHED
        options = texts_of(value)
        if not options:
            return frozenset()
        if len(options) * len(combined) > MAX_COMBINATIONS:
            options = [widened(options)] if len(options) > 1 else options
            if len(options) * len(combined) > MAX_COMBINATIONS:
                combined = [widened(combined)]
        combined = [_short(concat(left, right)) for left in combined for right in options]
    return widen_texts(frozenset(combined))


def origin_of(value: Value) -> str:
    """The one origin of the holes of a value, or unknown."""
    origins = {part.origin for text in texts_of(value) for part in text.parts if isinstance(part, Hole)}
    return origins.pop() if len(origins) == 1 else UNKNOWN


def derived(value: Value, alphabet: str = ANYTHING) -> Value:
    """Some text computed from a value."""
    if not value:
        return value
    origin = origin_of(value)
    return frozenset({Text((Hole(UNKNOWN if origin in ANCHORS else origin, alphabet, exact=False),))})


def cut_out(value: Value, cut: Callable[[Hole], Hole] = piece) -> Value:
    """Some part of each text, with nothing added to it."""
    pieces: dict[Atom, Text] = {}
    for text in each(value):
        if isinstance(text, Text) and len(text.parts) == 1 and isinstance(hole := text.parts[0], Hole):
            pieces[text] = Text((cut(hole),))
    rest = value.difference(pieces)
    return remade(rest, FLAT if _flat(rest) else ANYTHING).union(pieces.values())


def _flat(value: Value) -> bool:
    """Whether no text of a value holds a slash."""
    parts = [part for text in texts_of(value) for part in text.parts]
    return all("/" not in part if isinstance(part, str) else part.alphabet in NO_SLASH for part in parts)


def remade(value: Value, alphabet: str) -> Value:
    """Some text made of pieces of these. With a dash of the skill it is no piece of what the caller gave: it may be an option."""
    dashed = any(isinstance(part, str) and "-" in part for text in texts_of(value) for part in text.parts)
    return derived(value | SOME_TEXT if value and dashed else value, alphabet)


def reshaped(value: Value, *others: Value, grows: bool = False, cuts: bool = False) -> Value:
    """Some text made of pieces of these: without a slash if they have none.

    `grows`: what was a name stays one. `cuts`: nothing is added.
    """
    flat = _flat(value.union(*others))
    named = grows and all(any(part.alphabet in {NUMERIC, SEGMENT} for part in _holes(text)) for text in texts_of(value))
    if cuts and not flat:
        return cut_out(value)
    return remade(value.union(*others), SEGMENT if flat and named else FLAT if flat else ANYTHING)


def _holes(text: Text) -> list[Hole]:
    return [part for part in text.parts if isinstance(part, Hole)]


def mapped(value: Value, fold: Callable[[str], str], otherwise: Callable[[Value], Value] = derived) -> Value:
    """A text function: folded on literals."""
    out: set[Text] = set()
    rest: set[Text] = set()
    for text in texts_of(value):
        literal = text.literal
        if literal is None:
            rest.add(text)
        else:
            out.add(_as_text(fold(literal)))
    made: Value = frozenset(out)
    return made | otherwise(frozenset(rest)) if rest else made


def _as_text(literal: str) -> Text:
    return Text((literal,)) if literal else EMPTY


def per_text(value: Value, function: Callable[[Text], Iterable[Text]]) -> Value:
    """Apply a function to each text."""
    return widen_texts(frozenset(out for text in texts_of(value) for out in function(text)))


# ── paths ──


def join_paths(left: Value, right: Value, *, resets: bool = True) -> Value:
    """`left/right`; where `right` may be absolute it also stands alone (`resets`), as Python joins."""
    out: set[Text] = set()
    for a in texts_of(left):
        for b in texts_of(right):
            out.update(_join(a, b, resets))
    return widen_texts(frozenset(out))


def _join(a: Text, b: Text, resets: bool) -> list[Text]:  # noqa: FBT001
    if not b.parts:
        return [a]
    if not a.parts or a.literal == ".":
        return [b]
    first = b.parts[0]
    if isinstance(first, str):
        if first.startswith("/"):
            return (
                [b]
                if resets
                else [_glue(a, Text((first.lstrip("/"), *b.parts[1:]))) if first.strip("/") or len(b.parts) > 1 else a]
            )
        return [_glue(a, b)]
    if first.origin in ANCHORS:
        return [b] if resets else [_glue(a, b)]
    if first.alphabet in {NUMERIC, SEGMENT, TREE} or not resets or _begins_a_name(b):
        return [_glue(a, b)]
    if a.parts == (Hole(CWD),):
        return [b]  # a relative path is seen from there anyway
    return [_glue(a, b), b]


def _begins_a_name(path: Text) -> bool:
    """Whether a text begins with a piece of a name, and not with a slash if that piece is empty."""
    first, *rest = path.parts
    return isinstance(first, Hole) and first.alphabet == FLAT and (not rest or str(rest[0])[:1] != "/")


def _glue(a: Text, b: Text) -> Text:
    last = a.parts[-1]
    if isinstance(last, str) and last.endswith("/"):
        return concat(a, b)
    return concat(concat(a, Text(("/",))), b)


def split_last(text: Text) -> tuple[Text, Text] | None:
    """A path before and after its last slash; None if a hole hides where that is."""
    for i in range(len(text.parts) - 1, -1, -1):
        part = text.parts[i]
        if isinstance(part, Hole):
            if part.alphabet not in NO_SLASH:
                return None
            continue
        at = part.rfind("/")
        if at >= 0:
            head = (*text.parts[:i], part[:at]) if at else (*text.parts[:i], "/") if i == 0 else text.parts[:i]
            tail = (part[at + 1 :], *text.parts[i + 1 :])
            return _clean(head), _clean(tail)
    return EMPTY, text


def _clean(parts: tuple[str | Hole, ...]) -> Text:
    return Text(tuple(part for part in parts if part != ""))


def folder(value: Value) -> Value:
    """Paths that are used as folders: where the last name may be `..`, that is a folder too."""

    def one(text: Text) -> list[Text]:
        last = text.parts[-1] if text.parts else ""
        return [concat(text, Text(("/",)))] if isinstance(last, Hole) and last.alphabet == FLAT else [text]

    return per_text(value, one)


def dirname(value: Value, *, empty: str = "") -> Value:
    """The folder part of each path."""

    def one(text: Text) -> list[Text]:
        if beside := folder_of_given(text):
            return [beside]
        halves = split_last(text)
        if halves is None:
            return list(cut_out(frozenset({text})))  # type: ignore[arg-type]
        head = halves[0]
        if not head.parts and text.parts and isinstance(text.parts[0], Hole) and text.parts[0].origin in ANCHORS:
            return [Text((*text.parts, "/.."))]
        return [head if head.parts else _as_text(empty)]

    return per_text(value, one)


_MOST_PARENTS = 200


def parents(value: Value) -> Value:
    """The folders above each path, up to where it begins."""
    out: set[Atom] = set()
    todo = dirname(value)
    while new := {
        atom for atom in todo if atom not in out and not (isinstance(atom, Text) and atom.literal in {"", "/", "."})
    }:
        out |= new
        if len(out) > _MOST_PARENTS:
            return SOME_TEXT
        todo = dirname(frozenset(new))
    return frozenset(out)


def basename(value: Value) -> Value:
    """The last component of each path."""

    def one(text: Text) -> list[Text]:
        halves = split_last(text)
        if halves is None:
            return list(derived(frozenset({text}), FLAT))  # type: ignore[arg-type]
        return [halves[1]]

    return per_text(value, one)


def stem(value: Value) -> Value:
    """The last component without its ending."""
    return mapped(basename(value), lambda name: name.rpartition(".")[0] or name, partial(derived, alphabet=FLAT))


def with_suffix(value: Value, suffix: Value) -> Value:
    """The path with another ending: the folder stays."""
    out: set[Text] = set()
    for text in texts_of(value):
        literal = text.literal
        halves = split_last(text)
        if literal is not None:
            base = literal.rpartition(".")[0] if "." in literal.rpartition("/")[2].lstrip(".") else literal
            out.update(concat(_as_text(base), end) for end in texts_of(suffix))
        elif start := folder_of_given(text) or (halves[0] if halves is not None and halves[0].parts else None):
            tail = Text((Hole(origin_of(frozenset({text})), FLAT, exact=False),))
            out.update(_glue(start, concat(tail, end)) for end in texts_of(suffix))
        else:
            starts = texts_of(cut_out(frozenset({text})))
            out.update(concat(start, end) for start in starts for end in texts_of(suffix))
    return widen_texts(frozenset(out))


def abspath(value: Value) -> Value:
    """Relative literals are below the current folder; an argument still means the same file."""

    def one(text: Text) -> list[Text]:
        if not text.parts:
            return [Text((Hole(CWD),))]
        first = text.parts[0]
        if isinstance(first, str) and not first.startswith("/"):
            return [concat(Text((Hole(CWD), "/")), text)]
        return [text]

    return per_text(value, one)


def expanduser(value: Value) -> Value:
    """`~` at the start is the home folder."""

    def one(text: Text) -> list[Text]:
        first = text.parts[0] if text.parts else ""
        if not isinstance(first, str) or not first.startswith("~"):
            return [text]
        if first == "~" and len(text.parts) == 1:
            return [Text((Hole(HOME),))]
        if first.startswith("~/"):
            return [concat(Text((Hole(HOME),)), Text((first[1:], *text.parts[1:])))]
        return [Text((Hole(UNKNOWN),))]

    return per_text(value, one)


def quoted(value: Value) -> Value:
    """One shell word that holds the text, whatever it is."""

    def one(text: Text) -> list[Text]:
        literal = text.literal
        if literal is not None:
            return [Text(("'" + literal.replace("'", "'\"'\"'") + "'",))]
        return [Text((Hole(origin_of(frozenset({text})), QUOTED, exact=False),))]

    return per_text(value, one)


_SCHEME = lazy_pattern(r"[A-Za-z][\w+.-]*:")
_DROPPED = dict.fromkeys(map(ord, "\t\r\n"))
_BLANK = "".join(map(chr, range(33)))  # control characters and the blank
_ORIGIN = lazy_pattern(r"(https?:|wss?:)//[^/?#\\]+", re.IGNORECASE)


def resolved_url(base: Text, given: Text) -> Iterable[Text]:
    """What `new URL(given, base)` may be; a hole may itself be a whole URL."""
    given = _as_browsers_read(given)
    first = given.parts[0] if given.parts else ""
    start = base.parts[0] if base.parts else ""
    if isinstance(first, str) and _SCHEME.match(first):
        return [given]
    alone = [] if isinstance(first, str) else [given]
    origin = _ORIGIN.match(start) if isinstance(start, str) else None
    if origin is None or (isinstance(start, str) and origin.end() == len(start) and len(base.parts) > 1):
        return [*alone, *texts_of(join_paths(dirname(frozenset({base})), frozenset({given})))]
    if isinstance(first, str) and first.startswith(("//", "\\\\", "/\\")):
        return [normal(origin.group(1), *given.parts)]
    if first in {"/", "\\"} and len(given.parts) > 1:  # what follows may begin with a second slash, and then a host
        alone = [normal(origin.group(1) + "//", *given.parts[1:])]
    slash = "" if isinstance(first, str) and first.startswith(("/", "\\")) else "/"
    return [*alone, normal(origin.group(0) + slash, *given.parts)]


def _as_browsers_read(given: Text) -> Text:
    """A URL without the characters that are dropped before it is read: line breaks and tabs, and blanks at its start."""
    parts = [part.translate(_DROPPED) if isinstance(part, str) else part for part in given.parts]
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip(_BLANK)
    return normal(*parts)


def local(given: Text) -> Text | None:
    """The path of a text that begins as a `file:` URL; None if it does not."""
    first = given.parts[0] if given.parts else ""
    if not isinstance(first, str) or not first.lower().startswith("file:"):
        return None
    return normal(first[5:].removeprefix("//").removeprefix("localhost"), *given.parts[1:])


def paths_of_urls(value: Value) -> Value:
    """The path that a URL names: that of a `file:` URL, or what follows the host."""
    out: set[Text] = set()
    for given in texts_of(value):
        first = given.parts[0] if given.parts else ""
        path = local(given)
        if path is not None:
            out.add(path)
        elif (isinstance(first, str) and first.startswith("/")) or (
            isinstance(first, Hole) and first.origin in ANCHORS
        ):
            out.add(given)
        elif isinstance(first, str) and (origin := _ORIGIN.match(first)) is not None and len(given.parts) == 1:
            out.add(normal(re.split(r"[?#]", first[origin.end() :])[0] or "/"))
        else:
            out.update(texts_of(SOME_TEXT))
    return frozenset(out)


def origins_of_urls(value: Value, part: str) -> Value:
    """The origin of URLs, or of it the host with its port (`host`) or without (`hostname`); any text where it is not written down."""
    out: set[Text] = set()
    for given in texts_of(value):
        first = given.parts[0] if given.parts else ""
        found = _ORIGIN.match(first) if isinstance(first, str) else None
        whole = found is not None and (found.end() < len(str(first)) or len(given.parts) == 1)
        if found is None or not whole or "@" in found.group(0):
            out.update(texts_of(SOME_TEXT))
            continue
        host = found.group(0).removeprefix(found.group(1)).removeprefix("//").lower()
        shown = {"origin": f"{found.group(1).lower()}//{host}", "hostname": re.sub(r":\d*$", "", host)}
        out.add(normal(shown.get(part, host)))
    return frozenset(out)
