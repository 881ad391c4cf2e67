"""The seccomp filter (classic BPF) that the kernel applies to each call of a confined program. The calls are data.

A program for another architecture (32 bits on 64) would use other call numbers, so it is killed.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from remit.capsule.confinement import DATA
from remit.core.errors import CapsuleError, DataError
from remit.core.table import TableRow, read_table

_LOAD, _EQUAL, _AT_LEAST, _ANY, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _KIND, _FIRST = 0, 4, 16  # offsets: of the call, of the kind of program, of the first argument
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_X32 = 0x40000000  # on x86_64: the same calls under other numbers
_MACHINES = ("x86_64", "aarch64", "riscv64")
_TESTS = ("any", "without", "low", "is")
_TYPE = 0xF  # of a socket, beside its flags

Step = tuple[int, int, int, int]  # code, where to go on if true and if false, and a number


class Test(NamedTuple):
    """A test of the lower half of one argument; the kernel reads no more of these arguments."""

    argument: int
    kind: str
    value: int

    def steps(self, otherwise: int) -> tuple[Step, ...]:
        """Return the steps that continue if the test holds, else skip `otherwise` steps."""
        load = (_LOAD, 0, 0, _FIRST + 8 * self.argument)
        if self.kind == "any":
            return load, (_ANY, 0, otherwise, self.value)
        if self.kind == "without":
            return load, (_ANY, otherwise, 0, self.value)
        masked = ((_AND, 0, 0, _TYPE),) if self.kind == "low" else ()
        return load, *masked, (_EQUAL, 0, otherwise, self.value)


class Refusals(NamedTuple):
    """The refused calls of one architecture."""

    kind: int
    socket: int
    families: tuple[int, ...]
    calls: tuple[tuple[int, int], ...]  # number and error
    arguments: tuple[tuple[int, tuple[Test, ...], int], ...] = ()  # number, tests that all hold, and error
    newest: int = _X32 - 1  # later calls are refused


@cache
def seccomp_filter(machine: str, *, capsule: bool = False, walls: bool = False) -> bytes:
    """Return the filter for a machine; CapsuleError if its calls are unknown. A capsule refuses more than a test does.

    Walls refuse what a capsule does, except for calls that developer tools need among themselves.
    """
    known = _refusals(machine, capsule=capsule or walls, walls=walls)
    steps: list[Step] = [
        (_LOAD, 0, 0, _KIND),
        (_EQUAL, 1, 0, known.kind),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, known.newest + 1),
        (_RETURN, 0, 0, _ERROR | errno.ENOSYS),
    ]
    for number, error in known.calls:
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | error)]
    for number, tests, error in known.arguments:
        steps += _judged(number, tests, error)
    steps += [(_EQUAL, 1, 0, known.socket), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _FIRST)]
    for family in known.families:
        steps += [(_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    steps.append((_RETURN, 0, 0, _ERROR | errno.EAFNOSUPPORT))
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def refused_names() -> tuple[str, ...]:
    """Return the calls that a capsule refuses whatever their arguments."""
    sections = _sections("calls", capsule=True)
    return tuple(sorted(row.cells[0] for row in read_table(DATA / "refused_calls.table", 6) if row.section in sections))


def _judged(number: int, tests: tuple[Test, ...], error: int) -> list[Step]:
    """Return the steps that refuse one call if all its tests hold, and otherwise load its number again."""
    rest: list[Step] = [(_RETURN, 0, 0, _ERROR | error)]
    for test in reversed(tests):
        rest = [*test.steps(len(rest)), *rest]
    return [(_EQUAL, 0, len(rest) + 1, number), *rest, (_LOAD, 0, 0, _NUMBER)]


def _sections(name: str, *, capsule: bool) -> tuple[str, ...]:
    return (name, f"{name} in a capsule") if capsule else (name,)


@cache
def _refusals(machine: str, *, capsule: bool, walls: bool) -> Refusals:
    if machine not in _MACHINES:
        raise CapsuleError(
            f"the calls of a `{machine}` are not known, so nothing is run on it", f"use one of {', '.join(_MACHINES)}"
        )
    column = 1 + _MACHINES.index(machine)
    calls: list[tuple[int, int]] = []
    families: list[int] = []
    own = (0, 0)
    newest = _X32 - 1
    refused, named = _sections("calls", capsule=capsule), _sections("families", capsule=capsule and not walls)[-1]
    free = _free() if walls else frozenset()
    for row in read_table(DATA / "refused_calls.table", 6):
        try:
            if (
                row.section in refused and row.cells[column] and row.cells[0] not in free
            ):  # a machine may not have the call
                calls.append((int(row.cells[column]), getattr(errno, row.cells[4])))
            elif row.section == "newest in a capsule" and capsule:
                newest = int(row.cells[column])
            elif row.section == named:
                families.append(int(row.cells[column]))
            elif row.cells[0] == machine:
                own = (int(row.cells[1]), int(row.cells[2]))
        except (ValueError, AttributeError):
            raise DataError(f"{row.where}: a number or an error is wrong", "correct the line") from None
    arguments = tuple(_arguments(column, free)) if capsule else ()
    return Refusals(*own, tuple(families), tuple(calls), arguments, newest)


def _free() -> frozenset[str]:
    return frozenset(
        row.cells[0] for row in read_table(DATA / "refused_calls.table", 6) if row.section == "free in walls"
    )


def _arguments(column: int, free: frozenset[str]) -> Iterator[tuple[int, tuple[Test, ...], int]]:
    for row in read_table(DATA / "refused_arguments.table", 7):
        if row.cells[column] and row.cells[0] not in free:
            try:
                yield int(row.cells[column]), tuple(_tests(row)), getattr(errno, row.cells[5])
            except (ValueError, AttributeError):
                raise DataError(f"{row.where}: a number, a test or an error is wrong", "correct the line") from None


def _tests(row: TableRow) -> Iterator[Test]:
    for text in row.cells[4].split(","):
        argument, kind, value = text.split()
        if kind not in _TESTS:
            raise DataError(f"{row.where}: `{kind}` is no test", f"write one of {', '.join(_TESTS)}")
        yield Test(int(argument), kind, int(value, 16))
