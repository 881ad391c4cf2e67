"""Audit of the gateway's settings. Each finding has a stable id, a severity, and a remedy (data/findings.table)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from ipaddress import ip_network
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError, UsageError
from remit.core.table import read_table
from remit.gateway.inbound.access import Access, Auth, Bind, exposed, resolved
from remit.gateway.inbound.events import ANYONE, Direct
from remit.gateway.inbound.routing import Scope
from remit.gateway.inbound.settings.values import Platform, Settings
from remit.gateway.inbound.tool_policy import Caller, allowed, names

FILE = Path(__file__).with_name("data") / "findings.table"
GRAVE, WARN = "grave", "warn"
_TOKEN, _PASSWORD = 24, 12  # characters


class FindingKind(NamedTuple):
    """The table's row of a finding."""

    grave: bool
    says: str
    remedy: str


class Finding(NamedTuple):
    """A problem and its location."""

    id: str
    at: str
    kind: FindingKind


@cache
def kinds(path: Path = FILE) -> Mapping[str, FindingKind]:
    """Return the table by id."""
    found: dict[str, FindingKind] = {}
    for row in read_table(path, 4):
        name, weight, says, remedy = row.cells
        if name in found or weight not in (GRAVE, WARN):
            raise DataError(f"{row.where}: `{name}` occurs twice, or is neither {GRAVE} nor {WARN}", "correct the line")
        found[name] = FindingKind(weight == GRAVE, says, remedy)
    return found


def findings(settings: Settings) -> tuple[Finding, ...]:
    """Return all findings, the grave ones first."""
    found = [
        *(("access", name) for name in _access(settings.access)),
        *(("sessions", name) for name in _sessions(settings)),
        *_channels(settings),
        *_workspaces(settings),
        *_tools(settings),
        *(("nodes", "nodes.denied_and_extra") for _ in settings.nodes.extra & settings.nodes.deny),
    ]
    told = (Finding(name, at, kinds()[name]) for at, name in dict.fromkeys(found))
    return tuple(sorted(told, key=lambda one: (not one.kind.grave, one.id, one.at)))


def checked(settings: Settings) -> Settings:
    """Return the settings; UsageError for a grave finding."""
    for found in findings(settings):
        if found.kind.grave:
            raise UsageError(f"{found.id} ({found.at}): {found.kind.says}", found.kind.remedy)
    return settings


def _access(access: Access) -> Iterator[str]:
    mode, open_ = resolved(access), exposed(access.bind)
    if mode is Auth.NONE and open_:
        yield "gateway.bind_no_auth"
    if mode is Auth.NONE and access.proxies:
        yield "gateway.proxy_no_auth"
    if mode is Auth.TOKEN and not access.token:
        yield "gateway.token_missing"
    if mode is Auth.PASSWORD and not access.password:
        yield "gateway.password_missing"
    if access.bind is Bind.CUSTOM and not access.address:
        yield "gateway.custom_no_address"
    if any(ip_network(one, strict=False).prefixlen == 0 for one in access.proxies):
        yield "gateway.proxy_anyone"
    if access.tailnet_users and not any(ip_network(one, strict=False).is_loopback for one in access.proxies):
        yield "gateway.tailnet_no_proxy"
    if mode is Auth.TOKEN and 0 < access.token_length < _TOKEN:
        yield "gateway.token_short"
    if mode is Auth.PASSWORD and 0 < access.password_length < _PASSWORD:
        yield "gateway.password_short"
    if open_ and access.bind is not Bind.TAILNET:
        yield "gateway.exposed_plain"


def _sessions(settings: Settings) -> Iterator[str]:
    """Check shared sessions. People who may be paired count as other people than the operator."""
    shared = [name for name in settings.channels if settings.sessions.scope_of(name) is Scope.MAIN]
    gates = [settings.channels[name].gate for name in shared]
    people = {
        (name, one)
        for name in shared
        for one in settings.channels[name].gate.named | settings.channels[name].gate.operators
    }
    if len(people) > 1 or any(gate.direct in (Direct.PAIRED, Direct.ANYONE) for gate in gates):
        yield "sessions.main_shared"
    if settings.sessions.links.classes and not any(
        settings.sessions.scope_of(name) is Scope.PEER for name in settings.channels
    ):
        yield "sessions.links_unused"


def _channels(settings: Settings) -> Iterator[tuple[str, str]]:
    for name, channel in settings.channels.items():
        gate, at = channel.gate, f"channels.{name}"
        if gate.direct is Direct.ANYONE or (gate.direct is not Direct.NOBODY and ANYONE in gate.named):
            yield at, "channel.direct_anyone"
        if gate.rooms and ANYONE in gate.named and not gate.roles:
            yield at, "channel.group_anyone"
        if not channel.kind.socket and not channel.secret and not channel.kind.opened:
            yield at, "channel.no_secret"
        opens = channel.kind.opened and not channel.secret
        if opens and (not channel.token or (channel.kind is Platform.SLACK and not channel.app_token)):
            yield at, "channel.no_token"
        if channel.kind is Platform.MAIL and not channel.mail_server:
            yield at, "channel.no_mail_server"
        if not gate.operators:
            yield at, "channel.no_operator"


def _workspaces(settings: Settings) -> Iterator[tuple[str, str]]:
    """Check shared workspaces. A single person shares nothing."""
    gates = [one.gate for one in settings.channels.values()]
    people = {(name, who) for name, one in settings.channels.items() for who in one.gate.named | one.gate.operators}
    many = len(people) > 1 or any(one.rooms or one.direct in (Direct.PAIRED, Direct.ANYONE) for one in gates)
    for name, agent in settings.agents.items():
        if agent.workspace and many:
            yield f"agents.{name}", "agents.workspace_shared"


def _tools(settings: Settings) -> Iterator[tuple[str, str]]:
    open_ = {at.removeprefix("channels.") for at, name in _channels(settings) if name.endswith("_anyone")}
    for name, agent in settings.agents.items():
        at = f"agents.{name}"
        if agent.policy.elevated_global and agent.policy.elevated_agent:
            yield at, "tools.elevated"
        for channel in open_:
            policy = settings.policy(name, channel, "")
            if policy and allowed(names(), policy, Caller()) & names().groups["run"]:
                yield at, "tools.run_for_anyone"
