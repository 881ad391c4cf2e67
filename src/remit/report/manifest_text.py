"""A manifest in a few lines: what it allows, what it asks about, what it denies."""

from __future__ import annotations

from collections.abc import Iterator

from remit.core.capability import vocabulary
from remit.manifest.model import Decision, Manifest, Permission
from remit.report.screen import Screen, visible

_WORDS = {Decision.ALLOW: ("allows", "green"), Decision.CONFIRM: ("asks", "yellow"), Decision.DENY: ("denies", "red")}
_ENTRIES, _SCOPES = 8, 2  # entries that are named


def short_manifest(manifest: Manifest, screen: Screen) -> Iterator[str]:
    """Return one line for each decision, with the first entries that have it."""
    for decision, (word, style) in _WORDS.items():
        named = [_named(entry) for entry in manifest.permissions if _decision(entry) is decision]
        if not named:
            continue
        more = f" and {len(named) - _ENTRIES} more" if len(named) > _ENTRIES else ""
        text, *rest = screen.wrap(", ".join(named[:_ENTRIES]) + more, 10)
        yield f"  {screen.style(f'{word:8}', style)}{text.lstrip()}"
        yield from rest


def _decision(entry: Permission) -> Decision:
    return entry.decision(vocabulary().expand(entry.capability)[0])


def _named(entry: Permission) -> str:
    scopes = [scope.render() for scope in entry.scopes[:_SCOPES]]
    more = ", …" if len(entry.scopes) > _SCOPES else ""
    return visible(f"{entry.capability}({', '.join(scopes)}{more})" if scopes else entry.capability)
