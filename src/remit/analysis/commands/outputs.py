"""What commands print, where it can be told from their words: text, dates, decoded text, names of temporary files."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from remit.analysis import domain
from remit.analysis.commands.filters import picked
from remit.analysis.commands.model import Expr, Quote
from remit.analysis.commands.values import MACHINE, SOME, derived, literal, tail, texts
from remit.analysis.domain import Hole, Text, Value, concat, hole, lit, text
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call


_INPUT = domain.STDIN_PATHS | {"-"}


def content(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The content of one file, if it is of the skill; of several, unknown text."""
    values = [value for arg in args for value in call.values(arg)]
    if not values or (len(values) == 1 and literal(values[0]) in _INPUT):
        return [call.child.stdin or hole(domain.STDIN)]
    if len(values) > 1:
        return [hole(domain.FILE, exact=False)]
    files = call.world.skill_files(values[0], call.child.cwd)
    if not files:
        return [hole(domain.FILE, exact=False) | call.world.written(values[0])]
    return [call.world.file_text(file) for file in files]


def echo(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The words, joined with blanks."""
    words, rest = call.words(args[0])
    if rest:
        return [SOME]
    out = [text()]
    for index, word in enumerate(words):
        lead = text(" ") if index else text()
        out = [concat(concat(start, lead), item) for start in out for item in texts(word)]
        if len(out) > 16:
            return [SOME]
    return [frozenset(out)]


_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "r": "\r", '"': '"', "'": "'"}
_FORMAT = lazy_pattern(r"\\(.)|%([-+ 0#]*\d*(?:\.\d+)?)([a-zA-Z%])|([^\\%]+)", re.DOTALL)


def printf(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A format with `%s` and `%d` and its arguments; anything else is unknown text."""
    formats = call.values(args[0])
    words, rest = call.words(args[1]) if len(args) > 1 else ([], frozenset())
    format_text = literal(formats[0]) if len(formats) == 1 else None
    if format_text is None or rest:
        return [SOME]
    pieces = _FORMAT.findall(format_text)
    slots = sum(1 for piece in pieces if piece[2] and piece[2] != "%")
    if slots and len(words) > slots and len(words) % slots == 0:
        pieces = pieces * (len(words) // slots)
    left = list(words)
    out = text()
    for escape, width, letter, plain in pieces:
        if plain:
            out = concat(out, text(plain))
        elif escape:
            if escape not in _ESCAPES:
                return [SOME]
            out = concat(out, text(_ESCAPES[escape]))
        elif letter == "%":
            out = concat(out, text("%"))
        elif letter == "s" and not width and left and len(texts(left[0])) == 1:
            out = concat(out, next(iter(texts(left.pop(0)))))
        elif letter in "dixuof":
            out = concat(out, Text((Hole(domain.UNKNOWN, domain.NUMERIC, False),)))
            left = left[1:]
        elif letter in "sbq":
            out = concat(out, Text((Hole(domain.UNKNOWN, domain.ANYTHING, False),)))
            left = left[1:]
        else:
            return [SOME]
    end = tail(out)
    return [frozenset({text(*out.parts[:-1], end[:-1]) if end.endswith("\n") else out})]


def decode(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """base64 of a literal text; of anything else, text of unknown origin."""
    out = []
    for value in call.values(args[0]):
        known = literal(value)
        try:
            plain = None if known is None else base64.b64decode("".join(known.split()), validate=True).decode()
        except (ValueError, binascii.Error):
            plain = None
        out.append(derived(value) if plain is None else lit(plain.rstrip("\n")))
    return out


# Letters, digits and marks that a program made up: one word, no slash, no option.
TOKEN = Hole(domain.RANDOM, domain.SEGMENT, False)
_NUMBER = Hole(domain.UNKNOWN, domain.NUMERIC, False)


def number(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A number; for several names, each with its name before it."""
    names = [value for arg in args for value in call.values(arg)]
    alone = len(names) < 2 and not call.reading.rest
    return [frozenset({Text((_NUMBER,))})] if alone else [MACHINE]


def row(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """One line of a table: a value, a mark, and the name that it is of; several lines are text of the machine."""
    assert isinstance(args[1], Quote)
    (start,), names = call.values(args[0]), call.values(args[2])
    if len(names) != 1 or call.reading.rest:
        return [MACHINE]
    lead = concat(next(iter(texts(start))), text(args[1].text))
    return [frozenset(concat(lead, item) for item in texts(names[0]))]


def first(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The first field of a line, if the line begins with a number or a word that a program made up; else pieces of it."""
    assert isinstance(args[1], Quote)
    marks = args[1].text or " \t"
    out: list[Value] = []
    for value in call.values(args[0]):
        leads = {_lead(item, marks) if item.parts else "" for item in texts(value)}
        if None in leads:
            return picked(call, args[:1])
        out.append(frozenset(text(lead) for lead in leads if lead is not None))
    return out or [SOME]


def _lead(item: Text, marks: str) -> Hole | None:
    """The hole with which a line begins, if nothing but a mark can stand behind it."""
    lead = item.parts[0] if item.parts else None
    if not isinstance(lead, Hole) or not (lead.alphabet == domain.NUMERIC or lead == TOKEN):
        return None
    after = item.parts[1] if len(item.parts) > 1 else marks
    return lead if isinstance(after, str) and after[0] in marks else None


_DATES = lazy_pattern(r"%[-_0^]?([a-zA-Z%])|([^%]+)")
_NUMBERS = frozenset("sYmdHMSNjuUVWyCeIklwGgq")


def date(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """What `date +FORMAT` prints: numbers between the literals of the format; names of days and zones are segments."""
    out = []
    for value in call.values(args[0]):
        known = literal(value)
        if known is None or not known.startswith("+"):
            out.append(SOME)
            continue
        parts: list[str | Hole] = []
        for letter, plain in _DATES.findall(known[1:]):
            numeric = letter in _NUMBERS or letter == "F"
            if plain or letter == "%":
                parts.append(plain or "%")
            elif letter in "TR":
                parts += [Hole(domain.UNKNOWN, domain.NUMERIC, False), ":", Hole(domain.UNKNOWN, domain.NUMERIC, False)]
            else:
                name = domain.SEGMENT if letter in "aAbBhpPzZ" else domain.ANYTHING
                parts.append(Hole(domain.UNKNOWN, domain.NUMERIC if numeric else name, False))
        out.append(frozenset({text(*parts)}))
    return out


def template(item: Text) -> Text:
    """A template of mktemp: the Xs are random."""
    end = tail(item)
    found = re.search(r"X{3,}(?=[^X/]*$)", end)
    if found is None:
        return concat(item, Text((Hole(domain.RANDOM, domain.SEGMENT, False),)))
    return text(*item.parts[:-1], end[: found.start()], Hole(domain.RANDOM, domain.SEGMENT, False), end[found.end() :])
