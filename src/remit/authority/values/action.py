"""The name of an action: the second in which it began, and 96 random bits.

An action is over a day after it began, whatever is signed for it later: a person may take hours to confirm it. Proofs live for seconds, so
both servers are asked again when it is committed. A memory of actions keeps its mark as long as it can be signed, and neither a
proof nor a person's confirmation can bring an action back: an executor refuses a name that is too old.
"""

from __future__ import annotations

import secrets

from remit.core.shape import Text

FORM = Text(32, r"[0-9a-f]{32}")
LIFETIME = 86_400  # seconds in which an action can be accepted
_TIME_DIGITS = 8
PREVIEW, COMMIT = "preview", "commit"  # the parts of its trace, which has the action's own name


def new_action(now: int) -> str:
    """A name that nobody has used."""
    return f"{now:0{_TIME_DIGITS}x}{secrets.token_hex(12)}"


def born(action_id: str) -> int:
    """The second in which an action began, as its name says."""
    return int(action_id[:_TIME_DIGITS], 16)
