"""The filter that the kernel applies to each call of a confined program (seccomp, classic BPF). The calls are data.

A program of another kind than the machine's own (32 bits on 64) would have other numbers for its calls: it is ended.
"""

from __future__ import annotations

import errno
import struct
from typing import NamedTuple

from remit.capsule.confinement import DATA
from remit.core.errors import CapsuleError, DataError
from remit.core.table import read_table

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _KIND, _FIRST = 0, 4, 16  # offsets: of the call, of the kind of program, of the first argument
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_X32 = 0x40000000  # on x86_64: the same calls under other numbers
_MACHINES = ("x86_64", "aarch64", "riscv64")


class Refusals(NamedTuple):
    """What is refused on one machine."""

    kind: int
    socket: int
    families: tuple[int, ...]
    calls: tuple[tuple[int, int], ...]  # number and error


def seccomp_filter(machine: str) -> bytes:
    """The filter for a machine; CapsuleError for one whose calls are not known."""
    known = _refusals(machine)
    steps = [(_LOAD, 0, 0, _KIND), (_EQUAL, 1, 0, known.kind), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER)]
    steps += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERROR | errno.ENOSYS)]
    for number, error in known.calls:
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | error)]
    steps += [(_EQUAL, 1, 0, known.socket), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _FIRST)]
    for family in known.families:
        steps += [(_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    steps.append((_RETURN, 0, 0, _ERROR | errno.EAFNOSUPPORT))
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def _refusals(machine: str) -> Refusals:
    if machine not in _MACHINES:
        raise CapsuleError(
            f"the calls of a `{machine}` are not known, so nothing is run on it", f"use one of {', '.join(_MACHINES)}"
        )
    column = 1 + _MACHINES.index(machine)
    calls: list[tuple[int, int]] = []
    families: list[int] = []
    own = (0, 0)
    for row in read_table(DATA / "refused_calls.table", 6):
        try:
            if row.section == "calls":
                calls.append((int(row.cells[column]), getattr(errno, row.cells[4])))
            elif row.section == "families":
                families.append(int(row.cells[column]))
            elif row.cells[0] == machine:
                own = (int(row.cells[1]), int(row.cells[2]))
        except (ValueError, AttributeError):
            raise DataError(f"{row.where}: a number or an error is wrong", "correct the line") from None
    return Refusals(*own, tuple(families), tuple(calls))
