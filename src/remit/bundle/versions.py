"""No older version of a skill than the newest that was accepted, and no other content under the same version.

Versions are kept by the name of the skill, whoever signed: were they kept by signer, an old version that another set of
keys has signed would be new again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.bundle.store import transact
from remit.bundle.why import refuse

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from remit.bundle.why import Why

_VERSION = re.compile(r"(?:0|[1-9][0-9]{0,17})(?:\.(?:0|[1-9][0-9]{0,17})){0,9}", re.ASCII)


def parse_version(text: str) -> tuple[int, ...] | None:
    """The numbers of a version, without zeros at the end (`1.0` is `1`); None if it is made of anything else."""
    if not _VERSION.fullmatch(text):
        return None
    numbers = [int(part) for part in text.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def check_version(folder: Path, skill: str, version: str, content: str) -> Why | None:
    """Why a version may not be accepted now; None if it may. Nothing is remembered."""
    return transact(folder, lambda store: _judge(store, skill, version, content))


def record_version(folder: Path, skill: str, version: str, content: str) -> Why | None:
    """Remember a version that was accepted; judged again in the same step, since another process may have been faster."""

    def work(store: sqlite3.Connection) -> Why | None:
        why = _judge(store, skill, version, content)
        if why is None:
            row = (skill, version, content)
            store.execute("INSERT OR REPLACE INTO seen (skill, version, content) VALUES (?, ?, ?)", row)
        return why

    return transact(folder, work)


def _judge(store: sqlite3.Connection, skill: str, version: str, content: str) -> Why | None:
    numbers = parse_version(version)
    if numbers is None:
        return refuse("version-unreadable", f"`{version[:80]}` is not a version")
    row = store.execute("SELECT version, content FROM seen WHERE skill = ?", (skill,)).fetchone()
    if row is None:
        return None
    newest, accepted = parse_version(row[0]), row[1]
    if newest is None:
        return refuse("store-unusable", f"the store says that `{row[0][:80]}` is a version")
    if numbers < newest:
        return refuse("version-replayed", f"version {version} of `{skill}` is older than {row[0]}, which was accepted")
    if numbers == newest and content != accepted:
        return refuse("version-reused", f"version {version} of `{skill}` was accepted with other content")
    return None
