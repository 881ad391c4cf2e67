"""Functions of values that a summary may use, in scopes and for what a command prints."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from remit.analysis.commands.model import Quote
from remit.analysis.commands.values import (
    SOME,
    basename,
    below,
    cut,
    derived,
    dirname,
    has_hole,
    head,
    literal,
    partition,
    tail,
    texts,
)
from remit.analysis.domain import (
    ANY,
    ANYTHING,
    FILE,
    NUMERIC,
    SEGMENT,
    TEMP,
    UNKNOWN,
    Hole,
    Text,
    Value,
    concat,
    hole,
    lit,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

    Function = Callable[[Call, tuple[Expr, ...]], list[Value]]

_REMOTE = re.compile(r"[\w.+-]+://|(?:[^/:@]+@)?[^/:]+:")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]+$")


def _constant(value: Value) -> Function:
    return lambda _call, _args: [value]


def _each(change: Callable[[Text], Text | None]) -> Function:
    """A function of one argument that maps each of its texts; None drops a text."""

    def function(call: Call, args: tuple[Expr, ...]) -> list[Value]:
        out = []
        for value in call.values(args[0]):
            changed = frozenset(item for item in map(change, texts(value)) if item is not None)
            if changed:
                out.append(changed)
        return out

    return function


def _cwd(call: Call, _args: tuple[Expr, ...]) -> list[Value]:
    return [call.child.cwd]


def _tree(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A path and everything below it."""
    return [frozenset(texts(value) | {below(item) for item in texts(value)}) for value in call.values(args[0])]


