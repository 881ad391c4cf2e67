"""Seeded bugs in the order of decisions, each with the law that must notice it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from remit.manifest.model import Verification
from remit.models.ruling import CallDecision, CallFacts, CombinedEntries, Entry, RequestAnswer, Ruling
from remit.policy.gate import Gate, Standing, gate_table
from remit.policy.logic import B, Logic, N, all_of, any_of


class PriorityOutweighsADenial(Ruling[B, N]):
    """Priority outweighs a denial."""

    def hear(self, heard: CombinedEntries[B, N], entry: Entry[B, N]) -> CombinedEntries[B, N]:
        after = super().hear(heard, entry)
        strong = self.logic.both(entry.fits, self.less(heard.priority, entry.priority, 3))
        return after._replace(denied=self.logic.both(after.denied, self.logic.no(strong)))


class ForgetsAnEarlierDenial(Ruling[B, N]):
    """Forgets an earlier denial."""

    def hear(self, heard: CombinedEntries[B, N], entry: Entry[B, N]) -> CombinedEntries[B, N]:
        return super().hear(heard, entry)._replace(denied=self.denial(entry))


class DenialsOfPeopleOnly(Ruling[B, N]):
    """Denials of people only."""

    def denial(self, entry: Entry[B, N]) -> B:
        return self.logic.both(super().denial(entry), self.logic.no(self.logic.is_at(entry.authority, 0)))


class ADenialMayBeSomebodyElses(Ruling[B, N]):
    """A denial may be somebody elses."""

    def elsewhere(self, first: RequestAnswer[B], other: RequestAnswer[B], asked: CallFacts[B]) -> B:
        return all_of(self.logic, (first.denied, self.logic.no(asked.runs), asked.another, self.logic.no(other.denied)))


class ApprovalOutweighsADenial(Ruling[B, N]):
    """Approval outweighs a denial."""

    def outcome(self, first: RequestAnswer[B], other: RequestAnswer[B], asked: CallFacts[B]) -> CallDecision[B]:
        found = super().outcome(first, other, asked)
        return found._replace(
            denied=self.logic.both(found.denied, self.logic.no(asked.approved)),
            allowed=self.logic.either(found.allowed, asked.approved),
        )


class AllowsByDefault(Ruling[B, N]):
    """Allows by default."""

    def answer(
        self, heard: CombinedEntries[B, N], low: B, level: Mapping[Verification, B], change: Mapping[Standing, B]
    ) -> RequestAnswer[B]:
        found = super().answer(heard, low, level, change)
        return found._replace(denied=found.hard)


class LimitsNeedNotHold(Ruling[B, N]):
    """Limits need not hold."""

    def hear(self, heard: CombinedEntries[B, N], entry: Entry[B, N]) -> CombinedEntries[B, N]:
        after = super().hear(heard, entry)
        return after._replace(fits=self.logic.either(heard.fits, self.grants(entry, entry.holds)))


class AsksNobodyForASecondRequest(Ruling[B, N]):
    """Asks nobody for a second request."""

    def join(self, one: RequestAnswer[B], other: RequestAnswer[B]) -> RequestAnswer[B]:
        return super().join(one, other)._replace(asks=one.asks)


class OneRequestIsEnough(Ruling[B, N]):
    """One request is enough."""

    def join(self, one: RequestAnswer[B], other: RequestAnswer[B]) -> RequestAnswer[B]:
        found = super().join(one, other)
        return found._replace(denied=self.logic.both(one.denied, other.denied))


class ADenialAlsoDecides(Ruling[B, N]):
    """A denial also decides."""

    def speaks(self, entry: Entry[B, N]) -> B:
        return self.logic.either(super().speaks(entry), self.denial(entry))


class AnotherSkillAllows(Ruling[B, N]):
    """Another skill allows."""

    def outcome(self, first: RequestAnswer[B], other: RequestAnswer[B], asked: CallFacts[B]) -> CallDecision[B]:
        found = super().outcome(first, other, asked)
        moved = self.elsewhere(first, other, asked)
        free = all_of(self.logic, (moved, self.logic.no(other.asks), self.logic.no(asked.doubt)))
        return found._replace(allowed=self.logic.either(found.allowed, free))


class AScriptMayBeSomebodyElses(Ruling[B, N]):
    """A script may be somebody elses."""

    def elsewhere(self, first: RequestAnswer[B], other: RequestAnswer[B], asked: CallFacts[B]) -> B:
        return all_of(self.logic, (first.denied, self.logic.no(first.hard), asked.another, self.logic.no(other.denied)))


class TheDelegateIsEnough(Ruling[B, N]):
    """The delegate is enough."""

    def join(self, one: RequestAnswer[B], other: RequestAnswer[B]) -> RequestAnswer[B]:
        return one


class AsksWithoutWaiting(Ruling[B, N]):
    """Asks without waiting."""

    def outcome(self, first: RequestAnswer[B], other: RequestAnswer[B], asked: CallFacts[B]) -> CallDecision[B]:
        found = super().outcome(first, other, asked)
        return found._replace(allowed=self.logic.no(found.denied))


class PriorityBeforeAuthority(Ruling[B, N]):
    """Priority before authority."""

    def outranks(self, entry: Entry[B, N], heard: CombinedEntries[B, N]) -> B:
        logic = self.logic
        same = logic.equal(entry.priority, heard.priority)
        tie = logic.both(same, logic.equal(entry.authority, heard.authority))
        return any_of(
            logic,
            (
                logic.no(heard.decided),
                self.less(heard.priority, entry.priority, 3),
                logic.both(same, self.less(heard.authority, entry.authority, 3)),
                logic.both(tie, entry.asks),
            ),
        )


class TheLastOneWinsATie(Ruling[B, N]):
    """The last one wins a tie."""

    def outranks(self, entry: Entry[B, N], heard: CombinedEntries[B, N]) -> B:
        logic = self.logic
        tie = logic.both(logic.equal(entry.authority, heard.authority), logic.equal(entry.priority, heard.priority))
        return logic.either(super().outranks(entry, heard), tie)


class AQuestionGrants(Ruling[B, N]):
    """A question grants."""

    def grants(self, entry: Entry[B, N], so: B) -> B:
        return self.logic.both(so, self.logic.no(entry.denies))


class LevelsDoNotCount(Ruling[B, N]):
    """Levels do not count."""

    def free(self, level: Mapping[Verification, B], change: Mapping[Standing, B], people: B) -> B:
        return self.logic.true


class TheLeastLevelIsForgotten(Ruling[B, N]):
    """The least level is forgotten."""

    def answer(
        self, heard: CombinedEntries[B, N], low: B, level: Mapping[Verification, B], change: Mapping[Standing, B]
    ) -> RequestAnswer[B]:
        return super().answer(heard, self.logic.false, level, change)


class DoubtsAreForgotten(Ruling[B, N]):
    """Doubts are forgotten."""

    def outcome(self, first: RequestAnswer[B], other: RequestAnswer[B], asked: CallFacts[B]) -> CallDecision[B]:
        return super().outcome(first, other, asked._replace(doubt=self.logic.false))


def upside_down(logic: Logic[B, N]) -> Ruling[B, N]:
    """A table in which a better level asks more."""
    table = dict(gate_table())
    table[Standing.REVERSIBLE, Verification.FORMAL] = Gate.CONFIRM
    return Ruling(logic, table)


DENY = "a denial overrides every layer, priority, grant and approval"
DEFAULT = "a request that no entry grants is denied"
MONOTONE = "an additional restriction never allows more"
MIXED = "the rights of two principals are never combined"
DELEGATE = "a delegate has at most the rights of its caller"
APPROVAL = "an approval never overrides a denial, and a call that needs approval never runs without it"
PEOPLE = "people take precedence over manifests, and in a tie the entry that needs approval decides"
QUESTION = "an entry that only requires approval grants nothing"
LEVELS = "a higher evidence level never needs more approvals"
UNKNOWN = "missing information never allows more"
# a bug: the laws that must notice it
BUGS: Mapping[Callable[..., Ruling[Any, Any]], tuple[str, ...]] = {
    PriorityOutweighsADenial: (DENY,),
    ForgetsAnEarlierDenial: (DENY,),
    DenialsOfPeopleOnly: (DENY,),
    ADenialMayBeSomebodyElses: (DENY,),
    ApprovalOutweighsADenial: (DENY, APPROVAL),
    AllowsByDefault: (DEFAULT,),
    LimitsNeedNotHold: (DEFAULT, UNKNOWN),
    AsksNobodyForASecondRequest: (DELEGATE,),
    OneRequestIsEnough: (MONOTONE, DELEGATE),
    ADenialAlsoDecides: (MONOTONE,),
    AnotherSkillAllows: (MIXED,),
    AScriptMayBeSomebodyElses: (MIXED,),
    TheDelegateIsEnough: (DELEGATE,),
    AsksWithoutWaiting: (APPROVAL, UNKNOWN),
    PriorityBeforeAuthority: (PEOPLE,),
    TheLastOneWinsATie: (PEOPLE,),
    AQuestionGrants: (DEFAULT, QUESTION),
    LevelsDoNotCount: (LEVELS,),
    TheLeastLevelIsForgotten: (LEVELS,),
    DoubtsAreForgotten: (UNKNOWN,),
    upside_down: (LEVELS,),
}
