"""Requests of an agent: `{intent_id, inputs, constraints}`.

Identity and approvals come from elsewhere: a request that contains such fields is refused.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from remit.authority.intents import intents
from remit.authority.values.request import MOST_BYTES
from remit.core.digest import canonical
from remit.core.errors import InputError
from remit.core.shape import Record, Text
from remit.core.strictjson import strict_json
from remit.gateway.codes import RefusedError

_CONSTRAINTS = Record(
    {"tx_id": Text(32, r"[0-9a-f]{32}", words="the name that a preview gave: 32 hexadecimal digits")},
    frozenset({"tx_id"}),
)
_FIELDS, _OPTIONAL = {"intent_id", "inputs"}, {"constraints"}


class Act(NamedTuple):
    """One parsed request; its inputs have the intent's form. With a `tx_id` it commits that transaction."""

    intent: str
    inputs: dict[str, Any]
    tx_id: str = ""


def parse_act(data: bytes) -> Any:
    """Parse JSON bytes; duplicate keys, floats and overlong numbers are refused."""
    if len(data) > MOST_BYTES:
        raise RefusedError("TOO_LARGE")
    try:
        return strict_json(data)
    except ValueError:
        raise RefusedError(
            "BAD_FORM", "not JSON, or with keys that stand twice or numbers that are not whole"
        ) from None


def read_act(value: Any) -> Act:
    """Return the act in a JSON value, or raise RefusedError."""
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise RefusedError("BAD_FORM")
    if not _FIELDS <= set(value) <= _FIELDS | _OPTIONAL:
        unknown = sorted(set(value) - _FIELDS - _OPTIONAL)
        raise RefusedError("BAD_FORM", f"`{unknown[0][:80]}` is not a field" if unknown else "")
    if fault := _CONSTRAINTS.fault(value.get("constraints", {}), "constraints"):
        raise RefusedError("BAD_FORM", fault)
    try:
        if len(canonical(value)) > MOST_BYTES:
            raise RefusedError("TOO_LARGE")
    except InputError as error:
        raise RefusedError("BAD_FORM", error.message) from None
    name, inputs = value["intent_id"], value["inputs"]
    known = intents().get(name) if isinstance(name, str) else None
    if known is None:
        raise RefusedError("INTENT_UNKNOWN")
    if fault := known.fault(inputs):
        raise RefusedError("INPUTS_FORM", fault)
    return Act(name, inputs, value.get("constraints", {}).get("tx_id", ""))