def _join(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A name inside a folder; an absolute name stands alone."""
    folders = call.values(args[0])
    out = []
    for value in call.values(args[1]):
        for folder in folders:
            out.append(frozenset(_inside(base, item) for base in texts(folder) for item in texts(value)))
    return out


def _inside(folder: Text, item: Text) -> Text:
    if head(item).startswith("/") or not folder.parts:
        return item
    return concat(folder if tail(folder).endswith("/") else concat(folder, text("/")), item)


def _into(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """Where a copy lands: the target itself, or inside it if it is or may be a folder."""
    sources = call.values(args[1])
    out = []
    for target in call.values(args[0]):
        found: set[Text] = set()
        for item in texts(target):
            end = item.literal
            folder = tail(item).endswith("/") or end in {".", ".."} or len(sources) > 1
            if not folder:
                found.add(item)
            if folder or not _SUFFIX.search(tail(item)):
                found |= {_inside(item, basename(source)) for value in sources for source in texts(value)}
        out.append(frozenset(found))
    return out


def _derived(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """Text computed from the arguments: a number stays a number, all else is unknown text of the same origins."""
    values = [value for arg in args for value in call.values(arg)]
    return [derived(value) for value in values] or [SOME]


def _content(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The content of one file, if it is of the skill; of several, unknown text."""
    values = [value for arg in args for value in call.values(arg)]
    if len(values) != 1 or literal(values[0]) == "-":
        return (
            [hole(FILE, exact=False)] if values and literal(values[0]) != "-" else [call.child.stdin or hole("stdin")]
        )
    files = call.world.skill_files(values[0], call.child.cwd)
    if not files:
        return [hole(FILE, exact=False)]
    return [call.world.file_text(file) for file in files]


def _echo(call: Call, args: tuple[Expr, ...]) -> list[Value]:
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
_FORMAT = re.compile(r"\\(.)|%([-+ 0#]*\d*(?:\.\d+)?)([a-zA-Z%])|([^\\%]+)", re.DOTALL)


def _printf(call: Call, args: tuple[Expr, ...]) -> list[Value]:
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
            out = concat(out, Text((Hole(UNKNOWN, NUMERIC, False),)))
            left = left[1:]
        elif letter in "sbq":
            out = concat(out, Text((Hole(UNKNOWN, ANYTHING, False),)))
            left = left[1:]
        else:
            return [SOME]
    end = tail(out)
    return [frozenset({text(*out.parts[:-1], end[:-1]) if end.endswith("\n") else out})]


def _decode(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """base64 of a literal text; of anything else, text of unknown origin."""
    out = []
    for value in call.values(args[0]):
        known = literal(value)
        try:
            if known is None:
                raise ValueError
            out.append(lit(base64.b64decode("".join(known.split()), validate=True).decode().rstrip("\n")))
        except (ValueError, binascii.Error):
            out.append(derived(value))
    return out


def _before(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    return _around(call, args, 0)


def _after(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    return _around(call, args, 1)


def _around(call: Call, args: tuple[Expr, ...], side: int) -> list[Value]:
    """What stands before or after a mark: nothing if a literal text has no such mark, anything if it is unknown."""
    assert isinstance(args[1], Quote)
    out = []
    for value in call.values(args[0]):
        found: set[Text] = set()
        for item in texts(value):
            split = partition(item, args[1].text)
            if split is not None:
                found.add(split[side])
            elif has_hole(item):
                found |= {part for part in texts(derived(frozenset({item})))}
        if found:
            out.append(frozenset(found))
    return out


def _is_local(item: Text) -> Text | None:
    """A path; not a URL or `host:path`."""
    start = head(item)
    return None if _REMOTE.match(start) else item


def _host(item: Text) -> Text | None:
    """The host of a URL, of `user@host:path` or of `user@host`; None for a plain path."""
    start = head(item)
    if re.match(r"[\w.+-]+://", start):
        return item
    if not start or (":" not in start and not has_hole(item)):
        return item if has_hole(item) and not start.startswith(("/", "./", "../", "~")) else None
    found = re.match(r"(?:[^/:@]+@)?([^/:@]+):", start)
    if found:
        return text(found.group(1))
    return item if has_hole(item) and not start.startswith(("/", "./", "../", "~")) else None


def _spec(item: Text) -> Text:
    """`user@host` or a URL as a host."""
    split = partition(item, "@")
    return split[1] if split and "/" not in tail(split[0]) else item


def _suffix(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A text with a literal behind it."""
    assert isinstance(args[1], Quote)
    end = text(args[1].text)
    return [frozenset(concat(item, end) for item in texts(value)) for value in call.values(args[0])]


def _stem(item: Text) -> Text:
    """A path without its last ending."""
    end = tail(item)
    return text(*item.parts[:-1], _SUFFIX.sub("", end)) if end else item


def _union(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    return [value for arg in args for value in call.values(arg)]


def _env(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The value of a variable of the environment: what the skill has set, or the user's."""
    out = []
    for value in call.values(args[0]):
        name = literal(value)
        known = (call.child.env or {}).get(name or "")
        out.append(known or hole(f"env:{name}" if name else "any", exact=name is not None))
    return out


def _without(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """Texts with a literal prefix removed; those that cannot have it are dropped."""
    assert isinstance(args[1], Quote)
    prefix = args[1].text
    out = []
    for value in call.values(args[0]):
        found = set()
        for item in texts(value):
            if head(item).startswith(prefix):
                found.add(cut(item, len(prefix)))
            elif not head(item) and item.parts:
                found |= texts(derived(frozenset({item})))
        if found:
            out.append(frozenset(found))
    return out


_DATES = re.compile(r"%[-_0^]?([a-zA-Z%])|([^%]+)")
_NUMBERS = frozenset("sYmdHMSNjuUVWyCeIklwGgq")


def _date(call: Call, args: tuple[Expr, ...]) -> list[Value]:
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
                parts += [Hole(UNKNOWN, NUMERIC, False), ":", Hole(UNKNOWN, NUMERIC, False)]
            else:
                parts.append(
                    Hole(UNKNOWN, NUMERIC if numeric else SEGMENT if letter in "aAbBhpPzZ" else ANYTHING, False)
                )
        out.append(frozenset({text(*parts)}))
    return out


def _template(item: Text) -> Text:
    """A template of mktemp: the Xs are random."""
    end = tail(item)
    found = re.search(r"X{3,}(?=[^X/]*$)", end)
    if found is None:
        return concat(item, Text((Hole(UNKNOWN, SEGMENT, False),)))
    return text(*item.parts[:-1], end[: found.start()], Hole(UNKNOWN, SEGMENT, False), end[found.end() :])


def _expand(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The absolute form of a path: the same file, but for symbolic links."""
    out = []
    for value in call.values(args[0]):
        found: set[Text] = set()
        for item in texts(value):
            start = head(item)
            if start and not start.startswith("/"):
                found |= {_inside(folder, item) for folder in texts(call.child.cwd)}
            else:
                found.add(item)
        out.append(frozenset(found))
    return out


def _none(_call: Call, _args: tuple[Expr, ...]) -> list[Value]:
    return [frozenset()]


FUNCTIONS: dict[str, Function] = {
    "any": _constant(ANY),
    "num": _constant(hole(UNKNOWN, NUMERIC, exact=False)),
    "seg": _constant(hole(UNKNOWN, SEGMENT, exact=False)),
    "none": _none,
    "cwd": _cwd,
    "temp": _constant(frozenset({text(Hole(TEMP), "/", Hole(UNKNOWN, SEGMENT, False))})),
    "tree": _tree,
    "into": _into,
    "join": _join,
    "under": _each(below),
    "dirname": _each(dirname),
    "basename": _each(basename),
    "stem": _each(_stem),
    "derived": _derived,
    "content": _content,
    "echo": _echo,
    "printf": _printf,
    "decode": _decode,
    "before": _before,
    "after": _after,
    "local": _each(_is_local),
    "host": _each(_host),
    "spec": _each(_spec),
    "suffix": _suffix,
    "union": _union,
    "env": _env,
    "without": _without,
    "date": _date,
    "subst": _each(_template),
    "expand": _expand,
}
