"""Status of what runs on this machine: guard, parties of the two authorities, inbound gateway.

For what does not run, the command that starts it is shown.
"""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import RemitError, UsageError
from remit.gateway.deployment.plan import WHO
from remit.gateway.deployment.processes import known_parties, status
from remit.gateway.inbound.access import address_of
from remit.gateway.inbound.findings import findings
from remit.gateway.inbound.settings.loader import SETTINGS, read_inbound
from remit.guard.approvals.broker_config import BrokerKind, read_broker
from remit.guard.approvals.watchers import is_watched
from remit.guard.daemon.daemon_lock import ask_daemon
from remit.guard.daemon.server import STATUS
from remit.guard.install.model import Site
from remit.guard.install.registry import INSTALLERS
from remit.guard.state_folder import checked
from remit.report.approval_view import ago
from remit.report.gateway_view import running_words
from remit.report.guard_text import standing_lines

if TYPE_CHECKING:
    from remit.web.console.settings import ConsoleSettings

GOOD, BAD, WARN, OFF = "good", "bad", "warn", ""
_SECONDS = 2.0  # for a response
_MOST = 4096


class Part(NamedTuple):
    """A component and its status."""

    name: str
    what: str
    state: str  # as text
    mark: str  # good, bad, warn, or empty if never started
    told: tuple[str, ...] = ()
    start: str = ""  # the command that starts it, if it does not run


class Group(NamedTuple):
    """Related components."""

    title: str
    parts: tuple[Part, ...]


def guard(settings: ConsoleSettings) -> Group:
    """Return the status of daemon, broker and hosts."""
    daemon = Part("daemon", "decides for the hooks of agents", "does not run: the next hook starts it", OFF)
    broker = Part("broker", "who answers when a call needs approval", "a person", OFF)
    try:
        places = checked(settings.state)
        found = ask_daemon(places, STATUS)
        if found is not None:
            since = f"for {ago(int(found['seconds']))}, version {found['version']}"
            told: tuple[str, ...] = (f"{found['decided']} decisions", since)
            daemon = daemon._replace(state=f"runs, pid {found['pid']}", mark=GOOD, told=told)
        asked = read_broker(places)
        looks = (
            "somebody looks"
            if is_watched(places)
            else "no one is watching: calls that need an answer are denied at once"
        )
        told = (looks,) if asked.sort is BrokerKind.INTERACTIVE else ()
        broker = broker._replace(
            state=str(asked.sort), mark=GOOD if asked.sort is not BrokerKind.DENY_ALL else WARN, told=told
        )
    except RemitError as error:
        daemon = daemon._replace(
            state=error.message, mark=BAD if settings.state.exists() else OFF, told=(error.remedy,)
        )
    return Group("Guard", (daemon, broker, *_hosts(settings)))


def _hosts(settings: ConsoleSettings) -> tuple[Part, ...]:
    """Return the hosts with our hooks in their settings."""
    site = Site(Path.home(), settings.folders[0] if settings.folders else Path.cwd(), settings.state)
    parts = []
    for one in INSTALLERS:
        places = one.status(site)
        if not any(place.events or place.problem for place in places):
            continue
        head, *told = standing_lines(one.name, places)
        whole = any(not place.missing for place in places)
        parts.append(
            Part(one.name, "a host", head.partition(": ")[2], GOOD if whole else BAD, tuple(map(str.strip, told)))
        )
    if parts:
        return tuple(parts)
    return (Part("hosts", "agents that ask the guard", "none is known", OFF, start="remit guard install HOST"),)


def authorities(settings: ConsoleSettings) -> Group:
    """Return the status of the parties of `remit up`."""
    try:
        parties = known_parties(settings.authority)
    except UsageError as error:
        return Group("Two authorities", (Part("parties", error.message, "were never started", OFF, start="remit up"),))
    except (RemitError, OSError, ValueError, KeyError) as error:
        said = error.message if isinstance(error, RemitError) else type(error).__name__
        return Group("Two authorities", (Part("parties", str(settings.authority), f"cannot be read: {said}", BAD),))
    listens = {party.role: tuple(party.sockets.values()) for party in parties}
    return Group(
        "Two authorities",
        tuple(
            Part(
                one.role, WHO[one.role], running_words(one), GOOD if one.healthy else BAD, listens[one.role],
                "" if one.healthy else "remit up",
            )
            for one in status(settings.authority, parties)
        ),
    )  # fmt: skip


def inbound(settings: ConsoleSettings) -> Group:
    """Return the status of the inbound gateway at the address in its settings."""
    path = settings.state / "inbound" / SETTINGS
    what = "who may speak to agents, and through what"
    if not path.exists():
        return Group("Inbound gateway", (Part("gateway", what, "was never started", OFF, start="remit gateway up"),))
    try:
        known = read_inbound(path)
        at = f"{address_of(known.access)}:{known.port}"
        wrong = tuple(f"{one.id} ({one.at}): {one.kind.says}" for one in findings(known))
    except RemitError as error:
        part = Part(
            "gateway", what, f"its settings are wrong: {error.message}", BAD, (error.remedy,), "remit gateway up"
        )
        return Group("Inbound gateway", (part,))
    said = _health(at)
    if said is None:
        part = Part("gateway", what, "does not run", BAD, (at, *wrong), "remit gateway up")
    else:
        alarms = said.get("alarms")
        told = (
            at,
            *([f"alarms: {alarms}"] if alarms is not None else ["no monitor: `remit gateway up --monitor`"]),
            *wrong,
        )
        part = Part("gateway", what, "runs", BAD if alarms else WARN if wrong else GOOD, told)
    return Group("Inbound gateway", (part,))


def _health(address: str) -> dict[str, object] | None:
    """Return its health; None if there is no answer or another program answers."""
    link = http.client.HTTPConnection(address.replace("0.0.0.0", "127.0.0.1"), timeout=_SECONDS)  # noqa: S104
    try:
        link.request("GET", "/health")
        found = json.loads(link.getresponse().read(_MOST))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        link.close()
    return found if isinstance(found, dict) and found.get("gateway") == "ready" else None


GROUPS = (guard, authorities, inbound)
