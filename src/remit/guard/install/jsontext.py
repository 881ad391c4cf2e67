"""JSON files of settings, kept in the order and indentation that their owner gave them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError

if TYPE_CHECKING:
    from pathlib import Path

_INDENT = re.compile(r"\{\s*\n([ \t]+)\S")


def parse(data: bytes | None, path: Path) -> dict[str, Any]:
    """The object in a file; no file is an empty one. What is not plain JSON is refused: we would lose something of it."""
    if data is None or not data.strip():
        return {}
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        message = f"`{path}` is not plain JSON ({error}); the host ignores all of it, with the hooks in it"
        raise GuardError(message, "correct the file (no comments, no comma at the end), then try again") from None
    if not isinstance(value, dict):
        raise GuardError(f"`{path}` is not an object", "correct the file, then try again")
    return value


def render(value: dict[str, Any], before: bytes | None) -> bytes:
    """An object as text, indented as it was."""
    found = _INDENT.match(before.decode("utf-8-sig", "replace").lstrip()) if before else None
    indent = found[1] if found else "  "
    return (json.dumps(value, indent=indent, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"`{name}` stands twice")
        found[name] = value
    return found
