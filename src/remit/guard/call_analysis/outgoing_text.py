"""Text that leaves with a call: its own text, and the files that it reads and may send. Also which skill alone may read
something.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import Change, vocabulary
from remit.core.scope import PathScope
from remit.core.scope.component import literal
from remit.guard.paths import read_start
from remit.policy.judge import Deny
from remit.policy.principal import AGENT, BASELINE, UNLISTED

if TYPE_CHECKING:
    from remit.policy.decide import Decided
    from remit.policy.request import Request

_MOST_BYTES = 1_000_000  # bytes of all files: larger ones are not searched
_READS = ("file.read", "source.read", "secret.read")
_ASKS_OUTSIDE = ("api.call", "db.read")  # they return no file, but data that belongs to a person all the same


class OutgoingText(NamedTuple):
    """The text that is read, and whether it is complete."""

    text: str
    whole: bool


NOTHING = OutgoingText("", whole=True)


def outgoing_text(requests: Iterable[Request]) -> OutgoingText:
    """Return the text of the files that a call reads. It is incomplete if a pattern or a large file is read."""
    room, whole, found = _MOST_BYTES, True, []
    for request in requests:
        scope = request.scope
        if request.capability not in _READS or not isinstance(scope, PathScope):
            continue
        parts = [literal(part) for part in scope.parts]
        if None in parts:
            whole = False
            continue
        data = read_start("/" + "/".join(filter(None, parts)), room) or b""  # what cannot be read is not sent either
        room -= len(data)
        whole = whole and room > 0
        found.append(data.decode("utf-8", "replace"))
    return OutgoingText("\n".join(found), whole)


def holders(decided: Decided) -> tuple[str, ...]:
    """Return the skills that alone gave the right to a read: by their manifests, or by a person's grant to them."""
    return tuple(dict.fromkeys(
        one.principal
        for one in decided.judged
        if one.principal != AGENT
        and one.source not in ("", BASELINE, UNLISTED)
        and not isinstance(one.judgement, Deny)
        and (one.request.capability in _ASKS_OUTSIDE or _reads(one.request.capability))
    ))  # fmt: skip


def _reads(capability: str) -> bool:
    return capability.endswith(".read") and vocabulary()[capability].change is Change.NONE
