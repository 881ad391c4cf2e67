"""Counterexample sessions as text: where a session begins, its steps, and where it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.proof.counterexample import Counterexample, SessionStart
from remit.report.screen import Screen, visible
from remit.report.wording import pad

if TYPE_CHECKING:
    from remit.core.location import Location

_HEAD = 8  # columns of `envelope`
_PLACES = 4  # steps that are shown, unless all are requested


def session_section(screen: Screen, sessions: Sequence[Counterexample], *, every: bool) -> Iterator[str]:
    """Return how a skill gets outside of its manifest: the shortest session, or every one."""
    shown = sessions if every else sessions[:1]
    more = f" (1 of {len(sessions)}; -v shows all)" if len(shown) < len(sessions) else ""
    for number, session in enumerate(shown):
        yield ""
        if not number:
            title = screen.style("· how it gets there", "bold") + screen.style(more, "dim")
            yield from screen.wrap(title, 2, 0)
        yield from _session(screen, session, every=every)


def _session(screen: Screen, session: Counterexample, *, every: bool) -> Iterator[str]:
    """Return one session: the envelope, the way through scripts, and the effect."""
    effect = session.effect
    yield from _line(screen, "envelope" if session.envelope else "hook", _first(session))
    if session.scripts:
        way = _way([*(script.started for script in session.scripts[1:]), *effect.path, effect.where])
        few = way if every or len(way) <= _PLACES + 1 else [way[0], "…", *way[1 - _PLACES :]]
        yield from _line(screen, "script", " → ".join(few))
    ends = f"{effect.capability} {effect.scope.render()}  {effect.why}"
    yield from _line(screen, "effect", f"{ends}, {session.reason}")


def _way(places: Sequence[Location]) -> list[str]:
    """Return locations in sequence; a file is named where it begins."""
    out: list[str] = []
    for number, place in enumerate(places):
        same = number > 0 and places[number - 1].file == place.file and place.line
        out.append(f":{place.line}" if same else str(place))
    return out


def _first(session: Counterexample) -> str:
    beginning = session.beginning
    command = f" `{beginning.command}`" if beginning.command else ""
    if session.envelope is None:
        return f"{beginning.where} runs by itself{command}"
    asked = " ".join((session.envelope.op, *session.envelope.args.values()))
    if beginning.how is SessionStart.UNPROMPTED:
        return f"{asked}, which no line names and nothing forbids"
    return f"{asked}, as {beginning.where} says{command}"


def _line(screen: Screen, head: str, text: str) -> Iterator[str]:
    first, *rest = screen.wrap(visible(text), _HEAD + 4)
    yield f"  {screen.style(pad(head, _HEAD), 'dim')}  {first.lstrip()}"
    yield from rest
