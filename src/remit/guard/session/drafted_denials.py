"""Denials, and questions about packages and about files without a name, in a drafted manifest, as the guard treats them.

A draft denies what a skill only mentions, so that a person who reads it notices. That is no prohibition by a person: it
says that the skill asks for no such right, and without a right it has none anyway. It must not take from the user's own
work what the workspace allows to everybody. A denial stays if a person wrote or changed it, if the draft found the
place suspicious, or if it excludes something from what the manifest itself grants. A draft asks about every package;
the rules decide which of them are a question. It asks about all files where it cannot name one: what is neither
ordinary work in the workspace nor enforced by walls is a question anyway.
"""

from __future__ import annotations

from remit.core.capability import vocabulary
from remit.core.scope import ANY_SCOPE, overlaps
from remit.manifest.identity import entry_digest
from remit.manifest.model import SHOWN, Decision, Manifest, Permission


def without_drafted_denials(manifest: Manifest) -> Manifest:
    """Return a manifest without denials that only say that something is not asked for."""
    drafted = frozenset(manifest.drafted)
    granting = [entry for entry in manifest.permissions if entry.effect is not Decision.DENY]
    kept = tuple(
        entry
        for entry in manifest.permissions
        if not (_only_shown(entry, drafted) and not any(_meets(other, entry) for other in granting))
        and not _asks_about_anything(entry, drafted)
    )
    return manifest._replace(permissions=kept)


def _only_shown(entry: Permission, drafted: frozenset[str]) -> bool:
    return entry.effect is Decision.DENY and entry.fallback_msg == SHOWN and entry_digest(entry) in drafted


def _asks_about_anything(entry: Permission, drafted: frozenset[str]) -> bool:
    about = entry.capability == "package.install" or (entry.capability == "file.write" and entry.scopes == (ANY_SCOPE,))
    return about and entry.effect is Decision.CONFIRM and entry_digest(entry) in drafted


def _meets(one: Permission, other: Permission) -> bool:
    """Whether two entries may cover the same thing; a file may be source code."""
    return not _files(one).isdisjoint(_files(other)) and any(
        overlaps(scope, another) for scope in one.scopes for another in other.scopes
    )


def _files(entry: Permission) -> frozenset[str]:
    names = vocabulary().expand(entry.capability)
    return frozenset(f"file.{name[7:]}" if name.startswith("source.") else name for name in names)
