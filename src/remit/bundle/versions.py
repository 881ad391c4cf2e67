"""The versions admitted before, by name and signer: no downgrade, no other content under the same version, and no name
that belongs to another signer or imitates one.

Each signer has its own versions, so that none can use up those of another. A signer cannot take over a name that another has published
unless the trust root gives it that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle.names import covers, imitates
from remit.bundle.refusal import Refusal, refuse
from remit.bundle.store import transact
from remit.bundle.trust import TrustRoot, authority
from remit.manifest.version import parse_version

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime
    from pathlib import Path


ANYBODY = ""  # the signer of what was admitted before signers were kept


class Publication(NamedTuple):
    """A version of a skill, its signers, and the other signers in the trust root."""

    skill: str
    version: str
    content: str
    signers: tuple[str, ...]  # keyids
    others: Mapping[str, str]  # the other keys that count now: keyids, and what they are called
    patterns: tuple[str, ...] = ()  # names that the trust root gives to the signers
    reserved: tuple[tuple[str, str], ...] = ()  # and to the others: a pattern, and what the other is called


class Admitted(NamedTuple):
    """A row of the store: the newest version of a skill by one signer."""

    skill: str
    signer: str
    version: str
    content: str


def published(
    root: TrustRoot, skill: str, version: str, content: str, signers: tuple[str, ...], now: datetime
) -> Publication:
    """Return a publication, as a trust root sees it at a time."""
    counting = [key for key in root.keys if not isinstance(authority(root, key.keyid, now), Refusal)]
    others = [key for key in counting if key.keyid not in signers]
    return Publication(
        skill,
        version,
        content,
        signers,
        {key.keyid: key.authority.name for key in others},
        tuple(name for key in counting if key.keyid in signers for name in key.skills),
        tuple((name, key.authority.name) for key in others for name in key.skills),
    )


def check_version(folder: Path, new: Publication) -> Refusal | None:
    """Return why a version may not be accepted now, or None. Nothing is stored."""
    return transact(folder, lambda store: judge(_rows(store), new))


def record_version(folder: Path, new: Publication) -> Refusal | None:
    """Store an accepted version; it is judged again in the same transaction, since another process may have been faster."""

    def work(store: sqlite3.Connection) -> Refusal | None:
        why = judge(_rows(store), new)
        if why is None:
            rows = [Admitted(new.skill, signer, new.version, new.content) for signer in new.signers]
            store.execute("DELETE FROM seen WHERE skill = ? AND signer = ?", (new.skill, ANYBODY))
            store.executemany("INSERT OR REPLACE INTO seen (skill, signer, version, content) VALUES (?, ?, ?, ?)", rows)
        return why

    return transact(folder, work)


def _rows(store: sqlite3.Connection) -> list[Admitted]:
    return [Admitted(*row) for row in store.execute("SELECT skill, signer, version, content FROM seen")]


def judge(rows: Iterable[Admitted], new: Publication) -> Refusal | None:
    """Return why a version may not follow earlier ones, or None."""
    numbers = parse_version(new.version)
    if numbers is None:
        return refuse("version-unreadable", f"`{new.version[:80]}` is not a version")
    rows = list(rows)
    own = [row for row in rows if row.skill == new.skill and row.signer in (*new.signers, ANYBODY)]
    if not any(row.signer for row in own) and (why := _foreign_name(rows, new)):
        return why
    for row in own:
        newest = parse_version(row.version)
        if newest is None:
            return refuse("store-unusable", f"the store says that `{row.version[:80]}` is a version")
        if numbers < newest:
            reason = f"version {new.version} of `{new.skill}` is older than {row.version}, which was accepted"
            return refuse("version-replayed", reason)
        if numbers == newest and new.content != row.content:
            return refuse("version-reused", f"version {new.version} of `{new.skill}` was accepted with other content")
    return None


def _foreign_name(rows: Iterable[Admitted], new: Publication) -> Refusal | None:
    """Return why signers may not use a name new to them: another signer has it, or one like it. The trust root can
    assign it to them.
    """
    theirs = [(row.skill, new.others[row.signer]) for row in rows if row.signer in new.others]
    if not covers(new.patterns, new.skill):
        for name, other in theirs:
            if name == new.skill:
                return refuse("name-taken", f"`{name}` was published by `{other}`")
    if new.skill not in new.patterns:
        for name, other in (*theirs, *new.reserved):
            if imitates(new.skill, name) and not covers(new.patterns, name):
                return refuse("name-lookalike", f"`{new.skill}` looks like `{name}` of `{other}`")
    return None
