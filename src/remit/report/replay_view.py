"""Replayed sessions, for people and as JSON (`remit schema replay` describes the form)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from remit.core.counting import counted
from remit.proof.replay import Replay, ReplayResult
from remit.proof.session_form import session_value
from remit.report.screen import Screen, visible
from remit.report.wording import pad

_STYLE = {ReplayResult.STANDS: "bad", ReplayResult.UNKNOWN: "bad", ReplayResult.GONE: "green"}
_MEANS = {
    ReplayResult.STANDS: "still leads outside of the manifest",
    ReplayResult.UNKNOWN: "a step is gone, but a file on the path is not understood, so the result is unknown",
    ReplayResult.GONE: "no longer leads there",
}
_NAME = 9  # columns of the name of a step


def as_text(screen: Screen, skill: str, replays: Sequence[Replay], *, quiet: bool = False) -> Iterator[str]:
    """Return each session step by step, and the overall result."""
    for item in replays if not quiet else ():
        effect = item.session.effect
        head = f"{effect.capability} {effect.scope.render()}: {item.standing}, {_MEANS[item.standing]}"
        yield from (screen.style(line, _STYLE[item.standing]) for line in screen.wrap(visible(head), 2, 0))
        for link in item.links:
            mark = screen.style("holds", "dim") if link.holds else screen.style("gone ", "green")
            first, *rest = screen.wrap(visible(link.text), _NAME + 11)
            yield f"  {mark}  {pad(link.name, _NAME)}  {first.lstrip()}"
            yield from rest
        yield ""
    counts = {standing: sum(item.standing is standing for item in replays) for standing in ReplayResult}
    several = {ReplayResult.STANDS: "stand"}
    said = ", ".join(
        counted(number, standing, several.get(standing, standing)) for standing, number in counts.items() if number
    )
    yield screen.style(f"{visible(skill)}: {counted(len(replays), 'session')}, {said}", "bold")


def as_json(skill: str, replays: Sequence[Replay]) -> dict[str, Any]:
    """Return all sessions with their steps."""
    return {
        "skill": skill,
        "stands": any(item.standing is not ReplayResult.GONE for item in replays),
        "sessions": [
            {
                "standing": str(item.standing),
                "links": [{"name": link.name, "holds": link.holds, "text": link.text} for link in item.links],
                "session": session_value(item.session),
            }
            for item in replays
        ],
    }
