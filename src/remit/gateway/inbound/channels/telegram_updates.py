"""Events of Telegram updates. Offsets in a text count UTF-16 units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound.channels.parsing import items_in, made, name_in, number_in, part, text_in
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError
from remit.gateway.inbound.ingress.event import Attachment, Event, What
from remit.gateway.inbound.routing.message import Kind, Place

_CHATS = {"private": Kind.DIRECT, "group": Kind.GROUP, "supergroup": Kind.GROUP}
_BROUGHT = ("forward_origin", "forward_date", "via_bot")  # forwarded text: no command and no mention
_FILES = {
    "document": "application/octet-stream", "voice": "audio/ogg", "audio": "audio/mpeg", "video": "video/mp4",
    "video_note": "video/mp4",
}  # attachments, with the type if none is stated  # fmt: skip
_ANONYMOUS = ("1087968824", "136817688", "777000")  # accounts that Telegram uses for messages without a personal author


class Ourselves(NamedTuple):
    """Our own account: the configured name, our id, and our user name if known."""

    account: str
    number: str
    user: str


def event_of(channel: str, ourselves: Ourselves, told: dict[str, Any]) -> Event:
    """Return the event; RefusedError for kinds that are ignored, such as channel posts, polls and joins."""
    name = number_in(told.get("update_id"))
    if "message" in told or "edited_message" in told:
        edited = "message" not in told
        return _message(channel, ourselves, told["edited_message" if edited else "message"], name, edited=edited)
    if "message_reaction" in told:
        return _reaction(channel, ourselves, told["message_reaction"], name)
    if "callback_query" in told:
        return _button(channel, ourselves, told["callback_query"], name)
    raise RefusedError(Refusal.KIND)


def pressed(told: dict[str, Any]) -> str:
    """Return the id of a pressed button, or an empty string."""
    return text_in(part(told, "callback_query", "id"))[:100]


def _message(channel: str, ourselves: Ourselves, told: Any, name: str, *, edited: bool) -> Event:
    caption = part(told, "text") is None
    text = text_in(part(told, "caption" if caption else "text"))
    files = tuple(_files(told))
    if not text and not files:
        raise RefusedError(Refusal.KIND)  # someone joined, a new title: no message
    marks = tuple(_marks(text, items_in(part(told, "caption_entities" if caption else "entities"))))
    place = _place(channel, ourselves, told, "from")
    brought = any(part(told, name) is not None for name in _BROUGHT)
    return made(
        place,
        What.EDITED if edited else What.SAID,
        f"forwarded: {text}" if brought else _ours(text, marks, ourselves, place.kind),
        number_in(part(told, "message_id")),
        str(part(told, "edit_date") or ""),
        event=name,
        name=called(told, "from"),
        files=files,
        mentioned=(_named(marks, ourselves) and not brought) or _answers_us(told, ourselves),
        machine=_machine(told, "from", "sender_chat"),
    )


def called(told: Any, by: str) -> str:
    """Return the speaker's display name."""
    speaker = part(told, by)
    return " ".join(filter(None, (text_in(part(speaker, name)) for name in ("first_name", "last_name"))))


def _files(told: Any) -> Iterator[Attachment]:
    """Yield the attachments of a message. Of a photo's sizes the last is the largest."""
    pictures = items_in(part(told, "photo"))
    for kind, one in (("photo", pictures[-1] if pictures else None), *((kind, part(told, kind)) for kind in _FILES)):
        source = part(one, "file_id")
        if source is None:
            continue
        size = part(one, "file_size")
        yield Attachment(
            text_in(part(one, "file_name")) or kind,
            text_in(part(one, "mime_type")) or _FILES.get(kind, "image/jpeg"),
            int(number_in(size)) if size is not None else 0,
            name_in(source, "[A-Za-z0-9_-]{1,300}"),
        )


