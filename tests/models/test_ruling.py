"""The laws of decisions are proved, every deliberate bug breaks its law, and the rules that are proved are those that run."""

from itertools import combinations_with_replacement, product

from each_row import each_row
from remit.manifest.model import Verification
from remit.models.proofs.theories.decisions import (
    DecisionRules,
    Meaning,
    decided,
    judged,
    kinds,
    ruled,
    ruled_whole,
    wholes,
)
from remit.models.ruling import CHANGES
from remit.models.ruling_bugs import BUGS
from remit.models.ruling_laws import LAWS, BrokenLaw, proved


@each_row("solver", ["z3", "cvc5"])
@each_row("law", LAWS)
def test_the_law_holds(law, solver):
    assert proved(law, solver=solver) is None


@each_row(("bug", "law"), [(bug, law) for bug, laws in BUGS.items() for law in laws])
def test_the_bug_breaks_it(bug, law):
    found = proved(law, bug)
    assert isinstance(found, BrokenLaw)
    assert any(found.example.values())


def test_every_law_has_a_bug():
    assert {law for laws in BUGS.values() for law in laws} == set(LAWS)


# --- the rules that are proved are those that run ---


def test_one_meaning_is_judged_as_it_is_ruled():
    """Up to three entries of every kind; all levels and changes for up to two."""
    every = list(kinds())
    for count in range(4):
        for number, known in enumerate(combinations_with_replacement(every, count)):
            cases = list(product(Verification, CHANGES, (False, True)))
            for level, change, low in cases if count < 2 else [cases[number % len(cases)]]:
                case = Meaning(known, level, change, low)
                assert judged(case) == ruled(DecisionRules(), case), case


def test_a_call_is_decided_as_it_is_ruled():
    """A skill, who sent it, another skill, the task, a script, a doubt and an approval: every case."""
    for case in wholes():
        assert decided(case) == ruled_whole(DecisionRules(), case), case
