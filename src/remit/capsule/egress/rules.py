"""May a request leave the capsule? The rules of a manifest, and what a proxy can see of a request. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from remit.capsule.egress.addresses import Refused

_FETCHES = frozenset({"GET", "HEAD"})
ALL, FETCH = "all", "fetch"


class Rule(NamedTuple):
    """A host or pattern, a port or none for any, what may be asked there, and whether it is denied instead."""

    host: str
    port: int | None
    access: str
    denied: bool


class Rules(NamedTuple):
    """All of them. A denial wins."""

    rules: tuple[Rule, ...]

    def judge(self, host: str, port: int, method: str, *, body: bool = False) -> Refused | None:
        """Why a request may not be made; None if it may. `CONNECT` is a tunnel of which nothing more is seen."""
        meeting = [rule for rule in self.rules if matches(rule, host, port)]
        if any(rule.denied for rule in meeting):
            return Refused(host, port, "DENIED", f"the manifest denies `{host}:{port}`")
        if not meeting:
            return Refused(host, port, "NOT_GRANTED", f"the manifest does not grant `{host}:{port}`")
        if method == "CONNECT" or any(rule.access == ALL for rule in meeting):
            return None
        if method in _FETCHES and not body:
            return None
        return Refused(host, port, "METHOD", f"the manifest lets `{host}:{port}` be fetched from, not sent to")

    def names(self, address: str, port: int) -> bool:
        """Whether a rule names exactly this address, or `localhost`."""
        return any(
            not rule.denied and rule.host == address and rule.port in (None, port) and "*" not in rule.host
            for rule in self.rules
        )


def matches(rule: Rule, host: str, port: int) -> bool:
    """Whether a rule speaks of a host and port."""
    if rule.port not in (None, port):
        return False
    if rule.host.startswith("*."):
        return host.endswith(rule.host[1:])
    return rule.host in ("*", host)


def as_rules(rows: Sequence[Sequence[object]]) -> Rules:
    """The rules, from what was sent to another process; one that is not understood is an error, never a grant."""
    found: list[Rule] = []
    for host, port, access, denied in rows:
        if not isinstance(host, str) or not (port is None or isinstance(port, int)) or access not in (ALL, FETCH):
            raise ValueError("a rule is not understood")
        found.append(Rule(host, port, str(access), denied is not False))
    return Rules(tuple(found))
