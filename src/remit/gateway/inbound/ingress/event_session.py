"""Session of an event about an earlier message (an edit, deletion or reaction): the session that got that message, no
other.
"""

from __future__ import annotations

from typing import NamedTuple

from remit.gateway.inbound.ingress.event import Event, What


class Held(NamedTuple):
    """The session of a message, and its speaker."""

    session: str
    speaker: str


def belongs(event: Event, fresh: str, speaker: str, held: Held | None) -> tuple[str, str]:
    """Return the session of an event, or the reason code of its refusal. `fresh`: the session of a new message there.

    A message that was not accepted has no session, so events about it are refused. Only its speaker may edit or delete
    a message; others may react.
    """
    if event.what is What.SAID:
        return (fresh, "") if held is None or held == Held(fresh, speaker) else ("", "MESSAGE_TAKEN")
    if held is None:
        return "", "MESSAGE_UNKNOWN"
    if event.what is not What.REACTED and held.speaker != speaker:
        return "", "NOT_ITS_SPEAKER"
    return held.session, ""
