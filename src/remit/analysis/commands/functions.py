"""Functions of values that a summary may use, in scopes and for what a command prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from remit.analysis import domain
from remit.analysis.commands.find_tests import found_paths
from remit.analysis.commands.jq import built
from remit.analysis.commands.model import Expr, Quote
from remit.analysis.commands.outputs import (
    TOKEN,
    content,
    date,
    decode,
    echo,
    first,
    number,
    picked,
    printf,
    row,
    template,
)
from remit.analysis.commands.queries import database_file, quoted, written
from remit.analysis.commands.services import registry, vendor
from remit.analysis.commands.values import (
    SOME,
    asks_for_address,
    basename,
    below,
    cut,
    derived,
    dirname,
    filled,
    has_hole,
    head,
    literal,
    matches,
    partition,
    tail,
    texts,
)
from remit.analysis.domain import Hole, Text, Value, concat, hole, text
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call

    Function = Callable[[Call, tuple[Expr, ...]], list[Value]]

_REMOTE = lazy_pattern(r"[\w.+-]+://|(?:[^/:@]+@)?[^/:]+:")
_SUFFIX = lazy_pattern(r"(?<=[^/])\.[A-Za-z0-9]+$")  # a name that only begins with a dot has none
# How ImageMagick writes a picture: a format before it, frames behind it, or a source that is no file.
_MADE = lazy_pattern(
    r"(?:(?:xc|canvas|gradient|radial-gradient|plasma|pattern|label|caption|rose|logo|wizard|granite|netscape|mpr|hald|fractal"
    r"|show):(?!@)|null:|(?:histogram:)?(?:info|txt|json):-?$)",
    re.IGNORECASE,
)
_FORMAT = lazy_pattern(r"[A-Za-z][A-Za-z0-9]+:(?!//)")
_FRAMES = lazy_pattern(r"\[[^\[\]/]*\]$")


def _constant(value: Value) -> Function:
    return lambda _call, _args: [value]


def mapped(call: Call, expr: Expr, change: Callable[[Text], Iterable[Text]]) -> list[Value]:
    """The values of an expression, each text as what it becomes; a value of which nothing is left is dropped."""
    values = (frozenset(new for item in texts(value) for new in change(item)) for value in call.values(expr))
    return [value for value in values if value]


def _each(change: Callable[[Text], Text | None]) -> Function:
    """A function of one argument that maps each of its texts; None drops a text."""
    return lambda call, args: mapped(call, args[0], lambda item: [] if (new := change(item)) is None else [new])


def _quoted(expr: Expr) -> str:
    """An argument that is a literal text."""
    assert isinstance(expr, Quote)
    return expr.text


def _tree(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A path and everything below it."""
    return mapped(call, args[0], lambda item: (item, below(item)))


