"""The checker of refutations: it accepts what solvers find, and nothing that does not follow."""

from hypothesis import given
from hypothesis import strategies as st

from remit.proof.sessions.refutation import refute
from remit.proof.sessions.rup import refutes

literals = st.integers(1, 6).flatmap(lambda name: st.sampled_from([name, -name]))
clauses = st.lists(st.lists(literals, min_size=1, max_size=3).map(tuple), min_size=1, max_size=40)


def satisfiable(given):
    names = range(1, 7)
    return any(
        all(any((literal > 0) == bool(number >> abs(literal) - 1 & 1) for literal in clause) for clause in given)
        for number in range(2 ** len(names))
    )


@given(clauses)
def test_a_refutation_is_found_exactly_for_what_cannot_be_satisfied(given):
    assert (refute(given) is None) == satisfiable(given)


@given(clauses, st.lists(st.lists(literals, max_size=3).map(tuple), max_size=8))
def test_nothing_that_can_be_satisfied_is_ever_refuted(given, proof):
    assert not (satisfiable(given) and refutes(given, [*proof, ()]))


def test_a_refutation_must_reach_the_empty_clause_and_each_step_must_follow():
    given = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
    assert refutes(given, [(2,), ()])
    assert not refutes(given, [(2,)])
    assert not refutes(given, [()])
    assert not refutes(given, [(3,), ()])
    assert not refutes(given[:3], [(2,), ()])
    assert not refutes(given, [])
