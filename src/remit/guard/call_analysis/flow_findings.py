"""Two data-flow rules over everything that passed through the hooks.

(a) A value from a secret does not leave; what only one skill may read, another skill does not send. (b) A destination
is named by the user, by the manifest of the skill on whose behalf the call is made, or by the workspace's
configuration: not only by the text of a skill or the result of a tool, and not by nothing at all.

A finding is a reason to ask, and its sentence says why. More words of the user never lead to more findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.guard.session.followed_values import find
from remit.guard.session.provenance import Index, is_named, origins
from remit.guard.session.source import AuthorKind, Source

if TYPE_CHECKING:
    from remit.guard.call_analysis.destinations import Destination


class Rule(StrEnum):
    """The rule that is broken."""

    VALUE = "value"  # (a)
    UNCHECKED = "unchecked"  # (a) could not be checked
    DESTINATION = "destination"  # (b)


class FlowFinding(NamedTuple):
    """A reason to ask. It names sources and destinations, never a value."""

    rule: Rule
    reason: str
    sources: tuple[Source, ...] = ()
    destination: Destination | None = None


def flow(
    index: Index, destinations: Iterable[Destination], outgoing: str, whose: Iterable[str] | None = None
) -> tuple[FlowFinding, ...]:
    """Return the findings about a call that sends `outgoing` to these destinations.

    `whose` are the skills on whose behalf the call is made. None: the destinations of all manifests count.
    """
    places = tuple(dict.fromkeys(destinations))
    skills = None if whose is None else frozenset(whose)
    return (*_values(index, places, outgoing, skills or frozenset()), *_unnamed(index, places, skills))


def _values(
    index: Index, places: tuple[Destination, ...], outgoing: str, whose: frozenset[str]
) -> Iterator[FlowFinding]:
    to = f"`{places[0].value}`" if places else "an unknown destination"
    found = find(index.followed, outgoing)
    for source in found.sources:
        if source.kind is AuthorKind.SECRET:
            reason = f"a value that was read from {described(source)} would be sent to {to}"
            yield FlowFinding(Rule.VALUE, reason, (source,), places[0] if places else None)
        elif source.name not in whose:
            reason = f"{described(source)} would be sent to {to} for another skill"
            yield FlowFinding(Rule.VALUE, reason, (source,), places[0] if places else None)
    if not found.complete:
        yield FlowFinding(Rule.UNCHECKED, "the text is too large to be searched for secrets")
    if index.followed.full and outgoing:
        yield FlowFinding(Rule.UNCHECKED, "more secrets were read in this session than can be followed")


def _unnamed(index: Index, places: tuple[Destination, ...], whose: frozenset[str] | None) -> Iterator[FlowFinding]:
    for place in places:
        token = place.token(index.home)
        if is_named(index, token, whose):
            continue
        sources = tuple(sorted(origins(index, token), key=str))
        comes = f"comes only from {', '.join(map(described, sources[:3]))}" if sources else "has no known origin"
        reason = f"the {place.kind} `{place.value}` {comes}: it is not named by you, the manifest or the configuration of the workspace"
        yield FlowFinding(Rule.DESTINATION, reason, sources, place)


_CALLED = {
    AuthorKind.USER: "the user",
    AuthorKind.MANIFEST: "the manifest of another skill,",
    AuthorKind.WORKSPACE: "the workspace's configuration",
    AuthorKind.SKILL: "the text of the skill",
    AuthorKind.TOOL: "the result of",
    AuthorKind.SECRET: "the secret",
    AuthorKind.HELD: "what was read by the right of the skill",
}


def described(source: Source) -> str:
    """Describe a source for a sentence."""
    if not source.name:
        return "a tool's result" if source.kind is AuthorKind.TOOL else _CALLED[source.kind]
    return f"{_CALLED[source.kind]} `{source.name}`"
