"""Whether a destination in written code comes from the user: by name, by what they speak of, or by the code that was there before.

The rule is that of calls (docs/context.md), a little milder, because nothing is sent yet: a host that nobody's text points to is the
agent's own knowledge. Where code only fetches from it, or the user speaks of the service (`paypal` for api.paypal.com), it passes.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from remit.core.scope import HostScope, NameScope
from remit.core.scope.component import literal
from remit.guard.context.destinations import Destination, Kind, nobodys
from remit.guard.context.flow import described
from remit.guard.context.provenance import is_named, origins
from remit.skill.classify import by_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.core.effect import Effect
    from remit.guard.session import Live

_SENDS = frozenset({"web.post", "web.interact", "api.call", "net.connect", "publish"})
_FETCHES = frozenset({"web.fetch"})
_HERE = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal"})  # noqa: S104  compared, not bound
_ADDRESS = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_SECOND = frozenset({"co", "com", "org", "net", "gov", "ac", "edu"})  # before a country: `example.co.uk`
_MOST_FILES = 3000
_LARGEST = 500_000
_NOT_CODE = frozenset({"markdown", "text", "markup", "table", "office", "media", "font", "archive"})
_PASSED_OVER = frozenset(
    {"node_modules", ".venv", "venv", ".git", "__pycache__", "site-packages", "skills", "commands", "agents"}
)


class Place(NamedTuple):
    """Where code sends something, or what it fetches from."""

    to: Destination
    line: int
    sends: bool


def places(effects: tuple[Effect, ...]) -> Iterator[Place]:
    """The destinations of code that have a name."""
    for effect in effects:
        scope = effect.scope
        if isinstance(scope, HostScope) and effect.capability in _SENDS | _FETCHES:
            yield Place(Destination(Kind.HOST, scope.host), effect.where.line, effect.capability in _SENDS)
        elif isinstance(scope, NameScope) and effect.capability == "message.send":
            text = literal(scope.pattern) or ""
            if _ADDRESS.fullmatch(text):
                yield Place(Destination(Kind.RECIPIENT, text.lower()), effect.where.line, sends=True)


def why_not(live: Live, place: Place, whose: Sequence[str] = ()) -> str:
    """Why a person should look at a destination; empty if it comes from the user, the manifest or the workspace."""
    to, value = place.to, place.to.value
    token = to.token(live.index.home)
    if value in _HERE or nobodys(value.rpartition("@")[2]) or is_named(live.index, token, whose):
        return ""
    sources = tuple(sorted(origins(live.index, token), key=str))
    if not sources and (not place.sends or spoken_of(value, live.prompts)):
        return ""
    if in_older_code(str(live.workspace.root), value, live.policy.started):
        return ""
    comes = f"only {described(sources[0])} names" if sources else "nobody named"
    return f"{'sends to' if place.sends else 'fetches from'} `{value}`, which {comes}"


def spoken_of(host: str, prompts: list[str]) -> bool:
    """Whether the user's own words speak of the service that a host is called after."""
    labels = host.rpartition("@")[2].split(".")
    at = -3 if len(labels) > 2 and labels[-2] in _SECOND else -2
    name = labels[at] if len(labels) >= -at else ""
    return len(name) > 2 and any(re.search(rf"(?i)\b{re.escape(name)}\b", prompt) for prompt in prompts)


def in_older_code(root: str, word: str, began: int) -> bool:
    """Whether code or settings of the workspace that nobody touched since the session began hold a word."""
    whole = re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w-]|\.\w)".encode(), re.IGNORECASE)
    seen = 0
    todo = [root]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                found = list(entries)
        except OSError:
            continue
        for entry in found:
            seen += 1
            if seen > _MOST_FILES:
                return False
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _PASSED_OVER:
                    todo.append(entry.path)
            elif _is_older_code(entry, began) and whole.search(_bytes(entry.path)):
                return True
    return False


def _is_older_code(entry: os.DirEntry[str], began: int) -> bool:
    kind = by_name(entry.name)
    if not entry.is_file(follow_symlinks=False) or kind is None or kind.name in _NOT_CODE:
        return False
    return untouched(entry.path, began) and entry.stat(follow_symlinks=False).st_size <= _LARGEST


def untouched(path: str, began: int) -> bool:
    """Whether a file is as it was when the session began, by the time of its last change, which no program can set back."""
    try:
        return os.lstat(path).st_ctime < began + 1
    except (OSError, ValueError):
        return False


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (many files, one after the other)
            return file.read(_LARGEST)
    except OSError:
        return b""
