"""What may be missing in JavaScript: a member that an object may lack, and the values that wake a default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import MISSING, NONE, PERHAPS, UNDEFINED, Anything, Atom, Bound, Const, Data, Lib, Value
from remit.analysis.engine.marks import UNKNOWN_MEMBER

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap

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
