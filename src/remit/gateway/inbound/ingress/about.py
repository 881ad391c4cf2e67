"""What is said about an earlier message (an edit, a deletion, a reaction) belongs where that message was heard, and nowhere else."""

from __future__ import annotations

from typing import NamedTuple

from remit.gateway.inbound.ingress.event import Event, What


class Held(NamedTuple):
    """Where a message was heard, and who said it."""

    session: str
    speaker: str


def belongs(event: Event, fresh: str, speaker: str, held: Held | None) -> tuple[str, str]:
    """The session in which an event is heard, or why it is not. `fresh`: the session of something new that is said there.

    A message that was never heard has no session, so what is said about it has none. Only who said something edits or deletes
    it; others may react.
    """
    if event.what is What.SAID:
        return (fresh, "") if held is None or held == Held(fresh, speaker) else ("", "MESSAGE_TAKEN")
    if held is None:
        return "", "MESSAGE_UNKNOWN"
    if event.what is not What.REACTED and held.speaker != speaker:
        return "", "NOT_ITS_SPEAKER"
    return held.session, ""
