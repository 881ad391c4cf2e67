"""Parsing of platform data, which is untrusted: sizes are bounded, and a field of the wrong type is refused."""

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
MOST_ITEMS = 1000  # of a list


def read_json(body: bytes) -> dict[str, Any]:
    """Parse the JSON object in a body. Values that cannot be serialized again (lone surrogates, NaN) are refused."""
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=_once, parse_float=str, parse_constant=_no_number)
        if not isinstance(value, dict) or not _flat(value, MOST_DEPTH):
            raise RefusedError(Refusal.FORM)
        canonical(value)
    except (ValueError, RecursionError, InputError):
        raise RefusedError(Refusal.FORM) from None
    return value


def part(value: Any, *names: str) -> Any:
    """Return a nested field; None if it is missing."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def name_in(value: Any, pattern: str) -> str:
    """Return an identifier; RefusedError if it does not match the pattern."""
    if not isinstance(value, str) or not re.fullmatch(pattern, value, re.ASCII):
        raise RefusedError(Refusal.FORM)
    return value


def number_in(value: Any) -> str:
    """Return an integer as an identifier."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(Refusal.FORM)
    return str(value)


def text_in(value: Any) -> str:
    """Return a text; a missing one is empty."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RefusedError(Refusal.FORM)
    return value


def items_in(value: Any) -> list[Any]:
    """Return a list of bounded length; a missing one is empty."""
    if value is None:
        return []
    if not isinstance(value, list) or len(value) > MOST_ITEMS:
        raise RefusedError(Refusal.FORM)
    return value


def ours(wanted: str, found: str) -> str:
    """Return the account that an event is for; it must be the configured one, if any."""
    if wanted not in (ANY, found):
        raise RefusedError(Refusal.ACCOUNT)
    return found


def made(place: Place, what: What, text: str, message: str, *also: str, **fields: Any) -> Event:
    """Return an event. Its digest covers what was said, by whom and where, but nothing that a platform changes on a
    retry.

    `also`: further fields that distinguish events. Files count by number and size, since platforms rename them on each
    sending.
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
