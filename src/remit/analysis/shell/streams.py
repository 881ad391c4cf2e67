"""Text in and out: what `echo` and `printf` print, and what `read` takes from its input."""

from __future__ import annotations

import re
import shlex

from remit.analysis.domain import NUMERIC, QUOTED, UNKNOWN, Hole, Text, Value, lit, text
from remit.analysis.shell.ansi import echo_escapes, printf_escapes
from remit.analysis.shell.fields import split_text
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    Fields,
    bag,
    blur,
    bounded,
    cat,
    is_numeric,
    join,
    literal_of,
    texts,
    value_origin,
    widen,
)

_ECHO_OPTION = re.compile(r"-[neE]+")
_SPEC = re.compile(r"%(?:%|\([^)]*\)T|[-+ #0']*(\*|\d+)?(?:\.(?:\*|\d+))?[hlLjzt]*([a-zA-Z]))")
_MAX_LINES = 40


def join_echo(args: Fields) -> Value:
    """The output of `echo`."""
    words = list(args.words)
    end, escapes = "\n", False
    while words and (known := literal_of(words[0])) is not None and _ECHO_OPTION.fullmatch(known):
        end = "" if "n" in known else end
        escapes = "e" in known or (escapes and "E" not in known)
        words.pop(0)
    if args.rest:
        origin = value_origin(bag(args))
        only = all(isinstance(p, Hole) for item in texts(bag(args)) for p in item.parts)
        loose = frozenset({Text((Hole(origin if only else UNKNOWN, exact=False),))})
        words.append(loose)
    out = EMPTY
    for index, word in enumerate(words):
        out = cat(cat(out, lit(" ")) if index else out, word)
    if escapes:
        out = frozenset(
            text(*(echo_escapes(part) if isinstance(part, str) else part for part in item.parts)) for item in texts(out)
        )
    return cat(out, lit(end)) if end else out


def format_printf(args: Fields) -> Value:
    """The output of `printf format words`."""
    if not args.words:
        return TOP
    out: Value = frozenset()
    for item in texts(args.words[0]):
        shape = item.literal
        one = TOP if shape is None else _format(shape, list(args.words[1:]), args.rest)
        if shape is None and all(isinstance(p, Hole) and p.alphabet == NUMERIC for p in item.parts):
            one = frozenset({item})
        out = join(out, one)
    return out


def _format(shape: str, words: list[Value], rest: Value) -> Value:
    out = EMPTY
    for _ in range(32):
        pos, used = 0, False
        for match in _SPEC.finditer(shape):
            out = cat(out, lit(printf_escapes(shape[pos : match.start()])))
            pos = match.end()
            if match.group() == "%%":
                out = cat(out, lit("%"))
                continue
            if match.group().endswith("T") and "(" in match.group():
                out = cat(out, TOP)
                continue
            used = True
            if rest and not words:
                out = cat(out, _converted(match, rest))
                continue
            if match.group(1) == "*" and words:
                words.pop(0)
            out = cat(out, _converted(match, words.pop(0) if words else EMPTY))
        out = cat(out, lit(printf_escapes(shape[pos:])))
        if not words or not used:
            break
    else:
        return TOP
    if rest and used:  # the format is repeated for further words
        return frozenset({blur(item) for item in texts(join(out, widen(join(out, rest))))})
    return out


def _converted(match: re.Match[str], word: Value) -> Value:
    kind = match.group(2)
    if kind == "s" and match.group() == "%s":
        return word
    if kind == "b":
        return frozenset(text(*(echo_escapes(p) if isinstance(p, str) else p for p in i.parts)) for i in texts(word))
    if kind == "q":
        return frozenset(
            text(shlex.quote(i.literal)) if i.literal is not None else Text((Hole(UNKNOWN, QUOTED, False),))
            for i in texts(word)
        )
    if kind in ("d", "i", "u") and match.group() in ("%d", "%i", "%u"):
        return word if all(is_numeric(i) for i in texts(word)) else NUMBER
    if kind in tuple("diouxXeEfFgG"):
        return NUMBER
    if kind == "s":
        return _padded(match.group(), word)
    return frozenset(blur(i) for i in texts(word))


def _padded(spec: str, word: Value) -> Value:
    out = set[Text]()
    for item in texts(word):
        known = item.literal
        if known is not None and "*" not in spec and len(spec) < 8:
            out.add(text(spec % known))
        else:
            out.add(blur(item))
    return frozenset(out)


def read_values(source: Value, count: int, separators: str | None, delimiter: str | None, *, each: bool) -> list[Value]:
    """What `read` assigns to `count` variables. `each`: any field of a line (`read -a`)."""
    results: list[set[Text]] = [set() for _ in range(count)]
    for item in texts(source):
        known = item.literal
        if known is None or delimiter not in (None, "", "\n"):
            loose = _piece(item)
            for result in results:
                result.add(loose)
            continue
        lines = [known] if delimiter == "" else known.removesuffix("\n").split("\n")
        if len(lines) > _MAX_LINES:
            lines = lines[:0]
            for result in results:
                result.add(Text((Hole(UNKNOWN, exact=False),)))
        for line in lines:
            _split_line(line, results, separators, each=each)
    return [frozenset(bounded(item) for item in result) or EMPTY for result in results]


def _split_line(line: str, results: list[set[Text]], separators: str | None, *, each: bool) -> None:
    if separators is None:
        for result in results:
            result.add(blur(text(line)))
        return
    if each:
        results[0] |= {piece for piece in split_text(text(line), separators) if piece is not None}
        return
    blanks = "".join(ch for ch in separators if ch in " \t\n")
    remaining = line.strip(blanks) if blanks else line
    for index, result in enumerate(results):
        if index == len(results) - 1 or not separators:
            result.add(text(remaining))
            remaining = ""
            continue
        pattern = (
            f"[{re.escape(blanks)}]*[{re.escape(separators)}][{re.escape(blanks)}]*"
            if blanks
            else f"[{re.escape(separators)}]"
        )
        pieces = re.split(pattern, remaining, maxsplit=1)
        result.add(text(pieces[0]))
        remaining = pieces[1] if len(pieces) > 1 else ""


def _piece(item: Text) -> Text:
    """A line, or a field of one, of a text that is not known."""
    if is_numeric(item) or all(
        (isinstance(p, str) and not p.strip("0123456789 \t\n.-")) or (isinstance(p, Hole) and p.alphabet == NUMERIC)
        for p in item.parts
    ):
        return Text((Hole(UNKNOWN, NUMERIC, False),))
    if len(item.parts) <= 2 and isinstance(item.parts[0], Hole) and item.parts[1:] in ((), ("\n",)):
        return Text((item.parts[0]._replace(exact=False),))
    return blur(item)
