"""Events of Discord: interactions, and messages from its gateway.

A webhook's message comes from a program, whatever name it shows. If the operator's settings name the application that
made the webhook, the message counts for the person whom the connection found behind it; otherwise for no person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.gateway.inbound.channels.parsing import items_in, made, name_in, number_in, ours, part, text_in
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError
from remit.gateway.inbound.ingress.event import Attachment, Event, What
from remit.gateway.inbound.routing.message import Kind, Place

if TYPE_CHECKING:
    from remit.gateway.inbound.settings.values import Channel

COMMAND, COMPONENT = 2, 3
BACK = r"interaction:([0-9]{1,20}):([A-Za-z0-9_.=-]{1,1000})"  # the answer needs the interaction's own token
_ID = "[0-9]{1,20}"
THREADS = (10, 11, 12)
_DIRECT, _BOT_DM = 1, 1  # type of a channel; context of an interaction
_MESSAGES = (0, 19, 20, 23)  # default, reply, and output of commands
_DEPTH = 3  # a command group, a command in it, its values


class Known(NamedTuple):
    """Further facts known to the connection.

    Our own ids, the channel of each thread, authors of messages, and the person for whom an application wrote a
    message.
    """

    application: str
    bot: str
    parents: Mapping[str, str] = MappingProxyType({})
    authors: Mapping[str, str] = MappingProxyType({})
    behind: Mapping[str, str] = MappingProxyType({})


def interaction_of(channel: str, account: str, told: dict[str, Any]) -> Event:
    """Return the event of a command or button; RefusedError for other interactions.

    It always counts as addressed to us.
    """
    application = ours(account, name_in(told.get("application_id"), _ID))
    name = name_in(told.get("id"), _ID)
    user = part(told, "member", "user") or told.get("user")
    place = _place_of_interaction(Place(channel, application, Kind.GROUP, name_in(part(user, "id"), _ID)), told)
    back = f"interaction:{application}:{name_in(told.get('token'), '[A-Za-z0-9_.=-]{1,1000}')}"
    return made(
        place,
        What.SAID,
        _command(told) if told["type"] == COMMAND else _button(told),
        name,
        event=name,
        mentioned=True,
        roles=_roles(told),
        machine=part(user, "bot") is True,
        back=back,
        name=_called(user),
    )


def dispatch_of(channel: str, settings: Channel, frame: dict[str, Any], known: Known) -> Event:
    """Return the event of a gateway frame about a message; RefusedError for others."""
    place = Place(channel, ours(settings.account, known.application), Kind.GROUP, "")
    told = frame.get("d")
    match frame.get("t"):
        case "MESSAGE_CREATE":
            return _message(place, settings, told, known, edited=False)
        case "MESSAGE_UPDATE":
            return _message(place, settings, told, known, edited=True)
        case "MESSAGE_DELETE":
            return _deleted(place, told, known)
        case "MESSAGE_REACTION_ADD":
            return _reacted(place, told, known)
    raise RefusedError(Refusal.KIND)


def _voice(told: Any) -> str:
    """Return the id of the application that wrote a message, or an empty string."""
    found = part(told, "application_id")
    return found if isinstance(found, str) else ""


def _message(place: Place, settings: Channel, told: Any, known: Known, *, edited: bool) -> Event:
    when = part(told, "edited_timestamp")
    if part(told, "type") not in _MESSAGES or (
        edited and when is None
    ):  # a link preview was added: nobody wrote anything
        raise RefusedError(Refusal.KIND)
    name, text = name_in(part(told, "id"), _ID), text_in(part(told, "content"))
    files = tuple(_files(told))
    if not text and not files:
        raise RefusedError(Refusal.KIND)
    place, back = _room(place, told, known)
    stamp = name_in(when, r"[0-9T:.+Z-]{1,40}") if edited else ""
    webhook = part(told, "webhook_id") is not None
    program = webhook or part(told, "author", "bot") is True
    return made(
        place._replace(peer=name_in(part(told, "author", "id"), _ID)),
        What.EDITED if edited else What.SAID,
        _without_us(text, known.bot),
        name,
        stamp,
        event=f"edited/{name}/{stamp}" if edited else f"said/{name}",
        mentioned=any(part(one, "id") == known.bot for one in items_in(part(told, "mentions"))),
        roles=_roles(told),
        machine=program,
        behind=known.behind.get(name, "") if webhook and _voice(told) in settings.voices else "",
        back=back,
        name=_called(part(told, "author")),
        files=files,
    )


def _called(user: Any) -> str:
    return text_in(part(user, "global_name")) or text_in(part(user, "username"))


def _files(told: Any) -> Iterator[Attachment]:
    for one in items_in(part(told, "attachments")):
        source, size = text_in(part(one, "url"))[:2000], part(one, "size")
        kind = text_in(part(one, "content_type")) or "application/octet-stream"
        yield Attachment(text_in(part(one, "filename")), kind, int(number_in(size)) if size is not None else 0, source)


def _deleted(place: Place, told: Any, known: Known) -> Event:
    """Return the event of a deletion. Discord does not name the author, so it must be known."""
    name = name_in(part(told, "id"), _ID)
    if name not in known.authors:
        raise RefusedError(Refusal.AUTHOR)
    place, back = _room(place, told, known)
    return made(
        place._replace(peer=known.authors[name]), What.DELETED, "", name, event=f"deleted/{name}", back=back
    )  # fmt: skip


def _reacted(place: Place, told: Any, known: Known) -> Event:
    name, peer = name_in(part(told, "message_id"), _ID), name_in(part(told, "user_id"), _ID)
    shown = text_in(part(told, "emoji", "name") or part(told, "emoji", "id"))
    place, back = _room(place, told, known)
    return made(
        place._replace(peer=peer),
        What.REACTED,
        shown,
        name,
        event=f"reacted/{name}/{peer}/{shown}"[:300],
        roles=_roles(told),
        machine=peer == known.bot or part(told, "member", "user", "bot") is True,
        back=back,
    )


def _place_of_interaction(place: Place, told: dict[str, Any]) -> Place:
    """Return the place of an interaction.

    A thread belongs to its channel; a conversation of two other users counts as a group.
    """
    room = name_in(part(told, "channel", "id") or told.get("channel_id"), _ID)
    kind, context = part(told, "channel", "type"), told.get("context")
    alone = context == _BOT_DM or (context is None and kind == _DIRECT)
    if told.get("guild_id") is None and alone:
        return place._replace(kind=Kind.DIRECT)
    if kind in THREADS:
        return place._replace(room=name_in(part(told, "channel", "parent_id"), _ID), thread=room)
    return place._replace(room=room)


def _room(place: Place, told: Any, known: Known) -> tuple[Place, str]:
    """Return the place, and the reply address of a direct message."""
    room = name_in(part(told, "channel_id"), _ID)
    if part(told, "guild_id") is None:
        return place._replace(kind=Kind.DIRECT), room
    parent = known.parents.get(room)
    return place._replace(room=parent or room, thread=room if parent else ""), ""


def _roles(told: Any) -> frozenset[str]:
    return frozenset(name_in(one, _ID) for one in items_in(part(told, "member", "roles")))


def _command(told: dict[str, Any]) -> str:
    """Return a command as typed text: its name and its values in order."""
    data = told.get("data")
    target = part(data, "target_id")
    words = [
        text_in(part(data, "name")),
        *_values(part(data, "options"), _DEPTH),
        *([text_in(target)] if target else []),
    ]
    if not words[0]:
        raise RefusedError(Refusal.FORM)
    return "/" + " ".join(words)


def _values(options: Any, left: int) -> Iterator[str]:
    if not left:
        raise RefusedError(Refusal.FORM)
    for one in items_in(options):
        value = part(one, "value")
        if isinstance(value, str | int):
            yield str(value).lower() if isinstance(value, bool) else str(value)
        else:
            yield text_in(part(one, "name"))
            yield from _values(part(one, "options"), left - 1)


def _button(told: dict[str, Any]) -> str:
    """Return a button as text, never as a command: the user who pressed it did not write it."""
    data = told.get("data")
    values = [text_in(one) for one in items_in(part(data, "values"))]
    return "pressed: " + " ".join([text_in(part(data, "custom_id")), *values])


def _without_us(text: str, bot: str) -> str:
    return text.removeprefix(f"<@{bot}>").removeprefix(f"<@!{bot}>").strip()
