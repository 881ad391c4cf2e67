"""What comes one after the other, in the order in which it came: turns of one session, answers to one place.

A row for each line names its last; a row for each that has somebody behind it names that one. Only the first of a line is due, so that no
two of a line are taken at a time, by whatever process, and none is overtaken by who came later.
"""

from __future__ import annotations

from remit.gateway.inbound.stores.operations import Operation, Read, Write

LAST, BEHIND = "lines", "behind"


def join(line: str, name: str) -> Operation[bool]:
    """Within an operation: to the end of a line; whether nobody stands before. Who stands in one does not join again."""
    last: str | None = yield Read(LAST, line)
    yield Write(LAST, line, name)
    if last is not None:
        yield Write(BEHIND, last, name)
    return last is None


def leave(line: str, name: str) -> Operation[str | None]:
    """Within an operation: the first of a line has done; who is the first now, and is to be due."""
    last: str | None = yield Read(LAST, line)
    if last == name:
        yield Write(LAST, line, None)
        return None
    behind: str | None = yield Read(BEHIND, name)
    if behind is not None:  # what was kept by a version without lines has nobody behind it
        yield Write(BEHIND, name, None)
    return behind
