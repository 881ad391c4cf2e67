"""URLs as texts: what a relative one becomes, and which path one names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from remit.analysis.domain import ANCHORS, SOME_TEXT, Hole, Text, Value, text
from remit.analysis.engine.texts import dirname, join_paths, texts_of
from remit.core.patterns import lazy_pattern

_SCHEME = lazy_pattern(r"[A-Za-z][\w+.-]*:")
_ORIGIN = lazy_pattern(r"(https?:|wss?:)//[^/?#\\]+", re.IGNORECASE)


def resolved_url(base: Text, given: Text) -> Iterable[Text]:
    """What `new URL(given, base)` may be; a hole may itself be a whole URL."""
    first = given.parts[0] if given.parts else ""
    start = base.parts[0] if base.parts else ""
    if isinstance(first, str) and _SCHEME.match(first):
        return [given]
    alone = [] if isinstance(first, str) else [given]
    origin = _ORIGIN.match(start) if isinstance(start, str) else None
    if origin is None or (isinstance(start, str) and origin.end() == len(start) and len(base.parts) > 1):
        return [*alone, *texts_of(join_paths(dirname(frozenset({base})), frozenset({given})))]
    if isinstance(first, str) and first.startswith(("//", "\\\\", "/\\")):
        return [text(origin.group(1), *given.parts)]
    slash = "" if isinstance(first, str) and first.startswith(("/", "\\")) else "/"
    return [*alone, text(origin.group(0) + slash, *given.parts)]


def local(given: Text) -> Text | None:
    """The path of a text that begins as a `file:` URL; None if it does not."""
    first = given.parts[0] if given.parts else ""
    if not isinstance(first, str) or not first.lower().startswith("file:"):
        return None
    return text(first[5:].removeprefix("//").removeprefix("localhost"), *given.parts[1:])


def paths_of_urls(value: Value) -> Value:
    """The path that a URL names: that of a `file:` URL, or what follows the host."""
    out: set[Text] = set()
    for given in texts_of(value):
        first = given.parts[0] if given.parts else ""
        path = local(given)
        if path is not None:
            out.add(path)
        elif (isinstance(first, str) and first.startswith("/")) or (
            isinstance(first, Hole) and first.origin in ANCHORS
        ):
            out.add(given)
        elif isinstance(first, str) and (origin := _ORIGIN.match(first)) is not None and len(given.parts) == 1:
            out.add(text(re.split(r"[?#]", first[origin.end() :])[0] or "/"))
        else:
            out.update(texts_of(SOME_TEXT))
    return frozenset(out)


def origins_of_urls(value: Value, part: str) -> Value:
    """The origin of URLs, or of it the host with its port (`host`) or without (`hostname`); any text where it is not written down."""
    out: set[Text] = set()
    for given in texts_of(value):
        first = given.parts[0] if given.parts else ""
        found = _ORIGIN.match(first) if isinstance(first, str) else None
        whole = found is not None and (found.end() < len(str(first)) or len(given.parts) == 1)
        if found is None or not whole or "@" in found.group(0):
            out.update(texts_of(SOME_TEXT))
            continue
        host = found.group(0).removeprefix(found.group(1)).removeprefix("//").lower()
        shown = {"origin": f"{found.group(1).lower()}//{host}", "hostname": re.sub(r":\d*$", "", host)}
        out.add(text(shown.get(part, host)))
    return frozenset(out)
