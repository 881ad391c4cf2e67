"""Requests of a document that speak to a service: the agent calls an API, and uses a key.

In scripts a request is what it is on the wire; a document says what it is for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.values import texts
from remit.analysis.domain import MODEL, Hole, Text, hole, lit
from remit.analysis.each import each
from remit.core.patterns import lazy_pattern
from remit.core.sensitive import VARIABLE

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

_LOCAL = lazy_pattern(
    r"(?:\w+://)?(?:[^/@]*@)?(?:localhost|127\.|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)", re.IGNORECASE
)
_API = lazy_pattern(
    r"(?:\w+://)?(?:[^/@]*@)?(?:api[.-][^/]+|[^/]+[.-]api\.[^/]+|[^/]+/(?:.*/)?(?:api|v\d+|graphql|rest)(?:[/?].*|$))",
    re.IGNORECASE,
)
_KEY_IN_URL = lazy_pattern(r".*[?&][\w-]*(?:key|token|secret|password)=.+", re.IGNORECASE | re.DOTALL)
_KEY_HEADER = lazy_pattern(r"(?:proxy-)?authorization *:|[\w-]*(?:api-?key|apikey|token|-key|secret) *:", re.IGNORECASE)


def run_service(call: Call, args: tuple[Expr, ...]) -> None:
    """`service(URL)`: a request to an address that is that of an API, or that carries a key."""
    if not call.site.hosted:
        return
    for value in call.values(args[0]):
        for item in each(texts(value)):
            written = _written(item)
            if _LOCAL.match(written):
                continue
            key = _KEY_IN_URL.match(written) is not None
            if key or _API.match(written):
                call.effect("api.call", frozenset({item}))
            if key:
                _credential(call, item)


def run_credential(call: Call, args: tuple[Expr, ...]) -> None:
    """`credential(TEXT, URL)`: a header, or a user with a password (`credential(TEXT)`), that a request carries."""
    if not call.site.hosted:
        return
    for value in call.values(args[0]):
        for item in each(texts(value)):
            if len(args) > 1 and not _KEY_HEADER.match(_written(item)):
                continue
            _credential(call, item)
            for url in call.values(args[-1]) if len(args) > 1 else ():
                remote = frozenset(found for found in texts(url) if not _LOCAL.match(_written(found)))
                if remote:
                    call.effect("api.call", remote)


def _credential(call: Call, item: Text) -> None:
    """The key that a text carries: the variable that holds it, or one that the agent has to find."""
    names = [part.origin[4:] for part in item.parts if isinstance(part, Hole) and part.origin.startswith("env:")]
    call.effect("secret.read", lit(f"{VARIABLE}{names[-1]}") if names else hole(MODEL))


def _written(item: Text) -> str:
    return "".join(part if isinstance(part, str) else "x" for part in item.parts)
