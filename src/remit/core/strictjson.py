"""Unambiguous JSON: no duplicate keys, only integer numbers, UTF-8."""

from __future__ import annotations

import json
from typing import Any


def strict_json(data: bytes) -> Any:
    """Return the value in some bytes; ValueError for anything else."""
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
