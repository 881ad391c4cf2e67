"""Laws of turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.gateway.inbound.laws.law import Law
from remit.gateway.inbound.turns import state_machine
from remit.gateway.inbound.turns.state_machine import Phase, Turn
from remit.gateway.inbound.turns.store import INTERRUPTED, back_to

if TYPE_CHECKING:
    from remit.gateway.inbound.delivery.state_machine import Piece
    from remit.gateway.inbound.ingress.event import Event

ACTS_ONCE = Law("turns.acts-once", "no tool runs twice for one event, whoever crashes or is slow")
ONE_ANSWER = Law("turns.one-answer", "one event has one answer, or one word that it was interrupted")
ANSWERED = Law("turns.answered-if-done", "a turn is over if and only if its answer is on the disk")
KEPT_FIRST = Law("turns.acting-is-kept-first", "that a tool may have run is on the disk before it runs")
TOLD = Law("turns.interrupted-is-told", "the speaker is told of a turn that was interrupted, and of no other")
OWN_STREAM = Law("turns.its-own-stream", "an answer goes where its event was said, with its trace and session")
ENDS = Law("turns.ends", "every event that was accepted is answered in the end, or told as interrupted")
OVER = (Phase.DONE, Phase.INTERRUPTED)
_ACTS = (Phase.ACTING, Phase.SUSPENDED)


def acting_goes_on(before: Turn, after: Turn) -> bool:
    """Return whether a turn that acts is never begun again."""
    return before.phase not in _ACTS or after.phase in (*_ACTS, *OVER)


def stays_over(before: Turn, after: Turn) -> bool:
    """Return whether a turn that is over stays unchanged."""
    return before.phase not in OVER or after == before


def counts_tries(before: Turn, after: Turn) -> bool:
    """Return whether each take is counted, within the limit."""
    taken = before.phase is Phase.WAITING and after.phase is Phase.TAKEN
    return after.tries == before.tries + taken and after.tries <= state_machine.MOST_TRIES


def kept_first(turn: Turn | None) -> bool:
    """Return whether a turn whose tool is about to run is stored as acting; it may be gone once it is over."""
    return turn is None or turn.phase not in (Phase.WAITING, Phase.TAKEN)


def same_turn(before: Turn, after: Turn) -> bool:
    """Return whether session, agent and trace are unchanged."""
    return before[:3] == after[:3]


def answered_if_over(turn: Turn, answers: Sequence[Piece]) -> bool:
    """Return whether a turn is over exactly if its answers are stored with it."""
    return (turn.phase in OVER) == bool(answers)


def interrupted_is_told(turn: Turn, answers: Sequence[Piece]) -> bool:
    """Return whether an interrupted turn has just the notice as its answer."""
    return turn.phase is not Phase.INTERRUPTED or [one.body for one in answers] == [INTERRUPTED]


def own_stream(turn: Turn, event: Event, answer: Piece) -> bool:
    """Return whether an answer has the session, trace and destination of its event."""
    return (answer.session, answer.trace, answer.route) == (turn.session, turn.trace, back_to(event))


def broken(before: Turn, after: Turn) -> Iterator[Law]:
    """Yield the laws that a change of a turn breaks."""
    if not acting_goes_on(before, after):
        yield ACTS_ONCE
    if not stays_over(before, after):
        yield ONE_ANSWER
    elif not counts_tries(before, after):
        yield ENDS
    if not same_turn(before, after):
        yield OWN_STREAM


def broken_end(turn: Turn, event: Event | None, answers: Sequence[Piece]) -> Iterator[Law]:
    """Yield the laws that an operation breaks which stores a turn with these answers.

    `event`: the event of the turn.
    """
    if not answered_if_over(turn, answers):
        yield ANSWERED
    if not interrupted_is_told(turn, answers):
        yield TOLD
    if event is not None and not all(own_stream(turn, event, one) for one in answers):
        yield OWN_STREAM
