"""`remit undo`: shows what calls changed, asks, and restores it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import UsageError
from remit.guard.state_folder import checked, state_folder
from remit.guard.undo import Snapshot, Store
from remit.report.screen import Screen
from remit.report.undo_view import plan_lines, restored_lines, snapshot_line

if TYPE_CHECKING:
    import argparse


def undo(args: argparse.Namespace) -> int:
    """Run the command."""
    screen = Screen.of(sys.stdout, "auto")
    store = _store(args)
    if args.list:
        screen.write([snapshot_line(one, _moment(one)) for one in store.all(args.session)])
        return 0
    chosen = _chosen(store, args)
    for one in chosen:
        screen.write([snapshot_line(one, _moment(one)), *plan_lines(one, store.plan(one.ident, force=args.force))])
    if args.dry_run:
        return 0
    if not args.yes and not _agreed():
        return 1
    kept = False
    for one in chosen:
        done = store.restore(one.ident, force=args.force)
        kept = kept or bool(done.refused)
        screen.write(restored_lines(done))
    return 1 if kept else 0


def _store(args: argparse.Namespace) -> Store:
    places = checked(Path(args.state) if args.state else state_folder())
    if not places.snapshots.exists():
        raise UsageError("there is nothing that could be undone", "snapshots are taken while the guard runs")
    return Store(places.snapshots)


def _chosen(store: Store, args: argparse.Namespace) -> tuple[Snapshot, ...]:
    """Return the requested snapshots, the newest first."""
    found = [one for one in store.all(args.session) if not one.restored or one.ident in store.unfinished()]
    if not args.call:
        found = [one for one in found if not one.redoes]  # what an undo replaced is only restored by its own name
    else:
        found = [one for one in found if args.call in (one.call, one.ident)]
    if not found:
        raise UsageError("there is nothing to undo", "`remit undo --list` shows what was kept")
    return tuple(found if args.session or args.call else found[:1])


def _agreed() -> bool:
    """Whether a person says yes; without a terminal the answer is no."""
    if not sys.stdin.isatty():
        raise UsageError("no person can be asked", "say --yes, or --dry-run to look only")
    return input("put this back? [y/N] ").strip().lower() in {"y", "yes"}


def _moment(one: Snapshot) -> str:
    return datetime.fromtimestamp(one.taken / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S")
