"""What platforms send, read. Everything in it may come from a stranger: it is bounded, and a field of another type counts as wrong."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from remit.core.digest import canonical, digest
from remit.core.errors import InputError
from remit.gateway.inbound.channels.quarantine import MOST_FILES
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError
from remit.gateway.inbound.channels.texts import cut
from remit.gateway.inbound.ingress.event import Event, What
from remit.gateway.inbound.routing.agents import ANY

if TYPE_CHECKING:
    from remit.gateway.inbound.routing.message import Place

MOST_DEPTH = 24
MOST_ITEMS = 1000  # of a list that is looked through


def read_json(body: bytes) -> dict[str, Any]:
    """The object in a body. What can not be written down again (half a character, a number without an end) is refused."""
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=_once, parse_float=str, parse_constant=_no_number)
        if not isinstance(value, dict) or not _flat(value, MOST_DEPTH):
            raise RefusedError(Refusal.FORM)
        canonical(value)
    except (ValueError, RecursionError, InputError):
        raise RefusedError(Refusal.FORM) from None
    return value


def part(value: Any, *names: str) -> Any:
    """A field, a field of that, and so on; None where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def name_in(value: Any, pattern: str) -> str:
    """A name of the platform's, which must have its form."""
    if not isinstance(value, str) or not re.fullmatch(pattern, value, re.ASCII):
        raise RefusedError(Refusal.FORM)
    return value


def number_in(value: Any) -> str:
    """A number of the platform's, as a name."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(Refusal.FORM)
    return str(value)


def text_in(value: Any) -> str:
    """A text; none is an empty one."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RefusedError(Refusal.FORM)
    return value


def items_in(value: Any) -> list[Any]:
    """A list of a bounded length; none is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list) or len(value) > MOST_ITEMS:
        raise RefusedError(Refusal.FORM)
    return value


def ours(wanted: str, found: str) -> str:
    """The account that an event is for, which must be the one that is set, if one is."""
    if wanted not in (ANY, found):
        raise RefusedError(Refusal.ACCOUNT)
    return found


def made(place: Place, what: What, text: str, message: str, *also: str, **fields: Any) -> Event:
    """An event. Its digest is of what was said, by whom and where, and of nothing that the platform fills in anew when it tries again.

    `also`: what tells two of them apart besides. Files count by how many and how large they are: platforms name one anew with each sending.
    """
    fields["files"] = files = tuple(fields.get("files", ()))[:MOST_FILES]
    content = [what, place.room, place.thread, place.peer, message, text, *also, *(str(one.size) for one in files)]
    return Event(place, what, cut(text), message, digest=digest(content), **fields)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a key stands twice")
    return out


def _no_number(_: str) -> Any:
    raise ValueError("not a number")


def _flat(value: Any, left: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left > 0 and all(_flat(one, left - 1) for one in inner)
