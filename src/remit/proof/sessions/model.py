"""The transition system of Method C: the real rules, one followed effect, and what must never happen.

The rules are those of `policy.session`, and beside them the buffer that runs (`buffer_diagrams.py`); here stand only the observers. What
they demand of the gate is written a second time, from the meaning of the levels, so that a wrong line in the gate table is noticed
too; and what they demand of the projector, from the meaning of the manifest (`meaning.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, NamedTuple

from remit.manifest.model import Verification
from remit.policy.gate import Gate, Standing
from remit.policy.logic import B, Logic, N, all_of, any_of, implies, same
from remit.policy.session import Control, Followed, Rules, Subject, Turn
from remit.proof.sessions.buffer_diagrams import BufferedResult, Truths, keep


class State(NamedTuple, Generic[B, N]):
    """The state after some turns: the buffer's count, the followed effect, and the observers' knowledge of it."""

    pending: N  # envelopes since the last flush, as the buffer counts them
    effect: Followed[B]
    begun: B  # its turn has been
    known: B  # the session knows of an agreement to its capability and scope
    agreed: B  # a person really agreed to it
    sanctioned: B  # at its turn it was allowed to happen
    overtaken: B  # something irreversible happened while it waited
    kept: B  # the buffer that runs holds it
    logged: B  # the buffer that runs has written it to the log
    strayed: B  # the buffer that runs has done to it what is never right
    since: N  # envelopes since the last flush, as an observer counts them

    @classmethod
    def start(cls, logic: Logic[B, N]) -> State[B, N]:
        """Return the state of a new session."""
        no = logic.false
        return cls(logic.zero, Followed.start(logic), no, no, no, no, no, no, no, no, logic.zero)


class Move(NamedTuple, Generic[B]):
    """A turn, and its relation to the followed effect."""

    turn: Turn[B]
    subject: Subject[B]
    alike: B  # it has an effect of the same capability and scope
    older: B  # beside it in the buffer waits an effect that is older
    newer: B  # and one that is newer


def advance(rules: Rules[B, N], state: State[B, N], move: Move[B], stands: Mapping[Standing, B]) -> State[B, N]:
    """Return the state after a turn; `stands` is the standing of the followed effect by the meaning of the manifest."""
    logic = rules.logic
    known_before = logic.either(logic.no(move.alike), state.known)
    turn = move.turn._replace(before=logic.both(move.turn.before, known_before))
    subject = move.subject._replace(mine=all_of(logic, (move.subject.mine, logic.no(state.begun), logic.no(turn.undo))))
    control, count = rules.control(turn, state.pending)
    effect = rules.follow(state.effect, turn, control, subject)
    heard = all_of(logic, (move.alike, logic.no(turn.undo), _asks(rules, turn), turn.answer))
    sanctioned = logic.either(
        logic.both(state.sanctioned, logic.no(subject.mine)),
        logic.both(subject.mine, sanction(rules, stands, turn.answer, state.agreed)),
    )
    found = _kept(rules, state, move._replace(turn=turn, subject=subject), control)
    undone = logic.both(logic.either(state.effect.acted, rules.acts(turn, control, subject)), logic.no(effect.acted))
    strays = any_of(
        logic, (found.strayed, logic.both(state.logged, found.written), logic.no(same(logic, found.restored, undone)))
    )
    return State(
        count,
        effect,
        logic.either(state.begun, subject.mine),
        logic.either(state.known, logic.both(move.alike, rules.remembers(turn))),
        logic.either(state.agreed, heard),
        sanctioned,
        logic.either(state.overtaken, _overtakes(rules, state, turn, control, found)),
        found.kept,
        logic.either(state.logged, found.written),
        logic.either(state.strayed, strays),
        _since(rules, state, turn, control),
    )


def _kept(rules: Rules[B, N], state: State[B, N], move: Move[B], control: Control[B]) -> BufferedResult:
    """Return what the real buffer does with the followed effect."""
    subject = move.subject
    truths = Truths(
        state.kept,
        subject.mine,
        control.admitted,
        move.turn.works,
        subject.reversible,
        subject.scripted,
        control.flush_before,
        control.flush_after,
        control.undo,
        move.older,
        move.newer,
    )
    return keep(rules.logic, type(rules), truths)


def sanction(rules: Rules[B, N], stands: Mapping[Standing, B], answer: B, agreed: B) -> B:
    """Return whether an effect may happen by the meaning of the levels, without the gate table."""
    logic, level = rules.logic, rules.level
    irreversible = stands[Standing.IRREVERSIBLE]
    changes = logic.either(irreversible, stands[Standing.REVERSIBLE])
    never = logic.either(stands[Standing.OUTSIDE], stands[Standing.DENIED])
    each_time = any_of(
        logic,
        (
            stands[Standing.ASK],
            logic.both(level[Verification.UNVERIFIED], changes),
            logic.both(level[Verification.DECLARED], irreversible),
        ),
    )
    once = logic.both(level[Verification.TESTED], irreversible)
    heard = logic.either(answer, agreed)
    return all_of(logic, (logic.no(never), implies(logic, each_time, answer), implies(logic, once, heard)))


def violations(logic: Logic[B, N], state: State[B, N], undoable: B, horizon: int) -> dict[str, B]:
    """Return what must never happen, by name; `undoable`: a snapshot can really undo the followed effect."""
    effect = state.effect
    held = logic.either(state.kept, state.logged)
    kept = logic.either(effect.waiting, effect.recorded)
    return {
        "an effect without a record": logic.both(effect.acted, logic.no(kept)),
        "a record without an effect": logic.both(kept, logic.no(effect.acted)),
        "an effect or a record that occurs twice": logic.either(
            effect.repeated, logic.both(effect.waiting, effect.recorded)
        ),
        "an effect that nothing permits": logic.both(effect.acted, logic.no(state.sanctioned)),
        "something irreversible waits in the buffer": logic.both(
            logic.either(effect.waiting, state.kept), logic.no(undoable)
        ),
        "something irreversible overtakes what waits": state.overtaken,
        "no flush within the horizon": logic.is_at(state.since, horizon),
        "the buffer counts wrongly": logic.no(logic.equal(state.since, state.pending)),
        "the session holds an approval that was not given": logic.both(state.known, logic.no(state.agreed)),
        "buffer and log lose an effect": logic.both(effect.acted, logic.no(held)),
        "buffer or log have what is not in the world": logic.both(held, logic.no(effect.acted)),
        "the buffer writes twice, or undoes something else": state.strayed,
    }


def _asks(rules: Rules[B, N], turn: Turn[B]) -> B:
    """Return whether the table has a person asked about the envelope; an answer without a question does not count."""
    logic = rules.logic
    asking = (rules.gate(part, gate) for part in (turn.own, turn.scripted) for gate in (Gate.CONFIRM, Gate.ONCE))
    return any_of(logic, asking)


def _overtakes(rules: Rules[B, N], state: State[B, N], turn: Turn[B], control: Control[B], found: BufferedResult) -> B:
    logic = rules.logic
    waits = rules.settle(state.effect, control.flush_before).waiting
    still: B = logic.both(state.kept, logic.no(found.first))  # what the buffer that runs writes too late
    return all_of(logic, (logic.either(waits, still), control.admitted, turn.works, turn.irreversible))


def _since(rules: Rules[B, N], state: State[B, N], turn: Turn[B], control: Control[B]) -> N:
    logic = rules.logic
    begun = logic.choose(control.flush_before, logic.zero, state.since)
    counted = logic.more(begun, logic.no(turn.undo))
    return logic.choose(control.flush_after, logic.zero, counted)
