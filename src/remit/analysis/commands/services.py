"""Hosted services: the hosts that a client talks to, and requests of a document that speak to a service.

In scripts a request is what it is on the wire; a document says what it is for: the agent calls an API, and uses a key.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.analysis.commands.values import head, literal, texts
from remit.analysis.domain import ANY, MODEL, Hole, Text, Value, hole, lit
from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.sensitive import VARIABLE
from remit.core.table import read_table

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


_IMAGE_HOST = re.compile(r"([\w-]+(?:\.[\w-]+)+(?::\d+)?|[\w-]+:\d+|localhost)/")
_IMAGE = re.compile(r"[\w.-]+(?:/|[:@][\w.-]|\Z)")
_DOCKER = ("*.docker.io", "*.docker.com")  # where images without the name of a registry come from


@cache
def clients() -> dict[str, tuple[str, ...]]:
    """The hosts of each client of a service that data/clients.table names."""
    return read_clients(Path(__file__).parents[1] / "data" / "clients.table")


def read_clients(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a table; a program that occurs twice or has no host is refused with its place."""
    out: dict[str, tuple[str, ...]] = {}
    for row in read_table(path, 2):
        program, hosts = row.cells
        if not program or not hosts or program in out:
            raise DataError(
                f"{row.where}: `{program}` occurs twice or has no hosts", "write `program | host host …`, once"
            )
        out[program] = tuple(hosts.split())
    return out


def vendor(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """`vendor(PROGRAM)`: the hosts of the service whose client a program is; any host if the table does not know it."""
    names = [(literal(value) or "").rpartition("/")[2] for value in call.values(args[0])]
    if any(name not in clients() for name in names):
        return [ANY]
    return [lit(host) for name in names for host in clients()[name]]


def registry(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """`registry(IMAGE)`: the host that an image of a container is pulled from."""
    return [host for item in call.texts(args[0]) for host in _registry(item)]


def _registry(image: Text) -> list[Value]:
    start = head(image)
    if found := _IMAGE_HOST.match(start):
        return [lit(found[1])]
    fixed = image.literal is not None or "/" in start  # what follows the first name changes no host
    return [lit(host) for host in _DOCKER] if fixed and _IMAGE.match(start) else [ANY]


def run_service(call: Call, args: tuple[Expr, ...]) -> None:
    """`service(URL)`: a request to an address that is that of an API, or that carries a key."""
    if not call.site.hosted:
        return
    for item in call.texts(args[0]):
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
    for item in call.texts(args[0]):
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
