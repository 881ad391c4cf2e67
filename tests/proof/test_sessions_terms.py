"""What is proved is what runs: terms that are evaluated give what the plain rules give."""

from hypothesis import given, settings
from hypothesis import strategies as st
from sessions_values import EFFECTS, MANIFEST

from by_day import many
from remit.core.capability import Change
from remit.manifest.model import Verification
from remit.policy.gate import Standing
from remit.policy.logic import Plain
from remit.policy.session import Followed, Rules, Subject, Turn
from remit.proof.sessions.cnf import cone
from remit.proof.sessions.encode import encode, flat
from remit.proof.sessions.kinds import alphabet
from remit.proof.sessions.model import Move, State, advance, violations
from remit.proof.sessions.terms import Terms, intervals

ALPHABET = alphabet(MANIFEST, EFFECTS, ())
HORIZON = 5
ENCODING = encode(ALPHABET, bound=10, horizon=HORIZON)


def value(terms, term, values):
    known = {1: True, **values}
    for gate in cone(terms, [term]):
        one, other = terms.gates[gate]
        known[gate] = all(known[abs(part)] == (part > 0) for part in (one, other))
    return known[abs(term)] == (term > 0)


def bits(row, number):
    return {term: bool(number >> place & 1) for place, term in enumerate(row)}


@given(
    st.sampled_from(Verification),
    st.integers(0, len(ALPHABET.kinds) - 1),
    st.integers(0, len(ALPHABET.kinds) + len(ALPHABET.scripts) - 1),
    st.lists(st.booleans(), min_size=7, max_size=7),
    st.integers(0, HORIZON - 1),
    st.integers(0, HORIZON - 1),
    st.lists(st.booleans(), min_size=12, max_size=12),
    st.booleans(),
)
@settings(max_examples=many(400))
def test_one_turn(level, followed, sent, inputs, pending, since, held, by_script):  # noqa: PLR0913  one argument for each field
    facts, kinds = ENCODING.facts, ALPHABET.kinds

    def number(place):
        one, member = facts.numbers[place]
        return one | member << facts.class_bits

    own = kinds[sent] if sent < len(kinds) else None
    runs = () if own else ALPHABET.scripts[sent - len(kinds)][1]
    every = [own] if own else [kinds[one] for one in runs]
    plain = Rules(Plain(), {other: other is level for other in Verification}, None, HORIZON)
    turn = Turn(
        {line: own is not None and own.standing is line for line in Standing},
        {line: own is None and any(kind.standing is line for kind in every) for line in Standing},
        any(kind.change is Change.IRREVERSIBLE for kind in every),
        *inputs[:4],
    )
    subject = Subject(inputs[4], kinds[followed].change is Change.REVERSIBLE, by_script)
    state = State(pending, Followed(*held[:4]), *held[4:], since)
    stands = {line: kinds[followed].meant is line for line in Standing}
    after = advance(plain, state, Move(turn, subject, kinds[followed] in every, *inputs[5:]), stands)

    values = bits(ENCODING.constants[:2], list(Verification).index(level))
    values |= bits(ENCODING.constants[2:-1], number(followed)) | {ENCODING.constants[-1]: by_script}
    values |= bits(ENCODING.state.pending, pending) | bits(ENCODING.state.since, since)
    values |= dict(zip(flat(ENCODING.state)[len(ENCODING.state.pending) :], held, strict=False))
    values |= bits(ENCODING.inputs.envelope, number(sent)) | dict(zip(ENCODING.inputs[1:], inputs, strict=True))
    symbolic = [value(ENCODING.terms, term, values) for term in flat(ENCODING.next)]
    width = len(ENCODING.state.pending)

    def row(count):
        return [bool(count >> place & 1) for place in range(width)]

    assert symbolic == [*row(after.pending), *after.effect, *after[2:-1], *row(after.since)]
    wrong = violations(Plain(), state, kinds[followed].undoable, HORIZON)
    assert {name: value(ENCODING.terms, term, values) for name, term in ENCODING.wrong.items()} == wrong


@given(st.integers(0, 31), st.integers(0, 40), st.booleans(), st.sets(st.integers(0, 31)))
def test_counts(count, number, when, some):
    terms = Terms(5)
    row = terms.bits("x", 5)
    values = bits(row, count)
    assert value(terms, terms.is_at(row, number), values) == (count == number)
    assert value(terms, terms.below(row, number), values) == (count < number)
    assert value(terms, terms.within(row, some), values) == (count in some)
    more = terms.more(row, terms.true if when else terms.false)
    assert [value(terms, bit, values) for bit in more] == [bool((count + when) % 32 >> place & 1) for place in range(5)]
    assert {one for first, end in intervals(some) for one in range(first, end)} == some
