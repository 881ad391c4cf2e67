"""What a host is about to run, as a digest: what is judged, what ran and what a person agreed to are tied together by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.digest import digest
from remit.core.errors import RemitError

if TYPE_CHECKING:
    from remit.guard.event import Event

_newest: tuple[Event | None, str] = None, ""


def content_digest(event: Event) -> str:
    """The digest of what a host is about to run: tool and arguments as they are."""
    global _newest  # noqa: PLW0603  (several parts ask this of one event, one after the other)
    of, known = _newest
    if of is not event:
        known = _worked_out(event)
        _newest = event, known
    return known


def _worked_out(event: Event) -> str:
    try:
        return digest([event.host, event.tool, dict(event.args)])
    except (RemitError, TypeError, ValueError):
        return digest([event.host, event.tool, repr(event.args)])
