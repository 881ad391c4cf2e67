"""Action ids: the second in which an action began, and 96 random bits.

An action expires a day after it began, whatever is signed for it later: a person may take hours to confirm it. Proofs live for seconds, so
both servers are asked again when it is committed. A replay store keeps its mark as long as it can be signed, and neither a
proof nor a person's confirmation can revive an action: an executor refuses an id that is too old.
"""

from __future__ import annotations

import secrets

from remit.core.shape import Text

FORM = Text(32, r"[0-9a-f]{32}")
LIFETIME = 86_400  # seconds in which an action can be accepted
_TIME_DIGITS = 8
PREVIEW, COMMIT = "preview", "commit"  # the spans of its trace, which has the id of the action


def new_action(now: int) -> str:
    """Return a fresh action id."""
    return f"{now:0{_TIME_DIGITS}x}{secrets.token_hex(12)}"


def born(action_id: str) -> int:
    """Return the second in which an action began, from its id."""
    return int(action_id[:_TIME_DIGITS], 16)
