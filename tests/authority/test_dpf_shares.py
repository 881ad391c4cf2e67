"""Shares of a point: both together are the point, one alone says nothing of it."""

import numpy as np
import pytest
import reference_dpf
from hypothesis import given, settings
from hypothesis import strategies as st
from whole_batches import expand, joined

from each_row import each_row
from remit.authority.dpf.keys import LARGEST, SMALLEST, levels, make_all, read_batch, size_of
from remit.core.errors import AuthorityError

SEED = bytes(range(16))
domains = st.integers(SMALLEST, 13)


def bits_of(batch):
    return np.unpackbits(expand(batch), axis=1, bitorder="little")


def made(seed, domain, points):
    return make_all(domain, ((seed, np.array(points, dtype=np.int64)),))[0]


@st.composite
def asked(draw, most=12):
    domain = draw(domains)
    points = draw(st.lists(st.integers(0, (1 << domain) - 1), max_size=most))
    return draw(st.binary(min_size=16, max_size=16)), domain, points


@given(asked())
def test_both_shares_differ_exactly_at_the_point(case):
    seed, domain, points = case
    first, second = made(seed, domain, points)
    difference = bits_of(first) ^ bits_of(second)
    assert difference.shape == (len(points), 1 << domain)
    assert [list(row.nonzero()[0]) for row in difference] == [[point] for point in points]


@given(domains, st.lists(st.tuples(st.binary(min_size=16, max_size=16), st.integers(0, 5)), min_size=1, max_size=4))
def test_batches_that_are_made_together_are_those_that_are_made_alone(domain, wanted):
    lists = [(seed, np.arange(count, dtype=np.int64) * 97 % (1 << domain)) for seed, count in wanted]
    together = make_all(domain, lists)
    alone = [make_all(domain, ((seed, points),))[0] for seed, points in lists]
    for pair, single in zip(together, alone, strict=True):
        assert [one.to_bytes() for one in pair] == [one.to_bytes() for one in single]
    for party in (0, 1):
        rows = [expand(pair[party]) for pair in alone]
        assert np.array_equal(expand(joined([pair[party] for pair in together])), np.concatenate(rows))


@each_row("domain", [16, 18, 20])
def test_large_domains_too(domain):
    points = [0, 1, 127, 128, (1 << domain) - 1, 12345]
    first, second = made(SEED, domain, points)
    difference = np.unpackbits(expand(first) ^ expand(second), axis=1, bitorder="little")
    assert [list(row.nonzero()[0]) for row in difference] == [[point] for point in points]


@given(asked(most=3))
@settings(max_examples=25)
def test_the_page_of_plain_python_says_the_same(case):
    seed, domain, points = case
    batches = made(seed, domain, points)
    roots = reference_dpf.roots(seed, len(points))
    for number, point in enumerate(points):
        corrections, leaf = reference_dpf.make(domain, point, roots[0][number], roots[1][number])
        for party in (0, 1):
            wanted = reference_dpf.expand(domain, party, roots[party][number], corrections, leaf)
            assert bits_of(batches[party])[number].tolist() == wanted


@given(asked())
def test_a_batch_follows_from_seed_and_points(case):
    first, again = made(*case), made(*case)
    assert [batch.to_bytes() for batch in first] == [batch.to_bytes() for batch in again]


def test_another_seed_or_point_gives_other_keys():
    told = {
        made(seed, 10, [point])[party].to_bytes() for seed in (SEED, bytes(16)) for point in (3, 4) for party in (0, 1)
    }
    assert len(told) == 8
    assert (
        made(SEED, 10, [3])[0].to_bytes()[:16] == made(SEED, 10, [4])[0].to_bytes()[:16]
    )  # the root is the seed's alone


@given(asked())
def test_what_is_written_is_read(case):
    seed, domain, points = case
    for batch in made(seed, domain, points):
        data = batch.to_bytes()
        assert len(data) == size_of(domain, len(points))
        read = read_batch(data, batch.party, domain, len(points))
        assert read.to_bytes() == data
        assert np.array_equal(expand(read), expand(batch))


@given(asked(), st.integers(-40, 40).filter(bool))
def test_keys_of_another_size_are_refused(case, change):
    seed, domain, points = case
    data = made(seed, domain, points)[0].to_bytes()
    other = data + bytes(change) if change > 0 else data[:change]
    if len(other) != len(data):
        with pytest.raises(AuthorityError, match="size of their table"):
            read_batch(other, 0, domain, len(points))


@given(st.binary(min_size=size_of(9, 2), max_size=size_of(9, 2)), st.sampled_from((0, 1)))
def test_any_bytes_of_the_size_are_expanded_without_an_error(data, party):
    assert expand(read_batch(data, party, 9, 2)).shape == (2, 64)


@each_row("domain", [-1, 0, SMALLEST - 1, LARGEST + 1, 64])
def test_domains_without_tables_are_refused(domain):
    for use in (lambda: levels(domain), lambda: size_of(domain, 1), lambda: made(SEED, domain, [0])):
        with pytest.raises(AuthorityError, match="domain"):
            use()


@each_row("point", [-1, 1 << 9, 1 << 40])
def test_points_outside_are_refused(point):
    with pytest.raises(AuthorityError, match="outside"):
        made(SEED, 9, [0, point])


def test_no_points_are_no_keys():
    for batch in made(SEED, 9, []):
        assert batch.to_bytes() == b""
        assert expand(batch).shape == (0, 64)


def ones(points, party):
    """How often each bit of a key is set, over many seeds."""
    count = len(points)
    written = made(SEED, 10, points)[party]
    parts = (written.roots, written.seeds.reshape(count, -1), written.leaves)
    data = np.concatenate([np.ascontiguousarray(part).view(np.uint8).reshape(count, -1) for part in parts], axis=1)
    return np.concatenate((np.unpackbits(data, axis=1), written.bits.reshape(count, -1)), axis=1).sum(axis=0)


@pytest.mark.parametrize("party", [0, 1])
def test_one_key_alone_looks_the_same_for_any_point(party):
    """Bit by bit, keys of one point are set as often as those of another, and those that may vary are so half of the time."""
    count = 20_000
    first, second = (ones([point] * count, party).astype(float) for point in (0, 777))
    spread = (count / 2) ** 0.5
    assert np.abs(first - second).max() < 5.5 * spread
    fixed = (first == 0) & (second == 0)
    assert fixed.sum() == 4  # the control bits in a root and in the seed corrections of three levels
    assert np.abs(first[~fixed] - count / 2).max() < 5.5 * spread / 2**0.5


def test_one_share_alone_has_half_of_its_bits_set_at_and_beside_the_point():
    count, point = 20_000, 300
    for batch in made(SEED, 9, [point] * count):
        found = bits_of(batch).sum(axis=0)
        assert np.abs(found - count / 2).max() < 5.5 * (count / 4) ** 0.5
