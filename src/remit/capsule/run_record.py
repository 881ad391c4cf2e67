"""The audit record of a command in a capsule, which is compared with what was admitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.capsule.contract import VERSION, Contract, Hiding
from remit.capsule.egress.record import SHAPE as CONNECTIONS
from remit.capsule.egress.record import connection_value
from remit.core.shape import Flag, Items, Nothing, OneOf, Record, Text, Whole, Word

if TYPE_CHECKING:
    from remit.capsule.launch import Ran

_PATH = Text(4096)
SHAPE = Record(
    {
        "version": Whole(VERSION, VERSION),
        "skill": Text(200, empty=True),
        "manifest": Text(100),
        "command": Items(Text(131_072, empty=True), 10_000),
        "ending": Text(100),
        "status": OneOf((Nothing(), Whole(0, 255))),
        "egress": CONNECTIONS,
        "problems": Items(Text(1000), 1_000),
        "planted": Items(
            Record({"path": _PATH, "how": Word(tuple(map(str, Hiding))), "folder": Flag(), "what": Text(1000)}), 20_000
        ),
    }
)


def ran_value(contract: Contract, ran: Ran) -> dict[str, Any]:
    """Return the record of a run."""
    return {
        "version": VERSION,
        "skill": contract.skill,
        "manifest": contract.manifest,
        "command": list(contract.command),
        "ending": str(ran.how),
        "status": ran.code,
        "egress": [connection_value(item) for item in ran.egress.connections],
        "problems": list(ran.egress.problems),
        "planted": [mask._asdict() | {"how": str(mask.how)} for mask in ran.planted],
    }
