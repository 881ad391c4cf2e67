"""Cells and objects: where values are kept, who must look again when one grows, and what may be missing in JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANCHORS,
    BOTTOM,
    MISSING,
    NONE,
    NUMERIC,
    PERHAPS,
    SEGMENT,
    TREE,
    UNDEFINED,
    UNKNOWN,
    Anything,
    Atom,
    Bound,
    Const,
    Data,
    Hole,
    Instance,
    Lib,
    Num,
    Text,
    Value,
)
from remit.analysis.engine.tables import UNKNOWN_MEMBER
from remit.analysis.flows import Node

if TYPE_CHECKING:
    from remit.analysis.engine.collections import Step
    from remit.analysis.engine.frames import Reader


MAX_ATOMS = 24  # a value with more is widened
MAX_TEXTS = 12  # likewise for its texts
MAX_GROUPS = 4  # texts that begin with different arguments and are widened apart
EXPOSED, HANDED = 1, 2
_BELOW = frozenset({SEGMENT, TREE, NUMERIC})  # holes that cannot lead out of a folder
_PLAIN = (Text, Num, Const, Data)  # what `Anything` covers entirely: these can neither act nor be called
MAX_CHANGES = 8  # a cell that grows more often holds a loop


class Cell(Node):
    """A variable, field or result: a value that only grows, and the facts that have read it.

    A cell that grew too large is `full`: it holds anything, and what is written to it leaks. `heap` is the object that it is
    part of: who looked at all parts of that object looks again when a new part gets its first value.
    """

    __slots__ = ("changes", "full", "heap", "readers", "value")

    def __init__(self, heap: Heap | None = None) -> None:
        super().__init__()
        self.aliases = True
        self.heap = heap
        self.value: Value = BOTTOM
        self.readers: dict[Reader, None] = {}  # in the order in which they came, so that two runs are alike
        self.changes = 0
        self.full = False


class Heap:
    """An abstract object.

    Sequences have a known `prefix` and a `bag` of what may stand anywhere after it; mappings and instances have
    `fields` by constant key, `keys`, and the `bag` for computed keys. `escaped`: code that is not seen may read and
    change it. `length`: how many places the shortest has of the lists that it may be; what lies behind is in the bag.
    """

    __slots__ = (
        "alike",
        "bag",
        "cls",
        "escaped",
        "fields",
        "given",
        "home",
        "keys",
        "kind",
        "length",
        "line",
        "origin",
        "prefix",
        "proto",
        "shown",
        "steps",
        "sure",
    )

    def __init__(self, kind: str, line: int, cls: int = -1) -> None:
        self.kind = kind  # list, tuple, set, dict, iter, instance, parser
        self.alike = False  # Python: a library made it, and it may be of another type with the same methods
        self.line = line
        self.cls = cls
        self.prefix: list[Cell] = []
        self.length: int | None = None  # no list was put there yet
        self.bag = Cell(self)
        self.keys = Cell()
        self.fields: dict[str, Cell] = {}
        self.sure: set[str] | None = set()  # keys that it has in any case; None: something was removed
        self.escaped = False
        self.shown = 0  # who else sees what it holds: nobody, a reader, a library (see `leaks`)
        self.origin = UNKNOWN
        self.given = False  # a command line, or its end: as long as nobody changes it, nothing lies behind its words
        self.home: tuple[int, int] | None = None  # the activation and line that made a list (see `order`)
        self.steps: list[Step] | None = None  # what is appended to it, if the order is known
        self.proto: Cell | None = None  # JavaScript: where members are looked up that it lacks

    def is_instance(self) -> bool:
        """Whether it is an instance of a class of the skill."""
        return self.kind == "instance" and self.cls >= 0


def join(left: Value, right: Value) -> Value:
    """Least upper bound, widened where it grows too large."""
    if right <= left:
        return left
    both = left | right if left else right
    if Anything in map(type, both):
        both = frozenset(atom for atom in both if not isinstance(atom, _PLAIN))
    return widen_texts(both) if len(both) > MAX_TEXTS else both


def widen_texts(value: Value, most: int = MAX_TEXTS) -> Value:
    """Many texts become one: what they begin with in common, then a hole. Likewise numbers and path objects."""
    if len(value) <= most:
        return value
    out: set[Atom] = set()
    texts: list[Text] = []
    numbers: list[Num] = []
    paths: dict[str, list[Instance]] = {}
    for atom in value:
        if isinstance(atom, Text):
            texts.append(atom)
        elif isinstance(atom, Num):
            numbers.append(atom)
        elif isinstance(atom, Instance) and atom.payload is not None:
            paths.setdefault(atom.cls, []).append(atom)
        else:
            out.add(atom)
    out.update(texts if len(texts) <= most else _widened_apart(texts))
    out.update(numbers if len(numbers) <= most else [Num()])
    for cls, instances in paths.items():
        if len(instances) <= most:
            out.update(instances)
        else:
            every = [text for instance in instances for text in instance.payload or ()]
            out.add(Instance(cls, frozenset({widened(every)})))
    return frozenset(out)


def _widened_apart(texts: list[Text]) -> list[Text]:
    """What begins with the same argument or folder is widened together."""
    groups: dict[str | Hole, list[Text]] = {}
    for text in texts:
        first = text.parts[0] if text.parts else ""
        apart = isinstance(first, Hole) and (first.origin in ANCHORS or first.exact)
        groups.setdefault(first if apart else "", []).append(text)
    if len(groups) > MAX_GROUPS:
        return [widened(texts)]
    return [widened(group) if len(group) > 1 else group[0] for group in groups.values()]


def widened(texts: list[Text]) -> Text:
    """One text that covers all of them."""
    below = _folder_of_all(texts)
    if below is not None:
        return below
    prefix = _common_beginning([atom.parts or ("",) for atom in texts])
    origins = {part.origin for atom in texts for part in atom.parts if isinstance(part, Hole)}
    origins -= ANCHORS
    origin = origins.pop() if len(origins) == 1 else UNKNOWN
    tail = Hole(origin, exact=False)
    return Text((*prefix, tail))


def _folder_of_all(texts: list[Text]) -> Text | None:
    """If all are paths below one folder, or that folder: anything below it."""
    shared: list[str | Hole] = []
    texts = _with_folder(texts)
    shortest = min(texts, key=lambda text: len(text.parts)).parts
    for i, part in enumerate(shortest):
        if isinstance(part, Hole) and part.alphabet == TREE:
            break  # it stands for whatever follows, too
        if all(text.parts[i] == part for text in texts):
            shared.append(part)
            continue
        starts = [text.parts[i] for text in texts]
        words = [start for start in starts if isinstance(start, str)]
        if len(words) == len(starts):
            shared.append(_shared_start(words).rpartition("/")[0] + "/")
        break
    while shared and not (isinstance(shared[-1], str) and "/" in shared[-1]):
        shared.pop()
    if not shared or not isinstance(shared[-1], str):
        return None
    folder = shared[-1].rpartition("/")[0] + "/"
    kept = len(shared) - 1
    for text in texts:
        last = text.parts[kept]
        assert isinstance(last, str)
        rest = (last[len(folder) :], *text.parts[kept + 1 :])
        if str(rest[0]).startswith("/") or any(
            _leaves(part) if isinstance(part, str) else part.alphabet not in _BELOW for part in rest
        ):
            return None
    return Text((*shared[:-1], folder, Hole(UNKNOWN, TREE)))


def _with_folder(texts: list[Text]) -> list[Text]:
    """The folder itself, if it is among paths below it, ends in a slash like what they begin with."""
    first = min(texts, key=lambda text: (len(text.parts), len(str(text.parts[-1:]))))
    last = first.parts[-1] if first.parts else ""
    whole = (*first.parts[:-1], last + "/") if isinstance(last, str) else (*first.parts, "/")
    at = len(whole) - 1
    others = [text for text in texts if text != first]
    end = whole[-1]
    assert isinstance(end, str)
    for text in others:
        there = text.parts[at] if len(text.parts) > at else None
        if text.parts[:at] != whole[:-1] or not isinstance(there, str) or not there.startswith(end):
            return texts
    return [Text(whole), *others] if first.parts and others else texts


def _leaves(part: str) -> bool:
    return ".." in part or "//" in part or "~" in part


def _common_beginning(texts: list[tuple[str | Hole, ...]]) -> tuple[str | Hole, ...]:
    """What all begin with: the same word, a folder that the run fixes, or a variable of the caller and what follows it at once."""
    first = texts[0][0]
    same = all(parts[0] == first for parts in texts)
    if isinstance(first, Hole) and first.origin in ANCHORS:
        return (first,) if same else ()
    if isinstance(first, Hole):  # alone it says no more than the hole that comes after it
        rest = [parts[1] for parts in texts if len(parts) > 1 and isinstance(parts[1], str)]
        follows = _shared_start([word for word in rest if isinstance(word, str)]) if len(rest) == len(texts) else ""
        return (first, follows) if same and first.exact and follows else ()
    words = [parts[0] for parts in texts if isinstance(parts[0], str)]
    shared = _shared_start(words) if len(words) == len(texts) else ""
    return (shared,) if shared else ()


def _shared_start(words: list[str]) -> str:
    """What all begin with."""
    shortest, longest = min(words), max(words)
    return next((shortest[:i] for i, char in enumerate(shortest) if char != longest[i]), shortest)


def cells_of(heap: Heap) -> list[Cell]:
    """Where an object keeps what can be reached through it: its parts, and the object that it inherits from."""
    return [*heap.prefix, heap.bag, *heap.fields.values(), *([heap.proto] if heap.proto is not None else [])]


ABSENT: Value = frozenset({UNDEFINED, MISSING})
# Methods of the language that return nothing give None here, so that it counts where null itself would not.
_WAKES_A_DEFAULT = ABSENT | {NONE}


def may_lack(heap: Heap, name: str) -> bool:
    """Whether an object may be without a member: nothing says that it has it in any case, or others may have removed it."""
    return heap.escaped or heap.sure is None or name not in heap.sure


def or_missing(value: Value) -> Value:
    """A value that was found where there may be none. What is not found at all is another matter: it may not be there yet."""
    return value | PERHAPS if value else value


def may_be_undefined(value: Value) -> bool:
    """Whether a default takes the place of a value that is passed."""
    return any(_may_be_undefined(atom) for atom in value)


def _may_be_undefined(atom: Atom) -> bool:
    if isinstance(atom, Const):
        return atom in _WAKES_A_DEFAULT
    if isinstance(atom, Bound):  # a member of something that is not known
        return isinstance(atom.function, Lib) and atom.function.name.startswith(UNKNOWN_MEMBER)
    return isinstance(atom, (Anything, Data))
