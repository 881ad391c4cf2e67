"""Where a call sends things, and which values would leave with it: reasons to ask, over what passed through the hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import Change, vocabulary
from remit.core.scope import HostScope
from remit.guard.carried import NOTHING, carried
from remit.guard.context.destinations import destinations
from remit.guard.context.flow import flow
from remit.guard.context.followed import find as followed
from remit.guard.context.source import Kind as From
from remit.guard.context.tokens import Sort
from remit.guard.paths import below, exactly
from remit.policy.dlp.scan import find
from remit.policy.dlp.severity import Severity
from remit.policy.judge import RUNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from remit.core.scope import Scope
    from remit.guard.drafting import Drafted
    from remit.guard.session import Live
    from remit.policy.request import Request

_OUTBOUND = frozenset(
    "web.fetch web.post web.interact api.call net.connect message.send publish commit.push pay tool.invoke".split()
)
_LATER = frozenset({"commit.create"})  # what stands in it leaves with the next push, which does not show it
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})  # what is sent there stays on this machine


def flows(live: Live, drafted: Drafted, own: Iterable[Path], whose: Iterable[str] = ()) -> tuple[str, ...]:
    """Why a person should look at where a call sends things.

    `own` are folders that are nobody else's, `whose` the skills on whose behalf the call is made.
    """
    leaving = [one for one in drafted.requests if _leaves(one)]
    if not leaving:
        return ()
    roots = tuple(map(str, own))
    places = [
        place
        for one in leaving
        if not _later(one)
        for place in destinations(one)
        if not _inside(place.value, roots) and place.value not in _HERE
    ]
    goes_out = any(one.capability in _OUTBOUND for one in leaving)
    files = carried(drafted.requests) if goes_out else NOTHING
    outgoing = f"{drafted.outgoing}\n{files.text}" if goes_out or any(map(_later, leaving)) else ""
    found = [one.reason for one in flow(live.index, places, outgoing, whose=whose)]
    if not files.whole and live.index.followed.entries.size:
        found.append("it sends files, and nobody can say whether they hold what was read and must not leave")
    kinds = sorted({hit.kind for hit in find(outgoing) if hit.severity is Severity.HIGH})
    return (*found, *(f"it would send a value that looks like {kind}" for kind in kinds))


def shown_secrets(live: Live, text: str) -> tuple[str, ...]:
    """Values in a text for the user that must not be shown."""
    kinds = sorted({hit.kind for hit in find(text) if hit.severity is Severity.HIGH})
    read = [one.name for one in followed(live.index.followed, text).sources if one.kind is From.SECRET]
    return (*kinds, *(f"a value that was read with `{name}`" for name in read))


def arguments(live: Live) -> Iterator[Scope]:
    """What an argument may be: something in the workspace, or what the user's own words name."""
    yield below(live.workspace.root)
    yield exactly(str(live.workspace.root))
    for source, layer in live.index.known:
        if source.kind is not From.USER:
            continue
        for token in layer:
            if token.sort is Sort.PATH and token.value.startswith("/"):
                yield exactly(token.value)
                yield below(token.value)
            elif token.sort is Sort.HOST:
                yield HostScope(token.value)


def _later(request: Request) -> bool:
    return request.capability in _LATER


def _leaves(request: Request) -> bool:
    """Whether a request goes out, or cannot be undone. To run something is neither: what it does are other requests."""
    if request.capability in _OUTBOUND or _later(request):
        return True
    return request.capability not in RUNS and vocabulary()[request.capability].change is Change.IRREVERSIBLE


def _inside(value: str, roots: tuple[str, ...]) -> bool:
    return any(value == root or value.startswith(f"{root}/") for root in roots)
