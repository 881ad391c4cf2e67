"""Entries of policies as the store keeps them: in the language of manifests, read by its one reader."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from remit.manifest.read import parse_defaults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remit.manifest.model import Permission


def read_entries(values: Sequence[Any]) -> tuple[Permission, ...]:
    """Entries that were kept. What cannot be read is an error: forgetting a denial or a limit would widen."""
    if not values:
        return ()
    text = json.dumps({"session_defaults": {"permissions": list(values)}})
    return tuple(entry._replace(line=0) for entry in parse_defaults(text.encode(), "guard.db").permissions)
