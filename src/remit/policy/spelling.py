"""The spellings of a scope by which a denial may match it. Too many deny too much; too few would let something through."""

from __future__ import annotations

import re
from collections.abc import Iterator

from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope, NameScope, PathScope, Scope
from remit.core.sensitive import fold

_HERE = "localhost"
_LOOPBACK = lazy_pattern(r"(?:\*\.|.*\.)?localhost|127\.[0-9.]+|::1|0\.0\.0\.0|::", re.ASCII)
_MAPPED = lazy_pattern(
    r"::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})", re.ASCII
)  # an address of the old kind, in the new notation


def spellings(scope: Scope, *, programs: bool) -> Iterator[Scope]:
    """Yield a scope as the most forgiving system reads it; for a program named by its path, also its last component.

    A bare name may be found anywhere on the search path, so a denied path denies its last name, and a denied name every path.
    """
    match scope:
        case NameScope(pattern):
            yield NameScope(fold(pattern))
        case PathScope(anchor, parts):
            yield PathScope(anchor, tuple(map(fold, parts)))
            if programs and parts:
                yield NameScope(fold(parts[-1]))  # `**` is any name, as `*` is
        case HostScope(host, port):
            plain = _plain(host)
            yield HostScope(plain, port)
            if _LOOPBACK.fullmatch(plain):
                yield HostScope(_HERE, port)
        case _:
            yield scope


def _plain(host: str) -> str:
    mapped = _MAPPED.fullmatch(host)
    if not mapped:
        return host
    high, low = (int(group, 16) for group in mapped.groups())
    return ".".join(str(part) for part in (high >> 8, high & 255, low >> 8, low & 255))