def _found(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """What an action of `find` is run for: what its tests leave of the starting points and everything below them."""
    paths = found_paths(call, call.values(args[1]), _quoted(args[0]))
    return _tree(call, args[1:]) if paths is None else [paths]


def _record(item: Text) -> Text:
    """One of several names that are printed with a NUL after each."""
    return concat(item, Text(("\0",)))


def _join(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A name inside a folder; an absolute name stands alone."""
    pairs = product(call.values(args[1]), call.values(args[0]))
    return [
        frozenset(_inside(base, item) for base in texts(folder) for item in texts(value)) for value, folder in pairs
    ]


def _inside(folder: Text, item: Text) -> Text:
    if head(item).startswith("/") or not folder.parts:
        return item
    return concat(folder if tail(folder).endswith("/") else concat(folder, text("/")), item)


def _into(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """Where a copy lands: the target itself, or inside it if it is or may be a folder."""
    sources = call.values(args[1])
    several = len(sources) > 1 and not call.reading.rest

    def lands(item: Text) -> Iterator[Text]:
        folder = tail(item).endswith("/") or item.literal in {".", ".."} or several
        if not folder:
            yield item
        if folder or not _SUFFIX.search(tail(item)):
            yield from (_inside(item, basename(source)) for value in sources for source in texts(value))

    return [frozenset(end for item in texts(value) for end in lands(item)) for value in call.values(args[0])]


def _derived(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """Text computed from the arguments: a number stays a number, all else is unknown text of the same origins."""
    values = [value for arg in args for value in call.values(arg)]
    return [derived(value) for value in values] or [SOME]


def _side(number: int) -> Function:
    """What stands before or after a mark: nothing if a literal text has no such mark, anything if it is unknown."""

    def function(call: Call, args: tuple[Expr, ...]) -> list[Value]:
        def side(item: Text) -> Iterable[Text]:
            split = partition(item, _quoted(args[1]))
            if split is not None:
                return [split[number]]
            return texts(derived(frozenset({item}))) if has_hole(item) else ()

        return mapped(call, args[0], side)

    return function


def _is_local(item: Text) -> Text | None:
    """A path; not a URL or `host:path`."""
    return None if _REMOTE.match(head(item)) else item


def _host(item: Text) -> Text | None:
    """The host of a URL, of `user@host:path` or of `user@host`; None for a plain path. Where only an unknown part may hold the
    colon, nothing behind it belongs to the host: `$NAME.tar.gz`.
    """
    start = head(item)
    if re.match(r"[\w.+-]+://", start):
        return item
    found = re.match(r"(?:[^/:@]+@)?([^/:@]+):", start)
    if found:
        return text(found.group(1))
    if not has_hole(item) or start.startswith(("/", "./", "../", "~")):
        return None
    return item if ":" in tail(item) else _to_last_hole(item)


def _to_last_hole(item: Text) -> Text:
    """A text up to its last unknown part."""
    last = max(at for at, part in enumerate(item.parts) if isinstance(part, Hole))
    return Text(item.parts[: last + 1])


def _spec(item: Text) -> Text:
    """`user@host` or a URL as a host."""
    split = partition(item, "@")
    return split[1] if split and "/" not in tail(split[0]) else item


def _suffix(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A text with a literal behind it."""
    return mapped(call, args[0], lambda item: [concat(item, text(_quoted(args[1])))])


def _ending(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """A name whose ending a program replaces, by the first of its rules `old=new` that fits; unknown names stay."""
    rules = [_quoted(arg).split("=", 1) for arg in args[1:]]
    return mapped(call, args[0], lambda item: [_ended(item, rules)])


def _ended(item: Text, rules: list[list[str]]) -> Text:
    end = tail(item)
    for old, new in rules:
        if old == ".*" and "." in tail(basename(item)).lstrip("."):
            return item
        if old != ".*" and end.endswith(old) and (end or not item.parts):
            return text(*item.parts[:-1], end.removesuffix(old) + new)
    return item


def _numbered(item: Text) -> Text:
    """The name that a program takes if a file is there already."""
    if not any(isinstance(part, str) for part in item.parts):
        return item  # any name at all
    return concat(item, text(".", Hole(domain.FILE, domain.NUMERIC, False)))


def _page(item: Text) -> Text:
    """The file that a page is saved in: the last part of its address, or `index.html` if that is empty."""
    known = item.literal
    rest = known.partition("://")[2] if known and "://" in known else known
    if tail(item).endswith("/") or (rest is not None and "/" not in rest):
        return text("index.html")
    return basename(item)


def _temp(call: Call, _args: tuple[Expr, ...]) -> list[Value]:
    """A new file in the folder for temporary files: the system's, or where the skill has moved it."""
    moved = (call.child.env or {}).get("TMPDIR")
    folders = {text(Hole(domain.TEMP)), *(texts(moved) if moved else ())}
    return [frozenset({concat(folder, text("/", Hole(domain.RANDOM, domain.SEGMENT, False))) for folder in folders})]


def _parents(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The folders above a path, up to where it begins."""
    return mapped(call, args[0], _above)


def _above(path: Text) -> list[Text]:
    found: list[Text] = []
    while not any(isinstance(part, Hole) and part.alphabet == domain.PARENT for part in path.parts[-1:]):
        path = dirname(path)
        if path in found or path.literal in {".", "/"}:
            break
        found.append(path)
    return found


def _pattern(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """Names in which a program fills in what matches."""
    pattern = re.compile(_quoted(args[1]))
    return mapped(call, args[0], lambda item: [filled(item, pattern, Hole(domain.FILE, domain.ANYTHING, False))])


def _basename(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The last component of a path, without an ending if one is given."""
    endings = {item.literal for arg in args[1:] for item in call.texts(arg)}
    end = endings.pop() if len(endings) == 1 else None
    return mapped(call, args[0], lambda item: [_without_end(basename(item), end) if args[1:] else basename(item)])


def _without_end(item: Text, end: str | None) -> Text:
    """A name without its ending. What is left of an unknown name is as unknown, and a name still."""
    known = tail(item)
    if end and known.endswith(end) and (len(item.parts) > 1 or known != end):
        return text(*item.parts[:-1], known.removesuffix(end))
    if end is None and known:
        return Text((Hole(domain.UNKNOWN, domain.SEGMENT, False),))
    return item


def _stem(item: Text) -> Text:
    """A path without its last ending."""
    end = tail(item)
    return text(*item.parts[:-1], _SUFFIX.sub("", end)) if end else item


def _series(item: Text) -> Text:
    """The names of a series of files: the text with something behind it."""
    return item if item.literal == "-" else concat(item, Text((Hole(domain.FILE, domain.SEGMENT, False),)))


def _picture(item: Text) -> Text | None:
    """The file of a word of ImageMagick: `png:a`, `a.pdf[0]`; None for a picture that is made up, and for parentheses."""
    start = head(item)
    if _MADE.match(start) or item.literal in {"(", ")"}:
        return None
    found = _FORMAT.match(start)
    rest = cut(item, found.end()) if found else item
    end = tail(rest)
    return text(*rest.parts[:-1], _FRAMES.sub("", end)) if end else rest


def _only(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The words that match a pattern. Unknown text is taken for plain data, unless it comes from the network or its origin is unknown."""
    return mapped(call, args[0], lambda item: [item] if _may_match(call, item, _quoted(args[1])) else [])


def _but(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The words that do not surely match a pattern."""
    surely = partial(matches, pattern=_quoted(args[1]), unsure=False)
    return mapped(call, args[0], lambda item: [] if surely([frozenset({item})]) else [item])


def _may_match(call: Call, item: Text, pattern: str) -> bool:
    if has_hole(item):
        call.world.assume("local-paths" if asks_for_address(pattern) else "option-like-arguments", call.site)
    known = text(*(part if isinstance(part, str) or _foreign(part) else "_" for part in item.parts))
    return matches([frozenset({known})], pattern, unsure=False) is not False


def _foreign(part: Hole) -> bool:
    """Whether nobody on this machine stands for a text."""
    return part.origin in {domain.NET, domain.UNKNOWN} and part.alphabet != domain.NUMERIC


_STATEMENT = lazy_pattern(
    r"\s*(?:const|let|var|function|class|if|for|while|import|throw|return|async|try|switch|do)\b|\s*[{]"
)


def _shown(item: Text) -> Text:
    """JavaScript whose value is printed: the text itself if it is one expression, or its last one."""
    before, mark, last = (item.literal or "").rpartition(";")
    quoted = mark and set(last) & set("'\"`")
    return (
        item if not last.strip() or quoted or _STATEMENT.match(last) else text(f"{before}{mark}console.log({last}\n)")
    )


def _env(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The value of a variable of the environment: what the skill has set, or the user's."""
    names = map(literal, call.values(args[0]))
    return [call.variable(name) if name else hole("any", exact=False) for name in names]


def _without(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """Texts with a literal prefix removed; those that cannot have it are dropped."""
    prefix = _quoted(args[1])

    def rest(item: Text) -> Iterable[Text]:
        if head(item).startswith(prefix):
            return [cut(item, len(prefix))]
        return texts(derived(frozenset({item}))) if item.parts and not head(item) else ()

    return mapped(call, args[0], rest)


def _expand(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The absolute form of a path: the same file, but for symbolic links."""

    def absolute(item: Text) -> Iterable[Text]:
        if head(item).startswith("/") or not head(item):
            return [item]
        return [_inside(folder, item) for folder in texts(call.child.cwd)]

    return mapped(call, args[0], absolute)


FUNCTIONS: dict[str, Function] = {
    "any": _constant(domain.ANY),
    "num": _constant(hole(domain.UNKNOWN, domain.NUMERIC, exact=False)),
    "seg": _constant(hole(domain.FILE, domain.SEGMENT, exact=False)),  # a name that the machine has or makes up
    "token": _constant(frozenset({Text((TOKEN,))})),
    "ref": _constant(frozenset({Text((TOKEN, Hole(domain.FILE, "any", False)))})),
    "none": _constant(frozenset()),
    "cwd": lambda call, _args: [call.child.cwd],
    "temp": _temp,
    "tree": _tree,
    "found": _found,
    "records": _each(_record),
    "into": _into,
    "join": _join,
    "under": _each(below),
    "dirname": _each(dirname),
    "basename": _basename,
    "stem": _each(_stem),
    "series": _each(_series),
    "picture": _each(_picture),
    "derived": _derived,
    "content": content,
    "picked": picked,
    "number": number,
    "row": row,
    "first": first,
    "built": built,
    "echo": echo,
    "printf": printf,
    "decode": decode,
    "before": _side(0),
    "after": _side(1),
    "local": _each(_is_local),
    "host": _each(_host),
    "spec": _each(_spec),
    "database": _each(database_file),
    "shown": _each(_shown),
    "suffix": _suffix,
    "ending": _ending,
    "numbered": _each(_numbered),
    "page": _each(_page),
    "parents": _parents,
    "pattern": _pattern,
    "union": lambda call, args: [value for arg in args for value in call.values(arg)],
    "only": _only,
    "but": _but,
    "written": written,
    "quoted": quoted,
    "env": _env,
    "without": _without,
    "date": date,
    "subst": _each(template),
    "expand": _expand,
    "vendor": vendor,
    "registry": registry,
}
