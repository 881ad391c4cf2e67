"""What commands print, where it can be told from their words: text, dates, decoded text, names of temporary files."""

from __future__ import annotations

import ast
import base64
import binascii
import builtins
import os
import re
import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis import domain
from remit.analysis.commands.model import Expr, Quote
from remit.analysis.commands.values import MACHINE, SOME, WILD, derived, literal, tail, texts
from remit.analysis.domain import Hole, Part, Text, Value, concat, hole, lit, text
from remit.analysis.injection import opened
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call


# What filters print: pieces of what they read, and words that stand in their own programs.

# What a short Python program prints, as far as its text shows: numbers, or pieces of what it reads.
#
# Only programs of well-known, silent parts are judged; whatever could make new text (characters by number, decoding,
# code in strings) or print by another way leaves the output unknown.

_MODULES = frozenset(
    "json sys re math datetime time csv statistics collections itertools functools decimal random uuid yaml tomllib urllib.parse "
    "hashlib zoneinfo calendar operator typing os os.path".split()
)
_OS = frozenset("environ getenv path linesep sep".split())
_SYS = frozenset("stdin stdout stderr argv exit version_info version maxsize platform executable".split())
_CALLED = frozenset(
    "print len int float round sum abs min max sorted reversed enumerate range zip list dict set tuple str bool isinstance any all "
    "map filter next iter repr divmod pow type hasattr open exit quit KeyError ValueError Exception".split()
)
_MAKERS = frozenset(
    "decode encode fromhex hex translate maketrans write buffer fileno writelines detach unquote unquote_plus loads_all load_all "
    "unsafe_load full_load exec eval system popen fromordinal sub escape swapcase casefold rot format_map format".split()
)
_OTHER_BUILTINS = (
    frozenset(dir(builtins))
    - _CALLED
    - frozenset("True False None Exception KeyError ValueError IndexError TypeError".split())
)
_NUMERIC_CALLS = frozenset("len int float round abs ord hash".split())
_NUMBER_FORMAT = lazy_pattern(r"[-+ 0-9,.]*[dfeg%]")
_PLAIN = lazy_pattern(r"[^$`\\'\";|&\n]*")


class Prints(NamedTuple):
    """`numbers`: nothing but one number. The rest says what it reads (the environment always)."""

    numbers: bool
    stdin: bool
    argv: bool
    files: tuple[str, ...]


