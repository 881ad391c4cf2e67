"""The structure of a decision (`policy/judge.py`, `policy/decide.py`) as rules over a `Logic`, for any number of entries
and principals.

What an entry has to do with a request is a few truth values here, and what all entries come to is heard one entry after the other. So what is
proved of one more entry holds for all of them. The tests compare these rules with the code that runs over every small case.

    Entry ──hear──▶ Heard ──answer──▶ Answer ──join──▶ Answer ──outcome──▶ Outcome
    one entry        all so far        one meaning      whole call          of the session
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, NamedTuple

from remit.manifest.model import Verification
from remit.policy.gate import Gate, GateTable, Standing, gate_table
from remit.policy.logic import B, Logic, N, all_of, any_of

AUTHORITIES = 3  # skill, workspace, person
PRIORITIES = 3  # two entries are compared at a time, so more would show nothing new
CHANGES = (Standing.UNCHANGED, Standing.REVERSIBLE, Standing.IRREVERSIBLE)


class Entry(NamedTuple, Generic[B, N]):
    """The relation of an entry to one meaning of a request."""

    denies: B  # it denies; else it grants, or only asks
    only_asks: B
    meets: B  # a denial or a question: it may speak of it
    holds: B  # a grant: it holds the whole of it
    fits: B  # and its limits surely hold now
    asks: B  # it wants a person asked; else it allows
    authority: N  # 0: the manifest
    priority: N


class CombinedEntries(NamedTuple, Generic[B, N]):
    """The combined result of the entries so far."""

    denied: B
    held: B  # an entry holds it
    fits: B  # and one of these with its limits
    decided: B  # there is an entry that decides: the strongest so far
    asks: B
    authority: N
    priority: N


class RequestAnswer(NamedTuple, Generic[B]):
    """What is said to a request, or to all of a call: denied, for more than that nobody gave it; or asked about; or neither."""

    denied: B
    hard: B
    asks: B


class CallFacts(NamedTuple, Generic[B]):
    """What else is so about a call."""

    runs: B  # it runs a script: only that skill can be the principal
    another: B  # there is another principal to ask about
    doubt: B  # something is not understood, or flows where nobody named it
    approved: B  # a person agreed to this very call


class CallDecision(NamedTuple, Generic[B]):
    """The decision on a call."""

    denied: B
    asks: B
    allowed: B


class Ruling(Generic[B, N]):
    """The rules of this version. The proof must detect a seeded bug in any of them."""

    def __init__(self, logic: Logic[B, N], table: GateTable | None = None) -> None:
        self.logic = logic
        self.table = table or gate_table()

    def silence(self) -> CombinedEntries[B, N]:
        """Return the state before any entry."""
        false, zero = self.logic.false, self.logic.zero
        return CombinedEntries(false, false, false, false, false, zero, zero)

    def less(self, one: N, other: N, end: int) -> B:
        """Return whether a number below `end` is less than another."""
        at, both = self.logic.is_at, self.logic.both
        return any_of(self.logic, (both(at(one, low), at(other, high)) for high in range(end) for low in range(high)))

    def outranks(self, entry: Entry[B, N], heard: CombinedEntries[B, N]) -> B:
        """Return whether an entry outranks the strongest so far: by authority, then priority, and at a tie if it asks."""
        logic = self.logic
        same = logic.equal(entry.authority, heard.authority)
        tie = logic.both(same, logic.equal(entry.priority, heard.priority))
        return any_of(
            logic,
            (
                logic.no(heard.decided),
                self.less(heard.authority, entry.authority, AUTHORITIES),
                logic.both(same, self.less(heard.priority, entry.priority, PRIORITIES)),
                all_of(logic, (tie, entry.asks)),
            ),
        )

    def denial(self, entry: Entry[B, N]) -> B:
        """Return whether an entry denies it."""
        return self.logic.both(entry.denies, entry.meets)

    def speaks(self, entry: Entry[B, N]) -> B:
        """Return whether an entry takes part in the choice between allowing and asking."""
        logic = self.logic
        question = all_of(logic, (entry.only_asks, entry.meets))
        return logic.both(
            logic.no(entry.denies), logic.either(question, self.grants(entry, logic.both(entry.holds, entry.fits)))
        )

    def grants(self, entry: Entry[B, N], so: B) -> B:
        """Whether an entry is a grant of which something is so."""
        return all_of(self.logic, (so, self.logic.no(entry.denies), self.logic.no(entry.only_asks)))

    def hear(self, heard: CombinedEntries[B, N], entry: Entry[B, N]) -> CombinedEntries[B, N]:
        """Return the state after one more entry."""
        logic = self.logic
        fits = self.grants(entry, logic.both(entry.holds, entry.fits))
        speaks = self.speaks(entry)
        wins = logic.both(speaks, self.outranks(entry, heard))
        asks = logic.either(entry.asks, entry.only_asks)
        return CombinedEntries(
            logic.either(heard.denied, self.denial(entry)),
            logic.either(heard.held, self.grants(entry, entry.holds)),
            logic.either(heard.fits, fits),
            logic.either(heard.decided, speaks),
            logic.either(logic.both(wins, asks), logic.both(logic.no(wins), heard.asks)),
            logic.choose(wins, entry.authority, heard.authority),
            logic.choose(wins, entry.priority, heard.priority),
        )

    def answer(
        self, heard: CombinedEntries[B, N], low: B, level: Mapping[Verification, B], change: Mapping[Standing, B]
    ) -> RequestAnswer[B]:
        """What the entries say to a request that changes so much, at the level of the skill; `low` is less than is demanded."""
        logic = self.logic
        hard = logic.either(heard.denied, logic.both(heard.held, logic.either(logic.no(heard.fits), low)))
        denied = logic.either(hard, logic.no(heard.held))
        people = logic.no(logic.is_at(heard.authority, 0))
        asks = logic.either(heard.asks, logic.no(self.free(level, change, people)))
        return RequestAnswer(denied, hard, logic.both(asks, logic.no(denied)))

    def free(self, level: Mapping[Verification, B], change: Mapping[Standing, B], people: B) -> B:
        """Return whether the gate passes what is allowed; what people allow counts as formally verified."""
        logic = self.logic
        found = []
        for line in CHANGES:
            levels = [one for one in Verification if self.table[line, one] is Gate.ALLOW]
            own = any_of(logic, (level[one] for one in levels))
            theirs = logic.true if Verification.FORMAL in levels else logic.false
            stands = logic.either(logic.both(people, theirs), logic.both(logic.no(people), own))
            found.append(logic.both(change[line], stands))
        return any_of(logic, found)

    def join(self, one: RequestAnswer[B], other: RequestAnswer[B]) -> RequestAnswer[B]:
        """Combine two answers that must both permit: two meanings, two requests, a delegate and its sender, a principal
        and the task.
        """
        either = self.logic.either
        denied = either(one.denied, other.denied)
        return RequestAnswer(
            denied, either(one.hard, other.hard), self.logic.both(either(one.asks, other.asks), self.logic.no(denied))
        )

    def elsewhere(self, first: RequestAnswer[B], other: RequestAnswer[B], asked: CallFacts[B]) -> B:
        """Whether a person is asked if it is another principal's."""
        no = self.logic.no
        return all_of(self.logic, (first.denied, no(first.hard), no(asked.runs), asked.another, no(other.denied)))

    def outcome(self, first: RequestAnswer[B], other: RequestAnswer[B], asked: CallFacts[B]) -> CallDecision[B]:
        """Return the decision on a call of a principal, where another one may be asked about."""
        logic = self.logic
        moved = self.elsewhere(first, other, asked)
        denied = logic.both(first.denied, logic.no(moved))
        asks = logic.both(logic.no(denied), any_of(logic, (moved, first.asks, asked.doubt)))
        agreed = logic.either(logic.no(asks), asked.approved)
        return CallDecision(denied, asks, logic.both(logic.no(denied), agreed))
