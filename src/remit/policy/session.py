"""The rules of one turn of a session: gate, user's answer, transaction buffer, log and world, over a `Logic`.

An agent sends an envelope. It has an effect of its own, or it runs a script of the skill that has several. The gate decides, a
person may be asked, and what is admitted acts on the world. A change that a snapshot can undo waits in the buffer until the next
flush writes its record; everything else is recorded as it happens, after a flush. A flush comes before every irreversible call and
after `horizon` envelopes at the latest. The rules follow *one* effect, whichever it is, through the session: what holds for any
effect holds for all of them, and a run (`buffer.py`) follows each of its effects by these same rules.

    waiting    in the world, undoable, and in the buffer
    recorded   in the world and in the log
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, NamedTuple

from remit.manifest.model import Verification
from remit.policy.gate import Gate, GateTable, Standing, gate_table
from remit.policy.logic import B, Logic, N, all_of, any_of

HORIZON = 100  # envelopes after which the buffer is flushed


class Turn(NamedTuple, Generic[B]):
    """An envelope as the gate sees it, and its circumstances."""

    own: Mapping[Standing, B]  # how its own effect stands; none holds for the mere run of a script
    scripted: Mapping[Standing, B]  # how the effects of the script that it runs stand
    irreversible: B  # one of its effects cannot be undone
    answer: B  # a person who is asked agrees
    before: B  # a person agreed to the same capability and scope earlier in this session
    undo: B  # not an envelope, but a request to undo what waits
    works: B  # the host does what it is asked to do


class Control(NamedTuple, Generic[B]):
    """What a turn causes."""

    admitted: B
    flush_before: B
    flush_after: B
    undo: B


class Subject(NamedTuple, Generic[B]):
    """The effect that is followed."""

    mine: B  # it is an effect of this turn's envelope
    reversible: B  # a snapshot can undo it
    scripted: B  # a script has it, not the envelope itself


class Followed(NamedTuple, Generic[B]):
    """The state of one effect."""

    acted: B
    waiting: B
    recorded: B
    repeated: B  # it acted, waited or was recorded a second time

    @classmethod
    def start(cls, logic: Logic[B, N]) -> Followed[B]:
        """Return the state before its turn."""
        return cls(logic.false, logic.false, logic.false, logic.false)


class Rules(Generic[B, N]):
    """The rules of this version. The proof must detect a seeded bug in any of them."""

    def __init__(
        self,
        logic: Logic[B, N],
        level: Mapping[Verification, B],
        table: GateTable | None = None,
        horizon: int = HORIZON,
    ) -> None:
        self.logic = logic
        self.level = level
        self.table = table or gate_table()
        self.horizon = horizon

    # --- the gate and the person ---

    def gate(self, standings: Mapping[Standing, B], wanted: Gate) -> B:
        """Return whether the table has this answer for one of the standings, at the level of the skill."""
        logic = self.logic
        found = []
        for line, holds in standings.items():
            levels = [level for level in Verification if self.table[line, level] is wanted]
            found.append(logic.both(holds, any_of(logic, (self.level[level] for level in levels))))
        return any_of(logic, found)

    def admits(self, turn: Turn[B]) -> B:
        """Return whether an envelope runs: none of its effects is denied, and the user agreed where Remit must ask."""
        logic = self.logic
        asks = self._one_gate(turn, Gate.CONFIRM)
        asks_once = self._one_gate(turn, Gate.ONCE)
        agreed = all_of(
            logic,
            (
                logic.either(logic.no(asks), turn.answer),
                logic.either(logic.no(asks_once), logic.either(turn.answer, turn.before)),
            ),
        )
        return all_of(logic, (logic.no(turn.undo), logic.no(self.gate(turn.own, Gate.DENY)), agreed))

    def _one_gate(self, turn: Turn[B], wanted: Gate) -> B:
        return self.logic.either(self.gate(turn.own, wanted), self.gate(turn.scripted, wanted))

    # --- the transaction buffer ---

    def flushes_before(self, turn: Turn[B], admitted: B) -> B:
        """Flush what waits before anything irreversible."""
        return self.logic.both(admitted, turn.irreversible)

    def flushes_after(self, turn: Turn[B], count: N) -> B:
        """Flush what waits at the horizon; `count` are the envelopes before this one since the last flush."""
        return self.logic.both(self.logic.no(turn.undo), self.logic.is_at(count, self.horizon - 1))

    # --- one effect ---

    def acts(self, turn: Turn[B], control: Control[B], subject: Subject[B]) -> B:
        """Return whether the effect happens."""
        return all_of(self.logic, (subject.mine, control.admitted, turn.works))

    def waits(self, acts: B, subject: Subject[B]) -> B:
        """Return whether it is put into the buffer."""
        return self.logic.both(acts, subject.reversible)

    def records(self, acts: B, turn: Turn[B], control: Control[B], subject: Subject[B]) -> B:  # noqa: ARG002  bugs need more
        """Return whether it is recorded at once."""
        return self.logic.both(acts, self.logic.no(subject.reversible))

    def settle(self, effect: Followed[B], flush: B) -> Followed[B]:
        """Return the effect after a flush, which turns waiting effects into records."""
        logic = self.logic
        settled = logic.both(effect.waiting, flush)
        return Followed(
            effect.acted,
            logic.both(effect.waiting, logic.no(flush)),
            logic.either(effect.recorded, settled),
            logic.either(effect.repeated, logic.both(settled, effect.recorded)),
        )

    def undone(self, effect: Followed[B], undo: B) -> Followed[B]:
        """Return the effect after an undo, which removes waiting effects from the world."""
        logic = self.logic
        stays = logic.no(logic.both(effect.waiting, undo))
        acted, waiting = logic.both(effect.acted, stays), logic.both(effect.waiting, stays)
        return Followed(acted, waiting, effect.recorded, effect.repeated)

    def remembers(self, turn: Turn[B]) -> B:
        """Return whether the session remembers that the user agreed to what this envelope does."""
        asks = self.logic.either(self._one_gate(turn, Gate.CONFIRM), self._one_gate(turn, Gate.ONCE))
        return all_of(self.logic, (self.logic.no(turn.undo), asks, turn.answer))

    # --- a turn ---

    def control(self, turn: Turn[B], count: N) -> tuple[Control[B], N]:
        """Return what a turn causes, and the envelopes since the last flush after it."""
        logic = self.logic
        admitted = self.admits(turn)
        before = self.flushes_before(turn, admitted)
        begun = logic.choose(before, logic.zero, count)
        after = self.flushes_after(turn, begun)
        counted = logic.more(begun, logic.no(turn.undo))
        return Control(admitted, before, after, turn.undo), logic.choose(after, logic.zero, counted)

    def follow(self, effect: Followed[B], turn: Turn[B], control: Control[B], subject: Subject[B]) -> Followed[B]:
        """Return the state of an effect after a turn."""
        logic = self.logic
        effect = self.settle(effect, control.flush_before)
        acts = self.acts(turn, control, subject)
        waits, records = self.waits(acts, subject), self.records(acts, turn, control, subject)
        again = any_of(
            logic,
            (logic.both(effect.acted, acts), logic.both(effect.waiting, waits), logic.both(effect.recorded, records)),
        )
        effect = Followed(
            logic.either(effect.acted, acts),
            logic.either(effect.waiting, waits),
            logic.either(effect.recorded, records),
            logic.either(effect.repeated, again),
        )
        return self.undone(self.settle(effect, control.flush_after), control.undo)
