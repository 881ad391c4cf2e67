"""The files that a patch in the `apply_patch` format touches. Hosts report only its text, but the guard judges paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

FIELD: Final = "remit_patch"  # the name in tables; the model's own arguments never use it
_WRITTEN = ("*** Add File:", "*** Update File:", "*** Move to:")
_DELETED = ("*** Delete File:",)


def with_files(args: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the arguments of a patch with the files that it touches. A text that names no file gets none, and is not
    understood.
    """
    value = args.get(name)
    lines = [line.strip() for line in value.splitlines()] if isinstance(value, str) else []
    # a line that only looks like a header (hosts differ in strictness) adds a file too many, never one too few
    files = {"written": _after(lines, _WRITTEN), "deleted": _after(lines, _DELETED)}
    moved = any(line.startswith("*** Move to:") for line in lines)
    files["deleted"] += _after(lines, ("*** Update File:",)) if moved else []
    return {**args, FIELD: files}


def without_files(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as the host knows them."""
    return {name: value for name, value in args.items() if name != FIELD}


def _after(lines: list[str], heads: tuple[str, ...]) -> list[str]:
    return [line.removeprefix(head).strip() for line in lines for head in heads if line.startswith(head)]
