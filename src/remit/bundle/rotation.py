"""Rotation of trust roots: keys of one root sign its successor. The first accepted root is stored; afterwards only
signed successors are accepted.

The signatures are beside a trust root (`ROOT.sigs`): one envelope a line, each with a whole trust root.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle import dsse
from remit.bundle.files import read_small
from remit.bundle.refusal import Refusal, refuse
from remit.bundle.store import transact
from remit.bundle.trust import TrustRoot, authority
from remit.bundle.trust_read import parse_trust_root
from remit.bundle.trust_write import root_bytes, root_digest
from remit.core.errors import BundleError, TrustError

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime
    from pathlib import Path

    from remit.bundle.keys import PrivateKey

MAX_CHAIN = 1_000
SUFFIX = ".sigs"


class How(StrEnum):
    """Why a trust root is accepted."""

    FIRST = "first"  # nothing was remembered
    SAME = "same"  # it is the one that is remembered
    ROTATED = "rotated"  # a signed successor of it
    ACCEPTED = "accepted"  # a person said so


class Pinned(NamedTuple):
    """The stored trust root."""

    version: int
    digest: str
    how: How


def sign_root(root: TrustRoot, keys: Sequence[PrivateKey]) -> dsse.Envelope:
    """Sign a trust root as the successor of the one before it."""
    return dsse.sign(dsse.TRUST_ROOT, root_bytes(root), keys)


def signed_root(envelope: dsse.Envelope) -> TrustRoot:
    """Return the trust root in an envelope, without checking the signatures."""
    return parse_trust_root(envelope.payload, "the signed trust root")


def successor(old: TrustRoot, envelope: dsse.Envelope, now: datetime) -> TrustRoot | Refusal:
    """Return the next trust root, if enough keys of the old one have signed it."""
    # (1) It is a trust root, and the next one.
    if envelope.payload_type != dsse.TRUST_ROOT:
        return refuse("root-unsigned", "the signed document is not a trust root")
    new = signed_root(envelope)
    if new.version != old.version + 1:
        return refuse("root-version", f"version {new.version} does not follow version {old.version}")
    # (2) The signatures that hold, of keys that the old root lets sign, and that are valid now.
    held = dsse.verify(envelope, {keyid: old.public_keys[keyid] for keyid in old.roots}).held
    valid = [keyid for keyid in held if not isinstance(authority(old, keyid, now), Refusal)]
    # (3) Enough of them. A root that names no keys has no successor.
    if len(valid) < old.root_threshold:
        return refuse(
            "root-unsigned", f"{len(valid)} of {old.root_threshold} signatures on version {new.version} count"
        )
    return new


def follow(pinned: TrustRoot, given: TrustRoot, chain: Sequence[dsse.Envelope], now: datetime) -> How | Refusal:
    """Return whether signed successors lead from the stored trust root to the given one."""
    wanted = root_digest(given)
    if wanted == root_digest(pinned):
        return How.SAME
    if given.version < pinned.version:
        return refuse("root-rolled-back", f"version {given.version} is given, version {pinned.version} was accepted")
    current = pinned
    for envelope in chain:
        if signed_root(envelope).version <= current.version:
            continue
        found = successor(current, envelope, now)
        if isinstance(found, Refusal):
            return found
        current = found
        if root_digest(current) == wanted:
            return How.ROTATED
    return refuse("root-changed", f"no signatures lead from version {pinned.version} that was accepted to this one")


def pin(
    folder: Path, given: TrustRoot, chain: Sequence[dsse.Envelope], now: datetime, *, remember: bool = True
) -> Pinned | Refusal:
    """Accept and store a trust root, if it is the first, the stored one, or a signed successor.

    `remember` must be False for any time but the present.
    """

    def work(store: sqlite3.Connection) -> Pinned | Refusal:
        old = _remembered(store)
        if isinstance(old, Refusal):
            return old
        how = How.FIRST if old is None else follow(old, given, chain, now)
        if isinstance(how, Refusal):
            return how
        return _remember(store, given, how) if remember else Pinned(given.version, root_digest(given), how)

    return transact(folder, work)


def accept(folder: Path, given: TrustRoot) -> Pinned | Refusal:
    """Store a trust root because a person confirmed it, whatever was stored before."""
    return transact(folder, lambda store: _remember(store, given, How.ACCEPTED))


def _remembered(store: sqlite3.Connection) -> TrustRoot | Refusal | None:
    row = store.execute("SELECT version, digest, root FROM pin").fetchone()
    if row is None:
        return None
    try:
        root = parse_trust_root(row[2], "the remembered trust root")
    except TrustError as error:
        return refuse("store-unusable", error.message)
    if (root.version, root_digest(root)) != (row[0], row[1]):
        return refuse("store-unusable", "the remembered trust root is not the one that was accepted")
    return root


def _remember(store: sqlite3.Connection, root: TrustRoot, how: How) -> Pinned:
    pinned = Pinned(root.version, root_digest(root), how)
    if how is not How.SAME:
        row = (pinned.version, pinned.digest, root_bytes(root))
        store.execute("INSERT OR REPLACE INTO pin (one, version, digest, root) VALUES (1, ?, ?, ?)", row)
    return pinned


def read_signatures(path: Path) -> tuple[dsse.Envelope, ...]:
    """Read the signatures beside a trust root; none if there is no such file."""
    place = path.with_name(path.name + SUFFIX)
    if not os.path.lexists(place):
        return ()
    return read_chain(read_small(place, "the file of signatures", dsse.MAX_BYTES, BundleError), str(place))


def read_chain(data: bytes, file: str) -> tuple[dsse.Envelope, ...]:
    """Read the envelopes of a signature file."""
    lines = data.splitlines()
    if len(lines) > MAX_CHAIN:
        raise BundleError(f"{file}: more than {MAX_CHAIN} lines", "begin a new trust root")
    return tuple(
        dsse.read_envelope(line, f"{file}, line {number}", dsse.TRUST_ROOT) for number, line in enumerate(lines, 1)
    )


def render_chain(chain: Sequence[dsse.Envelope]) -> str:
    """Return the text of a signature file."""
    return b"".join(dsse.render_envelope(envelope) for envelope in chain).decode()
