"""Things in a text for people that are fetched when somebody looks at it: pictures, frames, scripts, forms. Each tells its server who reads.

Only places to which a skill's text or an agent's memory points count, as for settings: what an agent knows by itself (a well-known
server of fonts) and what the user or the manifest names is ordinary.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.guard.context.destinations import Destination
from remit.guard.context.destinations import Kind as To
from remit.guard.context.provenance import origins
from remit.guard.context.tokens import url_host
from remit.guard.planted.named import Place, why_not

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from remit.guard.context.source import Kind
    from remit.guard.planted.writing import Writing
    from remit.guard.session import Live

_SHOWN = re.compile(
    r"""!\[[^\]\n]*\]\(\s*<?((?:https?:)?//[^)\s>]+)"""  # a picture in Markdown
    r"""|!\[[^\]\n]*\]:?\s*((?:https?:)?//\S+)"""
    r"""|\b(?:src|srcset|poster|background|action|formaction|data|ping)\s*=\s*["']?\s*((?:https?:)?//[^"'\s>]+)"""
    r"""|<link\b[^>]*\bhref\s*=\s*["']?\s*((?:https?:)?//[^"'\s>]+)"""
    r"""|\burl\(\s*["']?((?:https?:)?//[^"')\s]+)"""
    r"""|@import\s+["']((?:https?:)?//[^"'\s]+)""",
    re.IGNORECASE,
)


def beacons(live: Live, writing: Writing, whose: Sequence[str], told: Collection[Kind]) -> Iterator[str]:
    """Why a person should look at what a text fetches from its reader's machine."""
    known = set(_hosts(writing.before))
    for number, line in enumerate(writing.text.splitlines(), 1):
        for host in _hosts(line):
            if host in known:
                continue
            known.add(host)
            place = Place(Destination(To.HOST, host), number, sends=False)
            token = place.to.token(live.index.home)
            if any(source.kind in told for source in origins(live.index, token)) and why_not(live, place, whose):
                yield f"would tell `{host}` who reads it: only a skill or memory names that place (line {number})"


def _hosts(text: str) -> Iterator[str]:
    for found in _SHOWN.finditer(text):
        address = next(filter(None, found.groups()))
        if host := url_host(address if "://" in address else f"https:{address}"):
            yield host
