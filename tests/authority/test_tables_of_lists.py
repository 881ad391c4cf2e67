"""Many values looked up at once: what is found is what stands in the list, and no value is left out of a batch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whole_batches import expand

from by_day import many
from each_row import each_row
from remit.authority.dpf.keys import make_all
from remit.authority.tables import batch
from remit.authority.tables.batch import (
    Whereabouts,
    answer,
    bits_for,
    build,
    capacity,
    domain_for,
    found,
    key_domain,
    most_entries,
    plan,
    row_numbers,
    slots_for,
)
from remit.authority.tables.tags import TagContext, tags
from remit.core.errors import AuthorityError

KEY, SEED = bytes(range(32)), bytes(16)


def table_of(entries, domain=9):
    return build(KEY, "names", entries, domain, slots_for(len(entries), domain))


def at(table):
    return Whereabouts(KEY, table.name, table.salt, table.domain)


def planned_for(domain, values, bits, seed=SEED, key=KEY):
    return plan(Whereabouts(key, "names", 0, domain), values, bits, seed)


def asked_by(planned, domain):
    bits = len(planned.rows).bit_length() - 1
    return make_all(key_domain(domain, bits), ((SEED, planned.rows),))[0]


def looked_up(table, values, bits):
    """The plan, and the rows that two servers give together."""
    planned = plan(at(table), values, bits, SEED)
    first, second = (answer(table.columns, keys) for keys in asked_by(planned, table.domain))
    return planned, first ^ second


words = st.lists(st.binary(max_size=8), unique=True, max_size=80)


@given(words, words, st.integers(7, 9), st.integers(0, 2))
@settings(max_examples=many(150))
def test_a_batch_finds_what_plain_look_ups_find(entries, values, domain, fewer):
    table = table_of(entries, domain)
    bits = max(bits_for(len(values)), domain - fewer - 2)
    planned = plan(at(table), values, bits, SEED)
    if planned is None:
        assert bits < 5
        return
    planned, rows = looked_up(table, values, bits)
    assert found(planned, rows).sum() == len(set(entries) & set(values))
    assert (planned.wanted != 0).sum() == len(values)


@given(words, st.integers(7, 10), st.integers(0, 7))
def test_the_answer_of_a_bucket_is_the_row_of_the_number_that_verifies_it(entries, domain, bits):
    table = table_of(entries, domain)
    planned, rows = looked_up(table, [b"a"], bits)
    assert np.array_equal(rows, table.columns.T[row_numbers(planned, domain)])


def test_one_table_answers_batches_of_every_size():
    entries = [b"entry %d" % number for number in range(3000)]
    table = table_of(entries, 13)
    for bits in range(7, 14):
        values = entries[: capacity(bits) // 2] + [b"other %d" % number for number in range(capacity(bits) // 2)]
        planned, rows = looked_up(table, values, bits)
        assert found(planned, rows).sum() == min(3000, capacity(bits) // 2)


def test_an_entry_stands_in_each_of_its_rows_and_nowhere_else():
    table = table_of([b"a", b"b"], 12)
    assert np.count_nonzero(table.columns) == 6
    assert table.columns.shape == (2, 1 << 12)


def test_entries_that_are_alike_are_one_and_an_empty_list_holds_nothing():
    assert table_of([b"a", b"a"], 7).columns.any(axis=0).sum() <= 3
    empty = table_of([], 7)
    planned, rows = looked_up(empty, [b"a", b""], 5)
    assert not found(planned, rows).any()


def test_a_bucket_without_a_value_finds_nothing_even_in_an_empty_slot():
    table = table_of([b"a"], 7)
    planned, rows = looked_up(table, [], 5)
    assert not found(planned, rows).any()


def test_full_batches_are_placed():
    for bits in (7, 9, 11):
        values = [b"%d" % number for number in range(capacity(bits))]
        planned = planned_for(11, values, bits)
        assert (planned.wanted != 0).sum() == len(values)


def test_a_batch_that_cannot_be_placed_has_no_plan(monkeypatch):
    """No value is left out: the asker takes more buckets, or refuses."""
    assert planned_for(9, [b"%d" % number for number in range(capacity(7) + 1)], 7) is None
    assert batch._placed([[3, 3, 3], [3, 3, 3]], 8) is None
    assert batch._placed([[1, 2, 3], [1, 2, 3], [1, 2, 3], [3, 2, 1]], 8) is None
    monkeypatch.setattr(batch, "_placed", lambda *_: None)
    assert planned_for(9, [b"a"], 7) is None


@given(st.lists(st.tuples(*[st.integers(0, 15)] * 3), max_size=10))
@settings(max_examples=many(300))
def test_who_is_placed_has_a_bucket_of_his_own(wanted):
    placed = batch._placed([list(one) for one in wanted], 16)
    if placed is None:
        return
    assert sorted(value for value, _ in placed.values()) == list(range(len(wanted)))
    assert all(wanted[value][choice] == bucket for bucket, (value, choice) in placed.items())


def test_values_that_stand_twice_are_asked_about_once():
    planned = planned_for(9, [b"a"] * 200, 7)
    assert (planned.wanted != 0).sum() == 1


@given(words)
def test_the_size_of_what_is_asked_follows_from_the_buckets_alone(values):
    planned = planned_for(9, values, 7)
    assert [len(keys.to_bytes()) for keys in asked_by(planned, 9)] == [128 * 32] * 2


def test_a_plan_follows_from_its_arguments():
    values = [b"%d" % number for number in range(60)]
    one, other = (planned_for(12, values, 7) for _ in range(2))
    assert np.array_equal(one.rows, other.rows)
    assert np.array_equal(one.wanted, other.wanted)
    third = planned_for(12, values, 7, bytes([1] * 16))
    assert not np.array_equal(one.rows, third.rows)
    assert np.array_equal(one.wanted, third.wanted)


def test_rows_and_fingerprints_hang_on_key_name_and_value():
    usual = Whereabouts(KEY, "names", 0, 12)
    cases = [(usual, b"v"), (usual._replace(key=b"k" * 32), b"v"), (usual._replace(name="name"), b"v"), (usual, b"w")]
    cases.append((usual._replace(salt=1), b"v"))
    assert len({int(batch._rows(place, [value])[1][0]) for place, value in cases}) == 5


@each_row("key", [b"", b"short", bytes(31), bytes(33)])
def test_a_key_of_another_size_is_refused(key):
    with pytest.raises(AuthorityError, match="32 bytes"):
        build(key, "names", [b"a"], 9, 4)


def test_keys_of_another_shape_are_refused():
    table = table_of([b"a"], 12)
    for count, domain in ((0, 7), (3, 11), (32, 8), (32, 9), (1 << 13, 7)):
        keys = make_all(domain, ((SEED, np.zeros(count, dtype=np.int64)),))[0][0]
        with pytest.raises(AuthorityError, match="another size"):
            answer(table.columns, keys)
    with pytest.raises(AuthorityError, match="more buckets"):
        planned_for(9, [b"a"], 10)


def test_sizes():
    assert [capacity(bits) for bits in (0, 1, 7, 9, 11, 13)] == [1, 1, 85, 341, 1365, 5461]
    assert [bits_for(count) for count in (0, 1, 2, 3, 85, 86, 5461)] == [0, 0, 2, 3, 7, 8, 13]
    assert [domain_for(count, 13) for count in (0, 10_000, 20_000, 1 << 18, 1 << 20)] == [13, 13, 14, 18, 20]
    assert (key_domain(20, 7), key_domain(13, 13)) == (13, 7)
    with pytest.raises(AuthorityError, match="too long"):
        domain_for(1 << 25, 13)


def test_rows_have_room_for_what_tables_are_meant_for():
    assert (slots_for(1, 12), slots_for(1 << 18, 18), slots_for(400, 13)) == (2, 14, 3)
    full = most_entries(9)
    table = build(KEY, "names", [b"%d" % number for number in range(full)], 9, slots_for(full, 9))
    assert len(table.columns) == slots_for(full, 9)


def test_a_row_that_overflows_gets_another_salt_and_a_list_that_never_fits_is_refused():
    salts = {build(KEY, "names", [f"{number} {n}".encode() for n in range(20)], 7, 3).salt for number in range(40)}
    assert 0 in salts
    assert max(salts) > 0
    with pytest.raises(AuthorityError, match="does not fit"):
        build(KEY, "names", [b"%d" % number for number in range(500)], 7, 2)


def test_the_same_list_in_another_order_is_the_same_table():
    one, other = table_of([b"a", b"b", b"c"]), table_of([b"c", b"a", b"b"])
    assert np.array_equal(one.columns, other.columns)


@given(words, st.integers(7, 10), st.integers(0, 4))
@settings(max_examples=40)
def test_answers_are_plain_sums(entries, domain, bits):
    table = table_of(entries, domain)
    planned = plan(at(table), [b"a"], bits, SEED)
    for keys in asked_by(planned, domain):
        within = 1 << (domain - bits)
        chosen = np.unpackbits(expand(keys), axis=1, bitorder="little").astype(bool)[:, :within]
        plain = [
            np.bitwise_xor.reduce(table.columns[:, bucket * within : (bucket + 1) * within][:, some], axis=1)
            for bucket, some in enumerate(chosen)
        ]
        assert np.array_equal(answer(table.columns, keys), np.array(plain, dtype=np.uint64))


@each_row("slots", [1, 2, 3, 14])
def test_tags_are_of_key_program_epoch_table_place_and_content(slots):
    bound = TagContext("sha256:1", 1, "names", 0, 9)
    points, contents = np.array([5]), np.arange(1, slots + 1, dtype=np.uint64)[None]
    right = tags(KEY, bound, points, contents)
    changed = [contents + np.eye(slots, dtype=np.uint64)[word] for word in range(slots)]
    others = [
        tags(b"other" * 6, bound, points, contents), tags(KEY, bound, points + 1, contents), *(tags(KEY, bound, points, one) for one in changed),
        *(tags(KEY, bound._replace(**{name: value}), points, contents)
          for name, value in (("program", "sha256:2"), ("epoch", 2), ("table", "other"), ("salt", 1), ("domain", 10))),
    ]  # fmt: skip
    assert len({int(one[0]) for one in (right, *others)}) == 8 + slots
    empty = np.zeros((3, slots), dtype=np.uint64)
    assert tags(KEY, bound, np.arange(3), empty).tolist() == [
        int(tags(KEY, bound, np.array([place]), empty[:1])[0]) for place in range(3)
    ]
