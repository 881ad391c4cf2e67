"""Text in and out: what `echo` and `printf` print, and what `read` takes from its input."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from remit.analysis.domain import NUMERIC, QUOTED, UNKNOWN, Hole, Text, Value, lit, records, text
from remit.analysis.shell.ansi import argument_escapes, echo_escapes, printf_escapes
from remit.analysis.shell.expand import split_text
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    Fields,
    bag,
    blur,
    bounded,
    cat,
    cat_words,
    is_numeric,
    join,
    literal_of,
    texts,
    value_origin,
    widen,
)
from remit.core.patterns import lazy_pattern

_ECHO_OPTION = lazy_pattern(r"-[neE]+")
_SPEC = lazy_pattern(r"%(?:%|\([^)]*\)T|[-+ #0']*(\*|\d+)?(?:\.(?:\*|\d+))?[hlLjzt]*([a-zA-Z]))")
_MAX_LINES = 40


def join_echo(args: Fields, dialect: str) -> Value:
    """The output of `echo`. What `sh` is, and so whether it decodes escapes, depends on the machine and on who starts the script."""
    out = _echo(args, _ECHO_OPTION)
    escaped = any(isinstance(part, str) and "\\" in part for item in texts(out) for part in item.parts)
    first = literal_of(args.words[0]) if args.words else None
    if not escaped and (dialect == "bash" or first is None or not first.startswith("-")):
        return out
    return join(out, _decoded(_echo(args, re.compile("-n")), argument_escapes))


def _echo(args: Fields, option: re.Pattern[str]) -> Value:
    words = list(args.words)
    end, escapes = "\n", False
    while words and (known := literal_of(words[0])) is not None and option.fullmatch(known):
        end = "" if "n" in known else end
        escapes = "e" in known or (escapes and "E" not in known)
        words.pop(0)
    if args.rest:
        origin = value_origin(bag(args))
        only = all(isinstance(p, Hole) for item in texts(bag(args)) for p in item.parts)
        loose = frozenset({Text((Hole(origin if only else UNKNOWN, exact=False),))})
        words.append(loose)
    out = cat_words(words, lit(" "))
    out = _decoded(out) if escapes else out
    return cat(out, lit(end)) if end else out


def _decoded(value: Value, escapes: Callable[[str], str] = echo_escapes) -> Value:
    return frozenset(
        text(*(escapes(part) if isinstance(part, str) else part for part in item.parts)) for item in texts(value)
    )


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


def up_to_nul(value: Value) -> Value:
    """What a variable keeps of a text: it ends at a NUL."""
    out = set[Text]()
    for item in texts(value):
        at = next((at for at, part in enumerate(item.parts) if isinstance(part, str) and "\0" in part), None)
        out.add(item if at is None else text(*item.parts[:at], str(item.parts[at]).partition("\0")[0]))
    return frozenset(out)


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
        return _decoded(word, argument_escapes)
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


# What stands for a character behind a backslash, while a line is split: it separates nothing.
_ESCAPED = 0x100000
_BACKSLASH = lazy_pattern(r"\\(.)", re.DOTALL)
_STANDS_FOR = lazy_pattern(f"[{chr(_ESCAPED)}-{chr(_ESCAPED + 0xFFFD)}]")


def read_values(
    source: Value, count: int, separators: str | None, delimiter: str | None, *, each: bool, raw: bool
) -> list[Value]:
    """What `read` assigns to `count` variables. `each`: any field of a line (`read -a`). `raw`: a backslash is no escape."""
    if raw:
        return _read_values(source, count, separators, delimiter, each=each)
    values = _read_values(frozenset(map(_protected, texts(source))), count, separators, delimiter, each=each)
    return [frozenset(map(_revealed, texts(value))) for value in values]


def _protected(item: Text) -> Text:
    """A text whose lines are joined where a backslash ends them, and whose escaped characters separate nothing."""
    if item.literal is None:
        return _piece(item)
    if "\\" not in item.literal:
        return item
    joined = item.literal.replace("\\\n", "")
    return text(_BACKSLASH.sub(lambda m: chr(_ESCAPED + min(ord(m[1]), 0xFFFD)), joined).replace("\\", ""))


def _revealed(item: Text) -> Text:
    plain = [p if isinstance(p, Hole) else _STANDS_FOR.sub(lambda m: chr(ord(m[0]) - _ESCAPED), p) for p in item.parts]
    return text(*plain)


def _read_values(
    source: Value, count: int, separators: str | None, delimiter: str | None, *, each: bool
) -> list[Value]:
    results: list[set[Text]] = [set() for _ in range(count)]
    for item in texts(source):
        known = item.literal
        if delimiter == "" and count == 1 and not each and (names := _names(item, separators)):
            results[0] |= names
            continue
        if known is None or delimiter not in (None, "", "\n"):
            loose = _piece(item)
            for result in results:
                result.add(loose)
            continue
        lines = (
            known.removesuffix("\0").split("\0")
            if delimiter == ""
            else known.replace("\0", "").removesuffix("\n").split("\n")
        )
        if len(lines) > _MAX_LINES:
            lines = lines[:0]
            for result in results:
                result.add(Text((Hole(UNKNOWN, exact=False),)))
        for line in lines:
            _split_line(line, results, separators, each=each)
    return [frozenset(bounded(item) for item in result) or EMPTY for result in results]


def _names(item: Text, separators: str | None) -> set[Text]:
    """Names that end in a NUL each and are not known as a whole; empty if it is not plain what they are."""
    found = records(item) if item.literal is None else None
    out = set[Text]()
    for record in found or ():
        first, last = (record.parts[0], record.parts[-1]) if record.parts else ("", "")
        if separators != "" and (separators is None or isinstance(first, Hole) or first[:1].isspace()):
            return set()
        out.add(record)
        if separators != "" and isinstance(
            last, Hole
        ):  # blanks at the end of a name are lost, and it may be nothing else
            out.add(Text(record.parts[:-1]))
    return out


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
        around = f"[{re.escape(blanks)}]*" if blanks else ""
        first, *rest = re.split(f"{around}[{re.escape(separators)}]{around}", remaining, maxsplit=1)
        result.add(text(first))
        remaining = rest[0] if rest else ""


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
