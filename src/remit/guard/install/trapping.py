"""The list of traps (`data/traps.table`), and what their checks find."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remit.core.errors import DataError, RemitError
from remit.core.table import read_table
from remit.guard.install.form import Lock, Trap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FILE = Path(__file__).parents[1] / "data" / "traps.table"


class Found(NamedTuple):
    """What a check finds."""

    lock: Lock
    detail: str


Seen = TypeVar("Seen")


def closed(detail: str) -> Found:
    """The trap catches nobody."""
    return Found(Lock.CLOSED, detail)


def opened(detail: str) -> Found:
    """It does."""
    return Found(Lock.OPEN, detail)


def judge(
    host: str, checks: Mapping[str, Callable[[Seen], Found | None]], seen: Seen, file: Path = FILE
) -> tuple[Trap, ...]:
    """Every trap of a host, in the order of the table. A check that fails, or that nobody has written, leaves its trap open; one that
    finds nothing to look at, as in a mode that is not on, leaves it out."""
    found: list[Trap] = []
    for row in read_table(file, 3):
        if row.section != host:
            continue
        name, what, fix = row.cells
        if not (name and what and fix) or name in {trap.id for trap in found}:
            raise DataError(f"{row.where}: `{name}` stands twice or has no text", "one line for a trap, with its fix")
        if (checked := _checked(checks.get(name), seen)) is not None:
            lock, detail = checked
            found.append(Trap(name, what, lock, detail, "" if lock is Lock.CLOSED else fix))
    return tuple(found)


def _checked(check: Callable[[Seen], Found | None] | None, seen: Seen) -> Found | None:
    if check is None:
        return opened("this version does not check it")
    try:
        return check(seen)
    except RemitError as error:
        return opened(error.message)
    except OSError as error:
        return opened(f"cannot be checked: {error}")
