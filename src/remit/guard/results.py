"""What a tool returned is text of others: a file, a page, a server. It has entered the context when we hear of it, and is looked at then.

What it tells an agent that it must not be told (`context/scan.py`) goes into the record, and the agent hears that nobody asked for it. Nothing
is granted or denied by this: what such a text names is named by nobody (`flows.py`), whatever the scan finds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from remit.guard.context.scan import scan
from remit.guard.context.source import Kind, Source
from remit.guard.event import Kind as Happens
from remit.policy.dlp.severity import Severity

if TYPE_CHECKING:
    from remit.guard.event import Event
    from remit.guard.session import Pending

_LONGEST = 40_000  # characters that are looked at: hosts cut results off at about that
_SHOWN = 3


def told_by(event: Event, pending: Pending | None) -> str:
    """What a result tells an agent, as a sentence; empty if it tells nothing of that kind, or if it is a skill's text, which was looked at."""
    if event.kind is not Happens.AFTER or not event.text:
        return ""
    if pending is not None and (pending.drafted.loads or pending.drafted.hears):
        return ""
    found = _found(event.text[:_LONGEST])
    if not found:
        return ""
    more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"what `{event.tool}` returned tells the agent what nobody asked for: {'; '.join(found[:_SHOWN])}{more}"


@lru_cache(64)
def _found(text: str) -> tuple[str, ...]:
    return tuple(
        f"line {one.line}: {one.does}" for one in scan(text, Source(Kind.TOOL)) if one.severity is Severity.HIGH
    )