def _reaction(channel: str, ourselves: Ourselves, told: Any, name: str) -> Event:
    """Return the event of the current reactions; without text if they were removed."""
    shown = [text_in(part(one, "emoji") or part(one, "type")) for one in items_in(part(told, "new_reaction"))]
    return made(
        _place(channel, ourselves, told, "user"),
        What.REACTED,
        " ".join(shown),
        number_in(part(told, "message_id")),
        number_in(part(told, "date")),
        event=name,
        name=called(told, "user"),
        machine=_machine(told, "user", "actor_chat"),
    )


def _button(channel: str, ourselves: Ourselves, told: Any, name: str) -> Event:
    """Return the event of a button. It is never a command: the user who pressed it did not write it."""
    query = text_in(part(told, "id"))
    if not query or part(told, "message") is None:
        raise RefusedError(Refusal.KIND)
    message = told["message"] | {"from": told.get("from")} if isinstance(told["message"], dict) else None
    return made(
        _place(channel, ourselves, message, "from"),
        What.SAID,
        f"pressed: {text_in(part(told, 'data'))}",
        f"button/{query[:100]}",
        event=name,
        name=called(told, "from"),
        mentioned=True,
        machine=_machine(told, "from", ""),
    )


def _place(channel: str, ourselves: Ourselves, told: Any, by: str) -> Place:
    kind = _CHATS.get(text_in(part(told, "chat", "type")))
    if kind is None:
        raise RefusedError(Refusal.KIND)
    chat = number_in(part(told, "chat", "id"))
    speaker = part(told, by, "id")
    peer = chat if speaker is None else number_in(speaker)  # a group that posts as itself is not a person: see _machine
    topic = number_in(part(told, "message_thread_id")) if part(told, "is_topic_message") is True else ""
    return Place(channel, ourselves.account, kind, peer, chat if kind is Kind.GROUP else "", topic)


def _machine(told: Any, by: str, instead: str) -> bool:
    """Return whether the sender is a bot, group or channel: no particular person is behind it."""
    speaker = part(told, by)
    known = part(speaker, "is_bot") is False and str(part(speaker, "id")) not in _ANONYMOUS
    return not known or (bool(instead) and part(told, instead) is not None)


def _marks(text: str, told: list[Any]) -> Iterator[tuple[str, int, str, str]]:
    """Yield Telegram's entities: kind, offset, text and user."""
    units = text.encode("utf-16-le")
    for one in told:
        start, length = (int(number_in(part(one, name))) for name in ("offset", "length"))
        if start < 0 or length < 0:
            raise RefusedError(Refusal.FORM)
        word = units[2 * start : 2 * (start + length)].decode("utf-16-le", "replace")
        user = part(one, "user", "id")
        yield text_in(part(one, "type")), start, word, "" if user is None else number_in(user)


def _named(marks: tuple[tuple[str, int, str, str], ...], ourselves: Ourselves) -> bool:
    at = f"@{ourselves.user}".lower()
    for kind, _, word, user in marks:
        if kind == "text_mention" and user and user == ourselves.number:
            return True
        if ourselves.user and kind == "mention" and word.lower() == at:
            return True
        if ourselves.user and kind == "bot_command" and word.lower().endswith(at):
            return True
    return False


def _answers_us(told: Any, ourselves: Ourselves) -> bool:
    """Return whether it answers a message of ours.

    In a topic every message formally answers its creation, which does not count.
    """
    before = part(told, "reply_to_message")
    answered = str(part(before, "from", "id")) == ourselves.number and bool(ourselves.number)
    return answered and part(before, "forum_topic_created") is None


def _ours(text: str, marks: tuple[tuple[str, int, str, str], ...], ourselves: Ourselves, kind: Kind) -> str:
    """Return the text without a leading mention of us. `/stop@other` is a command for another bot."""
    at = f"@{ourselves.user}".lower() if ourselves.user else ""
    first = next((one for one in marks if one[1] == 0), ("", 0, "", ""))
    if first[0] == "mention" and at and first[2].lower() == at:
        return text[len(first[2]) :].strip()
    if first[0] == "bot_command" and "@" in first[2]:
        if at and first[2].lower().endswith(at):
            return first[2][: -len(at)] + text[len(first[2]) :]
        if kind is Kind.GROUP:
            raise RefusedError(Refusal.OTHERS)
    return text
