"""Where an outbound or irreversible call sends things: hosts, recipients, accounts, remotes and branches, places
outside of the workspace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.scope import HOME, ROOT, HostScope, NameScope, PathScope
from remit.core.scope.component import literal
from remit.core.table import read_table
from remit.guard.session.tokens import Token, TokenKind, host_of, mail_addresses, name_of, path_of, url_host
from remit.policy.request import Nested, Request, command_words

_FILE = Path(__file__).parent.with_name("data") / "destinations.table"


class DestinationKind(StrEnum):
    """The kinds of destinations."""

    HOST = "host"
    RECIPIENT = "recipient"
    ACCOUNT = "account"
    REMOTE = "remote"
    BRANCH = "branch"
    PATH = "path"


class Destination(NamedTuple):
    """One destination, with the token by which its origin is looked up."""

    kind: DestinationKind
    value: str

    def token(self, home: str = "") -> Token:
        """The token that must be named."""
        if self.kind is DestinationKind.HOST:
            return Token(TokenKind.HOST, self.value)
        if self.kind is DestinationKind.PATH:
            return Token(TokenKind.PATH, path_of(self.value, home))
        if host := url_host(self.value):
            return Token(TokenKind.HOST, host)
        if _ADDRESS.fullmatch(self.value):
            return Token(TokenKind.ADDRESS, self.value.lower())
        return Token(TokenKind.NAME, name_of(self.value))


class Table(NamedTuple):
    """data/destinations.table."""

    scopes: Mapping[str, str]
    arguments: Mapping[str, str]
    acting: frozenset[str]


_ADDRESS = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_KINDS = frozenset(DestinationKind) | {"any", "queried"}
_NOBODYS = re.compile(r"(?:.*\.)?(?:example\.(?:com|net|org)|test|invalid|localhost|local)")
_OWNED = re.compile(r"(?:://[^/\s]+/|@[\w.-]+:)([\w.-]+)/[\w.-]")
_QUERIED = re.compile(r"[a-z][a-z0-9+.-]*://[^\s?#\"'<>]*\?[^\s\"'<>]", re.IGNORECASE)
_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s\"'<>]+", re.IGNORECASE)
_PHONE_BLANKS = re.compile(r"(?<=[\d)])[ .()-]+(?=[\d(])")  # inside a number: `+1 (212) 736-5000`
# Options of `git push` that take the next word.
_TAKES = frozenset({"-o", "--push-option", "--repo", "--receive-pack", "--exec"})
_NO_BRANCH = frozenset({"HEAD", "@"})


@cache
def table() -> Table:
    """Return the table of this version."""
    return load(_FILE)


def load(path: Path) -> Table:
    """Parse a table; an invalid row is refused with its line."""
    parts: dict[str, dict[str, str]] = {"scopes": {}, "arguments": {}, "acting": {}}
    for row in read_table(path, 2):
        name, meant = row.cells
        if row.section not in parts:
            raise DataError(f"{row.where}: `[{row.section}]` is no section", f"use one of {', '.join(parts)}")
        if row.section in ("scopes", "acting") and name not in vocabulary():
            raise DataError(f"{row.where}: `{name}` is not a capability", "`remit explain` lists all")
        if row.section in ("scopes", "arguments") and meant not in _KINDS:
            raise DataError(
                f"{row.where}: `{meant}` is no kind of destination", f"use one of {', '.join(sorted(_KINDS))}"
            )
        if name in parts[row.section] or (row.section == "arguments" and name != _plain(name)):
            raise DataError(
                f"{row.where}: `{name}` occurs twice, or has capitals, `-` or `_`", "write it once, plainly"
            )
        parts[row.section][name] = meant
    return Table(parts["scopes"], parts["arguments"], frozenset(parts["acting"]))


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def destinations(request: Request) -> tuple[Destination, ...]:
    """Return the destinations of one judged part of a call, each once."""
    found = dict.fromkeys(item for item in _all(request) if item.value)
    return tuple(found)


def _all(request: Request) -> Iterator[Destination]:
    known = table()
    yield from _of_scope(request, known.scopes.get(request.capability, ""))
    words = (command_words(request.command) or tuple(request.command.split())) if request.command else ()
    if request.capability in known.acting:
        for name, value in request.arguments:
            yield from _of_argument(name, json.loads(value.json) if isinstance(value, Nested) else value)
        yield from _of_words(words)
    yield from _of_push(words)


def _of_scope(request: Request, meant: str) -> Iterator[Destination]:
    scope = request.scope
    if meant == "queried":
        if isinstance(scope, HostScope) and any(_QUERIED.search(text) for text in _texts(request)):
            yield Destination(DestinationKind.HOST, scope.host)
    elif meant == DestinationKind.HOST and isinstance(scope, HostScope):
        yield Destination(DestinationKind.HOST, scope.host)
    elif meant == DestinationKind.RECIPIENT and isinstance(scope, NameScope):
        yield from _recipients(literal(scope.pattern) or "")
    elif meant == DestinationKind.REMOTE and isinstance(scope, NameScope):
        yield _place(literal(scope.pattern) or scope.pattern, DestinationKind.REMOTE)
    elif meant == DestinationKind.PATH and isinstance(scope, PathScope) and scope.anchor in (ROOT, HOME):
        parts = [literal(part) or part for part in scope.parts]
        yield Destination(DestinationKind.PATH, ("/" if scope.anchor == ROOT else "~/") + "/".join(parts))


def _texts(request: Request) -> Iterator[str]:
    yield request.command
    for _, value in request.arguments:
        yield value.json if isinstance(value, Nested) else str(value)


def _of_argument(name: str, value: Any) -> Iterator[Destination]:
    """Return the destinations in an argument. Lists and objects are searched, each value under its own name."""
    if isinstance(value, dict):
        for inner, item in value.items():
            yield from _of_argument(inner, item)
        return
    if isinstance(value, list):
        for item in value:
            yield from _of_argument(name, item)
        return
    meant = table().arguments.get(_plain(name))
    if meant is None or isinstance(value, bool) or value is None:
        return
    yield from _recipients(str(value)) if meant == DestinationKind.RECIPIENT else _meant(str(value).strip(), meant)


def _recipients(text: str) -> Iterator[Destination]:
    """Return the recipients in a text: every address and handle in it, or its plain names if it has none of these."""
    words = [word.strip("<>()\"'") for word in _PHONE_BLANKS.sub("", text.replace(";", ",")).replace(",", " ").split()]
    found = [word for word in words if _ADDRESS.fullmatch(word) or word[:1] in ("@", "#", "+") or url_host(word)]
    for item in found or [part.strip() for part in text.split(",")]:
        yield _place(item, DestinationKind.RECIPIENT)


def _meant(text: str, meant: str) -> Iterator[Destination]:
    if meant != "any":
        yield _place(text, DestinationKind(meant))
    elif _URL.match(text) or _ADDRESS.fullmatch(text):
        yield _place(text, DestinationKind.ACCOUNT)
    elif text.startswith(("/", "~/")):
        yield Destination(DestinationKind.PATH, text)


def _place(text: str, kind: DestinationKind) -> Destination:
    """Return one destination; an address with a scheme is its host, whatever the argument is called."""
    if host := url_host(text):
        return Destination(DestinationKind.HOST, host)
    if _ADDRESS.fullmatch(text):
        return Destination(DestinationKind.RECIPIENT, text.lower())
    return Destination(kind, host_of(text.partition("/")[0]) if kind is DestinationKind.HOST else text)


def _of_words(words: tuple[str, ...]) -> Iterator[Destination]:
    """Return the destinations among the words of a command: options that name one, and mail addresses."""
    for at, word in enumerate(words):
        if word.startswith("--"):
            name, joint, value = word[2:].partition("=")
            follows = words[at + 1] if at + 1 < len(words) else ""
            value = value if joint else "" if follows.startswith("-") else follows
            if value:
                yield from _of_argument(name, value)
        elif _ADDRESS.fullmatch(word) and at:
            yield Destination(DestinationKind.RECIPIENT, word.lower())


def of_remotes(words: tuple[str, ...]) -> Iterator[Destination]:
    """Return the hosts that a git command sends to, now or later, as far as its words are addresses."""
    yield from (place for place in _of_push(words) if place.kind in (DestinationKind.HOST, DestinationKind.ACCOUNT))


def _owner(address: str) -> Iterator[Destination]:
    """Return the owner of the repository that an address leads to: a shared host says little."""
    if found := _OWNED.search(address):
        yield Destination(DestinationKind.ACCOUNT, found[1])


def addressees(text: str) -> Iterator[Destination]:
    """Return every mail address in a text that is sent, except those that cannot be owned. `user@machine` logins are no
    addressees.
    """
    logins: dict[str, bool] = {}
    for found in mail_addresses(text):
        address = found[0].lower()
        logins[address] = logins.get(address, False) or text[found.end() : found.end() + 1] == ":"
    for address, logs_in in logins.items():
        name, _, host = address.partition("@")
        if name != "git" and not logs_in and not nobodys(host):
            yield Destination(DestinationKind.RECIPIENT, address)


def nobodys(host: str) -> bool:
    """Whether a host has a name reserved for examples and tests, which cannot be owned."""
    return _NOBODYS.fullmatch(host) is not None


def fetch_options(words: tuple[str, ...]) -> bool:
    """Whether a command requests a page with more than a plain address: a header, a cookie, a user name, a query, or
    unknown words.
    """
    if not words or words[0].rpartition("/")[2] not in ("curl", "wget"):
        return False
    return any(
        _QUERIED.search(word) or "<" in word or word.split("=")[0] in _WITH_DATA or word[:2] in _WITH_DATA
        for word in words[1:]
        if not word.startswith("--") or word.split("=")[0] in _WITH_DATA
    )


_WITH_DATA = frozenset(
    "-H --header -b --cookie -u --user -A --user-agent -e --referer -G --get --url-query --oauth2-bearer --http-user "
    "--http-password --load-cookies --proxy-header".split()
)
_SENDS = frozenset({"push", "remote", "config", "submodule"})


def _of_push(words: tuple[str, ...]) -> Iterator[Destination]:
    """Return remote and branches of `git push`, and the targets of `git remote` and of git settings."""
    if not words or words[0].rpartition("/")[2] != "git" or _SENDS.isdisjoint(words):
        return
    if "push" not in words or "-c" in words:
        for word in words[1:]:
            for said in (word, word.partition("=")[2], word.removeprefix("url.")):  # `url.X.insteadOf` leads to X
                if host := url_host(said):
                    yield Destination(DestinationKind.HOST, host)
                    yield from _owner(said)
    if "push" not in words:
        return
    rest = words[words.index("push") + 1 :]
    plain: list[str] = []
    skip = False
    for word in rest:
        if skip or word.startswith("-"):
            skip = not skip and word in _TAKES
            continue
        plain.append(word)
    for word in plain[:1]:
        yield _place(word, DestinationKind.REMOTE)
        yield from _owner(word)
    for word in plain[1:]:
        branch = word.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/").removeprefix("refs/tags/")
        if branch not in _NO_BRANCH:
            yield Destination(DestinationKind.BRANCH, branch)
