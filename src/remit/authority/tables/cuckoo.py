"""A list as buckets of fingerprints: each value has two places, lies in one of them, and is known by 128 bits.

Places and fingerprint come from a keyed digest of table, salt and value. Who does not have the key can not look for a value
that meets another one's place, and one that does by chance has another fingerprint: it is not taken for a member.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf.keys import LARGEST, SMALLEST
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from remit.authority.dpf.blocks import Words

KEY_BYTES = 32
_FILLED = 0.4  # of the buckets at most: far below the half at which two places a value stop to suffice
_SALTS = 64
_MOVES = 500  # of values that give way to one another, before another salt is tried


class Place(NamedTuple):
    """Where a value may lie, and what lies there if it does."""

    first: int
    second: int
    fingerprint: bytes  # 16 bytes, never all zero


class Table(NamedTuple):
    """A list in its buckets. `rows`: (2**domain, 2) words; an empty bucket is zero."""

    name: str
    domain: int
    salt: int
    rows: Words


def place(key: bytes, name: str, salt: int, domain: int, value: bytes) -> Place:
    """Where a value lies in a table of this name, salt and size."""
    (first, second), fingerprint = places(key, name, salt, domain, (value,))
    return Place(int(first), int(second), fingerprint)


def places(key: bytes, name: str, salt: int, domain: int, values: Iterable[bytes]) -> tuple[NDArray[np.int64], bytes]:
    """The same for many values: both places of each, one after another, and the fingerprints one after another."""
    if len(key) != KEY_BYTES:  # an empty one would be no key at all
        raise AuthorityError(f"a table key has {KEY_BYTES} bytes", "let `remit up` make one")
    begun = hashlib.blake2b(
        name.encode() + b"\0" + salt.to_bytes(2, "big"), key=key, digest_size=32, person=b"remit/table/v1"
    )
    told = np.frombuffer(b"".join([_digest(begun, value) for value in values]), dtype="<u8").reshape(-1, 4)
    points = (told[:, :2] & np.uint64((1 << domain) - 1)).astype(np.int64)
    points[:, 1] ^= points[:, 0] == points[:, 1]
    fingerprints = told[:, 2:].copy()
    fingerprints[~fingerprints.any(axis=1)] = 0x0101010101010101
    return points.reshape(-1), fingerprints.tobytes()


def _digest(begun: hashlib.blake2b, value: bytes) -> bytes:
    whole = begun.copy()
    whole.update(value)
    return whole.digest()


def domain_for(count: int) -> int:
    """The bits of the smallest table that holds so many values."""
    domain = max(SMALLEST, int(count / _FILLED).bit_length())
    if domain > LARGEST:
        raise AuthorityError(f"a list of {count} values is too long", f"keep it below {int(_FILLED * (1 << LARGEST))}")
    return domain


def build(key: bytes, name: str, values: Iterable[bytes], domain: int | None = None) -> Table:
    """The table of these values; with a `domain`, of that size whether the list needs it or not."""
    members = sorted(set(values))
    least = domain_for(len(members))
    domain = least if domain is None else domain
    if domain < least:
        raise AuthorityError(f"the list `{name}` needs a table of {least} bits", "let the table be larger")
    for salt in range(_SALTS):
        points, prints = places(key, name, salt, domain, members)
        buckets = _placed(
            Place(first, second, prints[16 * number : 16 * number + 16])
            for number, (first, second) in enumerate(points.reshape(-1, 2).tolist())
        )
        if buckets is not None:
            rows = np.zeros((1 << domain, 2), dtype=np.uint64)
            for bucket, one in buckets.items():
                rows[bucket] = np.frombuffer(one.fingerprint, dtype="<u8")
            return Table(name, domain, salt, rows)
    raise AuthorityError(f"the list `{name}` does not fit in its table", "choose a larger table or another key")


def _placed(wanted: Iterable[Place]) -> dict[int, Place] | None:
    """A bucket for each value, or None if values gave way to one another for too long."""
    buckets: dict[int, Place] = {}
    for new in wanted:
        moving, bucket = new, new.first
        for _ in range(_MOVES):
            sitting = buckets.get(bucket)
            buckets[bucket] = moving
            if sitting is None:
                break
            moving, bucket = sitting, sitting.second if bucket == sitting.first else sitting.first
        else:
            return None
    return buckets
