"""Incoming events, whatever the platform, and the decision to accept them.

Channels create events after they verified the platform's signature. Everything is closed until the settings open it; no
text can open anything:

(1) a program is refused, except for the person for whom, according to the platform, it speaks
(2) the speaker must be admitted: in direct messages by pairing or id, in a group by the room and by id or role
(3) in a group we must be mentioned, unless the settings waive it; a command of an operator needs no mention
(4) only an operator's text can be a command

Platforms repeat what they think was lost, so an event is remembered by the platform's id for it, else by the request
that brought it, else by its content. The content digest is part of every name: an id that is reused with other content
is another event and is not lost. An event about an earlier message (an edit, deletion or reaction) belongs to the
session that got that message, and to no other.
"""

from __future__ import annotations

from collections.abc import Container
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.routing import ConversationKind

if TYPE_CHECKING:
    from remit.gateway.inbound.routing import ChatAddress


class What(StrEnum):
    """The kind of an event."""

    SAID = "said"
    EDITED = "edited"
    DELETED = "deleted"
    REACTED = "reacted"


class Attachment(NamedTuple):
    """A file attached to a message. All fields are claims of the sender or the platform."""

    name: str
    kind: str  # media type
    size: int  # bytes; 0 if unknown
    source: str  # the platform's id, used to fetch it


class Event(NamedTuple):
    """One event on a platform."""

    place: ChatAddress
    what: What
    text: str
    message: str  # the platform's id of the message that this is, or is about
    event: str = ""  # the platform's id of this event, if it has one
    trace: str = ""  # the platform's id of the request that brought it
    digest: str = ""  # of the content, without what changes with a retry
    part: int = 0  # number of the part, if the event has several
    mentioned: bool = False  # the platform itself says that we were mentioned
    roles: frozenset[str] = frozenset()  # the speaker's roles there, according to the platform
    machine: bool = False  # sent by a program, according to the platform
    behind: str = ""  # the person for whom a program speaks, if the platform vouches for it
    back: str = ""  # where to answer, if that is neither the room nor the person
    name: str = ""  # the speaker's display name, freely chosen
    files: tuple[Attachment, ...] = ()


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


class EventResult(StrEnum):
    """The result for an event."""

    HEARD = "heard"
    COMMAND = "command"
    PAIRING = "pairing"  # an unknown person, who may request pairing
    DROPPED = "dropped"


class Passage(NamedTuple):
    """The result for an event, its speaker, and the reason code if it is refused."""

    heard: EventResult
    speaker: str
    reason: str = ""


def speaker_of(event: Event) -> str:
    """Return who speaks: the person behind a program if the platform vouches for it, never a name in the text."""
    return event.behind if event.machine else event.place.peer


def pass_gate(gate: Gate, paired: Container[str], event: Event) -> Passage:
    """Decide as described above. `paired`: ids paired on this channel."""
    speaker = speaker_of(event)
    if not speaker:
        return Passage(EventResult.DROPPED, "", "MACHINE")
    refused = (
        _direct(gate, paired, speaker) if event.place.kind is ConversationKind.DIRECT else _group(gate, speaker, event)
    )
    if refused == "PAIRING":
        return Passage(EventResult.PAIRING, speaker, refused)
    if refused:
        return Passage(EventResult.DROPPED, speaker, refused)
    if is_command(gate, speaker, event):
        return Passage(EventResult.COMMAND, speaker)
    if event.place.kind is ConversationKind.GROUP and not event.mentioned and event.place.room not in gate.unnamed:
        return Passage(EventResult.DROPPED, speaker, NOT_NAMED)
    return Passage(EventResult.HEARD, speaker)


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


KEPT = 7 * 24 * 3600  # seconds that an event is remembered: longer than any platform retries


class Name(NamedTuple):
    """The name by which an event is remembered."""

    channel: str
    account: str
    by: str
    name: str
    part: int
    digest: str


def name_of(event: Event) -> Name:
    """Return the name of an event."""
    place = event.place
    by, name = next(
        ((by, name) for by, name in (("event", event.event), ("trace", event.trace)) if name), ("content", "")
    )
    return Name(place.channel, place.account, by, name, event.part, event.digest)


def first_time(until: int | None, now: int) -> tuple[int, bool]:
    """Return until when to remember an event, and whether it is new. `until`: the remembered time, if any."""
    return (until, False) if until is not None and now < until else (now + KEPT, True)


class MessageSession(NamedTuple):
    """The session of a message, and its speaker."""

    session: str
    speaker: str


def belongs(event: Event, fresh: str, speaker: str, held: MessageSession | None) -> tuple[str, str]:
    """Return the session of an event, or the reason code of its refusal. `fresh`: the session of a new message there.

    A message that was not accepted has no session, so events about it are refused. Only its speaker may edit or delete
    a message; others may react.
    """
    if event.what is What.SAID:
        return (fresh, "") if held is None or held == MessageSession(fresh, speaker) else ("", "MESSAGE_TAKEN")
    if held is None:
        return "", "MESSAGE_UNKNOWN"
    if event.what is not What.REACTED and held.speaker != speaker:
        return "", "NOT_ITS_SPEAKER"
    return held.session, ""
