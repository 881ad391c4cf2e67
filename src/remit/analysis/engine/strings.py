"""Methods of strings, folded on literals where that keeps a path, host or name exact."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from remit.analysis.domain import (
    ANYTHING,
    FLAT,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    UNKNOWN,
    Const,
    Data,
    Instance,
    Num,
    Text,
    Value,
    lit,
    piece,
    trimmed,
)
from remit.analysis.domain import text as normal
from remit.analysis.each import each
from remit.analysis.engine.texts import concat_values, cut_out, derived, literals, mapped, remade, reshaped, texts_of
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Args

# A value; a list of values in order; or (value,): a list of any length.
Result: TypeAlias = Value | list[Value] | tuple[Value, ...]

_PY_FOLDED = frozenset(
    "strip lstrip rstrip lower upper title capitalize casefold swapcase replace removeprefix removesuffix zfill ljust rjust center "
    "expandtabs".split()
)
_PY_CUTS = frozenset("strip lstrip rstrip removeprefix removesuffix".split())
_PY_SPLIT = frozenset("split rsplit splitlines partition rpartition".split())
_PY_NUM = frozenset("find rfind index rindex count __len__".split())
_PY_SAME = frozenset("__str__ tobytes".split())
_PY_CODECS = frozenset({"encode", "decode"})
_PLAIN_CODEC = lazy_pattern(
    r"utf[-_]?8([-_]sig)?|ascii|latin[-_]?1|iso[-_]?8859[-_]?1|cp1252|us[-_]ascii", re.IGNORECASE
)


def _plain(replacement: str) -> str:
    """A replacement without `$&` and its kin, which stand for what was matched."""
    if "$" in replacement:
        raise TypeError
    return replacement


_JS_SAME = frozenset("toString valueOf toWellFormed".split())
_JS_FOLDED: dict[str, Callable[..., str]] = {
    "trim": lambda s: s.strip(), "trimStart": lambda s: s.lstrip(), "trimEnd": lambda s: s.rstrip(),
    "toLowerCase": lambda s: s.lower(), "toUpperCase": lambda s: s.upper(),
    "replace": lambda s, a, b: s.replace(a, _plain(b), 1), "replaceAll": lambda s, a, b: s.replace(a, _plain(b)),
    "concat": lambda s, *more: s + "".join(more), "normalize": lambda s, form="NFC": unicodedata.normalize(form, s),
}  # fmt: skip
# A regular expression that is one class of characters, with the flag that finds them all.
_CHARACTERS = lazy_pattern(r"(\[(?:[^\]\\]|\\.)+\]|\\W|\\?/)[+]?")
_SLASHES_AT_END: dict[str, Callable[[str], str]] = {
    r"/\/$/": lambda s: s.removesuffix("/"), r"/\/+$/": lambda s: s.rstrip("/"), r"/\/*$/": lambda s: s.rstrip("/"),
}  # fmt: skip
_EVERYWHERE = lazy_pattern(r"/(.+)/[gimsuy]*g[gimsuy]*", re.DOTALL)
_JS_NUM = frozenset("indexOf lastIndexOf search charCodeAt codePointAt localeCompare".split())
_JS_BOOL = frozenset("includes startsWith endsWith isWellFormed".split())
_LONGEST_FOLD = 100_000


def python_string(method: str, value: Value, args: Args) -> Result:  # noqa: PLR0911  one case for each kind of value
    """`str.method(*args)` and `bytes.method`."""
    if method in _PY_SAME or (method in _PY_CODECS and _keeps_characters(args)):
        return value
    if method in _PY_CODECS:
        return derived(value)
    if method == "format":
        return _format(value, args)
    if method in _PY_SPLIT:
        return _split(method, value, args)
    if method in _PY_NUM:
        return SOME_NUM
    if method.startswith("is") or method in {"startswith", "endswith"}:
        return SOME_BOOL
    if method in _PY_FOLDED:
        given = [literals(argument) for argument in args.positional]
        if not args.star and not args.keywords and all(item is not None and len(item) == 1 for item in given):
            words = [item[0] for item in given if item]
            return mapped(value, lambda text: _fold(text, method, words), lambda rest: _refolded(method, rest, args))
        return _refolded(method, value, args) if not args.star and not args.keywords else derived(value)
    if method in {"translate", "format_map", "hex", "join"}:
        return derived(value)
    return frozenset({Data(UNKNOWN)})


def _refolded(method: str, value: Value, args: Args) -> Value:
    """What such a method makes of texts that are not known."""
    if method in _PY_CUTS:
        return cut_out(value, trimmed if _trims(method, args) else piece)
    if method == "replace" and len(args.positional) == 2 and literals(args.positional[0]) == ["/"]:
        return _flattened(value, args.positional[1])
    return reshaped(value, *args.positional[1:2])


def _trims(method: str, args: Args) -> bool:
    """Whether only blanks at the ends are taken away, or slashes at the end."""
    if not args.positional:
        return method.endswith("strip")
    return method in {"rstrip", "removesuffix"} and literals(args.positional[0]) == ["/"]


def _flattened(value: Value, replacement: Value) -> Value:
    """A text in which each slash has become something else: it is flat, unless that may be a slash again."""
    given = literals(replacement)
    flat = given is not None and not any("/" in word for word in given)
    return remade(value | replacement, FLAT if flat else ANYTHING)


def substituted(value: Value, pattern: Value, replacement: Value) -> Value:
    """`re.sub(pattern, replacement, value)`, wherever the pattern matches."""
    patterns, words = literals(pattern), literals(replacement)
    if patterns is None or words is None or any("\\" in word for word in words):  # `\\057` is a slash
        return derived(value | SOME_TEXT)
    if all(map(_takes_slashes, patterns)):
        return _flattened(value, replacement)
    return reshaped(value, replacement)


def _takes_slashes(pattern: str) -> bool:
    """Whether a pattern is one class of characters, a slash among them."""
    found = _CHARACTERS.fullmatch(pattern)
    try:
        return found is not None and re.fullmatch(found[1], "/") is not None
    except re.error:
        return False


def _keeps_characters(args: Args) -> bool:
    """Whether a text is encoded or decoded as it stands; some codecs make others of its characters (`unicode_escape`, `utf-7`)."""
    given = args.keywords.get("encoding", args.positional[0] if args.positional else lit("utf-8"))
    names = literals(given)
    return not args.star and names is not None and all(map(_PLAIN_CODEC.fullmatch, names))


def _fold(text: str, method: str, words: list[str]) -> str:
    try:
        made = getattr(text, method)(*words)
    except (TypeError, ValueError):
        return text
    return made if len(made) < _LONGEST_FOLD else text


def _split(method: str, value: Value, args: Args) -> Result:
    texts = literals(value)
    given = [literals(argument) for argument in args.positional]
    single = all(item is not None and len(item) == 1 for item in given) and not args.keywords
    if texts is not None and len(texts) == 1 and single:
        try:
            parts = getattr(texts[0], method)(*[item[0] for item in given if item])
        except (TypeError, ValueError):
            return (cut_out(value),)
        if len(parts) <= 64:
            return [lit(part) for part in parts]
    return (
        cut_out(value) | (value if texts is None and len(value) == 1 and method.endswith("split") else frozenset()),
    )


def _format(value: Value, args: Args) -> Value:
    out: set[object] = set()
    for text in texts_of(value):
        literal = text.literal
        made = _format_literal(literal, args) if literal is not None else None
        out.update(made if made is not None else derived(frozenset({text}).union(*args.positional)))
    return frozenset(out)  # type: ignore[arg-type]


def _format_literal(literal: str, args: Args) -> Value | None:
    import string  # noqa: PLC0415  rarely needed, and not free to import

    pieces: list[Value] = []
    automatic = 0
    try:
        fields = list(string.Formatter().parse(literal))
    except ValueError:
        return None
    for before, name, spec, conversion in fields:
        pieces.append(lit(before))
        if name is None:
            continue
        if spec or conversion not in {None, "s"}:
            return None
        if not name or name.isdigit():
            index = int(name) if name else automatic
            automatic += 1
            if index >= len(args.positional) or args.star:
                return None
            pieces.append(args.positional[index])
        elif name in args.keywords:
            pieces.append(args.keywords[name])
        else:
            return None
    return concat_values(pieces)


def field_paths(literal: str | None) -> list[tuple[int | str, list[tuple[bool, str]]]]:
    """The fields of a format text that lead on from an argument: its number or name, then attributes (True) and keys."""
    import string  # noqa: PLC0415  as above

    try:
        names = [name for _, name, _, _ in string.Formatter().parse(literal or "") if name is not None]
    except ValueError:
        return []
    out: list[tuple[int | str, list[tuple[bool, str]]]] = []
    for number, name in enumerate(names):
        first = re.split(r"[.\[]", name, maxsplit=1)[0]
        steps = [(bool(member), member or key) for member, key in re.findall(r"\.([^.\[]+)|\[([^\]]*)\]", name)]
        if steps:
            out.append((number if not first else int(first) if first.isdecimal() and len(first) < 9 else first, steps))
    return out


def javascript_string(method: str, value: Value, args: Args) -> Result:  # noqa: C901, PLR0911, PLR0912  one case for each kind of value
    """`String.prototype.method`."""
    if method in _JS_SAME:
        return value
    if method in _JS_NUM:
        return SOME_NUM
    if method in _JS_BOOL:
        return SOME_BOOL
    if method == "replace" and (made := _replace_start(value, args)) is not None:
        return made
    if method in {"replace", "replaceAll"} and (made := _without_slashes(method, value, args)) is not None:
        return made
    if method.startswith("trim") and method in _JS_FOLDED and not args.positional:
        return mapped(value, _JS_FOLDED[method], lambda rest: cut_out(rest, trimmed))
    if method in _JS_FOLDED:
        given = [literals(argument) for argument in args.positional]
        if not args.star and all(item is not None and len(item) == 1 for item in given):
            words = [item[0] for item in given if item]
            try:
                grows = method in {"toLowerCase", "toUpperCase", "concat"}
                return _folded_or_cut(
                    value,
                    lambda text: _JS_FOLDED[method](text, *words),
                    args.positional,
                    grows=grows,
                    cuts=method.startswith("trim"),
                )
            except TypeError:
                return derived(value)
        if method == "replace" and len(args.positional) == 2 and literals(args.positional[1]) is not None:
            kept = all(word.strip(".") for word in literals(args.positional[1]) or ())
            return reshaped(value, args.positional[1], grows=kept)  # a pattern; the replacement is more than dots
        return derived(
            value.union(*(frozenset(a for a in item if isinstance(a, (Text, Data))) for item in args.positional))
        )
    if method == "split":
        texts, by = literals(value), literals(args.positional[0]) if args.positional else None
        if texts is not None and len(texts) == 1 and by is not None and len(by) == 1 and len(args.positional) == 1:
            parts = texts[0].split(by[0]) if by[0] else list(texts[0])
            if len(parts) <= 64:
                return [lit(part) for part in parts]
        return (reshaped(value, cuts=True),)
    if method in {"match", "matchAll"}:
        return frozenset({Data(UNKNOWN)})
    return javascript_text(method, value, args)


def _replace_start(value: Value, args: Args) -> Value | None:
    """`text.replace(a, b)` where the first `a` lies in the literal that the text begins with; None if it may not."""
    words = [_constant(argument) for argument in args.positional]
    if (
        len(words) != 2
        or args.star
        or not isinstance(words[0], str)
        or not isinstance(words[1], str)
        or "$" in words[1]
        or not words[0]
    ):
        return None
    out: set[Text] = set()
    for given in texts_of(value):
        first = given.parts[0] if given.parts else ""
        if not isinstance(first, str) or words[0] not in first:
            return None
        out.add(normal(first.replace(words[0], words[1], 1), *given.parts[1:]))
    return frozenset(out)


def javascript_words(value: Value) -> Value:
    """A value as `+` and templates write it: `null`, `true` and `false` by their JavaScript names."""
    return frozenset(
        Text((_JS_CONSTANTS[atom.name],)) if isinstance(atom, Const) and atom.name in _JS_CONSTANTS else atom
        for atom in value
    )


_JS_CONSTANTS = {"none": "null", "true": "true", "false": "false", "undefined": "undefined"}


def javascript_text(method: str, value: Value, args: Args) -> Value:
    """A method that yields a text: cut out or filled up on literals if its arguments are constants."""
    fold = _JS_CUTS.get(method)
    given = [_constant(argument) for argument in args.positional]
    plain = all(
        text.literal is None or text.literal.isascii() for text in texts_of(value)
    )  # indices count UTF-16 units
    cuts = method in _JS_SHORTER
    if fold is None or args.star:
        return cut_out(value) if cuts else derived(value)
    pads = method.startswith("pad")
    fill = args.positional[1:] if pads else []
    if not plain or any(item is None for item in given):
        return reshaped(value, *fill, grows=pads, cuts=cuts)
    cut = fold
    try:
        return _folded_or_cut(value, lambda text: cut(text, *given), fill, grows=pads, cuts=cuts)
    except (TypeError, ValueError):
        return reshaped(value, *fill, grows=pads, cuts=cuts)


def _folded_or_cut(value: Value, fold: Callable[[str], str], others: list[Value], *, grows: bool, cuts: bool) -> Value:
    """Folded on literals; of other texts, something made of the same pieces."""
    known = frozenset(text for text in texts_of(value) if text.literal is not None)
    rest = frozenset(texts_of(value)) - known
    return (mapped(known, fold) if known else known) | (
        reshaped(rest, *others, grows=grows, cuts=cuts) if rest else rest
    )


def _without_slashes(method: str, value: Value, args: Args) -> Value | None:
    """`text.replace(/[^a-z]/g, "-")`: what is left has no slash, if the class holds it; None if that is not said."""
    words = args.positional
    if len(words) != 2 or args.star or any(len(word) != 1 for word in words):
        return None
    (pattern,), (replacement,) = words
    if isinstance(pattern, Instance) and pattern.cls == "globals.RegExp":
        written = next(iter(each(pattern.payload or ())), Text(())).literal
        if written in _SLASHES_AT_END and replacement == Text(()):
            return mapped(value, _SLASHES_AT_END[written], lambda rest: cut_out(rest, trimmed))
        found = _EVERYWHERE.fullmatch(written or "")
        takes = found is not None and _takes_slashes(found[1])
    else:
        takes = method == "replaceAll" and pattern == Text(("/",))
    known = (
        literals(value) is None
        and isinstance(replacement, Text)
        and replacement.literal is not None
        and "$" not in replacement.literal
    )
    return _flattened(value, words[1]) if takes and known else None


def _constant(value: Value) -> int | str | None:
    if len(value) != 1:
        return None
    (atom,) = value
    if isinstance(atom, Num):
        whole = atom.low is not None and atom.low == atom.high and atom.low == int(atom.low)
        return int(atom.low) if whole and atom.low is not None else None
    return atom.literal if isinstance(atom, Text) else None


def _substring(text: str, start: int = 0, end: int | None = None) -> str:
    size = len(text)
    low, high = (min(max(at, 0), size) for at in (start, size if end is None else end))
    return text[min(low, high) : max(low, high)]


def _substr(text: str, start: int = 0, length: int | None = None) -> str:
    first = max(len(text) + start, 0) if start < 0 else start
    return text[first:] if length is None else text[first : first + max(length, 0)]


def _padding(text: str, size: int, fill: str) -> str:
    lack = size - len(text)
    if lack > _LONGEST_FOLD:
        raise ValueError
    return (fill * (lack // len(fill) + 1))[:lack] if lack > 0 and fill else ""


def _repeat(text: str, times: int) -> str:
    if times < 0 or len(text) * times > _LONGEST_FOLD:
        raise ValueError
    return text * times


def _at(text: str, index: int = 0) -> str:
    if not -len(text) <= index < len(text):
        raise ValueError
    return text[index]


_JS_CUTS: dict[str, Callable[..., str]] = {
    "slice": lambda s, start=0, end=None: s[start:end], "substring": _substring, "substr": _substr,
    "charAt": lambda s, i=0: s[i] if 0 <= i < len(s) else "", "at": _at, "repeat": _repeat,
    "padStart": lambda s, size, fill=" ": _padding(s, size, fill) + s, "padEnd": lambda s, size, fill=" ": s + _padding(s, size, fill),
}  # fmt: skip
_JS_SHORTER = frozenset("slice substring substr charAt at".split())
