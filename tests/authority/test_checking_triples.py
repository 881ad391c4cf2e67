"""Dealt triples: right ones pass, wrong ones do not, and a dealer who spoils some escapes as rarely as the bound says."""

import hashlib
import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from authority_world import dealt, together
from by_day import many
from remit.authority.shared import checking
from remit.authority.shared.checking import checked, dealt_for
from remit.authority.shared.dealing import Dealt, deal, expanded
from remit.authority.shared.triples import Triples
from remit.core.errors import AuthorityError

SIZE = 64  # bytes of triples that are wanted


def block(size=SIZE, seed=0):
    return dealt(dealt_for(size), seed)


def spoil(triples, places):
    """The second party's share of c, with these bits (byte, mask) turned."""
    c = triples.c.copy()
    for byte, mask in places:
        c[byte] ^= mask
    return Triples(triples.a, triples.b, c)


def check(first, second):
    return together(checked(0, first), checked(1, second))


def test_what_passes_is_right_and_of_the_size_that_was_wanted():
    first, second = check(*block())
    a, b, c = (left ^ right for left, right in zip(first, second, strict=True))
    assert len(a) == SIZE
    assert np.array_equal(a & b, c)


def test_a_block_follows_from_its_number_and_the_dealers_key():
    size = dealt_for(SIZE)
    parts = [[deal(b"k" * 32, 7, party, size) for party in (0, 1)] for _ in range(2)]
    assert parts[0] == parts[1]
    assert deal(b"k" * 32, 8, 0, size) != parts[0][0]
    assert deal(b"l" * 32, 7, 0, size) != parts[0][0]
    check(*(expanded(part, size) for part in parts[0]))


def test_a_party_alone_is_not_told_the_other_ones_seed():
    first, second = (deal(b"k" * 32, 7, party, 64) for party in (0, 1))
    assert first.seed != second.seed
    assert not first.correction
    assert len(second.correction) == 64


@pytest.mark.parametrize(
    "spoiled", [Dealt(b"s" * 15), Dealt(b"s" * 17), Dealt(b"s" * 16, b"c" * 63), Dealt(b"s" * 16, b"c")]
)
def test_a_block_of_another_size_is_refused(spoiled):
    with pytest.raises(AuthorityError, match="another size"):
        expanded(spoiled, 64)


@given(byte=st.integers(0, dealt_for(SIZE) - 1), bit=st.integers(0, 7), seed=st.integers(0, 2**32))
@settings(max_examples=many(300))
def test_each_single_wrong_bit_is_found(byte, bit, seed):
    first, second = block(seed=seed)
    with pytest.raises(AuthorityError, match="wrong"):
        check(first, spoil(second, [(byte, 1 << bit)]))


@given(places=st.lists(st.integers(0, dealt_for(SIZE) // 8 - 1), min_size=2, max_size=3, unique=True))
@settings(max_examples=many(100))
def test_two_or_three_wrong_words_are_always_found(places):
    first, second = block()
    with pytest.raises(AuthorityError, match="wrong"):
        check(first, spoil(second, [(8 * word + byte, 0xFF) for word in places for byte in range(8)]))


@pytest.mark.parametrize("mask", [0xFF, 0x01])
def test_a_dealer_who_spoils_everything_is_found(mask):
    """Comparisons alone would find all triples wrong alike, and call them right."""
    first, second = block()
    everything = [(byte, mask) for byte in range(len(second.c))]
    for _ in range(50):
        with pytest.raises(AuthorityError, match="wrong"):
            check(first, spoil(second, everything))


@pytest.mark.parametrize("party", [0, 1])
@pytest.mark.parametrize("part", ["a", "b"])
def test_wrong_shares_of_the_factors_are_found(party, part):
    both = list(block())
    both[party] = both[party]._replace(**{part: getattr(both[party], part) ^ np.uint8(255)})
    with pytest.raises(AuthorityError, match="wrong"):
        check(*both)


def escape_chance(fours, spoiled, opened):
    return Fraction(comb(fours, spoiled), comb(4 * fours + opened, 4 * spoiled))


def test_no_number_of_spoiled_words_does_better_than_four():
    for fours in (1, 2, 3, 7, 40, 300):
        chances = [escape_chance(fours, k, checking._OPENED) for k in range(1, fours + 1)]
        assert max(chances) == chances[0] < Fraction(6, (4 * fours + checking._OPENED - 3) ** 3)


def test_escapes_are_as_rare_as_the_bound_says(monkeypatch):
    """A block so small that escapes can be counted: two fours and one opened word, of which four are spoiled alike."""
    monkeypatch.setattr(checking, "_OPENED", 1)
    first, second = dealt(checking.dealt_for(16))
    wrong = spoil(second, [(byte, 0xFF) for byte in range(32)])
    rounds, escaped = 6000, 0
    for _ in range(rounds):
        try:
            check(first, wrong)
        except AuthorityError:
            continue
        escaped += 1
    chance = float(escape_chance(2, 1, 1))
    assert abs(escaped - rounds * chance) < 4.5 * (rounds * chance) ** 0.5


def replaying(party, triples, at, change):
    """A party that says something else in one round."""
    inner = checked(party, triples)
    said = next(inner)
    for number in itertools.count():
        heard = yield change(said) if number == at else said
        try:
            said = inner.send(heard)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize(
    ("at", "change", "problem"),
    [
        (0, lambda _: bytes(32), "coin"),
        (1, lambda _: bytes(32), "coin"),
        (1, lambda said: said[:-1], "coin"),
        (2, lambda said: said[:-8], "another size"),
        (2, lambda said: said[:8], "another size"),
        (2, lambda _: b"", "another size"),
        (3, lambda said: said[:8], "another size"),
        (3, lambda said: said + b"\0" * 8, "another size"),
        (4, lambda _: bytes(32), "wrong"),
        (4, lambda _: b"", "wrong"),
    ],
)
def test_what_the_other_server_changes_is_an_error(at, change, problem):
    first, second = block()
    with pytest.raises(AuthorityError, match=problem):
        together(checked(0, first), replaying(1, second, at, change))


def test_a_short_coin_that_was_bound_is_refused():
    def short():
        yield hashlib.sha256(b"remit/coin/v1\0" + b"x").digest()
        yield b"x"

    with pytest.raises(AuthorityError, match="coin"):
        together(checked(0, block()[0]), short())


def test_the_coin_orders_the_block_anew_each_time():
    """Two checks of one block keep different triples: the order is not known when the block is dealt."""
    first, second = block()
    kept = {check(first, second)[0].a.tobytes() for _ in range(5)}
    assert len(kept) == 5
