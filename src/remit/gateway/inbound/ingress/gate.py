"""Whether an event is heard. Everything is closed until the settings open it, and nothing in a text opens anything.

(1) a program is not heard, except for the person for whom the platform says that it speaks
(2) the speaker must be let in: in direct by pairing or by name, in a group by the room and by name or role
(3) in a group we must be named, unless the settings do without; a command of an operator needs no name
(4) a command counts as one only from an operator; from others it is a text like any other
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
    """Who may speak in direct."""

    PAIRED = "paired"  # by pairing, or by name
    NAMED = "named"
    ANYONE = "anyone"
    NOBODY = "nobody"


class Gate(NamedTuple):
    """The settings of one channel."""

    direct: Direct = Direct.PAIRED
    named: frozenset[str] = frozenset()  # who may speak, in direct and in groups; `*` is anyone
    rooms: frozenset[str] = frozenset()  # groups that are heard; `*` is all of them
    roles: frozenset[str] = frozenset()  # one of them is wanted in groups, where any is given
    unnamed: frozenset[str] = frozenset()  # groups in which we need not be named
    operators: frozenset[str] = frozenset()  # whose commands count
    command: str = "/"


class Heard(StrEnum):
    """What becomes of an event."""

    HEARD = "heard"
    COMMAND = "command"
    PAIRING = "pairing"  # a stranger, who may ask to be let in
    DROPPED = "dropped"


class Passage(NamedTuple):
    """What becomes of an event, by whom it was said, and the code of the reason if it is not heard."""

    heard: Heard
    speaker: str
    reason: str = ""


def speaker_of(event: Event) -> str:
    """Who speaks: a person behind a program where the platform vouches for it, never a name in the text."""
    return event.behind if event.machine else event.place.peer


def pass_gate(gate: Gate, paired: Container[str], event: Event) -> Passage:
    """See above. `paired`: who was let in on this channel."""
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
    """Whether it is a command of somebody who may give one. A reaction or an edit is none: others choose what can be reacted with."""
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
    """Who was paired in direct is not by that let in everywhere: a group wants the name or the role."""
    if ANYONE not in gate.rooms and event.place.room not in gate.rooms:
        return "ROOM_CLOSED"
    if gate.roles:
        return "" if gate.roles & event.roles else "ROLE_MISSING"
    return "" if _known(gate, speaker) else "NOT_LET_IN"
