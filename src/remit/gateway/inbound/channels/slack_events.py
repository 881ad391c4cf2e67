"""Events of Slack.

A message that mentions us arrives twice if the application subscribes to both `message` and `app_mention`: with two
event ids, but as one message. So a message is remembered by its own timestamp, and everything else by Slack's event id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from remit.gateway.inbound.channels.parsing import items_in, made, name_in, number_in, ours, part, text_in
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError
from remit.gateway.inbound.ingress.event import Attachment, Event, What
from remit.gateway.inbound.routing.message import Kind, Place

_ID, _TIME, _REACTION = "[A-Z0-9]{1,32}", r"[0-9]{1,16}\.[0-9]{1,10}", r"[\w+'-]{1,100}(::skin-tone-[2-6])?"
_EVENT = "[A-Za-z0-9]{1,64}"
_SAID = (None, "file_share", "thread_broadcast", "me_message", "bot_message")
_SLACKBOT = "USLACKBOT"


def event_of(channel: str, account: str, told: dict[str, Any]) -> Event:
    """Return the event; RefusedError for kinds that are ignored."""
    happened, kind, subtype = told.get("event"), part(told, "event", "type"), part(told, "event", "subtype")
    place = Place(channel, ours(account, name_in(told.get("team_id"), _ID)), Kind.GROUP, "")
    name, bots = name_in(told.get("event_id"), _EVENT), _bots(told)
    if kind == "reaction_added":
        return _reacted(place, happened, name)
    if kind == "app_mention" and subtype in _SAID and part(happened, "edited") is None:
        return _said(place, happened, name, bots, named=True)
    if kind == "message" and subtype in _SAID and not part(happened, "hidden"):
        return _said(place, happened, name, bots, named=False)
    if kind == "message" and subtype == "message_deleted":
        return _deleted(place, happened, name, bots, name_in(part(happened, "deleted_ts"), _TIME))
    if kind == "message" and subtype == "message_changed":
        if part(happened, "message", "subtype") == "tombstone":  # deleted, but its replies stay
            return _deleted(place, happened, name, bots, name_in(part(happened, "message", "ts"), _TIME))
        if part(happened, "message", "edited") is not None:  # otherwise Slack itself changed it, for a link preview
            return _edited(place, happened, name, bots)
    raise RefusedError(Refusal.KIND)


def _said(place: Place, told: Any, name: str, bots: frozenset[str], *, named: bool) -> Event:
    files = tuple(_files(told))
    stamp, text = name_in(told.get("ts"), _TIME), _words(told.get("text"), files)
    place, back = _where(place, told.get("channel"), told.get("channel_type"), _thread(told, stamp))
    return made(
        place._replace(peer=_author(told)),
        What.SAID,
        _plain(text, bots),
        stamp,
        event=f"said/{place.room or back}/{stamp}",
        trace=name,
        mentioned=named or _named(text, bots),
        machine=_machine(told, bots),
        back=back,
        name=text_in(part(told, "user_profile", "display_name")),
        files=files,
    )


def _edited(place: Place, told: Any, name: str, bots: frozenset[str]) -> Event:
    """Return the event of an edit, by its editor. It has no effect unless the editor is the author."""
    message = told["message"]
    stamp, text = name_in(message.get("ts"), _TIME), _words(message.get("text"))
    place, back = _where(place, told.get("channel"), told.get("channel_type"), _thread(message, stamp))
    return made(
        place._replace(peer=name_in(part(message, "edited", "user"), _ID)),
        What.EDITED,
        _plain(text, bots),
        stamp,
        event=name,
        mentioned=_named(text, bots),
        machine=_machine(message, bots),
        back=back,
    )


def _deleted(place: Place, told: Any, name: str, bots: frozenset[str], stamp: str) -> Event:
    """Return the event of a deletion by the author. Slack does not say who deleted it, and decides who may."""
    before = told.get("previous_message")
    if part(before, "user") is None and part(before, "bot_id") is None:
        raise RefusedError(Refusal.AUTHOR)
    place, back = _where(place, told.get("channel"), told.get("channel_type"), _thread(before, stamp))
    return made(
        place._replace(peer=_author(before)),
        What.DELETED,
        "",
        stamp,
        event=name,
        mentioned=_named(text_in(before.get("text")), bots),
        machine=_machine(before, bots),
        back=back,
    )


def _reacted(place: Place, told: Any, name: str) -> Event:
    if part(told, "item", "type") != "message":
        raise RefusedError(Refusal.KIND)
    place, back = _where(place, part(told, "item", "channel"), None, "")
    return made(
        place._replace(peer=name_in(told.get("user"), _ID)),
        What.REACTED,
        f":{name_in(told.get('reaction'), _REACTION)}:",
        name_in(part(told, "item", "ts"), _TIME),
        event=name,
        machine=told.get("user") == _SLACKBOT,
        back=back,
    )


def _where(place: Place, room: Any, kind: Any, thread: str) -> tuple[Place, str]:
    """Return the place, and the conversation for the answer to a direct message.

    Some events omit the conversation's type.
    """
    found = name_in(room, _ID)
    direct = kind == "im" if kind is not None else found.startswith("D")
    if direct:
        return place._replace(kind=Kind.DIRECT, thread=thread), found
    return place._replace(kind=Kind.GROUP, room=found, thread=thread), ""


def _words(value: Any, files: tuple[Attachment, ...] = ()) -> str:
    text = text_in(value)
    if not text and not files:
        raise RefusedError(Refusal.KIND)
    return text


def _files(told: Any) -> Iterator[Attachment]:
    for one in items_in(part(told, "files")):
        source, size = part(one, "url_private_download"), part(one, "size")
        if isinstance(source, str):  # a file of another workspace, or a deleted one, has none
            kind, known = text_in(part(one, "mimetype")), int(number_in(size)) if size is not None else 0
            yield Attachment(text_in(part(one, "name")), kind or "application/octet-stream", known, source[:2000])


def _thread(told: Any, stamp: str) -> str:
    """Return the thread of a message. The first message of a thread is not in it."""
    thread = part(told, "thread_ts")
    return "" if thread in (None, stamp) else name_in(thread, _TIME)


def _author(told: Any) -> str:
    return name_in(told.get("user") or told.get("bot_id"), _ID)


def _machine(told: Any, bots: frozenset[str]) -> bool:
    program = told.get("bot_id") is not None or told.get("subtype") == "bot_message"
    return program or told.get("user") in (*bots, _SLACKBOT)


def _bots(told: dict[str, Any]) -> frozenset[str]:
    """Return our user ids, from Slack's authorizations rather than from the text."""
    return frozenset(
        name_in(part(one, "user_id"), _ID)
        for one in items_in(told.get("authorizations"))
        if part(one, "is_bot") is True
    )


def _named(text: str, bots: frozenset[str]) -> bool:
    """Return whether the text mentions us. Slack escapes typed text as `&lt;`, so a `<@` is a real mention."""
    return any(f"<@{bot}>" in text or f"<@{bot}|" in text for bot in bots)


def _plain(text: str, bots: frozenset[str]) -> str:
    """Return the text as typed, without a leading mention of us."""
    for bot in bots:
        text = text.removeprefix(f"<@{bot}>")
    return text.strip().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
