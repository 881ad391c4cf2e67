"""Patterns of the shell on texts that may hold holes: `${x#p}`, `${x%p}`, `${x/p/r}`, `case`.

In a pattern the active characters are `STAR`, `MARK` and `OPEN`; everything else stands for itself.
"""

from __future__ import annotations

import re
from functools import lru_cache

from remit.analysis import domain
from remit.analysis.domain import Hole, Part, Text, Value, concat, piece, text
from remit.analysis.shell.syntax import ACTIVATE, DEACTIVATE, MARK, OPEN, STAR
from remit.analysis.shell.values import MAX_TEXTS, TOP, blur, texts
from remit.core.patterns import lazy_pattern

_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s",
    "blank": " \t", "punct": r"!-/:-@\[-`{-~", "xdigit": "0-9A-Fa-f", "word": r"\w", "cntrl": r"\x00-\x1f",
}  # fmt: skip
_EXTENDED = lazy_pattern(r"[@!+*?]\([^()]*\)")
_MAX = 4000
_SLUG = lazy_pattern(r"[A-Za-z0-9_-]*")


def activate(literal: str) -> str:
    """An unquoted literal as a pattern; an extended pattern is coarsened to `*`."""
    while "(" in literal:
        shorter = _EXTENDED.sub("*", literal)
        if shorter == literal:
            break
        literal = shorter
    return literal.translate(ACTIVATE)


def is_pattern(literal: str) -> bool:
    """Whether a literal holds an active character."""
    return STAR in literal or MARK in literal or OPEN in literal


def plain(item: Text) -> Text:
    """The text with its active characters as ordinary ones."""
    return Text(tuple(p.translate(DEACTIVATE) if isinstance(p, str) else p for p in item.parts))


@lru_cache(maxsize=4096)
def regex_of(pattern: str) -> re.Pattern[str] | None:
    """The regular expression that fully matches what a pattern without holes does; linear in its stars."""
    first, *middle = (_fixed(piece) for piece in re.split(STAR + "+", pattern))
    if not middle:
        return _compiled(first)
    return _compiled(first + "".join(f"(?>.*?{piece})" for piece in middle[:-1]) + ".*" + middle[-1])


def matched(item: Text, pattern: Text) -> tuple[Text, bool | None]:
    """Whether a text matches a pattern; None if that is open. Ranges depend on the locale, extended patterns are coarse."""
    shape, known = pattern.literal, item.literal
    if shape == STAR:
        return item, True
    if shape is None or known is None:
        return item, None
    if not is_pattern(shape):
        return item, shape == known
    regex = regex_of(shape)
    return item, None if regex is None or OPEN in shape or regex.fullmatch(known) else False


@lru_cache(maxsize=1024)
def search_of(pattern: str) -> re.Pattern[str] | None:
    """The regular expression that finds the longest match from a place; None if that may take long."""
    pieces = [_fixed(piece) for piece in re.split(STAR + "+", pattern)]
    return _compiled(".*".join(pieces)) if len(pieces) <= 3 else None


def _compiled(regex: str) -> re.Pattern[str] | None:
    try:
        return re.compile(regex, re.DOTALL)
    except re.error:
        return None


def _fixed(pattern: str) -> str:
    """A pattern without stars, as a regular expression."""
    out: list[str] = []
    pos = 0
    while pos < len(pattern):
        ch = pattern[pos]
        pos += 1
        if ch == MARK:
            out.append(".")
        elif ch == OPEN:
            end = _class_end(pattern, pos)
            if end < 0:
                out.append(r"\[")
                continue
            out.append(_class(pattern[pos:end]))
            pos = end + 1
        else:
            out.append(re.escape(ch))
    return "".join(out)


def _class_end(pattern: str, pos: int) -> int:
    start = pos + 1 if pattern[pos : pos + 1] in ("!", "^") else pos
    end = pattern.find("]", start + 1)
    while end > 0 and re.search(rf"[\[{OPEN}]:\w*$", pattern[start:end]):
        end = pattern.find("]", pattern.find("]", end) + 1)
    return end


