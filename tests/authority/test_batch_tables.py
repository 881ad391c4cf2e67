"""Many values looked up at once: what is found is what stands in the list, and no value is left out of a batch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from remit.authority.dpf.keys import make_batches
from remit.authority.tables import batch
from remit.authority.tables.batch import (
    answer,
    ask,
    bits_for,
    build_batch_table,
    capacity,
    domain_for,
    found,
    key_domain,
    plan,
    row_numbers,
)
from remit.core.errors import AuthorityError

KEY, SEED = bytes(range(32)), bytes(16)


def looked_up(table, values, bits):
    """Which values are in the list, by two servers; and the plan."""
    planned = plan(KEY, table.name, table.domain, values, bits, SEED)
    first, second = (answer(table, keys) for keys in ask(planned, table.domain, SEED))
    return planned, first ^ second


words = st.lists(st.binary(max_size=8), unique=True, max_size=80)


@given(words, words, st.integers(7, 9), st.integers(0, 2))
@settings(max_examples=many(150))
def test_a_batch_finds_what_plain_look_ups_find(entries, values, domain, fewer):
    table = build_batch_table(KEY, "names", entries, domain)
    bits = max(bits_for(len(values)), domain - fewer - 2)
    planned = plan(KEY, "names", domain, values, bits, SEED)
    if planned is None:
        assert bits < 5
        return
    planned, rows = looked_up(table, values, bits)
    assert found(planned, rows, table.slots).sum() == len(set(entries) & set(values))
    assert (planned.wanted != 0).sum() == len(values)


@given(words, st.integers(7, 10), st.integers(1, 7))
def test_the_answer_of_a_bucket_is_the_row_of_the_number_that_verifies_it(entries, domain, bits):
    table = build_batch_table(KEY, "names", entries, domain)
    planned, rows = looked_up(table, [b"a"], bits)
    assert np.array_equal(rows, table.columns.T[row_numbers(planned, domain)])


def test_one_table_answers_batches_of_every_size():
    entries = [b"entry %d" % number for number in range(3000)]
    table = build_batch_table(KEY, "names", entries, 13)
    for bits in range(7, 14):
        values = entries[: capacity(bits) // 2] + [b"other %d" % number for number in range(capacity(bits) // 2)]
        planned, rows = looked_up(table, values, bits)
        assert found(planned, rows, table.slots).sum() == min(3000, capacity(bits) // 2)


def test_an_entry_stands_in_each_of_its_rows_and_nowhere_else():
    table = build_batch_table(KEY, "names", [b"a", b"b"], 12)
    assert np.count_nonzero(table.columns) == 6
    assert table.columns.shape == (table.slots, 1 << 12)


def test_entries_that_are_alike_are_one_and_an_empty_list_holds_nothing():
    assert build_batch_table(KEY, "names", [b"a", b"a"], 7).columns.any(axis=0).sum() <= 3
    empty = build_batch_table(KEY, "names", [], 7)
    planned, rows = looked_up(empty, [b"a", b""], 5)
    assert not found(planned, rows, empty.slots).any()


def test_a_bucket_without_a_value_finds_nothing_even_in_an_empty_slot():
    table = build_batch_table(KEY, "names", [b"a"], 7)
    planned, rows = looked_up(table, [], 5)
    assert not found(planned, rows, table.slots).any()


def test_full_batches_are_placed():
    for bits in (7, 9, 11):
        values = [b"%d" % number for number in range(capacity(bits))]
        planned = plan(KEY, "names", 11, values, bits, SEED)
        assert (planned.wanted != 0).sum() == len(values)


def test_a_batch_that_cannot_be_placed_has_no_plan(monkeypatch):
    """No value is left out: the asker takes more buckets, or refuses."""
    assert plan(KEY, "names", 9, [b"%d" % number for number in range(capacity(7) + 1)], 7, SEED) is None
    assert batch._placed([[3, 3, 3], [3, 3, 3]], 8) is None
    assert batch._placed([[1, 2, 3], [1, 2, 3], [1, 2, 3], [3, 2, 1]], 8) is None
    monkeypatch.setattr(batch, "_placed", lambda *_: None)
    assert plan(KEY, "names", 9, [b"a"], 7, SEED) is None


@given(st.lists(st.tuples(*[st.integers(0, 15)] * 3), max_size=10))
@settings(max_examples=many(300))
def test_who_is_placed_has_a_bucket_of_his_own(wanted):
    placed = batch._placed([list(one) for one in wanted], 16)
    if placed is None:
        return
    assert sorted(value for value, _ in placed.values()) == list(range(len(wanted)))
    assert all(wanted[value][choice] == bucket for bucket, (value, choice) in placed.items())


def test_values_that_stand_twice_are_asked_about_once():
    planned = plan(KEY, "names", 9, [b"a"] * 200, 7, SEED)
    assert (planned.wanted != 0).sum() == 1


@given(words)
def test_the_size_of_what_is_asked_follows_from_the_buckets_alone(values):
    planned = plan(KEY, "names", 9, values, 7, SEED)
    assert [len(keys.to_bytes()) for keys in ask(planned, 9, SEED)] == [128 * 32] * 2


def test_a_plan_follows_from_its_arguments():
    values = [b"%d" % number for number in range(60)]
    one, other = (plan(KEY, "names", 12, values, 7, SEED) for _ in range(2))
    assert np.array_equal(one.rows, other.rows)
    assert np.array_equal(one.wanted, other.wanted)
    third = plan(KEY, "names", 12, values, 7, bytes([1] * 16))
    assert not np.array_equal(one.rows, third.rows)
    assert np.array_equal(one.wanted, third.wanted)


def test_rows_and_fingerprints_hang_on_key_name_and_value():
    cases = [(KEY, "names", b"v"), (b"k" * 32, "names", b"v"), (KEY, "name", b"v"), (KEY, "names", b"w")]
    assert len({int(batch._rows(key, name, 12, [value])[1][0]) for key, name, value in cases}) == 4


@pytest.mark.parametrize("key", [b"", b"short", bytes(31), bytes(33)])
def test_a_key_of_another_size_is_refused(key):
    with pytest.raises(AuthorityError, match="32 bytes"):
        build_batch_table(key, "names", [b"a"], 9)


def test_keys_of_another_shape_are_refused():
    table = build_batch_table(KEY, "names", [b"a"], 12)
    for count, domain in ((0, 7), (3, 11), (32, 8), (32, 9), (1 << 13, 7)):
        keys = make_batches(SEED, domain, np.zeros(count, dtype=np.int64))[0]
        with pytest.raises(AuthorityError, match="another size"):
            answer(table, keys)
    with pytest.raises(AuthorityError, match="more buckets"):
        plan(KEY, "names", 9, [b"a"], 10, SEED)


def test_sizes():
    assert [capacity(bits) for bits in (0, 7, 9, 11, 13)] == [0, 85, 341, 1365, 5461]
    assert [bits_for(count) for count in (0, 1, 2, 3, 85, 86, 5461)] == [0, 1, 2, 3, 7, 8, 13]
    assert [domain_for(count, 13) for count in (0, 10_000, 20_000, 1 << 18, 1 << 20)] == [13, 13, 14, 18, 20]
    assert (key_domain(20, 7), key_domain(13, 13)) == (13, 7)
    with pytest.raises(AuthorityError, match="too long"):
        domain_for(1 << 25, 13)