@lru_cache(256)
def prints(source: str) -> Prints | None:
    """What a program prints; None if that cannot be seen from its text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, os.devnull)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    files: list[str] = []
    nodes = list(ast.walk(tree))
    if not all(_understood(node, files) for node in nodes):
        return None
    printed = [node for node in nodes if isinstance(node, ast.Call) and _name(node.func) == "print"]
    loops = any(isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.ListComp)) for node in nodes)
    numbers = not loops and all(len(call.args) == 1 and _number(call.args[0]) for call in printed)
    numbers = numbers and not any(isinstance(node, ast.Attribute) and node.attr == "stdout" for node in nodes)
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return Prints(numbers and len(printed) > 0, "stdin" in attributes, "argv" in attributes, tuple(files))


def _understood(node: ast.AST, files: list[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id not in _OTHER_BUILTINS and (isinstance(node.ctx, ast.Load) or node.id not in _CALLED)
    if isinstance(node, ast.Import):
        return all(alias.name in _MODULES and alias.asname is None for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        silent = node.module in _MODULES and node.module not in ("os", "sys") and not node.level
        return silent and not any(alias.name in _MAKERS or alias.name == "*" or alias.asname for alias in node.names)
    if isinstance(node, ast.Attribute):
        return _attribute(node)
    if isinstance(node, ast.Call):
        return _call(node, files)
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, (str, bytes)) or (
            isinstance(node.value, str) and _PLAIN.fullmatch(node.value) is not None and "%c" not in node.value
        )
    if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
        return all(isinstance(p, ast.Constant) and not str(p.value).endswith("c") for p in node.format_spec.values)
    return not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Global, ast.Nonlocal))


def _attribute(node: ast.Attribute) -> bool:
    owner = _name(node.value)
    if owner == "os":
        return node.attr in _OS
    if owner == "sys":
        return node.attr in _SYS
    return not node.attr.startswith("_") and node.attr not in _MAKERS


def _call(node: ast.Call, files: list[str]) -> bool:
    if isinstance(node.func, ast.Attribute):
        return True  # its name was looked at
    name = _name(node.func)
    if name == "open":
        first = node.args[0] if len(node.args) == 1 and not node.keywords else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            files.append(first.value)
            return True
        return (
            isinstance(first, ast.Subscript) and isinstance(first.value, ast.Attribute) and first.value.attr == "argv"
        )
    if name == "print":
        return not any(word.arg not in ("end", "sep", "flush") for word in node.keywords)
    return (
        name in _CALLED
        or (name is not None and name[:1].isupper())
        or name in ("datetime", "date", "timedelta", "quote")
    )


def _name(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def _number(node: ast.expr) -> bool:
    """Whether an expression is a number for certain."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            owner = _name(node.func.value)
            return owner in ("math", "statistics") or (owner, node.func.attr) == ("time", "time")
        return _name(node.func) in _NUMERIC_CALLS
    if isinstance(node, ast.BinOp):
        return _number(node.left) and _number(node.right)
    if isinstance(node, ast.IfExp):
        return _number(node.body) and _number(node.orelse)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _number(node.operand)
    if isinstance(node, ast.JoinedStr):
        return len(node.values) == 1 and isinstance(node.values[0], ast.FormattedValue) and _formatted(node.values[0])
    return False


def _formatted(node: ast.FormattedValue) -> bool:
    spec = node.format_spec
    if not isinstance(spec, ast.JoinedStr) or len(spec.values) != 1 or not isinstance(spec.values[0], ast.Constant):
        return False
    return _NUMBER_FORMAT.fullmatch(str(spec.values[0].value)) is not None


