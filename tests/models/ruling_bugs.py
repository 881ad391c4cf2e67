"""Deliberate bugs of the order of decisions, each with the law that must notice it."""

from remit.manifest.model import Verification
from remit.models.ruling import Ruling
from remit.policy.gate import Gate, Standing, gate_table
from remit.policy.logic import all_of, any_of


class PriorityOutweighsADenial(Ruling):
    def hear(self, heard, entry):
        after = super().hear(heard, entry)
        strong = self.logic.both(entry.fits, self.less(heard.priority, entry.priority, 3))
        return after._replace(denied=self.logic.both(after.denied, self.logic.no(strong)))


class ForgetsAnEarlierDenial(Ruling):
    def hear(self, heard, entry):
        return super().hear(heard, entry)._replace(denied=self.denial(entry))


class DenialsOfPeopleOnly(Ruling):
    def denial(self, entry):
        return self.logic.both(super().denial(entry), self.logic.no(self.logic.is_at(entry.authority, 0)))


class ADenialMayBeSomebodyElses(Ruling):
    def elsewhere(self, first, other, asked):
        return all_of(self.logic, (first.denied, self.logic.no(asked.runs), asked.another, self.logic.no(other.denied)))


class ApprovalOutweighsADenial(Ruling):
    def outcome(self, first, other, asked):
        found = super().outcome(first, other, asked)
        return found._replace(
            denied=self.logic.both(found.denied, self.logic.no(asked.approved)),
            allowed=self.logic.either(found.allowed, asked.approved),
        )


class AllowsByDefault(Ruling):
    def answer(self, heard, low, level, change):
        found = super().answer(heard, low, level, change)
        return found._replace(denied=found.hard)


class LimitsNeedNotHold(Ruling):
    def hear(self, heard, entry):
        after = super().hear(heard, entry)
        return after._replace(fits=self.logic.either(heard.fits, self.grants(entry, entry.holds)))


class AsksNobodyForASecondRequest(Ruling):
    def join(self, one, other):
        return super().join(one, other)._replace(asks=one.asks)


class OneRequestIsEnough(Ruling):
    def join(self, one, other):
        found = super().join(one, other)
        return found._replace(denied=self.logic.both(one.denied, other.denied))


class ADenialAlsoDecides(Ruling):
    def speaks(self, entry):
        return self.logic.either(super().speaks(entry), self.denial(entry))


class AnotherSkillAllows(Ruling):
    def outcome(self, first, other, asked):
        found = super().outcome(first, other, asked)
        moved = self.elsewhere(first, other, asked)
        free = all_of(self.logic, (moved, self.logic.no(other.asks), self.logic.no(asked.doubt)))
        return found._replace(allowed=self.logic.either(found.allowed, free))


class AScriptMayBeSomebodyElses(Ruling):
    def elsewhere(self, first, other, asked):
        return all_of(self.logic, (first.denied, self.logic.no(first.hard), asked.another, self.logic.no(other.denied)))


class TheDelegateIsEnough(Ruling):
    def join(self, one, other):  # noqa: ARG002  the bug
        return one


class AsksWithoutWaiting(Ruling):
    def outcome(self, first, other, asked):
        found = super().outcome(first, other, asked)
        return found._replace(allowed=self.logic.no(found.denied))


class PriorityBeforeAuthority(Ruling):
    def outranks(self, entry, heard):
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


class TheLastOneWinsATie(Ruling):
    def outranks(self, entry, heard):
        logic = self.logic
        tie = logic.both(logic.equal(entry.authority, heard.authority), logic.equal(entry.priority, heard.priority))
        return logic.either(super().outranks(entry, heard), tie)


class AQuestionGrants(Ruling):
    def grants(self, entry, so):
        return self.logic.both(so, self.logic.no(entry.denies))


class LevelsDoNotCount(Ruling):
    def free(self, level, change, people):  # noqa: ARG002  the bug
        return self.logic.true


class TheLeastLevelIsForgotten(Ruling):
    def answer(self, heard, low, level, change):  # noqa: ARG002  the bug
        return super().answer(heard, self.logic.false, level, change)


class DoubtsAreForgotten(Ruling):
    def outcome(self, first, other, asked):
        return super().outcome(first, other, asked._replace(doubt=self.logic.false))


def upside_down(logic):
    """A table in which a better level asks more."""
    table = dict(gate_table())
    table[Standing.REVERSIBLE, Verification.FORMAL] = Gate.CONFIRM
    return Ruling(logic, table)


DENY = "deny wins over every layer, priority, grant and approval"
DEFAULT = "what nobody gives is denied"
MONOTONE = "what narrows never frees"
MIXED = "rights of two principals never mix"
DELEGATE = "a delegate may do no more than who sent it"
APPROVAL = "an approval outweighs no denial, and without it nothing asked about runs"
PEOPLE = "people outrank manifests, and whoever asks wins a tie"
QUESTION = "an entry that only asks grants nothing"
LEVELS = "a better level never asks more"
UNKNOWN = "what is not known never helps"
BUGS = {
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
