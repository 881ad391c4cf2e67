"""JSON that two readers can not read in two ways: keys stand once, numbers are whole, the text is UTF-8."""

from __future__ import annotations

import json
from typing import Any


def strict_json(data: bytes) -> Any:
    """The value in some bytes; ValueError for anything else."""
    try:
        return json.loads(data.decode(), object_pairs_hook=_once, parse_float=_no_number, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too deep") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a key occurs twice")
    return out


def _no_number(_: str) -> Any:
    raise ValueError("not a whole number")
