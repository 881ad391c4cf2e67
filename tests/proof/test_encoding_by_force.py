"""The clauses of Method C against all values: what is encoded can be satisfied exactly if some values do, on instances that are small enough to try."""

from hypothesis import given
from hypothesis import strategies as st
from session_bugs import BUGS
from sessions_values import entry

from each_row import each_row
from remit.manifest.model import Manifest
from remit.proof.sessions.cnf import clauses, inductive
from remit.proof.sessions.encode import encode
from remit.proof.sessions.kinds import alphabet
from remit.proof.sessions.refutation import certify, refute
from remit.proof.sessions.terms import TRUE, Terms

AT_ONCE = 16  # variables whose values are tried side by side, each value one bit of a number


def holds_for_some(terms, claims):
    """Whether some values of the variables make all claims true, by trying all.

    Values of most variables stand side by side. Those of the others are set one after the other: a gate is computed as soon as all
    that it depends on is set, and where a claim is false by then, it is false whatever comes after.
    """
    needed, waiting = set(), [abs(claim) for claim in claims]
    while waiting:
        term = waiting.pop()
        if term not in needed:
            needed.add(term)
            waiting += map(abs, terms.gates.get(term, ()))
    names = sorted(term for term in needed if term in terms.names)
    side, apart = names[:AT_ONCE], names[AT_ONCE:]
    size = 1 << len(side)
    whole = (1 << size) - 1
    value = {TRUE: whole}
    for place, term in enumerate(side):  # 0101…, 0011…: every combination stands at one bit
        block = 1 << place
        value[term] = sum(((1 << block) - 1) << start for start in range(block, size, 2 * block))
    depth = {**dict.fromkeys(value, 0), **{term: number for number, term in enumerate(apart, 1)}}
    gates = [[] for _ in range(len(apart) + 1)]
    for gate in sorted(term for term in needed if term in terms.gates):
        depth[gate] = max(depth[abs(part)] for part in terms.gates[gate])
        gates[depth[gate]].append((gate, *terms.gates[gate]))
    due = [[claim for claim in claims if depth[abs(claim)] == number] for number in range(len(apart) + 1)]

    def look(term):
        return value[term] if term > 0 else whole ^ value[-term]

    def goes_on(number, found):
        for gate, one, other in gates[number]:
            value[gate] = look(one) & look(other)
        for claim in due[number]:
            found &= look(claim)
        if not found or number == len(apart):
            return bool(found)
        for every in (0, whole):
            value[apart[number]] = every
            if goes_on(number + 1, found):
                return True
        return False

    return goes_on(0, whole)


@given(st.data())
def test_clauses_can_be_satisfied_exactly_if_some_values_satisfy_the_terms(data):
    terms = Terms(2)
    made = [terms.variable(f"v{number}") for number in range(5)]
    for _ in range(data.draw(st.integers(1, 12))):
        kind = data.draw(st.sampled_from(["both", "either", "pick", "equal", "below"]))
        some = [data.draw(st.sampled_from(made)) * data.draw(st.sampled_from([1, -1])) for _ in range(4)]
        made.append({
            "both": lambda some=some: terms.both(*some[:2]),
            "either": lambda some=some: terms.either(*some[:2]),
            "pick": lambda some=some: terms.pick(*some[:3]),
            "equal": lambda some=some: terms.equal(tuple(some[:2]), tuple(some[2:])),
            "below": lambda some=some: terms.below(tuple(some[:3]), 3),
        }[kind]())  # fmt: skip
    claims = data.draw(st.lists(st.sampled_from(made), min_size=1, max_size=3))
    assert (refute(clauses(terms, claims)) is None) == holds_for_some(terms, claims)


def small(bug=None):
    """The smallest system: one entry, a buffer of two envelopes."""
    found = alphabet(Manifest("small", (entry("file.write", "./a"),)), (), ())
    if bug is None:
        return encode(found, bound=1, horizon=2)
    return encode(found, bound=1, making=bug.rules, table=bug.table, horizon=2)


def by_force(encoding):
    """The obligations that some values break."""
    found = set()
    for name, listed in inductive(encoding).items():
        gates = len(listed)
        while len(listed[gates - 1]) == 1 and gates > 1:
            gates -= 1
        if holds_for_some(encoding.terms, [claim for (claim,) in listed[gates:]]):
            found.add(name)
    return found


def by_solver(encoding):
    return {name for name, listed in inductive(encoding).items() if certify(name, listed) is None}


def test_the_induction_holds_for_all_values_of_a_small_system():
    assert by_force(small()) == by_solver(small()) == set()


@each_row("name", list(BUGS)[:6])
def test_a_bug_is_found_by_force_exactly_where_the_solver_finds_it(name):
    encoding = small(BUGS[name])
    assert by_force(encoding) == by_solver(encoding)
