"""Snapshots of what reversible calls change, so that they can be undone."""

from remit.guard.undo.snapshot import Entry, Kind, Limits, NotKept, Refused, Snapshot, names_repository
from remit.guard.undo.snapshot_store import LINKS, Restored, Store

__all__ = [
    "LINKS",
    "Entry",
    "Kind",
    "Limits",
    "NotKept",
    "Refused",
    "Restored",
    "Snapshot",
    "Store",
    "names_repository",
]