def _class(body: str) -> str:
    negated = body[:1] in ("!", "^")
    body = (body[1:] if negated else body).translate(DEACTIVATE)
    escaped = body.replace("\\", r"\\").replace("[:", "\0").replace("[", r"\[").replace("]", r"\]").replace("^", r"\^")
    escaped = re.sub(r"\0(\w+):(\\\])?", lambda m: _CLASSES.get(m.group(1), ""), escaped)
    return f"[{'^' if negated else ''}{escaped}]"


def trim(item: Text, pattern: Text, op: str) -> Text:
    """`${item#pattern}` and the other three."""
    shape = pattern.literal
    if shape is None:
        return _cut(item)
    whole = item.literal
    if whole is not None and len(whole) < _MAX:
        regex = regex_of(shape)
        return _cut(item) if regex is None else text(_trim_literal(whole, regex, op))
    if op == "##" and shape == STAR + "/":
        return base_name(item)
    if op == "%" and shape == "/" + STAR:
        return folder_name(item)
    if not is_pattern(shape):
        return _trim_fixed(item, shape, op)
    if op == "%" and shape.endswith(STAR) and not is_pattern(shape[:-1]):
        last = item.parts[-1]
        if isinstance(last, str) and shape[:-1] in last:
            return text(*item.parts[:-1], last[: last.rfind(shape[:-1])])
    if op == "#" and shape.startswith(STAR) and not is_pattern(shape[1:]):
        first = item.parts[0]
        if isinstance(first, str) and shape[1:] in first:
            return text(first[first.find(shape[1:]) + len(shape) - 1 :], *item.parts[1:])
    return _cut(item)


def _cut(item: Text) -> Text:
    """A text of which something was taken away."""
    first = item.parts[0] if len(item.parts) == 1 else None
    return Text((piece(first),)) if isinstance(first, Hole) else blur(item)


def _trim_literal(whole: str, regex: re.Pattern[str], op: str) -> str:
    size = len(whole)
    if op[0] == "#":
        cuts = range(size + 1) if op == "#" else range(size, -1, -1)
        return next((whole[i:] for i in cuts if regex.fullmatch(whole, 0, i)), whole)
    cuts = range(size, -1, -1) if op == "%" else range(size + 1)
    return next((whole[:i] for i in cuts if regex.fullmatch(whole, i)), whole)


def _trim_fixed(item: Text, fixed: str, op: str) -> Text:
    at = 0 if op[0] == "#" else -1
    edge = item.parts[at]
    if isinstance(edge, str):
        if op[0] == "#" and edge.startswith(fixed):
            return text(edge[len(fixed) :], *item.parts[1:])
        if op[0] == "%" and edge.endswith(fixed):
            return text(*item.parts[:-1], edge[: -len(fixed) or None])
        return item if len(edge) >= len(fixed) else blur(item)
    if fixed == "/" and op[0] == "%":  # a trailing slash does not change which path is named
        return item
    parts = list(item.parts)
    parts[at] = piece(edge)
    return Text(tuple(parts))


def base_name(item: Text) -> Text:
    """What follows the last slash."""
    tail: list[Part] = []
    for part in reversed(item.parts):
        if isinstance(part, str):
            if "/" in part:
                tail.append(part[part.rfind("/") + 1 :])
                break
            tail.append(part)
        elif part.alphabet in domain.NO_SLASH:
            tail.append(part)
        else:
            tail.append(Hole(part.origin, domain.FLAT, False))
            break
    return text(*reversed(tail))


def folder_name(item: Text) -> Text:
    """What stands before the last slash."""
    for index in range(len(item.parts) - 1, -1, -1):
        part = item.parts[index]
        if isinstance(part, str):
            if "/" in part:
                return text(*item.parts[:index], part[: part.rfind("/")])
        elif part.alphabet not in domain.NO_SLASH:
            if part.origin in domain.ANCHORS:
                return text(*item.parts[: index + 1], "/..")
            return text(*item.parts[:index], piece(part))
    return item


def substituted(item: Text, pattern: Text, replacement: Text, op: str) -> frozenset[Text]:
    """`${item/pattern/replacement}` and its variants. From bash 5.2 on `&` is what was found, unless it is quoted."""
    new = replacement.literal
    if new is None or "&" not in new:
        return frozenset({_substitute(item, pattern, new, op)})
    out = {_substitute(item, pattern, new, op, finds=finds) for finds in (False, True)}
    return frozenset(out if new.count("&") == 1 else {*out, blur(item)})


