"""Drafting again over a manifest that a person may have edited: what a person wrote stays, what a draft wrote is renewed.

A manifest keeps the digests of the entries that its draft wrote, and of each capability on each scope in them (`drafted`). An
entry that is not among them is a person's: it was changed or added by hand. A digest without its entry or scope is one that a
person changed or removed. It is not brought back: not on other lines, not among more scopes, not after a version of the skill
that did without it. What the skill needs beyond what the person left is added, and said.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import matches
from remit.core.digest import digest
from remit.core.scope import covers
from remit.manifest.identity import entry_digest
from remit.manifest.model import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.core.scope import Scope
    from remit.manifest.model import Manifest, Permission


class Updated(NamedTuple):
    """The new manifest, and what became of its entries."""

    manifest: Manifest
    kept: tuple[Permission, ...]  # a person's
    added: tuple[Permission, ...]
    dropped: tuple[Permission, ...]  # drafted earlier, and not needed any more
    withheld: tuple[Permission, ...]  # a person removed or changed them, so that they are not brought back


def marks(entries: Iterable[Permission]) -> tuple[str, ...]:
    """What is kept of entries that a draft wrote (`drafted`)."""
    return tuple(sorted(set(chain.from_iterable(_marks(entry) for entry in entries))))


def update(old: Manifest, new: Manifest) -> Updated:
    """Bring a manifest up to date with a new draft."""
    drafted = set(old.drafted)
    kept = tuple(entry for entry in old.permissions if entry_digest(entry) not in drafted)
    standing = {entry_digest(entry): entry for entry in old.permissions if entry_digest(entry) in drafted}
    gone = removed_from(old)
    fresh: list[Permission] = []
    withheld: list[Permission] = []
    for entry in new.permissions:
        left, removed = _parted(entry, gone)
        withheld += [removed] if removed else []
        if left and (rest := _beyond(left, kept)) is not None:
            fresh.append(rest)
    digests = {entry_digest(entry) for entry in fresh}
    return Updated(
        old._replace(
            permissions=(*kept, *fresh),
            skill_metadata=old.skill_metadata or new.skill_metadata,
            drafted=tuple(sorted({*marks(fresh), *marks(withheld), *gone})),
        ),
        kept,
        tuple(entry for entry in fresh if entry_digest(entry) not in standing),
        tuple(entry for digest, entry in standing.items() if digest not in digests),
        tuple(withheld),
    )


def removed_from(manifest: Manifest) -> set[str]:
    """The marks of what a draft wrote and a person changed or removed."""
    return set(manifest.drafted) - set(marks(manifest.permissions))


def left_of(entry: Permission, gone: set[str]) -> Permission | None:
    """A drafted entry without what a person removed of it."""
    return _parted(entry, gone)[0]


def _marks(entry: Permission) -> Iterable[str]:
    yield entry_digest(entry)
    yield from (_mark(entry, scope) for scope in entry.scopes)


def _mark(entry: Permission, scope: Scope) -> str:
    """The digest of a capability on one scope, granted or denied."""
    return digest([entry.capability, scope.render(), entry.effect is Decision.DENY])


def _parted(entry: Permission, gone: set[str]) -> tuple[Permission | None, Permission | None]:
    """A drafted entry without what a person removed of it, and that part."""
    if entry_digest(entry) in gone:
        return None, entry
    left = tuple(scope for scope in entry.scopes if _mark(entry, scope) not in gone)
    removed = tuple(scope for scope in entry.scopes if _mark(entry, scope) in gone)
    return entry._replace(scopes=left) if left else None, entry._replace(scopes=removed) if removed else None


def _beyond(entry: Permission, kept: Sequence[Permission]) -> Permission | None:
    """The part of a drafted entry that no entry of a person speaks of; None if there is none.

    A denial is never narrowed by a grant of a person in silence: the two stand beside each other, and a denial wins.
    """
    rivals = [other for other in kept if matches(other.capability, entry.capability)]
    if entry.effect is Decision.DENY:
        rivals = [other for other in rivals if other.effect is Decision.DENY]
    scopes = tuple(
        scope for scope in entry.scopes if not any(covers(held, scope) for other in rivals for held in other.scopes)
    )
    return entry._replace(scopes=scopes) if scopes else None
