"""Abstract values: what an expression can evaluate to.

A value is a set of atoms. The empty set is *bottom* (nothing reaches here yet); a set that holds `ANY` covers everything
that can exist in the run. Each atom ends in a tag field because named tuples of different classes compare equal otherwise.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

# Where the unknown part of a text comes from.
ARG, STDIN, FILE, NET, MODEL, UNKNOWN = "arg", "stdin", "file", "net", "model", "any"
# Paths that are standard input for every program.
STDIN_PATHS = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
# The caller's text or plain words of the skill, which can be anything but code: no quotes, no operators.
MIXED = "mixed"
# Text of files, programs or the network with plain words of the skill in it, which alone may be a command.
BLENDED = "blended"
# Letters and digits that a program made up: the name of a temporary file.
RANDOM = "random"
# Folders whose place is fixed by the run, not by the skill: they only ever begin a text.
SKILL, CWD, HOME, TEMP = "skill", "cwd", "home", "temp"
ANCHORS = frozenset({SKILL, CWD, HOME, TEMP})


def env_origin(name: str) -> str:
    """Origin of the value of one environment variable."""
    return f"env:{name}"


# What characters a hole may hold.
ANYTHING = "any"
NUMERIC = "num"  # digits, sign, point, exponent: never an option's name, never code
SEGMENT = "seg"  # a proper name: no slash, never `.` or `..`, never empty
TREE = "tree"  # none or several segments: relative, no `.` or `..`, so what is joined with it lies below
PIECE = "piece"  # a run of the characters of what the caller gave, with nothing added
TRIMMED = "trimmed"  # what the caller gave without blanks around it and slashes at its end: of a URL, the same host
PARENT = "parent"  # the folder in which the path lies that the caller gave
FLAT = "flat"  # no slash, but perhaps empty, `.` or `..`, as what `basename` gives
NO_SLASH = frozenset({SEGMENT, NUMERIC, FLAT})
QUOTED = "quoted"  # in code: one literal word, whatever it holds (the result of a shell-quoting function)


class Hole(NamedTuple):
    """An unknown piece of a text."""

    origin: str
    alphabet: str = ANYTHING
    exact: bool = True  # False: computed from the origin, so it no longer *is* the argument
    tag: str = "hole"


Part: TypeAlias = str | Hole


def of_caller(hole: Hole) -> bool:
    """Whether the caller, the environment or the model gives the text, or what it was computed from."""
    return hole.origin in (ARG, MODEL) or hole.origin.startswith("env:")


def folder_of_given(path: Text) -> Text | None:
    """The folder of a path that the caller gives, as `<arg>` or with another ending; None if it is no such path."""
    first, *rest = path.parts or ("",)
    if not isinstance(first, Hole) or not of_caller(first) or not first.exact or first.alphabet != ANYTHING:
        return None
    flat = all("/" not in part if isinstance(part, str) else part.alphabet in NO_SLASH for part in rest)
    return Text((first._replace(alphabet=PARENT),)) if flat else None


def piece(hole: Hole) -> Hole:
    """A part of what a hole stands for, cut out of it."""
    whole = hole.exact or hole.alphabet in {PIECE, TRIMMED}
    cut = {SEGMENT: FLAT, TREE: ANYTHING, PARENT: ANYTHING}.get(hole.alphabet, hole.alphabet)
    alphabet = PIECE if whole and of_caller(hole) and hole.alphabet in {ANYTHING, PARENT, TRIMMED} else cut
    return Hole(UNKNOWN if hole.origin in ANCHORS else hole.origin, alphabet, exact=False)


def trimmed(hole: Hole) -> Hole:
    """A hole without the blanks around it and the slashes at its end."""
    whole = (hole.exact and hole.alphabet == ANYTHING) or hole.alphabet == TRIMMED
    return Hole(hole.origin, TRIMMED, exact=False) if whole and of_caller(hole) else piece(hole)


class Text(NamedTuple):
    """A string or bytes: literals joined with holes; never two literals in a row, never an empty literal."""

    parts: tuple[Part, ...]
    tag: str = "text"

    @property
    def literal(self) -> str | None:
        """The text itself if it has no hole."""
        if not self.parts:
            return ""
        first = self.parts[0]
        return first if len(self.parts) == 1 and isinstance(first, str) else None


class Num(NamedTuple):
    """A number between two bounds (None: unbounded). Booleans are `Const`."""

    low: float | None = None
    high: float | None = None
    tag: str = "num"


class Const(NamedTuple):
    """None, True, False, undefined, and other values without text, members or effects."""

    name: str
    tag: str = "const"


class Data(NamedTuple):
    """Plain data from outside (JSON, CSV, rows): strings, numbers, and collections of them."""

    origin: str
    tag: str = "data"


class Lib(NamedTuple):
    """A member of a summarised library: a module, a function or a class, by its qualified name.

    `site` is the reference by which a function was handed on (0: none), see `Evaluator.reference`.
    """

    name: str
    site: int = 0
    tag: str = "lib"


class Instance(NamedTuple):
    """An instance of a summarised class. `payload` is the text that a path-like object carries."""

    cls: str
    payload: frozenset[Text] | None = None
    tag: str = "instance"


class Bound(NamedTuple):
    """A method of a receiver: `function` is a `Lib` or a `Closure`."""

    function: Lib | Closure
    receiver: Atom
    tag: str = "bound"


class Closure(NamedTuple):
    """A function of the skill, with the activation that it closes over, and the reference by which it was handed on (`Lib`)."""

    function: int
    frame: int
    site: int = 0
    tag: str = "closure"


class Class(NamedTuple):
    """A class of the skill, and the reference by which it was handed on (`Lib`)."""

    index: int  # type: ignore[assignment]  # tuple.index is never called on an atom
    site: int = 0
    tag: str = "class"


class Object(NamedTuple):
    """An allocation site: a list, dict, tuple, set, iterator, or the instances of a skill class."""

    index: int  # type: ignore[assignment]  # tuple.index is never called on an atom
    tag: str = "object"


class Module(NamedTuple):
    """A module of the skill, by the file that defines it."""

    index: int  # type: ignore[assignment]  # tuple.index is never called on an atom
    tag: str = "module"


class Anything(NamedTuple):
    """Whatever can exist in the run. As text its origin is kept."""

    origin: str = UNKNOWN
    tag: str = "any"


Atom: TypeAlias = Text | Num | Const | Data | Lib | Instance | Bound | Closure | Class | Object | Module | Anything
Value: TypeAlias = frozenset[Atom]

INERT = frozenset({Text, Num, Const, Data, Anything})  # kinds of atoms that can neither act nor hold others

BOTTOM: Value = frozenset()
NONE, TRUE, FALSE = Const("none"), Const("true"), Const("false")
UNDEFINED = Const("undefined")
# JavaScript: the undefined that a read may give besides what is found. It wakes defaults; as a text it does not count (see `texts_of`).
MISSING = Const("missing")
NEVER = Const("never")  # what a variable is where its type forbids that it is anything: this place is not reached
ANY: Value = frozenset({Anything()})
SOME_BOOL: Value = frozenset({TRUE, FALSE})
SOME_NUM: Value = frozenset({Num()})
NOT_NEGATIVE: Value = frozenset({Num(0)})
NOTHING: Value = frozenset({NONE})
PERHAPS: Value = frozenset({MISSING})
UNREACHED: Value = frozenset({NEVER})


def text(*parts: Part) -> Text:
    """A text in normal form."""
    out: list[Part] = []
    for part in parts:
        if isinstance(part, str):
            if not part:
                continue
            if out and isinstance(out[-1], str):
                out[-1] += part
                continue
        out.append(part)
    return Text(tuple(out))


def lit(value: str) -> Value:
    """The value that is exactly this text."""
    return frozenset({Text((value,) if value else ())})


def hole(origin: str, alphabet: str = ANYTHING, *, exact: bool = True) -> Value:
    """The value of an unknown text from `origin`."""
    return frozenset({Text((Hole(origin, alphabet, exact),))})


def concat(left: Text, right: Text) -> Text:
    """One text after the other."""
    if not left.parts:
        return right
    if not right.parts:
        return left
    if isinstance(left.parts[-1], str) and isinstance(right.parts[0], str):
        return Text((*left.parts[:-1], left.parts[-1] + right.parts[0], *right.parts[1:]))
    return Text(left.parts + right.parts)


def records(item: Text) -> list[Text] | None:
    """What stands between the NULs of a text; None if a hole may hold further ones. Names and what the caller gives hold none."""
    out: list[list[Part]] = [[]]
    for part in item.parts:
        if isinstance(part, str):
            first, *others = part.split("\0")
            out[-1].append(first)
            out += [[other] for other in others]
        elif part.alphabet in NO_SLASH or part.alphabet == TREE or part.origin in ANCHORS or of_caller(part):
            out[-1].append(part)
        else:
            return None
    if out[-1] in ([], [""]):
        out.pop()
    return [text(*parts) for parts in out]


def unsited(atom: Closure) -> Closure:
    """A function of the skill, whichever reference handed it on."""
    return Closure(atom.function, atom.frame) if atom.site else atom


def unsited_classes(value: Value) -> Value:
    """The same value with classes of the skill as such, whichever reference handed them on."""
    if not any(isinstance(atom, Class) and atom.site for atom in value):
        return value
    return frozenset(Class(atom.index) if isinstance(atom, Class) else atom for atom in value)


SOME_TEXT: Value = hole(UNKNOWN)