def _substitute(item: Text, pattern: Text, new: str | None, op: str, *, finds: bool = False) -> Text:  # noqa: PLR0911  one case for each form of the grammar
    """One substitution; `finds`: `&` stands for what was found."""
    shape = pattern.literal
    regex = search_of(shape) if shape else None
    if shape is None or new is None or (shape and regex is None):
        return blur(item)
    if regex is None:  # nothing is found everywhere: at an end it is what the new text is added to
        return concat(text(new), item) if op == "/#" else concat(item, text(new)) if op == "/%" else item
    if op in ("/#", "/%"):
        whole = item.literal
        if whole is None or len(whole) > _MAX:
            return blur(item)
        trimmed = _trim_literal(whole, regex, "##" if op == "/#" else "%%")
        if trimmed == whole and not regex.fullmatch(""):
            return item
        found = whole.removesuffix(trimmed) if op == "/#" else whole.removeprefix(trimmed)
        put = new.replace("&", found) if finds else new
        return text(put + trimmed if op == "/#" else trimmed + put)
    count = 0 if op == "//" else 1
    whole = item.literal
    if whole is not None:
        if len(whole) >= _MAX:
            return blur(item)
        return text(regex.sub(lambda m: new.replace("&", m[0]) if finds else new, whole, count=count))
    if op != "//" or not _single_character(shape) or finds:
        return blur(item)
    return text(*(_replace_in(part, regex, new, shape) for part in item.parts))


def _single_character(shape: str) -> bool:
    if len(shape) == 1:
        return shape != STAR
    return shape[0] == OPEN and _class_end(shape, 1) == len(shape) - 1


def _replace_in(part: Part, regex: re.Pattern[str], new: str, shape: str) -> Part:
    if isinstance(part, str):
        return regex.sub(lambda _: new, part)
    alphabet = part.alphabet
    if shape[:2] in (OPEN + "^", OPEN + "!"):
        kept = "".join(chr(c) for c in range(128) if not regex.fullmatch(chr(c)))
        if not kept.strip("0123456789") and not new.strip("0123456789"):
            alphabet = domain.NUMERIC
        elif _SLUG.fullmatch(kept + new) and new:
            alphabet = domain.FLAT
    elif alphabet == domain.NUMERIC and not new.isdigit():
        alphabet = domain.ANYTHING
    return Hole(part.origin, alphabet, False)


# Where `cd` goes.


def change(cwd: Value, target: Value) -> Value:
    """The folders after `cd target` in each of these folders."""
    out = set[Text]()
    for item in texts(target):
        if _absolute(item):
            out.add(_normal(item))
            continue
        first = item.parts[0] if item.parts else ""
        for base in texts(cwd):
            if isinstance(first, Hole):
                out.add(item)  # it may be absolute, and then the old folder is dropped
                if base.parts != (Hole(domain.CWD),) and first.alphabet not in domain.NO_SLASH:
                    out.add(text(*base.parts, "/", *item.parts))
                elif first.alphabet in domain.NO_SLASH:
                    out.discard(item)
                    out.add(text(*base.parts, "/", *item.parts))
            else:
                out.add(_normal(text(*base.parts, "/", *item.parts)))
    return frozenset(out) if len(out) <= MAX_TEXTS else TOP


def _absolute(item: Text) -> bool:
    first = item.parts[0] if item.parts else ""
    return first.origin in domain.ANCHORS if isinstance(first, Hole) else first.startswith("/")


def _normal(item: Text) -> Text:
    """Without `.`, and without `..` where the folder before it is a literal."""
    last = item.parts[-1] if item.parts else ""
    if isinstance(last, Hole):
        return item
    names: list[str] = []
    for index, name in enumerate(last.split("/")):
        if name == "." or (not name and index):
            continue
        if name == ".." and len(names) > 1 and names[-1] != "..":
            names.pop()
        elif name == ".." and names == [""] and len(item.parts) == 1:
            continue
        else:
            names.append(name)
    joined = "/".join(names)
    return text(*item.parts[:-1], joined or ("/" if len(item.parts) == 1 else ""))
