"""JSON text of reports and other values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.scan.report.values import Findings


_encode = json.JSONEncoder(ensure_ascii=True).encode  # ASCII: nothing in a skill's names can steer a terminal or a log


def dump(value: Any) -> str:
    """Return JSON text on one line."""
    return _encode(value)


def pretty(value: Any, indent: int = 0) -> str:
    """Return JSON text with a line for each field, and for each item of a list in a field: readable and easy to
    compare.
    """
    pad = " " * (indent + 2)
    lines = [f"{pad}{_encode(name)}: {_field(field, pad)}" for name, field in value.items()]
    return "{\n" + ",\n".join(lines) + "\n" + " " * indent + "}"


def _field(value: Any, pad: str) -> str:
    if not isinstance(value, list) or not value:
        return _encode(value)
    items = f",\n{pad}  ".join(map(_encode, value))
    return f"[\n{pad}  {items}\n{pad}]"


def scan_json(found: Findings) -> dict[str, Any]:
    """Return all findings. `changes` is null if nothing was compared."""
    return {"version": 1, **_plain(found)}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
