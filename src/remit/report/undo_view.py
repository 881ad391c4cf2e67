"""Output of `remit undo`. Paths are chosen by calls: they are escaped before they reach a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.core.counting import counted

if TYPE_CHECKING:
    from remit.guard.undo import Restored, Snapshot
    from remit.guard.undo.plan import Plan
    from remit.guard.undo.snapshot import SkippedPath

SHOWN = 40


def snapshot_line(snapshot: Snapshot, when: str) -> str:
    """Return one snapshot on one line."""
    state = (
        "undone" if snapshot.restored else "redo" if snapshot.redoes else "open" if snapshot.left is None else "kept"
    )
    roots = ", ".join(map(plain, snapshot.roots[:3])) + (" …" if len(snapshot.roots) > 3 else "")
    return f"{when}  {state:6}  {plain(snapshot.ident)}  session {plain(snapshot.session) or '-'}  {roots}"


def plan_lines(snapshot: Snapshot, plan: Plan) -> list[str]:
    """Return what would be done: `-` a file that is removed, `+` one that comes back, `~` one that gets its old
    content, mode or time.
    """
    made = dict(plan.make)
    lines = []
    for path in plan.paths:
        gone, back = path in plan.remove, path in made
        sign = "-" if gone and not back else "+" if back and _is_missing(snapshot, path) else "~"
        lines.append(f"  {sign} {plain(path)}")
    return [*_first(lines), *_kept(plan.refused)] or ["  everything is as it was before"]


def restored_lines(restored: Restored) -> list[str]:
    """Return what was done."""
    return [f"{counted(len(restored.done), 'path')} put back", *_kept(restored.refused)]


def plain(text: str) -> str:
    """Return a text without characters that could steer a terminal or break a line."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text
    )


def _is_missing(snapshot: Snapshot, path: str) -> bool:
    return snapshot.left is not None and (path not in snapshot.left or snapshot.left[path].kind == "absent")


def _kept(refused: Iterable[SkippedPath]) -> list[str]:
    return _first([f"  ! {plain(item.path)} stays: {item.reason}" for item in refused])


def _first(lines: list[str]) -> list[str]:
    return lines if len(lines) <= SHOWN else [*lines[:SHOWN], f"  … and {len(lines) - SHOWN} more"]
