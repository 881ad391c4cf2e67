"""What a skill asks for now that its manifest does not speak of: neither granted nor denied there, and taken out by nobody.

A draft contains its skill, so that a skill that is as it was when its manifest was drafted asks for nothing more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import matches
from remit.core.scope import covers
from remit.manifest.draft.update import left_of, removed_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remit.core.scope import Scope
    from remit.manifest.model import Evidence, Manifest, Permission


class More(NamedTuple):
    """A capability on scopes that are not spoken of, and the place that asks for it, if one is new."""

    capability: str
    scopes: tuple[Scope, ...]
    place: Evidence | None


def outgrown(now: Manifest, manifest: Manifest, known: Iterable[Permission] = ()) -> tuple[More, ...]:
    """What a draft of a skill has beyond its manifest, and beyond entries that are `known` of it besides."""
    spoken = (*manifest.permissions, *known)
    seen = {(one.file, one.text) for entry in spoken for one in entry.evidence}
    gone = removed_from(manifest)
    return tuple(_more((left_of(entry, gone) for entry in now.permissions), spoken, seen))


def _more(
    entries: Iterable[Permission | None], spoken: tuple[Permission, ...], seen: set[tuple[str, str]]
) -> Iterator[More]:
    for entry in entries:
        if entry is None:
            continue
        held = [scope for other in spoken if matches(other.capability, entry.capability) for scope in other.scopes]
        scopes = tuple(scope for scope in entry.scopes if not any(covers(one, scope) for one in held))
        if scopes:
            yield More(
                entry.capability,
                scopes,
                next((one for one in entry.evidence if (one.file, one.text) not in seen), None),
            )
