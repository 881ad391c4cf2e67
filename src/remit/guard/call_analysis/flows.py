"""Destinations of a call and the tracked values that would leave with it: facts for the rules.

Two data-flow rules hold over everything that passed through the hooks. (a) A value from a secret does not leave; what
only one skill may read, another skill does not send. (b) A destination is named by the user, by the manifest of the
skill on whose behalf the call is made, or by the workspace's configuration: not only by the text of a skill or the
result of a tool, and not by nothing at all. More words of the user never lead to more findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import Change, vocabulary
from remit.core.digest import digest
from remit.core.scope import ANY_SCOPE, HostScope, PathScope, Scope, SymbolScope
from remit.core.text_views import views
from remit.core.via import Cause
from remit.guard.call_analysis.destinations import (
    Destination,
    DestinationKind,
    addressees,
    destinations,
    fetch_options,
    of_remotes,
)
from remit.guard.call_analysis.outgoing_text import NOTHING, outgoing_text
from remit.guard.paths import file_scope, fixed_start, folder_scope
from remit.guard.rules.model import Action, Hit
from remit.guard.session.followed_values import find as followed
from remit.guard.session.provenance import AuthorKind, Index, Source, is_named, origins
from remit.guard.session.tokens import Token, TokenKind
from remit.policy.dlp.scan import find
from remit.policy.dlp.severity import Severity
from remit.policy.judge import RUNS

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.call_analysis.requests import CallRequests
    from remit.guard.session.layered_map import LayeredMap
    from remit.guard.session.state import SessionState
    from remit.policy.request import Request

_OUTBOUND = frozenset(
    "web.fetch web.post web.interact api.call net.connect message.send publish commit.push pay tool.invoke".split()
)
_SENDS = _OUTBOUND - {"web.fetch", "commit.push"}  # what goes out may be addressed to someone
_LATER = frozenset({"commit.create"})  # its content leaves with the next push, which does not show it
_READS = frozenset({"file.read", "secret.read", "env.read", "commit.read", "memory.read", "profile.read"})
_MOST_ADDRESSEES = 1000
_SEARCHED = 2_000_000  # characters of outgoing text
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})  # what is sent there stays on this machine


class Flows(NamedTuple):
    """The destinations of a call, and on whose behalf it is made."""

    facts: tuple[tuple[str, Hit], ...] = ()  # facts for rules, each with its rule
    speaker: str = ""  # only read, but the only source of a destination: the call is made on its behalf


def flows(live: SessionState, drafted: CallRequests, own: Iterable[Path], whose: Sequence[str] = ()) -> Flows:
    """Find reasons to ask about where a call sends things, and about files that another skill points it to.

    `own` are folders that belong to the agent's own work, `whose` the skills on whose behalf the call is made.
    """
    roots = tuple(map(str, own))
    pointed = tuple(_pointed_to(live, drafted, roots, whose))
    leaving, remotes = _going(drafted)
    if not (leaving or remotes):
        return Flows(pointed)
    places = [*remotes] + [
        place
        for one in leaving
        if not _later(one)
        for place in destinations(one)
        if not _inside(place.value, roots) and place.value not in _HERE
    ]
    found: list[tuple[str, Hit]] = []
    if any(one.capability in _SENDS for one in leaving):
        places += islice(addressees(drafted.outgoing), _MOST_ADDRESSEES)
        if len(places) >= _MOST_ADDRESSEES:
            found.append(("unnamed-destination", Hit("many", "it sends to more addresses than Remit can check")))
    goes_out = any(one.capability in _OUTBOUND for one in leaving)
    files = outgoing_text(drafted.requests) if goes_out else NOTHING
    outgoing = f"{drafted.outgoing}\n{files.text}" if goes_out or any(map(_later, leaving)) else ""
    secret = bool(live.noted.followed.entries.size) and bool(followed(live.noted.followed, outgoing).sources)
    places += [
        Destination(DestinationKind.HOST, one.scope.host)
        for one in leaving
        if one.capability == "web.fetch" and isinstance(one.scope, HostScope) and one.scope.host not in _HERE
        if secret or fetch_carries_data(drafted, one)
    ]
    findings = flow(live.index, places, outgoing, whose=whose)
    to = " ".join(dict.fromkeys(place.value for place in places)) or digest(drafted.outgoing)
    unnamed_too = any(one.rule is Rule.DESTINATION for one in findings) or not places
    found += (_fact(one, to_unnamed=unnamed_too) for one in findings)
    if not files.whole and live.noted.followed.entries.size:
        said = "it sends files that may contain secrets read in this session; Remit cannot search them"
        found.append(("unchecked-data", Hit(f"files to {to}", said)))
    searched = views(outgoing[:_SEARCHED])
    if len(outgoing) > _SEARCHED or not searched.complete:
        said = f"it sends {len(outgoing):,} characters; Remit searches only the first {_SEARCHED:,} for keys and tokens"
        found.append(("unchecked-data", Hit(f"text to {to}", said)))
    kinds = sorted({hit.kind for view in searched.texts for hit in find(view) if hit.severity is Severity.HIGH})
    found += (
        ("secret-format", Hit(f"{kind} to {to}", f"it would send a value that looks like {kind}")) for kind in kinds
    )
    return Flows(tuple(dict.fromkeys((*found, *pointed))), _speaker(live, findings))


def fetch_carries_data(drafted: CallRequests, request: Request) -> bool:
    """Whether a command's request for a page may carry data: options with data, a query, unknown words, or code of the
    call that also reads something. Code of a skill is covered by its manifest.
    """
    for known in drafted.understood:
        causes = {
            part.via.cause
            for part in known.parts
            if part.capability == request.capability and part.scope == request.scope and not part.skill
        }
        if Cause.COMMAND in causes and any(map(fetch_options, (*known.commands, *known.inner))):
            return True
        if causes - {Cause.COMMAND} and any(one.capability in _READS for one in drafted.requests):
            return True
    return False


def _fact(finding: FlowFinding, *, to_unnamed: bool) -> tuple[str, Hit]:
    """Return a finding with the rule that reports it. A secret sent to a destination that the user named is a question."""
    to = finding.destination.value if finding.destination else ""
    if finding.rule is Rule.DESTINATION:
        return "unnamed-destination", Hit(to, finding.reason)
    if finding.rule is Rule.UNCHECKED:
        return "unchecked-data", Hit(to or "text", finding.reason)
    return "secret-leaves", Hit(to, finding.reason, None if to_unnamed else Action.ASK)


def _going(drafted: CallRequests) -> tuple[tuple[Request, ...], tuple[Destination, ...]]:
    """Return the requests of a call that go out, and the remotes that it or its scripts set for now or later."""
    leaving = tuple(one for one in drafted.requests if _leaves(one))
    said = (words for known in drafted.understood for words in (*known.commands, *known.inner))
    return leaving, tuple(dict.fromkeys(place for words in said for place in of_remotes(words)))


def _speaker(live: SessionState, findings: Iterable[FlowFinding]) -> str:
    """Return the skill that was only read and is the only source of a destination."""
    for finding in findings:
        skills = [one.name for one in finding.sources if one.kind is AuthorKind.SKILL]
        if finding.rule is Rule.DESTINATION and skills and all(name in live.heard for name in skills):
            return skills[0]
    return ""


def _pointed_to(
    live: SessionState, drafted: CallRequests, roots: tuple[str, ...], whose: Sequence[str]
) -> Iterator[tuple[str, Hit]]:
    """Return files outside the workspace that only the text of another skill points to: it would use the rights of the
    acting skill.
    """
    skills = tuple(live.folders.values())
    for request in drafted.requests:
        scope = request.scope
        if not isinstance(scope, PathScope) or request.capability in RUNS or not scope.parts:
            continue
        place = fixed_start(scope)
        if _inside(place, roots) or _inside(place, skills):
            continue
        if request in drafted.scripted and place.rpartition("/")[2] not in drafted.outgoing:
            continue  # the script knows the path by itself
        token = Token(TokenKind.PATH, place)
        sources = origins(live.index, token)
        texts = sorted(one.name for one in sources if one.kind is AuthorKind.SKILL)
        if texts and not any(name in whose for name in texts) and not is_named(live.index, token, whose):
            said = f"`{place}` comes only from the text of the skill `{texts[0]}`, which is not the one that acts"
            yield "other-skill-location", Hit(place, said)


def shown_secrets(live: SessionState, text: str) -> tuple[str, ...]:
    """Return the secret values in a text for the user that must not be shown."""
    kinds = sorted({hit.kind for hit in find(text) if hit.severity is Severity.HIGH})
    read = [one.name for one in followed(live.noted.followed, text).sources if one.kind is AuthorKind.SECRET]
    return (*kinds, *(f"a value that was read with `{name}`" for name in read))


def unnamed(request: Request) -> bool:
    """Whether a request sends something to an unknown destination."""
    return request.capability in _OUTBOUND and (request.scope == ANY_SCOPE or isinstance(request.scope, SymbolScope))


def arguments(live: SessionState) -> tuple[Scope, ...]:
    """Return what an argument may be: something in the workspace, or what the user's own words name."""
    root = live.workspace.root
    words = [layer for source, layer in live.noted.known if source.kind is AuthorKind.USER]
    hangs_on, found = live.bound
    if hangs_on != (root, *words):  # layers are immutable: the same object holds the same
        found = tuple(_arguments(root, words))
        live.bound = (root, *words), found
    return found


def _arguments(root: Path, words: Iterable[LayeredMap[Token, bool]]) -> Iterator[Scope]:
    yield folder_scope(root)
    yield file_scope(str(root))
    for layer in words:
        for token in layer:
            if token.sort is TokenKind.PATH and token.value.startswith("/"):
                yield file_scope(token.value)
                yield folder_scope(token.value)
            elif token.sort is TokenKind.HOST:
                yield HostScope(token.value)


def _later(request: Request) -> bool:
    return request.capability in _LATER


def _leaves(request: Request) -> bool:
    """Whether a request goes out, or cannot be undone. Running a program counts as neither: its effects are separate
    requests.
    """
    if request.capability in _OUTBOUND or _later(request):
        return True
    return request.capability not in RUNS and vocabulary()[request.capability].change is Change.IRREVERSIBLE


def _inside(value: str, roots: tuple[str, ...]) -> bool:
    return any(value == root or value.startswith(f"{root}/") for root in roots)


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
    found = followed(index.followed, outgoing)
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
