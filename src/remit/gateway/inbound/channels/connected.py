"""The web chat and the command line: nothing is signed there. Who speaks is who logged in on the connection (access), and never a field of
what was sent.
"""

from __future__ import annotations

from remit.core.digest import bytes_digest
from remit.gateway.inbound.channels.reading import made, name_in
from remit.gateway.inbound.ingress.event import Event, What
from remit.gateway.inbound.routing.message import Kind, Place

_NAME = "[A-Za-z0-9._:-]{1,100}"


def visitor_name(secret: str) -> str:
    """The name of a visitor who is known by a secret: nobody takes another's."""
    return bytes_digest(b"remit visitor\0" + bytes.fromhex(secret)).removeprefix("sha256:")[:24]


def said(channel: str, account: str, peer: str, text: str, name: str, thread: str = "") -> Event:
    """Something that was said on a connection; RefusedError if a name has another form. `peer`: who logged in; `name`: what the other end
    calls it, so that it can try again. Names of two people are apart: one can not take the name of what another said.
    """
    place = Place(channel, account, Kind.DIRECT, peer, "", name_in(thread, f"({_NAME})?"))
    return made(place, What.SAID, _whole(text), name_in(name, _NAME), event=f"{len(peer)}/{peer}/{name}")


def edited(channel: str, account: str, peer: str, text: str, message: str, name: str) -> Event:
    """Something that was said before, in other words."""
    place = Place(channel, account, Kind.DIRECT, peer)
    return made(
        place, What.EDITED, _whole(text), name_in(message, _NAME), event=f"{len(peer)}/{peer}/{name_in(name, _NAME)}"
    )


def _whole(text: str) -> str:
    """A browser can send half of a character, which no store takes."""
    return text.encode("utf-8", "replace").decode()
