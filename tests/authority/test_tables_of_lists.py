"""Lists in buckets: members are found, others are not, and a server's sums are plain sums."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remit.authority.dpf.expand import expand
from remit.authority.dpf.keys import make_batches
from remit.authority.tables import answer as answering
from remit.authority.tables import cuckoo
from remit.authority.tables.answer import answer, answers, prepare
from remit.authority.tables.cuckoo import build, domain_for, place, places
from remit.authority.tables.tags import Bound, tags
from remit.core.errors import AuthorityError

KEY = bytes(32)
values = st.lists(st.binary(max_size=12), unique=True, max_size=60)


def found(table, value, key=KEY):
    """How many of the two places have the value."""
    at = place(key, table.name, table.salt, table.domain, value)
    fingerprint = np.frombuffer(at.fingerprint, dtype="<u8")
    return sum(bool((table.rows[bucket] == fingerprint).all()) for bucket in (at.first, at.second))


@given(values, values)
def test_members_are_found_once_and_others_never(inside, outside):
    table = build(KEY, "names", inside)
    assert all(found(table, value) == 1 for value in inside)
    assert not any(found(table, value) for value in set(outside) - set(inside))
    assert np.count_nonzero(table.rows.any(axis=1)) == len(inside)


def test_a_list_as_full_as_lists_may_be_is_placed():
    members = [str(number).encode() for number in range(int(0.4 * (1 << 13)) - 1)]
    table = build(KEY, "names", members)
    assert table.domain == 13
    assert all(found(table, value) == 1 for value in members)


def test_an_empty_list_has_nobody():
    table = build(KEY, "names", [])
    assert not table.rows.any()
    assert not any(found(table, str(number).encode()) for number in range(1000))


def test_a_place_has_two_different_buckets_and_a_fingerprint():
    for number in range(2000):
        at = place(KEY, "names", 0, 7, str(number).encode())
        assert at.first != at.second
        assert len(at.fingerprint) == 16
        assert any(at.fingerprint)


def test_places_hang_on_key_name_salt_and_value():
    usual = (KEY, "names", 0, 12, b"value")
    others = [
        (b"k" * 32, *usual[1:]),
        (KEY, "name", 0, 12, b"value"),
        (KEY, "names", 1, 12, b"value"),
        (*usual[:4], b"valu"),
    ]
    assert len({place(*case).fingerprint for case in (usual, *others)}) == 5


def test_without_the_key_a_table_says_nothing_of_a_guess():
    table = build(KEY, "names", [b"boss@example.org"])
    assert found(table, b"boss@example.org") == 1
    assert found(table, b"boss@example.org", b"k" * 32) == 0


@pytest.mark.parametrize("key", [b"", b"short", bytes(31), bytes(33)])
def test_a_key_of_another_size_is_refused(key):
    with pytest.raises(AuthorityError, match="32 bytes"):
        place(key, "names", 0, 12, b"value")


def test_the_same_list_in_another_order_is_the_same_table():
    one, other = build(KEY, "names", [b"a", b"b", b"c"]), build(KEY, "names", [b"c", b"a", b"b", b"a"])
    assert one.salt == other.salt
    assert np.array_equal(one.rows, other.rows)


def test_values_that_can_not_sit_together_get_another_salt():
    """In a table of 128 buckets some lists have three values for two places: a salt is found that parts them."""
    salts = {build(KEY, "names", [f"{number} {at}".encode() for at in range(50)]).salt for number in range(60)}
    assert 0 in salts
    assert max(salts) > 0


def test_sizes_of_tables():
    assert [domain_for(count) for count in (0, 1, 51, 52, 1638, 1639)] == [7, 7, 7, 8, 12, 13]
    with pytest.raises(AuthorityError, match="too long"):
        domain_for(7_000_000)


@given(st.lists(st.binary(max_size=12), max_size=8), st.integers(0, 63), st.integers(1, 24), st.text(max_size=8))
def test_where_values_lie_follows_from_one_keyed_digest(some, salt, domain, name):
    points, fingerprints = places(KEY, name, salt, domain, some)
    assert (len(points), len(fingerprints)) == (2 * len(some), 16 * len(some))
    for number, value in enumerate(some):
        told = hashlib.blake2b(
            name.encode() + b"\0" + salt.to_bytes(2, "big") + value, key=KEY, digest_size=32, person=b"remit/table/v1"
        ).digest()
        first, second = (int.from_bytes(told[at : at + 8], "little") % (1 << domain) for at in (0, 8))
        wanted = (first, second ^ 1 if first == second else second, told[16:])
        assert place(KEY, name, salt, domain, value) == wanted
        assert (*points[2 * number : 2 * number + 2], fingerprints[16 * number : 16 * number + 16]) == wanted


def test_a_fingerprint_is_never_that_of_an_empty_bucket(monkeypatch):
    monkeypatch.setattr(cuckoo, "_digest", lambda _, value: value * 32)
    _, fingerprints = places(KEY, "names", 0, 12, [b"\0", b"\2"])
    assert fingerprints == b"\1" * 16 + b"\2" * 16


def rows_of(table):
    """The rows of a table with something in place of tags."""
    drawn = np.random.default_rng(1).integers(0, 2**63, (len(table.rows), 2), dtype=np.uint64)
    return np.concatenate((table.rows, drawn), axis=1)


@given(st.lists(st.tuples(st.integers(7, 9), st.integers(0, 4)), max_size=4))
def test_answers_of_several_tables_are_those_of_each(wanted):
    asked = []
    for number, (domain, count) in enumerate(wanted):
        prepared = prepare(rows_of(build(KEY, f"list {number}", [b"a", b"b", b"c"], domain)))
        points = np.arange(count, dtype=np.int64) * 11 % (1 << domain)
        asked.append((prepared, make_batches(bytes([number] * 16), domain, points)[0]))
    together = answers(asked)
    assert len(together) == len(asked)
    for one, (prepared, batch) in zip(together, asked, strict=True):
        assert np.array_equal(one, answer(prepared, batch))


def test_a_table_that_is_too_small_is_refused():
    with pytest.raises(AuthorityError, match="needs a table"):
        build(KEY, "names", [str(number).encode() for number in range(100)], 7)
    assert build(KEY, "names", [b"x"], 12).domain == 12


@given(st.data())
@settings(max_examples=40)
def test_answers_are_plain_sums_for_groups_of_any_size(data):
    domain = data.draw(st.integers(7, 11))
    rows = rows_of(build(KEY, "names", data.draw(st.lists(st.binary(min_size=1, max_size=4), max_size=20)), domain))
    points = data.draw(st.lists(st.integers(0, (1 << domain) - 1), max_size=6))
    batches = make_batches(bytes(16), domain, np.array(points, dtype=np.int64))
    together = {}
    for size in (8, 4, 2):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(answering, "_TOGETHER", ((24, size),))
            together[size] = [answer(prepare(rows), batch) for batch in batches]
    for party, batch in enumerate(batches):
        chosen = np.unpackbits(expand(batch), axis=1, bitorder="little").astype(bool)
        plain = np.array([np.bitwise_xor.reduce(rows[row], axis=0) for row in chosen], dtype=np.uint64).reshape(-1, 4)
        for size in (8, 4, 2):
            assert np.array_equal(together[size][party], plain)
    assert np.array_equal(together[8][0] ^ together[8][1], rows[points].reshape(-1, 4))


def test_tags_are_of_key_program_epoch_table_place_and_content():
    bound = Bound("sha256:1", 1, "names", 0, 9)
    points, contents = np.array([5]), np.array([[1, 2]], dtype=np.uint64)
    right = tags(KEY, bound, points, contents)
    others = [
        tags(b"other" * 6, bound, points, contents), tags(KEY, bound, points + 1, contents), tags(KEY, bound, points, contents + np.uint64(1)),
        *(tags(KEY, bound._replace(**{name: value}), points, contents)
          for name, value in (("program", "sha256:2"), ("epoch", 2), ("table", "other"), ("salt", 1), ("domain", 10))),
    ]  # fmt: skip
    assert len({int(one[0]) for one in (right, *others)}) == 9
    assert tags(KEY, bound, np.arange(3), np.zeros((3, 2), dtype=np.uint64)).tolist() == [
        int(tags(KEY, bound, np.array([place]), np.zeros((1, 2), dtype=np.uint64))[0]) for place in range(3)
    ]


def test_a_batch_for_a_table_of_another_size_is_refused():
    prepared = prepare(rows_of(build(KEY, "names", [b"x"], 9)))
    for domain in (8, 10):
        with pytest.raises(AuthorityError, match="another size"):
            answer(prepared, make_batches(bytes(16), domain, np.array([1]))[0])
