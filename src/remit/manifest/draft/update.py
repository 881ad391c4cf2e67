"""Update of a manifest: what the skill asks for now that the manifest neither grants nor denies, and that no person
removed.

A draft contains its skill, so an unchanged skill asks for nothing more than when its manifest was drafted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from remit.core.capability import matches
from remit.core.digest import digest
from remit.core.scope import Scope, covers
from remit.manifest.identity import entry_digest
from remit.manifest.model import Decision, Evidence, Manifest, Metadata, Permission


class Updated(NamedTuple):
    """The new manifest, and the result for each of its entries."""

    manifest: Manifest
    kept: tuple[Permission, ...]  # a person's
    added: tuple[Permission, ...]
    dropped: tuple[Permission, ...]  # drafted earlier, and not needed any more
    withheld: tuple[Permission, ...]  # a person removed or changed them, so they are not restored


def marks(entries: Iterable[Permission]) -> tuple[str, ...]:
    """Return what is recorded about entries that a draft wrote (`drafted`)."""
    return tuple(sorted(set(chain.from_iterable(_marks(entry) for entry in entries))))


def update(old: Manifest, new: Manifest) -> Updated:
    """Update a manifest with a new draft."""
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
            skill_metadata=_metadata(old.skill_metadata, new.skill_metadata),
            drafted=tuple(sorted({*marks(fresh), *marks(withheld), *gone})),
        ),
        kept,
        tuple(entry for entry in fresh if entry_digest(entry) not in standing),
        tuple(entry for digest, entry in standing.items() if digest not in digests),
        tuple(withheld),
    )


def _metadata(old: Metadata | None, new: Metadata | None) -> Metadata | None:
    """Return the written metadata; a missing version is added."""
    return old._replace(version=old.version or new.version) if old and new else old or new


def removed_from(manifest: Manifest) -> set[str]:
    """Return the marks of what a draft wrote and a person changed or removed."""
    return set(manifest.drafted) - set(marks(manifest.permissions))


def left_of(entry: Permission, gone: set[str]) -> Permission | None:
    """Return a drafted entry without what a person removed of it."""
    return _parted(entry, gone)[0]


def _marks(entry: Permission) -> Iterable[str]:
    yield entry_digest(entry)
    yield from (_mark(entry, scope) for scope in entry.scopes)


def _mark(entry: Permission, scope: Scope) -> str:
    """Return the digest of a capability on one scope, granted or denied."""
    return digest([entry.capability, scope.render(), entry.effect is Decision.DENY])


def _parted(entry: Permission, gone: set[str]) -> tuple[Permission | None, Permission | None]:
    """Split a drafted entry into the part that a person left and the part that was removed."""
    if entry_digest(entry) in gone:
        return None, entry
    left = tuple(scope for scope in entry.scopes if _mark(entry, scope) not in gone)
    removed = tuple(scope for scope in entry.scopes if _mark(entry, scope) in gone)
    return entry._replace(scopes=left) if left else None, entry._replace(scopes=removed) if removed else None


def _beyond(entry: Permission, kept: Sequence[Permission]) -> Permission | None:
    """Return the part of a drafted entry that no entry of a person covers; None if there is none.

    A person's grant never silently narrows a denial: the two stand beside each other, and the denial wins.
    """
    rivals = [other for other in kept if matches(other.capability, entry.capability)]
    if entry.effect is Decision.DENY:
        rivals = [other for other in rivals if other.effect is Decision.DENY]
    scopes = tuple(
        scope for scope in entry.scopes if not any(covers(held, scope) for other in rivals for held in other.scopes)
    )
    return entry._replace(scopes=scopes) if scopes else None


class Growth(NamedTuple):
    """A capability on scopes that no entry covers, and a location that asks for it, if one is new."""

    capability: str
    scopes: tuple[Scope, ...]
    place: Evidence | None


def find_growth(now: Manifest, manifest: Manifest, known: Iterable[Permission] = ()) -> tuple[Growth, ...]:
    """Return what a draft of a skill has beyond its manifest, and beyond further entries that are `known` of it."""
    spoken = (*manifest.permissions, *known)
    seen = {(one.file, one.text) for entry in spoken for one in entry.evidence}
    gone = removed_from(manifest)
    return tuple(_more((left_of(entry, gone) for entry in now.permissions), spoken, seen))


def _more(
    entries: Iterable[Permission | None], spoken: tuple[Permission, ...], seen: set[tuple[str, str]]
) -> Iterator[Growth]:
    for entry in entries:
        if entry is None:
            continue
        held = [scope for other in spoken if matches(other.capability, entry.capability) for scope in other.scopes]
        scopes = tuple(scope for scope in entry.scopes if not any(covers(one, scope) for one in held))
        if scopes:
            yield Growth(
                entry.capability,
                scopes,
                next((one for one in entry.evidence if (one.file, one.text) not in seen), None),
            )
