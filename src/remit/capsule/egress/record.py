"""The record of a capsule's connections. Each has a line at its start and one at its end, so that a crash loses none."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from remit.core.shape import Items, Record, Text, Whole

_COUNT = Whole(0, 1 << 60)
SHAPE = Items(
    Record(
        {
            "method": Text(20, empty=True),
            "host": Text(300, empty=True),
            "port": Whole(0, 65_535),
            "address": Text(100, empty=True),
            "sent": _COUNT,
            "received": _COUNT,
            "outcome": Text(100),
        }
    ),
    100_000,
)


class Connection(NamedTuple):
    """One connection or attempt: `outcome` is `closed`, `open` if its end was not seen, or the code of a refusal."""

    method: str
    host: str
    port: int
    address: str
    sent: int
    received: int
    outcome: str


class Egress(NamedTuple):
    """All connections in order. With `problems` the list is incomplete."""

    connections: tuple[Connection, ...] = ()
    problems: tuple[str, ...] = ()


def line_of(number: int, connection: Connection) -> bytes:
    """Return the line with the state of a connection."""
    return json.dumps([number, *connection], ensure_ascii=True).encode() + b"\n"


def end_line(count: int) -> bytes:
    """Return the last line, with the number of connections."""
    return json.dumps(["end", count]).encode() + b"\n"


def read_lines(lines: Iterable[bytes]) -> Egress:
    """Read connections from lines. Unknown lines, and a missing end, are problems."""
    found: dict[int, Connection] = {}
    problems: list[str] = []
    ended: int | None = None
    for line in lines:
        item = _read(line)
        if item is None:
            problems.append("a line about a connection is not understood")
        elif item[0] == "end":
            ended = item[1]
        else:
            found[item[0]] = Connection(*item[1:])
    if ended is None:
        problems.append("the egress proxy ended before its record did")
    elif ended != len(found):
        problems.append(f"the egress proxy counts {ended} connections, and its record holds {len(found)}")
    return Egress(tuple(found[number] for number in sorted(found)), tuple(dict.fromkeys(problems)))


def _read(line: bytes) -> list[Any] | None:
    try:
        item = json.loads(line)
    except ValueError:
        return None
    if not isinstance(item, list) or not item:
        return None
    if item[0] == "end":
        return item if len(item) == 2 and isinstance(item[1], int) else None
    kinds = (int, str, str, int, str, int, int, str)
    fits = len(item) == len(kinds) and all(isinstance(value, kind) for value, kind in zip(item, kinds, strict=True))
    return item if fits else None
