"""Decision to accept an event. Everything is closed until the settings open it; no text can open anything.

(1) a program is refused, except for the person for whom, according to the platform, it speaks
(2) the speaker must be admitted: in direct messages by pairing or id, in a group by the room and by id or role
(3) in a group we must be mentioned, unless the settings waive it; a command of an operator needs no mention
(4) only an operator's text can be a command
"""

from __future__ import annotations

from collections.abc import Container
from enum import StrEnum
from typing import NamedTuple

from remit.gateway.inbound.ingress.event import Event, What
from remit.gateway.inbound.routing.message import Kind

ANYONE = "*"


NOT_NAMED = "NOT_NAMED"  # a known person in an open room, who speaks with others


class Direct(StrEnum):
    """Who may send direct messages."""

    PAIRED = "paired"  # paired, or listed by id
    NAMED = "named"
    ANYONE = "anyone"
    NOBODY = "nobody"


class Gate(NamedTuple):
    """The settings of one channel."""

    direct: Direct = Direct.PAIRED
    named: frozenset[str] = frozenset()  # ids admitted in direct messages and groups; `*` is anyone
    rooms: frozenset[str] = frozenset()  # open groups; `*` is all
    roles: frozenset[str] = frozenset()  # in groups one of these is required, if there are any
    unnamed: frozenset[str] = frozenset()  # groups in which no mention is required
    operators: frozenset[str] = frozenset()  # ids whose commands are obeyed
    command: str = "/"


class Heard(StrEnum):
    """The result for an event."""

    HEARD = "heard"
    COMMAND = "command"
    PAIRING = "pairing"  # an unknown person, who may request pairing
    DROPPED = "dropped"


class Passage(NamedTuple):
    """The result for an event, its speaker, and the reason code if it is refused."""

    heard: Heard
    speaker: str
    reason: str = ""


def speaker_of(event: Event) -> str:
    """Return who speaks: the person behind a program if the platform vouches for it, never a name in the text."""
    return event.behind if event.machine else event.place.peer


def pass_gate(gate: Gate, paired: Container[str], event: Event) -> Passage:
    """Decide as described above. `paired`: ids paired on this channel."""
    speaker = speaker_of(event)
    if not speaker:
        return Passage(Heard.DROPPED, "", "MACHINE")
    refused = _direct(gate, paired, speaker) if event.place.kind is Kind.DIRECT else _group(gate, speaker, event)
    if refused == "PAIRING":
        return Passage(Heard.PAIRING, speaker, refused)
    if refused:
        return Passage(Heard.DROPPED, speaker, refused)
    if is_command(gate, speaker, event):
        return Passage(Heard.COMMAND, speaker)
    if event.place.kind is Kind.GROUP and not event.mentioned and event.place.room not in gate.unnamed:
        return Passage(Heard.DROPPED, speaker, NOT_NAMED)
    return Passage(Heard.HEARD, speaker)


def is_command(gate: Gate, speaker: str, event: Event) -> bool:
    """Return whether it is an operator's command.

    Reactions and edits are not: other users choose what can be reacted to.
    """
    return speaker in gate.operators and event.what is What.SAID and event.text.startswith(gate.command)


def _known(gate: Gate, speaker: str) -> bool:
    return ANYONE in gate.named or speaker in gate.named or speaker in gate.operators


def _direct(gate: Gate, paired: Container[str], speaker: str) -> str:
    if gate.direct is Direct.NOBODY:
        return "DIRECT_CLOSED"
    if gate.direct is Direct.ANYONE or _known(gate, speaker):
        return ""
    if gate.direct is Direct.NAMED:
        return "NOT_LET_IN"
    return "" if speaker in paired else "PAIRING"


def _group(gate: Gate, speaker: str, event: Event) -> str:
    """Check a group. Pairing covers direct messages only: a group needs a listed id or a role."""
    if ANYONE not in gate.rooms and event.place.room not in gate.rooms:
        return "ROOM_CLOSED"
    if gate.roles:
        return "" if gate.roles & event.roles else "ROLE_MISSING"
    return "" if _known(gate, speaker) else "NOT_LET_IN"
