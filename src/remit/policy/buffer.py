"""The transaction buffer at run time: which effects wait, and what must be written before and after a call.

Pure: it returns what to do, and the owner of log and snapshots does it. Each effect is followed by the rules of
`session.py`, the same that Method C proves; here is only the bookkeeping of many effects at once. A turn has two halves, because
whether a call worked is known only after it:

    opened = open_turn(rules, buffer, turn)      write opened.flush to the log, then call the host if opened.control.admitted
    closed = close_turn(rules, buffer, turn, opened, done)      record, keep or restore what it lists
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.policy.logic import Plain
from remit.policy.session import HORIZON, Control, Followed, Rules, Subject, Turn

if TYPE_CHECKING:
    from remit.manifest.model import Verification
    from remit.policy.gate import Standing

    _Stands = tuple[tuple[Standing, bool], ...]

_NOTHING: Followed[bool] = Followed.start(Plain())
_WAITING = Followed(acted=True, waiting=True, recorded=False, repeated=False)
_REMEMBERED = 4096  # turns; most of a session are alike


class BufferedEffect(NamedTuple):
    """An effect of a call, by the name under which it is recorded."""

    ident: str
    reversible: bool  # a snapshot was taken
    scripted: bool = False  # by a script, not by the call itself


class Buffer(NamedTuple):
    """The waiting effects, the oldest first, and the number of envelopes since the last flush."""

    waiting: tuple[str, ...] = ()
    pending: int = 0


class Opened(NamedTuple):
    """The first half of a turn: whether the call is admitted, and what must be in the log first."""

    control: Control[bool]
    flush: tuple[str, ...]


class Closed(NamedTuple):
    """The second half of a turn: the buffer, what to record (the flush included), and what to restore, the newest first."""

    buffer: Buffer
    record: tuple[str, ...]
    restore: tuple[str, ...]


@cache
def rules_at(level: Verification, horizon: int = HORIZON) -> Rules[bool, int]:
    """Return the rules for a skill at this verification level."""
    return Rules(Plain(), {other: other is level for other in type(level)}, horizon=horizon)


def open_turn(rules: Rules[bool, int], buffer: Buffer, turn: Turn[bool]) -> Opened:
    """Return the first half of a turn."""
    control, _ = _control(rules, buffer, turn)
    return Opened(control, buffer.waiting if _flushed(rules, control) else ())


def close_turn(
    rules: Rules[bool, int], buffer: Buffer, turn: Turn[bool], opened: Opened, done: Iterable[BufferedEffect]
) -> Closed:
    """Return the second half of a turn. Effects without admission are a mistake of the caller, and raise an error."""
    control, pending = _control(rules, buffer, turn)
    assert control == opened.control, "the two halves of a turn belong together"
    kept: list[str] = []
    record: list[str] = []
    restore: list[str] = []
    if buffer.waiting:
        old = rules.follow(_WAITING, turn, control, Subject(mine=False, reversible=True, scripted=False))
        _place(old, kept, record, restore).extend(buffer.waiting)
    for effect in done:
        stands = _begun(rules, *_parts(turn), control, effect.reversible, effect.scripted)
        if not stands.acted:
            message = f"`{effect.ident}` happened, and nothing admitted it"
            raise AssertionError(message)
        _place(stands, kept, record, restore).append(effect.ident)
    written = [ident for ident in record if ident not in opened.flush]
    return Closed(Buffer(tuple(kept), pending), tuple(written), tuple(reversed(restore)))


def _place(stands: Followed[bool], kept: list[str], record: list[str], restore: list[str]) -> list[str]:
    return kept if stands.waiting else record if stands.recorded else restore


def _control(rules: Rules[bool, int], buffer: Buffer, turn: Turn[bool]) -> tuple[Control[bool], int]:
    """Return what a turn makes happen, cached for equal turns."""
    return _worked_out(rules, *_parts(turn), buffer.pending)


def _parts(turn: Turn[bool]) -> tuple[_Stands, _Stands, tuple[bool, ...]]:
    """Return a hashable form of a turn."""
    return tuple(turn.own.items()), tuple(turn.scripted.items()), turn[2:]


@lru_cache(_REMEMBERED)
def _begun(
    rules: Rules[bool, int],
    own: _Stands,
    scripted: _Stands,
    rest: tuple[bool, ...],
    control: Control[bool],
    reversible: bool,  # noqa: FBT001  (a key)
    by_script: bool,  # noqa: FBT001
) -> Followed[bool]:
    """Return the state of a new effect after its turn."""
    subject = Subject(mine=True, reversible=reversible, scripted=by_script)
    return rules.follow(_NOTHING, Turn(dict(own), dict(scripted), *rest), control, subject)


@lru_cache(_REMEMBERED)
def _flushed(rules: Rules[bool, int], control: Control[bool]) -> bool:
    return rules.settle(_WAITING, control.flush_before).recorded


@lru_cache(_REMEMBERED)
def _worked_out(
    rules: Rules[bool, int], own: _Stands, scripted: _Stands, rest: tuple[bool, ...], pending: int
) -> tuple[Control[bool], int]:
    return rules.control(Turn(dict(own), dict(scripted), *rest), pending)
