"""`broker.json` in the state folder: who answers questions. A file that is unreadable or has unknown values denies
every question.

It lies where agents can neither read nor write it, because it says who may approve and holds the secret that the
service signs with.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from remit.core.errors import GuardError, RemitError
from remit.guard.state_folder import StateFolder, private_file
from remit.guard.store import read_entries

if TYPE_CHECKING:
    from remit.manifest.model import Permission

FILE = "broker.json"
LONGEST = 18  # seconds that a person has while the hook waits: the hook's client gives up after 20
_LARGEST = 1_000_000
_REMEDY = "set it again with `remit guard broker`"


class BrokerKind(StrEnum):
    """The kinds of broker."""

    DENY_ALL = "deny-all"
    POLICY = "policy"
    INTERACTIVE = "interactive"
    WEBHOOK = "webhook"


class Rule(NamedTuple):
    """One rule of the policy broker: an entry, for one skill or for all."""

    entry: Permission
    skill: str | None = None  # None: any; empty: the agent by itself


class Broker(NamedTuple):
    """The configured broker."""

    sort: BrokerKind = BrokerKind.INTERACTIVE
    seconds: int = 15  # seconds that the hook waits for a person who has `remit approvals` open
    rules: tuple[Rule, ...] = ()
    url: str = ""
    secret: str = ""  # shared secret with which both sides sign
    token: str = ""  # token that an https answer may carry instead of a signature


_FIELDS: Mapping[BrokerKind, frozenset[str]] = {
    BrokerKind.DENY_ALL: frozenset(),
    BrokerKind.POLICY: frozenset({"rules"}),
    BrokerKind.INTERACTIVE: frozenset({"seconds"}),
    BrokerKind.WEBHOOK: frozenset({"url", "secret", "token"}),
}


def read_broker(places: StateFolder) -> Broker:
    """Read the broker of a state folder. Without a file, it is a person at a terminal."""
    path = places.folder / FILE
    if not os.path.lexists(path):
        return Broker()
    private_file(path)
    try:
        with path.open("rb") as file:
            value = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError) as error:
        raise GuardError(f"`{FILE}` cannot be read: {str(error).lower()}", _REMEDY) from None
    return broker_of(value)


def broker_of(value: Any) -> Broker:
    """Parse a broker from JSON values."""
    if not isinstance(value, dict) or value.get("broker") not in set(BrokerKind):
        raise GuardError(f"`{FILE}` names no broker", _REMEDY)
    sort = BrokerKind(value["broker"])
    for name in value.keys() - {"broker"} - _FIELDS[sort]:
        raise GuardError(f"`{FILE}`: `{name}` says nothing about `{sort}`", _REMEDY)
    match sort:
        case BrokerKind.INTERACTIVE:
            return Broker(sort, _seconds(value.get("seconds", Broker().seconds)))
        case BrokerKind.POLICY:
            rules = value.get("rules")
            if not isinstance(rules, list):
                raise GuardError(f"`{FILE}`: `rules` is no list", _REMEDY)
            return Broker(sort, rules=tuple(map(_rule, rules)))
        case BrokerKind.WEBHOOK:
            url, secret, token = (value.get(name, "") for name in ("url", "secret", "token"))
            if not all(isinstance(text, str) for text in (url, secret, token)) or len(secret) < 32:
                raise GuardError(f"`{FILE}`: a webhook has a URL and a secret of 32 characters at least", _REMEDY)
            return Broker(sort, url=checked_url(url), secret=secret, token=token)
        case BrokerKind.DENY_ALL:
            return Broker(sort)


def checked_url(url: str) -> str:
    """Check a URL for questions: https, or http on this machine."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    here = parts.scheme == "http" and host in ("localhost", "127.0.0.1", "::1")
    if not host or parts.username or parts.fragment or not (parts.scheme == "https" or here) or not url.isascii():
        raise GuardError(f"`{url[:200]}` is no address for questions", "give an https URL, or http on this machine")
    return url


def write_broker(places: StateFolder, value: Mapping[str, Any]) -> Broker:
    """Write the broker, unless it could not be read back."""
    broker = broker_of(value)
    path = places.folder / FILE
    draft = path.with_name(f".{FILE}.{secrets.token_hex(8)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(value, indent=2) + "\n")
        draft.replace(path)
    except OSError as error:
        raise GuardError(f"`{path}` cannot be written: {(error.strerror or 'error').lower()}", _REMEDY) from None
    finally:
        draft.unlink(missing_ok=True)
    return broker


def _seconds(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= LONGEST:
        raise GuardError(f"`{FILE}`: a person has from 0 to {LONGEST} seconds", _REMEDY)
    return value


def _rule(value: Any) -> Rule:
    if not isinstance(value, dict) or not isinstance(value.get("skill", ""), str):
        raise GuardError(f"`{FILE}`: a rule is an entry, with the skill that it is for", _REMEDY)
    plain = {name: item for name, item in value.items() if name != "skill"}
    try:
        (entry,) = read_entries([plain])
    except RemitError as error:
        raise GuardError(f"`{FILE}`: {error.without_place}", error.remedy or _REMEDY) from None
    if entry.effect is None:
        raise GuardError(f"`{FILE}`: the rule for `{entry.capability}` has no effect", "say allow, confirm or deny")
    return Rule(entry, value.get("skill"))
