"""Quoting tricks come out as what they do or as a doubt, and what they really do in a scratch folder was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guard_scratch import CANARIES, build, run, snapshot
from quoting_tricks import TRICKS

from each_row import each_row
from remit.core.scope import ROOT, PathScope, covers
from remit.core.scope.component import escape
from remit.guard.call_analysis.commands import Understanding, understand

if TYPE_CHECKING:
    from pathlib import Path


def _scope(path: Path) -> PathScope:
    return PathScope(ROOT, tuple(escape(part) for part in str(path).split("/") if part))


def _said(found: Understanding, capabilities: tuple[str, ...], path: Path) -> bool:
    return any(part.capability in capabilities and covers(part.scope, _scope(path)) for part in found.parts)


@each_row(("command", "expected"), TRICKS, ids=[command for command, _ in TRICKS])
def test_trick_is_seen_through_and_reality_was_said(command: str, expected: str, tmp_path: Path) -> None:
    root = tmp_path.resolve()
    place = build(root)
    found = understand(command, place, seconds=20)
    if expected == "doubt":
        assert found.doubts, found.parts
    else:
        capability, _, path = expected.partition(" ")
        assert _said(found, (capability,), root / path), (found.parts, found.doubts)
    before = snapshot(root)
    printed = run(command, place)
    after = snapshot(root)
    if found.doubts:
        return
    for name in before.keys() - after.keys():
        assert _said(found, ("file.delete", "file.write"), root / name), name
    for name in after:
        if before.get(name) != after[name]:
            if before.get(name) is not None and name == "outside/hard":
                continue  # a second name of a file: `path_patterns.py` looks for those
            assert _said(found, ("file.write",), root / name), name
    for name, canary in CANARIES.items():
        if canary in printed:
            assert _said(found, ("file.read",), root / name), name
