"""Computing with shares is computing: products, membership and gates say what plain logic says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from authority_world import dealt, parties, together
from by_day import many
from remit.authority.program.gates import AND, NOT, XOR, ZERO, Builder, Circuit, Gate, plain
from remit.authority.shared.gates import evaluate
from remit.authority.shared.members import any_of, members
from remit.authority.shared.products import all_of, inverted, product
from remit.authority.shared.triples import Supply
from remit.core.errors import AuthorityError

seeds = st.integers(0, 2**32)
ENOUGH = 1 << 14


def shared(bits, seed):
    """Two shares of packed bits."""
    mask = np.random.default_rng(seed).integers(0, 256, bits.shape, dtype=np.uint8)
    return mask, bits ^ mask


def random(shape, seed):
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def computed(protocol, *values, seed=0):
    """What both parties' shares make after a protocol over shared values."""
    shares = [shared(value, seed + place) for place, value in enumerate(values)]
    both = parties(ENOUGH, seed)
    first, second = together(*(protocol(both[party], *(share[party] for share in shares)) for party in (0, 1)))
    return first ^ second


@given(rows=st.integers(1, 5), size=st.integers(0, 9), seed=seeds)
def test_products(rows, size, seed):
    x, y = random((rows, size), seed), random((rows, size), seed + 1)
    assert np.array_equal(computed(product, x, y, seed=seed), x & y)


@given(rows=st.integers(1, 130), size=st.integers(1, 4), seed=seeds)
@settings(max_examples=50)
def test_products_of_all_rows(rows, size, seed):
    x = random((rows, size), seed) | random((rows, size), seed + 1) | random((rows, size), seed + 2)
    assert np.array_equal(computed(all_of, x, seed=seed), np.bitwise_and.reduce(x, axis=0))


@given(seed=seeds)
def test_not(seed):
    x = random((3, 4), seed)
    first, second = shared(x, seed)
    both = parties(0)
    assert np.array_equal(inverted(both[0], first) ^ inverted(both[1], second), ~x)


@given(bits=st.lists(st.booleans(), min_size=1, max_size=300), seed=seeds)
def test_whether_one_of_many_is_set(bits, seed):
    packed = np.packbits(bits)
    found = computed(lambda party, share: any_of(party, share, len(bits)), packed, seed=seed)
    assert bool(found[0] >> 7) is any(bits)


def test_bits_beyond_the_count_are_not_looked_at():
    found = computed(lambda party, share: any_of(party, share, 3), np.array([0b00011111], np.uint8))
    assert not found[0] >> 7


@given(equal=st.lists(st.sampled_from(("first", "second", "neither")), max_size=20), seed=seeds)
def test_members(equal, seed):
    """A look-up whose difference is zero in one of its places is a member; one wrong bit, and it is not."""
    draw = np.random.default_rng(seed)
    differences = np.zeros((len(equal), 2, 2), np.uint64)
    for number, where in enumerate(equal):
        for place, name in enumerate(("first", "second")):
            if where != name:
                differences[number, place, draw.integers(2)] = np.uint64(1) << np.uint64(draw.integers(64))
    mask = draw.integers(0, 2**64, differences.shape, dtype=np.uint64)
    both = parties(ENOUGH, seed)
    first, second = together(members(both[0], mask), members(both[1], mask ^ differences))
    assert np.unpackbits(first ^ second)[: len(equal)].astype(bool).tolist() == [where != "neither" for where in equal]


@st.composite
def circuits(draw):
    inputs = draw(st.integers(1, 6))
    gates = []
    for number in range(draw(st.integers(0, 30))):
        wires = st.integers(0, inputs + number - 1)
        operation = draw(st.sampled_from((AND, AND, XOR, NOT, ZERO)))
        count = {AND: 2, XOR: 2, NOT: 1, ZERO: 0}[operation]
        gates.append(Gate(operation, *(draw(wires) for _ in range(count))))
    outputs = draw(st.lists(st.integers(0, inputs + len(gates) - 1), min_size=1, max_size=9))
    return Circuit(inputs, tuple(gates), tuple(outputs)), draw(
        st.lists(st.booleans(), min_size=inputs, max_size=inputs)
    )


@given(circuits(), seeds)
@settings(max_examples=many(300))
def test_gates_on_shares_are_gates(case, seed):
    circuit, bits = case
    wanted = plain(circuit, bits)
    values = np.array(bits, dtype=np.uint8)
    mask = random(len(bits), seed) & 1
    both = parties(ENOUGH, seed)
    first, second = together(evaluate(both[0], circuit, mask), evaluate(both[1], circuit, mask ^ values))
    assert np.unpackbits(first ^ second)[: len(wanted)].astype(bool).tolist() == list(wanted)


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.data())
def test_the_builder_means_what_it_says(bits, data):
    builder = Builder(len(bits))
    some = data.draw(st.lists(st.integers(0, len(bits) - 1), max_size=12))
    at_most_one = [place for place in dict.fromkeys(some) if bits[place]][:1] + [
        place for place in some if not bits[place]
    ]
    outputs = (
        builder.all_of(some),
        builder.any_of(some),
        builder.negated(some[0] if some else 0),
        builder.sum_of(at_most_one),
    )
    wanted = (
        all(bits[place] for place in some), any(bits[place] for place in some),
        not bits[some[0] if some else 0], any(bits[place] for place in at_most_one),
    )  # fmt: skip
    assert plain(builder.circuit(outputs), bits) == wanted


def test_a_gate_is_made_once():
    builder = Builder(2)
    assert builder.all_of((0, 1)) == builder.all_of((1, 0))
    assert builder.negated(builder.negated(0)) == 0
    assert builder.all_of((0, 0)) == 0


@given(x=st.binary(min_size=4, max_size=4), seed=seeds)
def test_what_is_told_is_random_to_who_hears_it(x, seed):
    """With other triples the same values are told as other bytes: the first message is a one-time pad."""
    values = np.frombuffer(x, np.uint8)
    said = {next(product(parties(16, seed + number)[0], values, values)) for number in range(4)}
    assert len(said) == 4


@pytest.mark.parametrize(
    "change", [lambda said: said[:-1], lambda said: said + b"\0", lambda _: b"", lambda said: said * 2]
)
def test_a_message_of_another_size_is_refused(change):
    x = np.zeros((2, 2), np.uint8)
    speaking = product(parties(64)[0], x, x)
    said = next(speaking)
    with pytest.raises(AuthorityError, match="another size"):
        speaking.send(change(said))


def test_triples_are_handed_out_once_and_then_there_are_none():
    first, _ = dealt(10)
    supply = Supply(first)
    taken = [supply.take(4), supply.take(6)]
    assert b"".join(part.a.tobytes() for part in taken) == first.a.tobytes()
    with pytest.raises(AuthorityError, match="more triples"):
        supply.take(1)
    with pytest.raises(AuthorityError, match="more triples"):
        Supply(first).take(11)


def test_a_supply_that_ran_short_stays_short():
    """What was asked for in vain is not handed out in parts later."""
    supply = Supply(dealt(10)[0])
    with pytest.raises(AuthorityError):
        supply.take(11)
    with pytest.raises(AuthorityError):
        supply.take(1)
