"""Snapshots of what reversible calls change, so that they can be undone."""

from remit.guard.undo.snapshot import Kind, Limits, NotKept, Snapshot, names_repository
from remit.guard.undo.snapshot_store import LINKS, Restored, Store

__all__ = ["LINKS", "Kind", "Limits", "NotKept", "Restored", "Snapshot", "Store", "names_repository"]