# In the words of a filter these can make text that stands neither in the words nor in the input.
_MAKES = lazy_pattern(r"\$\(|`|%c|\\[x0-7]|@base64d|implode|@sh")
_SED_MAKES = lazy_pattern(r"\$\(|`|\\[xdoc]")
_SOFT = lazy_pattern(r"[^$`(;\\|&]*")
_FIGURES = lazy_pattern(r"[\d\s.,:|/%+-]*")
# Texts inside the programs of awk and jq; what stands in `\(…)` is a piece of the input.
_STRINGS = lazy_pattern(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_INTERPOLATED = lazy_pattern(r"\\\([^()]*\)|\\[nt]")
# A command of sed that inserts nothing, or text without letters.
_SED = lazy_pattern(
    r"\s*(?:(?:\d+|\$|/(?:[^/\\]|\\.)*/)(?:,\s*(?:\d+|\$|/(?:[^/\\]|\\.)*/))?\s*!?)?\s*"
    r"(?:[pdqPDnNgGhHx=]|s(?P<d>[/|#,@!:])(?:(?!(?P=d))(?:[^\\]|\\.))*(?P=d)"
    r"(?P<new>(?:(?!(?P=d))(?:[^\\]|\\.))*)(?P=d)[gpIi0-9]*)\s*(?:[;}]|$)"
)
_INSERTABLE = lazy_pattern(r"[^$`(;\\|&'\"\n]*")


def picked(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """What a filter leaves of its input: pieces of it, in another order, and words of its own program (the second
    argument), or values that are handed to it. Numbers stay numbers, and words of the skill in which no command can stand are no hidden commands."""
    sed = "sed" in call.label
    makes = _SED_MAKES if sed else _MAKES
    if any(isinstance(p, str) and makes.search(p) for w in call.child.words[1:] for i in texts(w) for p in i.parts):
        return [SOME]
    inserted = _inserted([item for arg in args[1:2] for item in call.texts(arg)], sed=sed)
    handed = [part for arg in args[2:] for item in call.texts(arg) for part in item.parts]
    if inserted is None or not all(map(_harmless, handed)):
        return [SOME]
    inserts = bool(inserted or handed)
    return [frozenset(_pieces(item, inserts=inserts) for item in texts(v)) for v in call.values(args[0])] or [SOME]


def python_output(call: Call, code: Value, argv: Value) -> Value:
    """What Python code prints: a number, pieces of what it reads, or text of which nothing is known."""
    return frozenset(_python_output(call, item, argv) for item in texts(code))


def _python_output(call: Call, item: Text, argv: Value) -> Text:
    source = item.literal
    if source is None:
        code = opened("python", item)
        if code is None or not all(_harmless(part) for part in item.parts if isinstance(part, Hole)):
            return WILD
        source = code.source
    found = prints(source)
    if found is None:
        return WILD
    if found.numbers:
        return Text((Hole(domain.UNKNOWN, domain.NUMERIC, False),))
    environ = (call.child.env or {}).values()
    read = [*[call.child.stdin] * found.stdin, *[argv] * found.argv, *environ]
    files = [lit(path) for path in found.files]
    own = any(call.world.skill_files(path, call.child.cwd) or call.world.written(path) for path in files)
    safe = all(_harmless(part) for value in read if value for one in texts(value) for part in one.parts)
    return WILD if own or not safe else Text((Hole(domain.BLENDED, domain.ANYTHING, False),))


def _harmless(part: Part) -> bool:
    """Whether a value that is handed to a filter is no command that the skill hides there."""
    if isinstance(part, Hole):
        return part.origin not in (domain.UNKNOWN, domain.MIXED) or part.alphabet == domain.NUMERIC
    return bool(_INSERTABLE.fullmatch(part))


def _inserted(programs: Iterable[Text], *, sed: bool) -> list[str] | None:
    """The texts that a program puts into its output; None if it is not known or may be a command by itself."""
    out: list[str] = []
    for item in programs:
        if item.literal is None:
            return None
        found = _replacements(item.literal) if sed else _STRINGS.findall(item.literal)
        if found is None or (not sed and '"' in _STRINGS.sub("", item.literal)):
            return None
        texts_ = [_INTERPOLATED.sub("", one) for one in found]
        if not all(map(_INSERTABLE.fullmatch, texts_)):
            return None
        out += [one for one in texts_ if any(char.isalpha() for char in one)]
    return out


def _replacements(script: str) -> list[str] | None:
    """What the commands of a sed script insert; None for commands that are not simple."""
    out: list[str] = []
    pos = 0
    while pos < len(script):
        found = _SED.match(script, pos)
        if found is None or found.end() == pos:
            return None
        pos = found.end()
        out.append(re.sub(r"\\[0-9nt&/.]", "", found.group("new") or ""))
    return out


def _pieces(item: Text, *, inserts: bool) -> Text:
    words = [part for part in item.parts if isinstance(part, str)]
    holes = [part for part in item.parts if isinstance(part, Hole) and part.alphabet != domain.NUMERIC]
    if not holes and not inserts and item.parts and all(map(_FIGURES.fullmatch, words)):
        return Text((Hole(domain.UNKNOWN, domain.NUMERIC, False),))
    origins = {domain.FILE if part.origin in domain.ANCHORS else part.origin for part in holes}
    if domain.UNKNOWN in origins or not all(map(_SOFT.fullmatch, words)):
        return WILD
    inserts = inserts or any(char.isalnum() for word in words for char in word)
    if len(origins) == 1 and not inserts:
        return Text((Hole(origins.pop(), domain.ANYTHING, False),))
    outside = origins & {domain.FILE, domain.NET, domain.BLENDED}
    origin = domain.BLENDED if outside and inserts else domain.FILE if outside else domain.MIXED
    return Text((Hole(origin, domain.ANYTHING, False),))


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
