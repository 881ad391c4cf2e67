"""Each gate refuses what it is there for."""

import sys
from typing import NamedTuple

import z3

from remit.models.explore.model import Patch
from remit.models.proofs import solver
from remit.models.proofs.gates import check_theory
from remit.models.proofs.solver import Silent, decide, value
from remit.models.proofs.theory import Claim, Mutant, Planted, Theorem, Theory, Tie


def real(number):
    return number + 1


def more(number):
    return number + 1


class Operators(NamedTuple):
    more: object = more


def grows(rules):
    n = z3.Int("n")
    yield Claim("any number", (), n > 3, rules.more(n) > n, (("a number", n), ("one more", rules.more(n))))


MUTANT = Mutant("stays", "grows", "more", lambda number: number)
HERE = sys.modules[__name__]
PLANTED = Planted("adds two", Patch(HERE, "real", lambda _: lambda number: number + 2))


def asked(case):
    return real(case)


TIE = Tie(
    "adding", lambda rules, case: value(rules.more(z3.IntVal(case))), asked, lambda random: random.randint(0, 9),
    (PLANTED,), samples=5,
)  # fmt: skip
THEORY = Theory("toy", "a number grows", Operators(), (Theorem("grows", "it grows", grows),), (MUTANT,), (TIE,))


def faults(**changed):
    return check_theory(THEORY._replace(**changed)).faults


def test_a_sound_theory():
    checked = check_theory(THEORY)
    assert checked.faults == ()
    assert [one.story[-1] for one in checked.mutants[:1]] == ["here `grows` fails"]
    assert checked.mutants[0].story[:2] == ("any number:", "a number: 4")
    assert (
        checked.mutants[1].story == ("6: the operators say 7, the code says 8",)
        or "the code says" in checked.mutants[1].story[0]
    )


def test_what_does_not_hold():
    (fault,) = faults(theorems=(Theorem("grows", "it shrinks", lambda rules: [c._replace(then=z3.Int("n") > rules.more(z3.Int("n"))) for c in grows(rules)]),))  # fmt: skip
    assert fault.startswith("`grows` fails: any number: a number: ")


def test_what_is_about_nothing():
    def nothing(rules):
        return [one._replace(given=(z3.Int("n") < 2,)) for one in grows(rules)]

    found = faults(theorems=(Theorem("grows", "it grows", nothing),))
    assert "`grows` says nothing: any number: what it is about cannot be" in found
    assert any("is not noticed" in one for one in found)  # a claim about nothing notices nothing


def test_what_the_solver_does_not_answer_is_no_proof(monkeypatch):
    monkeypatch.setattr(solver, "_ask", lambda *_: Silent("the solver does not know: timeout"))
    found = faults()
    assert "`grows` is not shown: any number: the solver does not know: timeout" in found
    assert any("is not noticed" in one for one in found)


def test_the_solver_may_run_out_of_time(monkeypatch):
    monkeypatch.setattr(solver, "PATIENCE", 50)
    a, b, c = z3.Ints("a b c")
    assert isinstance(decide(Claim("cubes", (), True, a * a * a + b * b * b + c * c * c != 33, (("a", a),))), Silent)


def test_a_theorem_that_no_red_is_noticed_by():
    assert "no mutant is noticed by `grows`" in faults(mutants=())
    assert "no mutant changes the operator `more`" in faults(mutants=())


def test_reds_that_are_none():
    assert any("names `other`" in one for one in faults(mutants=(MUTANT, MUTANT._replace(name="x", invariant="other"))))
    assert any(
        "changes no operator" in one for one in faults(mutants=(MUTANT, MUTANT._replace(name="x", operator="none")))
    )
    assert any("changes no operator" in one for one in faults(mutants=(MUTANT, MUTANT._replace(name="x", wrong=more))))
    assert any(
        "is not noticed" in one for one in faults(mutants=(MUTANT, MUTANT._replace(name="x", wrong=lambda n: n + 2)))
    )
    assert "two theorems or two mutants have one name" in faults(mutants=(MUTANT, MUTANT))


def test_operators_that_are_not_the_codes():
    twice = THEORY._replace(operators=Operators(lambda number: number + 5))
    (fault,) = check_theory(twice).faults
    assert fault.startswith("`adding`: ")
    assert "the operators say" in fault


def test_a_red_that_no_tie_tells_from_the_code():
    blind = TIE._replace(encoded=lambda _, case: case + 1)
    assert "no tie tells the mutant `stays` from the code" in faults(ties=(blind,))
    assert faults(ties=(blind,), mutants=(MUTANT._replace(tied=False),)) == ()


def test_ties_that_notice_nothing():
    assert "nothing ties the operators to the code" in faults(ties=())
    assert "nothing is planted for the tie `adding`" in faults(ties=(TIE._replace(planted=()),))
    same = Planted("adds one", Patch(HERE, "real", lambda _: lambda number: 1 + number))
    assert "`adding` does not notice code that adds one" in faults(ties=(TIE._replace(planted=(same,)),))
    gone = Planted("is not there", Patch(HERE, "nowhere", lambda _: 1))
    assert any("cannot be planted" in one for one in faults(ties=(TIE._replace(planted=(gone,)),)))
