"""Snapshots of what reversible calls change, so that they can be undone."""

from remit.guard.snapshots.entry import Entry, Kind, Limits, NotKept, Refused, names_repository
from remit.guard.snapshots.reach import names_one, reach
from remit.guard.snapshots.record import Snapshot
from remit.guard.snapshots.store import Restored, Store

__all__ = [
    "Entry", "Kind", "Limits", "NotKept", "Refused", "Restored", "Snapshot", "Store", "names_one", "names_repository",
    "reach",
]  # fmt: skip
