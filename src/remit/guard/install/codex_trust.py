"""How Codex writes down that a user trusts a hook: config.toml, `[hooks.state."PLACE"] trusted_hash`, by place and content."""

from __future__ import annotations

import hashlib
import json
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_WITHOUT_MATCHER = frozenset({"UserPromptSubmit", "Stop"})
_KNOWN_FIELDS = frozenset({"type", "command", "timeout", "async", "statusMessage"})


class Trust(StrEnum):
    """What Codex does with a hook."""

    TRUSTED = "trusted"
    UNTRUSTED = "nobody trusts it yet"
    CHANGED = "it was changed since somebody trusted it"
    DISABLED = "it is turned off"
    UNKNOWN = "its form is one that we do not know"


def trust(
    config: Mapping[str, Any], path: Path, event: str, group: int, place: int, matcher: Any, hook: Mapping[str, Any]
) -> Trust:
    """Whether Codex runs a hook of the user's hooks.json at `path`."""
    found = hash_of(event, matcher, hook)
    state = _state(config, key_of(path, event, group, place))
    if found is None:
        return Trust.UNKNOWN
    if state.get("enabled") is False:
        return Trust.DISABLED
    if "trusted_hash" not in state:
        return Trust.UNTRUSTED
    return Trust.TRUSTED if state["trusted_hash"] == found else Trust.CHANGED


def hash_of(event: str, matcher: Any, hook: Mapping[str, Any]) -> str | None:
    """The content of a hook as Codex sums it up; None for a field whose part in it we do not know."""
    if not set(hook) <= _KNOWN_FIELDS or not isinstance(hook.get("timeout"), int):
        return None
    identity: dict[str, Any] = {"event_name": _label(event), "hooks": [{"async": False, **hook}]}
    if matcher is not None and event not in _WITHOUT_MATCHER:
        identity["matcher"] = matcher
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def key_of(path: Path, event: str, group: int, place: int) -> str:
    """The name under which trust in a hook is written down."""
    return f"{path}:{_label(event)}:{group}:{place}"


def _label(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def _state(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value: Any = config
    for name in ("hooks", "state", key):
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
