"""Digests of the meaning of a manifest, independent of locations, evidence and order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.core.digest import digest
from remit.manifest.render import entry_value, manifest_value

if TYPE_CHECKING:
    from remit.manifest.model import Manifest, Permission


def entry_digest(entry: Permission) -> str:
    """Return the digest of one entry, without its evidence and its line."""
    return digest(_said(entry))


def manifest_digest(manifest: Manifest) -> str:
    """Return the digest of a manifest: its head, and its entries in any order, without the record of what was drafted."""
    head = manifest_value(manifest._replace(permissions=(), drafted=()))
    return digest(head | {"permissions": sorted(entry_digest(entry) for entry in manifest.permissions)})


def _said(entry: Permission) -> dict[str, Any]:
    ordered = entry._replace(
        scopes=tuple(sorted(entry.scopes, key=lambda scope: scope.render())),
        constraints=entry.constraints._replace(
            resource_scope=tuple(sorted(entry.constraints.resource_scope, key=lambda scope: scope.render())),
            denied_command_patterns=tuple(sorted(entry.constraints.denied_command_patterns)),
        ),
        evidence=(),
    )
    return entry_value(ordered)
