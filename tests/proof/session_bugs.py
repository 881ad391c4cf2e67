"""Deliberate bugs of gate, person, buffer, log and world. Method C must find a session for each."""

from remit.manifest.model import Verification
from remit.policy.gate import Gate, Standing, gate_table
from remit.policy.session import Rules
from remit.proof.sessions.trace import Bug


class SkipsTheLog(Rules):
    def records(self, acts, turn, control, subject):
        return self.logic.false


class ExecutesADeny(Rules):
    def admits(self, turn):
        return self.logic.no(turn.undo)


class LogsWithoutActing(Rules):
    def records(self, acts, turn, control, subject):
        admitted = self.logic.both(subject.mine, control.admitted)
        return self.logic.both(admitted, self.logic.no(subject.reversible))


class DropsAScriptEffect(Rules):
    def records(self, acts, turn, control, subject):
        return self.logic.both(super().records(acts, turn, control, subject), self.logic.no(subject.scripted))


class DropsAScriptWrite(Rules):
    def waits(self, acts, subject):
        return self.logic.both(super().waits(acts, subject), self.logic.no(subject.scripted))


class ForgetsReversibleWrites(Rules):
    def waits(self, acts, subject):
        return self.logic.false


class BuffersTheIrreversible(Rules):
    def waits(self, acts, subject):
        return acts

    def records(self, acts, turn, control, subject):
        return self.logic.false


class NeverFlushesAtTheHorizon(Rules):
    def flushes_after(self, turn, count):
        return self.logic.false


class FlushesOneTurnLate(Rules):
    def flushes_after(self, turn, count):
        return self.logic.both(self.logic.no(turn.undo), self.logic.is_at(count, self.horizon))


class IrreversibleWithoutAFlush(Rules):
    def flushes_before(self, turn, admitted):
        return self.logic.false


class FlushLosesRecords(Rules):
    def settle(self, effect, flush):
        return super().settle(effect, flush)._replace(recorded=effect.recorded)


class FlushKeepsWaiting(Rules):
    def settle(self, effect, flush):
        return super().settle(effect, flush)._replace(waiting=effect.waiting)


class UndoLeavesTheWorld(Rules):
    def undone(self, effect, undo):
        return super().undone(effect, undo)._replace(acted=effect.acted)


class UndoOfWhatIsRecorded(Rules):
    def undone(self, effect, undo):
        return effect._replace(acted=self.logic.both(effect.acted, self.logic.no(undo)))


class TakesANoForAYes(Rules):
    def admits(self, turn):
        return super().admits(turn._replace(answer=self.logic.true))


class RemembersANo(Rules):
    def remembers(self, turn):
        return self.logic.no(turn.undo)


class ActsWithoutBeingAsked(Rules):
    """A second effect for one envelope that was refused: the host acts although the gate said no."""

    def acts(self, turn, control, subject):
        return self.logic.both(subject.mine, turn.works)


def table(line, level, gate):
    return dict(gate_table()) | {(line, level): gate}


BUGS = {found.__name__: Bug(found) for found in Rules.__subclasses__() if found.__module__ == __name__}
for line, level, gate in (
    (Standing.OUTSIDE, Verification.FORMAL, Gate.ALLOW),
    (Standing.OUTSIDE, Verification.UNVERIFIED, Gate.CONFIRM),
    (Standing.DENIED, Verification.FORMAL, Gate.CONFIRM),
    (Standing.ASK, Verification.FORMAL, Gate.ALLOW),
    (Standing.ASK, Verification.TESTED, Gate.ONCE),
    (Standing.REVERSIBLE, Verification.UNVERIFIED, Gate.ALLOW),
    (Standing.IRREVERSIBLE, Verification.DECLARED, Gate.ONCE),
    (Standing.IRREVERSIBLE, Verification.TESTED, Gate.ALLOW),
):
    BUGS[f"{line}-{level}-{gate}"] = Bug(table=table(line, level, gate))
