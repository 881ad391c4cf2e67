"""Answers that are to be sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from remit.gateway.inbound.delivery import life
from remit.gateway.inbound.delivery.life import OVER, Phase, Piece
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
    """How often each went out."""
    return max(times, default=0) <= 1


def taken_first(kept: Piece | None) -> bool:
    """What is kept of a piece that is about to go out; its end may be forgotten."""
    return kept is None or kept.phase is not Phase.WAITING


def one_worker(keys: Sequence[str]) -> bool:
    """Keys of pieces that are about to go out."""
    return len(set(keys)) == len(keys)


def same_stream(made: Piece, kept: Piece) -> bool:
    """Session, route, body and trace."""
    return made[:4] == kept[:4]


def within_tries(piece: Piece) -> bool:
    """As often as it may be."""
    return piece.tries <= life.MOST_TRIES


def stays_over(before: Piece, after: Piece) -> bool:
    """What is sent, given up or unknown is never touched again."""
    return before.phase not in OVER or after == before


def taken_once(before: Piece, after: Piece) -> bool:
    """It is taken when it waits, and each time is counted."""
    return after.phase is not Phase.TAKEN or (before.phase is Phase.WAITING and after.tries == before.tries + 1)


def waits_longer(before: Piece, after: Piece) -> bool:
    """What failed, and waits again, waits for a while: what is lost must not wait."""
    return before.phase is not Phase.TAKEN or after.phase is not Phase.WAITING or after.after > before.after


def broken(before: Piece | None, after: Piece | None) -> Iterator[Law]:
    """The laws that a change of a piece breaks."""
    if after is None:  # ends are forgotten by their time, never by an operation
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
