"""Snapshots of what reversible calls change, so that they can be undone."""

from remit.guard.undo.snapshot import Limits, NotKept, PathKind, Snapshot, Tree, names_repository
from remit.guard.undo.snapshot_store import ADOPTED, LINKS, Restored, Store

__all__ = [
    "ADOPTED",
    "LINKS",
    "Limits",
    "NotKept",
    "PathKind",
    "Restored",
    "Snapshot",
    "Store",
    "Tree",
    "names_repository",
]
