"""The transaction buffer as it runs: what waits, what must be written before a call, and what after it.

Pure: it says what to do, and whoever holds the log and the snapshots does it. Each effect is followed by the rules of
`session.py`, the same that Method C proves; here is only the bookkeeping of many effects at once. A turn has two halves, because
whether a call worked is known only after it:

    opened = open_turn(rules, buffer, turn)      write opened.flush to the log, then call the host if opened.control.admitted
    closed = close_turn(rules, buffer, turn, opened, done)      record, keep or restore what it lists
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.policy.logic import Plain
from remit.policy.session import HORIZON, Control, Followed, Rules, Subject, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.manifest.model import Verification

_NOTHING: Followed[bool] = Followed.start(Plain())
_WAITING = Followed(acted=True, waiting=True, recorded=False, repeated=False)


class Done(NamedTuple):
    """An effect that a call had, by the name under which it is recorded."""

    ident: str
    reversible: bool  # a snapshot was taken
    scripted: bool = False  # by a script, not by the call itself


class Buffer(NamedTuple):
    """What waits, the oldest first, and the envelopes since the last flush."""

    waiting: tuple[str, ...] = ()
    pending: int = 0


class Opened(NamedTuple):
    """Before a call: whether it may be made, and what must be in the log first."""

    control: Control[bool]
    flush: tuple[str, ...]


class Closed(NamedTuple):
    """After a call: the buffer, what to record (the flush included), and what to restore, the newest first."""

    buffer: Buffer
    record: tuple[str, ...]
    restore: tuple[str, ...]


def rules_at(level: Verification, horizon: int = HORIZON) -> Rules[bool, int]:
    """The rules for a skill that is verified so well."""
    return Rules(Plain(), {other: other is level for other in type(level)}, horizon=horizon)


def open_turn(rules: Rules[bool, int], buffer: Buffer, turn: Turn[bool]) -> Opened:
    """The first half of a turn."""
    control, _ = rules.control(turn, buffer.pending)
    return Opened(
        control, tuple(ident for ident in buffer.waiting if rules.settle(_WAITING, control.flush_before).recorded)
    )


def close_turn(
    rules: Rules[bool, int], buffer: Buffer, turn: Turn[bool], opened: Opened, done: Iterable[Done]
) -> Closed:
    """The second half of a turn. Effects that nobody admitted are the caller's mistake, and are refused loudly."""
    control, pending = rules.control(turn, buffer.pending)
    assert control == opened.control, "the two halves of a turn belong together"
    kept: list[str] = []
    record: list[str] = []
    restore: list[str] = []
    old = Subject(mine=False, reversible=True, scripted=False)
    for ident in buffer.waiting:
        _sort(ident, rules.follow(_WAITING, turn, control, old), kept, record, restore)
    for effect in done:
        new = Subject(mine=True, reversible=effect.reversible, scripted=effect.scripted)
        stands = rules.follow(_NOTHING, turn, control, new)
        if not stands.acted:
            message = f"`{effect.ident}` happened, and nothing admitted it"
            raise AssertionError(message)
        _sort(effect.ident, stands, kept, record, restore)
    written = [ident for ident in record if ident not in opened.flush]
    return Closed(Buffer(tuple(kept), pending), tuple(written), tuple(reversed(restore)))


def _sort(ident: str, stands: Followed[bool], kept: list[str], record: list[str], restore: list[str]) -> None:
    if stands.waiting:
        kept.append(ident)
    elif stands.recorded:
        record.append(ident)
    else:
        restore.append(ident)
