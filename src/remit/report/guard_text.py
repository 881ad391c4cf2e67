"""Where the guard is installed and which bypasses are open, as text."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator, Sequence

from remit.core.counting import counted
from remit.guard.install.model import Change, HookStatus, Lock, Trap
from remit.guard.install.settings_file import backup_of
from remit.report.screen import visible

_WIDTH = 110
_SAID = {Lock.CLOSED: "closed", Lock.OPEN: "OPEN", Lock.OUTSIDE: "outside"}


def change_lines(host: str, action: str, changes: Sequence[Change], *, dry: bool) -> Iterator[str]:
    """Return what was changed, or would be."""
    if not changes:
        yield f"{host}: the guard {'is installed already' if action == 'install' else 'is not installed'}"
        return
    if not dry:
        yield f"{host}: the guard is {'installed' if action == 'install' else 'uninstalled'}"
    for change in changes:
        if dry:
            yield from _difference(change)
            continue
        what = "created" if change.before is None else "removed" if change.after is None else "changed"
        kept = change.before is not None and not change.forget
        yield f"  {visible(str(change.path))}: {what}" + (f"; as it was: {backup_of(change.path).name}" if kept else "")
    if action == "install" and not dry:
        yield f"next: remit guard doctor {host}"


def _difference(change: Change) -> Iterator[str]:
    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in (change.before, change.after))
    name = str(change.path)
    for line in difflib.unified_diff(before, after, name, name, lineterm=""):
        yield visible(line.replace("\t", "    "))


def standing_lines(host: str, places: Sequence[HookStatus]) -> Iterator[str]:
    """Return where the guard is called in one host."""
    asked = any(not place.missing for place in places)
    yield f"{host}: {'the guard is active' if asked else 'the guard is not active'}"
    for place in places:
        if place.problem:
            said = place.problem
        elif not place.events:
            said = "not installed"
        elif place.missing:
            said = f"not called at {', '.join(place.missing)}"
        else:
            said = f"called at {counted(len(place.events), 'event')}"
        yield f"  {place.place:<8} {visible(str(place.path))}: {visible(said)}"


def trap_lines(host: str, traps: Sequence[Trap]) -> Iterator[str]:
    """Return every bypass with what to do, and the sum."""
    wide = max((len(trap.id) for trap in traps), default=0)
    yield host
    for trap in traps:
        lead = f"  {_SAID[trap.lock]:<8} {trap.id:<{wide}}  "
        yield from _wrapped(lead, visible(trap.detail))
        if trap.lock is not Lock.CLOSED:
            yield from _wrapped(" " * len(lead), trap.what)
            yield from _wrapped(" " * len(lead) + "→ ", trap.fix)
    count = {lock: sum(trap.lock is lock for trap in traps) for lock in Lock}
    yield f"{counted(len(traps), 'trap')}: {', '.join(f'{number} {lock}' for lock, number in count.items() if number)}"


def _wrapped(lead: str, text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead), break_on_hyphens=False)
