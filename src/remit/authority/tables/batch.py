"""A list as a table, and the batch look-up of values in it: a single value, or all windows of a text.

Every entry of the list is stored in three rows, chosen by a keyed digest of it, and identified by 64 more bits of the digest. A row has
a fixed number of slots. The highest bits of a row's number are its bucket, so that one table serves batches of every size: a batch with
twice the buckets has buckets of half the rows.

The client assigns each of its values to one of the three buckets where such an entry would be, and each bucket at most one value
(cuckoo hashing). It asks for one row of every bucket, with a point function over that bucket alone: together the questions of a batch
span the table once, however many values there are. A bucket without a value is asked about a random row.

A batch that cannot be placed has no plan. The client then takes more buckets, or refuses: no value is ever left out.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf import LARGEST, SMALLEST
from remit.authority.dpf.blocks import Words, stream
from remit.authority.dpf.expand import expanded
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from remit.authority.dpf.keys import Batch

KEY_BYTES = 32
CHOICES = 3  # rows in which an entry is stored, one of which is asked for
_ENTRIES = 4  # in a row on average, at most: fewer take more memory, more take longer answers
_MOVES = 1000  # evictions after which a batch counts as impossible to place
_AT_ONCE = 1 << 14  # rows that are summed together, so that their selection stays in a processor's cache
_SALTS = 64
_RARE = 0.3  # rows of a table, on average, that overflow, so that it needs another salt
_NEVER_ZERO = np.uint64(0x0101010101010101)


class Table(NamedTuple):
    """A list as a table. `columns`: (slots, 2**domain) fingerprints, zero where none is."""

    name: str
    domain: int
    salt: int
    columns: Words


class Whereabouts(NamedTuple):
    """The client's parameters of a table: with them and a value it computes the possible rows."""

    key: bytes
    name: str
    salt: int
    domain: int


class Plan(NamedTuple):
    """The assignment of values to buckets: for each bucket one row, and the fingerprint to look for there (0: none)."""

    rows: NDArray[np.int64]  # (buckets,): row within its bucket
    wanted: Words  # (buckets,)


