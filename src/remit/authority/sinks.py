"""The destination of a request: one name for each, used by scopes of delegations and by handles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from remit.authority.intents import EFFECTS, Intent
from remit.authority.question.slots import domain_of
from remit.core.errors import AuthorityError, DataError
from remit.core.shape import Text
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "sinks.table"
ANYWHERE = "*"
RUNTIME = "runtime"  # the agent itself: a value that is shown to it
OUTPUT = "output"
NOWHERE = "?"  # an address without a host: never allowed
SINK = Text(300, r"\*|[A-Za-z0-9][A-Za-z0-9.:@/_-]*")


@cache
def _kinds() -> Mapping[str, str]:
    return load(_FILE)


def load(path: Path) -> Mapping[str, str]:
    """Read a table; every effect of the intents must be in it once."""
    out: dict[str, str] = {}
    for row in read_table(path, 2):
        effect, sink = row.cells
        if effect not in EFFECTS or effect in out:
            raise DataError(f"{row.where}: `{effect}` is not an effect, or occurs twice", "see authority/intents.py")
        out[effect] = sink
    if missing := set(EFFECTS) - set(out):
        raise DataError(f"{path.name}: `{min(missing)}` has no line", "say where such an effect goes")
    return out


def sink_of(intent: Intent, inputs: Mapping[str, Any]) -> str:
    """Return the destination of a valid request; empty if nothing leaves.

    An address whose host is ambiguous goes nowhere, and no scope includes that.
    """
    kind = _kinds()[intent.effect]
    if kind == "domain":
        named = intent.slots.get("domain", ())
        return _host(str(inputs[named[0]])) if named else OUTPUT
    if kind == "agent":
        return f"agent:{inputs[intent.slots['recipient'][0]]}"
    return kind


def _host(value: str) -> str:
    try:
        return domain_of(value)
    except AuthorityError:
        return NOWHERE
