"""Laws of answers to be sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from remit.gateway.inbound.delivery import state_machine
from remit.gateway.inbound.delivery.state_machine import OVER, Phase, Piece
from remit.gateway.inbound.laws.law import Law

AT_MOST_ONCE = Law("delivery.at-most-once", "no answer goes out twice, by whatever worker and after whatever crash")
TAKEN_FIRST = Law("delivery.taken-first", "that a piece was taken is on the disk before it goes out")
ONE_WORKER = Law("delivery.one-worker", "no two workers are about to send one piece")
STABLE_ROUTE = Law("delivery.stable-route", "where an answer goes, its session and its trace never change")
NO_CROSS_STREAM = Law("delivery.no-cross-stream", "nothing goes out but what was made, to where it was made for")
BOUNDED_TRIES = Law("delivery.bounded-tries", "nothing is tried more often than it may be")
IN_ITS_TIME = Law("delivery.not-before-its-time", "after a failure nothing is tried before the pause is over")
SENT_IS_KEPT = Law("delivery.sent-is-kept", "what is kept as sent did go out")


def at_most_once(times: Iterable[int]) -> bool:
    """Return whether no piece was sent twice. `times`: how often each was sent."""
    return max(times, default=0) <= 1


def taken_first(kept: Piece | None) -> bool:
    """Return whether a piece about to be sent was taken in the store; it may be gone there once it is over."""
    return kept is None or kept.phase is not Phase.WAITING


def one_worker(keys: Sequence[str]) -> bool:
    """Return whether the pieces being sent are distinct."""
    return len(set(keys)) == len(keys)


def same_stream(made: Piece, kept: Piece) -> bool:
    """Return whether session, route, body and trace are unchanged."""
    return made[:4] == kept[:4]


def within_tries(piece: Piece) -> bool:
    """Return whether the number of tries is within the limit."""
    return piece.tries <= state_machine.MOST_TRIES


def stays_over(before: Piece, after: Piece) -> bool:
    """Return whether a piece that is over stays unchanged."""
    return before.phase not in OVER or after == before


def taken_once(before: Piece, after: Piece) -> bool:
    """Return whether a piece is taken only while it waits, and each take is counted."""
    return after.phase is not Phase.TAKEN or (before.phase is Phase.WAITING and after.tries == before.tries + 1)


def waits_longer(before: Piece, after: Piece) -> bool:
    """Return whether a failed piece that waits again gets a later time: a lost one must not be retried."""
    return before.phase is not Phase.TAKEN or after.phase is not Phase.WAITING or after.after > before.after


def broken(before: Piece | None, after: Piece | None) -> Iterator[Law]:
    """Yield the laws that a change of a piece breaks."""
    if after is None:  # finished pieces expire, and no operation deletes them
        if before is not None:
            yield AT_MOST_ONCE
        return
    if not within_tries(after):
        yield BOUNDED_TRIES
    if before is None:
        return
    if not same_stream(before, after):
        yield STABLE_ROUTE
    if not stays_over(before, after):
        yield AT_MOST_ONCE
    if not taken_once(before, after):
        yield ONE_WORKER
    if not waits_longer(before, after):
        yield IN_ITS_TIME