def capacity(bits: int) -> int:
    """Return how many values 2**bits buckets can hold: one in one bucket, else two thirds, for which placement almost
    never fails.
    """
    return max(1, (2 << bits) // 3)


def bits_for(count: int) -> int:
    """Return the bits of the smallest number of buckets with room for so many values."""
    bits = 0
    while capacity(bits) < count:
        bits += 1
    return bits


def domain_for(count: int, most_buckets: int) -> int:
    """Return the bits of a table for so many entries, whose batches use up to 2**most_buckets buckets."""
    domain = max(most_buckets, (CHOICES * count // _ENTRIES).bit_length(), SMALLEST)
    if domain > LARGEST:
        raise AuthorityError(f"a list of {count} entries is too long", "split it, or shorten it")
    return domain


def most_entries(domain: int) -> int:
    """Return the maximum number of entries of a table of this size."""
    return (_ENTRIES << domain) // CHOICES


def slots_for(count: int, domain: int) -> int:
    """Return the slots of a row for so many entries, chosen so that a table seldom needs another salt."""
    mean = CHOICES * count / (1 << domain)
    slots, at, below = 0, math.exp(-mean), math.exp(-mean)  # of a Poisson distribution: at `slots`, and up to it
    while (1 - below) * (1 << domain) > _RARE or slots < 2:
        slots += 1
        at *= mean / slots
        below += at
    return slots


def build(key: bytes, name: str, entries: Collection[bytes], domain: int, slots: int) -> Table:
    """Build the table of these entries; AuthorityError if it has no room for them."""
    members = sorted(set(entries))
    for salt in range(_SALTS):
        rows, fingerprints = _rows(Whereabouts(key, name, salt, domain), members)
        pairs = np.stack((rows.reshape(-1).astype(np.uint64), fingerprints.repeat(CHOICES)), axis=1)
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        fresh = np.ones(len(pairs), dtype=np.bool_)
        fresh[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)  # an entry may have one row twice
        where, content = pairs[fresh, 0].astype(np.int64), pairs[fresh, 1]
        counts = np.bincount(where, minlength=1 << domain)
        if int(counts.max()) <= slots:
            columns = np.zeros((slots, 1 << domain), dtype=np.uint64)
            columns[np.arange(len(where)) - (np.cumsum(counts) - counts)[where], where] = content
            return Table(name, domain, salt, columns)
    raise AuthorityError(f"the list `{name}` does not fit in its table of 2^{domain} rows", "let the table be larger")


def plan(at: Whereabouts, values: Collection[bytes], bits: int, seed: bytes) -> Plan | None:
    """Assign values to 2**bits buckets, or return None if they do not fit. Deterministic."""
    distinct = list(dict.fromkeys(values))
    if len(distinct) > capacity(bits):
        return None
    within = at.domain - bits
    if within < 0:
        raise AuthorityError("a batch has more buckets than its table has rows", "let the table be larger")
    rows, fingerprints = _rows(at, distinct)
    placed = _placed((rows >> within).tolist(), 1 << bits)
    if placed is None:
        return None
    asked = (stream(seed, 1 << bits)[:, 0] & np.uint64((1 << within) - 1)).astype(np.int64)
    wanted = np.zeros(1 << bits, dtype=np.uint64)
    for bucket, (number, choice) in placed.items():
        asked[bucket] = rows[number, choice] & ((1 << within) - 1)
        wanted[bucket] = fingerprints[number]
    return Plan(asked, wanted)


def key_domain(domain: int, bits: int) -> int:
    """Return the bits of the point functions for a table of 2**domain rows in 2**bits buckets: at least a leaf of the
    tree.
    """
    return max(SMALLEST, domain - bits)


def answer(columns: Words, batch: Batch) -> Words:
    """Return (buckets, words of a row): a server's shares of the selected rows. Every row is read, whatever the keys
    are.
    """
    buckets = len(batch.roots)
    within = columns.shape[1] // buckets if buckets else 0
    if not within or buckets & (buckets - 1) or batch.domain != max(SMALLEST, within.bit_length() - 1):
        raise AuthorityError("keys are for a table of another size", "ask with the servers' table sizes")
    out = np.empty((len(columns), buckets), dtype=np.uint64)
    for first, chosen in _chosen(batch, within):
        last = first + len(chosen)
        selected = np.negative(chosen, dtype=np.int64).view(np.uint64)
        for column, sums in zip(
            columns, out, strict=True
        ):  # one after another: what is picked stays in a processor's cache
            picked = column[first * within : last * within].reshape(-1, within) & selected
            np.bitwise_xor.reduce(picked, axis=1, out=sums[first:last])
    return np.ascontiguousarray(out.T)


def row_numbers(planned: Plan, domain: int) -> NDArray[np.int64]:
    """Return (buckets,): the number of the row that each bucket is asked for, by which the row is verified."""
    buckets = len(planned.rows)
    return np.arange(buckets) * ((1 << domain) // buckets) + planned.rows


def found(planned: Plan, contents: Words) -> NDArray[np.bool_]:
    """Return (buckets,): whether the value of a bucket is in the row that it returned: (buckets, slots)."""
    matches: NDArray[np.bool_] = (contents == planned.wanted[:, None]).any(axis=1)
    matches &= planned.wanted != 0
    return matches


def _chosen(batch: Batch, within: int) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """Yield for groups of buckets: the first one, and which rows each key selects, (buckets, rows) of 0 or 1."""
    step = max(1, _AT_ONCE // within)
    for some, leaves in expanded(batch):
        packed = leaves.transpose(1, 0, 2).reshape(leaves.shape[1], -1)
        for begin in range(0, len(packed), step):
            part = np.unpackbits(packed[begin : begin + step], axis=1, bitorder="little")
            yield some.start + begin, part[:, :within]


def _rows(at: Whereabouts, values: Sequence[bytes]) -> tuple[NDArray[np.int64], Words]:
    """Return (values, CHOICES) row numbers and (values,) fingerprints, from one keyed digest of each value."""
    if len(at.key) != KEY_BYTES:  # an empty one would be no key at all
        raise AuthorityError(f"a table key has {KEY_BYTES} bytes", "let `remit up` make one")
    told = at.name.encode() + b"\0" + at.salt.to_bytes(2, "big")
    begun = hashlib.blake2b(told, key=at.key, digest_size=32, person=b"remit/table/v2")
    digests = []
    for value in values:
        whole = begun.copy()
        whole.update(value)
        digests.append(whole.digest())
    words = np.frombuffer(b"".join(digests), dtype="<u8").reshape(-1, CHOICES + 1)
    fingerprints = words[:, CHOICES].copy()
    fingerprints[fingerprints == 0] = _NEVER_ZERO
    return (words[:, :CHOICES] >> np.uint64(64 - at.domain)).astype(np.int64), fingerprints


def _placed(buckets_of: list[list[int]], buckets: int) -> dict[int, tuple[int, int]] | None:
    """Return bucket -> (value, choice), or None if too many values were evicted."""
    owner: dict[int, tuple[int, int]] = {}
    for value, candidates in enumerate(buckets_of):
        free = next((choice for choice, bucket in enumerate(candidates) if bucket not in owner), None)
        moving, choice = value, free or 0
        for _ in range(_MOVES if free is None else 1):
            bucket = buckets_of[moving][choice]
            sitting = owner.get(bucket)
            owner[bucket] = (moving, choice)
            if sitting is None:
                break
            moving, choice = sitting[0], (sitting[1] + 1) % CHOICES
        else:
            return None
    assert len(owner) == len(buckets_of) <= buckets
    return owner
