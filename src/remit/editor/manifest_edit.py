"""The smallest edit of a remit.json that adds entries: what is there stays as it is, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from remit.manifest.jsontext import Node, Reader
from remit.manifest.render import one_line

_BLANKS = re.compile(r"[ \t]*")


class Insertion(NamedTuple):
    """A text to be put at an offset."""

    at: int
    text: str


def insertion(text: str, entries: Sequence[dict[str, Any]]) -> Insertion | None:
    """How entries are added to the permissions of a manifest; ManifestError if it is no JSON, None if it is no manifest."""
    root = Reader(text, "remit.json").read()
    written = [one_line(entry) for entry in entries]
    if not isinstance(root.value, dict) or not written:
        return None
    permissions = root.value.get("permissions")
    if permissions is None:
        more = ", " if root.value else ""
        return Insertion(root.at + 1, f'"permissions": [{", ".join(written)}]{more}')
    if not isinstance(permissions.value, list):
        return None
    return _into(text, permissions.at, permissions.value, written)


def _into(text: str, at: int, items: Sequence[Node], written: Sequence[str]) -> Insertion:
    """After the last item, and set out as it is: on a line of its own with its indent, or beside it."""
    if not items:
        return Insertion(at + 1, ", ".join(written))
    last = items[-1].at
    _, end = json.JSONDecoder().raw_decode(text, last)
    line = text.rfind("\n", 0, last) + 1
    blanks = _BLANKS.match(text, line)
    alone = blanks is not None and blanks.end() == last
    between = f",\n{blanks[0]}" if alone and blanks else ", "
    return Insertion(end, "".join(f"{between}{entry}" for entry in written))
