"""Ordering of items in lines, such as the turns of a session or the answers to one destination.

One row for each line names its last item; one for each item with a successor names that. Only the first item of a line
is due, so no two are taken at a time, by any process, and none is overtaken.
"""

from __future__ import annotations

from remit.gateway.inbound.stores.operations import Operation, Read, Write

LAST, BEHIND = "lines", "behind"


def join(line: str, name: str) -> Operation[bool]:
    """Within an operation: append to a line; return whether the item is the first. An item must not join twice."""
    last: str | None = yield Read(LAST, line)
    yield Write(LAST, line, name)
    if last is not None:
        yield Write(BEHIND, last, name)
    return last is None


def leave(line: str, name: str) -> Operation[str | None]:
    """Within an operation: remove the first item of a line; return the next one, which becomes due."""
    last: str | None = yield Read(LAST, line)
    if last == name:
        yield Write(LAST, line, None)
        return None
    behind: str | None = yield Read(BEHIND, name)
    if behind is not None:  # items of a version without lines have no successor
        yield Write(BEHIND, name, None)
    return behind
