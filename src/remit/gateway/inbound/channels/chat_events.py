"""Events of the web chat and the command line.

Messages are not signed there. The speaker is the one who logged in on the connection (access), never a field of the
message.
"""

from __future__ import annotations

from remit.core.digest import bytes_digest
from remit.gateway.inbound.channels.parsing import made, name_in
from remit.gateway.inbound.events import Event, What
from remit.gateway.inbound.routing import Kind, Place

_NAME = "[A-Za-z0-9._:-]{1,100}"


def visitor_name(secret: str) -> str:
    """Return the name of the visitor with this secret. It cannot be claimed without the secret."""
    return bytes_digest(b"remit visitor\0" + bytes.fromhex(secret)).removeprefix("sha256:")[:24]


def said(channel: str, account: str, peer: str, text: str, name: str, thread: str = "") -> Event:
    """Return the event for a message; RefusedError if a name is malformed.

    `peer`: who logged in; `name`: the client's id for the message, which lets it retry. Ids of different peers are kept
    apart, so no client can block another's message.
    """
    place = Place(channel, account, Kind.DIRECT, peer, "", name_in(thread, f"({_NAME})?"))
    return made(place, What.SAID, _whole(text), name_in(name, _NAME), event=f"{len(peer)}/{peer}/{name}")


def edited(channel: str, account: str, peer: str, text: str, message: str, name: str) -> Event:
    """Return the event for an edit of an earlier message."""
    place = Place(channel, account, Kind.DIRECT, peer)
    return made(
        place, What.EDITED, _whole(text), name_in(message, _NAME), event=f"{len(peer)}/{peer}/{name_in(name, _NAME)}"
    )


def _whole(text: str) -> str:
    """Replace lone surrogates, which a browser can send and no store accepts."""
    return text.encode("utf-8", "replace").decode()
