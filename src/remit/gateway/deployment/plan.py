"""The processes of an installation and their settings, as values; this module writes and starts nothing.

On one machine the parties meet on Unix sockets in one folder and belong to one user. That shows how they work together;
their security against one another holds only where each runs under its own user or on its own machine
(docs/authority.md). Between machines they use TLS, each with a certificate of its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.settings import HOURS
from remit.gateway.deployment.files import BUILT, GIVEN

if TYPE_CHECKING:
    from pathlib import Path

ORDER = ("p1", "p0", "executor", "gateway")  # order of starting
WHO = {
    "p0": "first policy server: answers look-ups, and does not learn what is looked up",
    "p1": "second policy server",
    "executor": "acts, once, on two proofs",
    "gateway": "what agents ask: previews, commits, handles",
}
KID = "k1"

PURPOSES = ("http", "watch")  # what every role listens for
_REACHED = ("p0", "p1", "executor")  # whom the gateway asks
_PEOPLE_AND_SERVERS = ("p0", "p1", "approver", "operator")
PUBLIC = {"executor": _PEOPLE_AND_SERVERS, "gateway": _PEOPLE_AND_SERVERS}  # by role: the public keys that it needs
# by role: the name of its secret in the settings, and the file; its folder holds no others
SECRETS = {"p0": ("key", "p0.key"), "p1": ("key", "p1.key"), "gateway": ("handle-key", "handle.key")}
# have a certificate and are no party: hosts of agents, and readers of health and metrics
VISITORS = ("agent", "monitor")


class Party(NamedTuple):
    """One process: its role, its settings and its addresses by purpose."""

    role: str
    settings: dict[str, Any]

    @property
    def sockets(self) -> dict[str, str]:
        """Its listening addresses, by purpose."""
        found: dict[str, str] = self.settings["listen"]
        return found


def single_machine(run: Path, user: int, hours: int = HOURS) -> tuple[Party, ...]:
    """Return all parties for one machine, with sockets in one folder. File paths are relative to the settings."""

    def at(name: str) -> str:
        return f"unix:{run / name}.sock"

    def party(role: str) -> Party:
        own = {
            "listen": {"http": at(role)},
            "reach": {name: at(name) for name in _REACHED if role == "gateway"},
            "files": _files(role, BUILT) | _OWN_FILES.get(role, {}),
            "peers": {"http": {"users": [user], "names": []}},
        }
        return Party(role, _common(role, hours) | own)

    return tuple(map(party, ORDER))


_OWN_FILES = {  # by role: what it reads and writes on one machine
    "executor": {
        "effects": "effects.json", "memory": "state/actions.db", "log": "state/executor", "state": "state/effects",
    },
    "gateway": {"workspace": "workspace", "state": "state/gateway", "log": "state/gateway-log"},
}  # fmt: skip


class Network(NamedTuple):
    """Network locations of the parties: hosts by role (separated by commas), first port, listen address."""

    hosts: dict[str, str]
    port: int
    listen: str

    def at(self, role: str, purpose: str) -> str:
        """Return the address where others reach a role; the first of several."""
        return self.places(role, purpose)[0]

    def places(self, role: str, purpose: str) -> list[str]:
        """Return all addresses where others reach a role."""
        return [_tls(host, self._port(role, purpose)) for host in self.hosts[role].split(",")]

    def _port(self, role: str, purpose: str) -> int:
        """Return a distinct port for each purpose of each party, so that several parties can share a machine."""
        return self.port + len(PURPOSES) * ORDER.index(role) + PURPOSES.index(purpose)

    def party(self, role: str, state: str, hours: int) -> Party:
        """Return a party on a machine of its own. `state`: folder for what it writes."""
        reach = {
            f"{name}-{number}" if number > 1 else name: place
            for name in _REACHED
            if role == "gateway"
            for number, place in enumerate(self.places(name, "http"), 1)
        }
        peers = {"http": "agent" if role == "gateway" else "gateway", "watch": "monitor"}
        own = {
            "listen": {purpose: _tls(self.listen, self._port(role, purpose)) for purpose in PURPOSES},
            "reach": reach,
            "files": _files(role, "policy") | _written_by(role, state) | _tls_files(role),
            "peers": {purpose: {"users": [], "names": [who]} for purpose, who in peers.items()},
        }
        return Party(role, _common(role, hours) | own)


def separate_machines(network: Network, state: str, hours: int = HOURS) -> tuple[Party, ...]:
    """Return all parties, each on a machine of its own. `state`: parent folder for what each party writes."""
    return tuple(network.party(role, f"{state}/{role}", hours) for role in ORDER)


def _common(role: str, hours: int) -> dict[str, Any]:
    """Return the settings of a role that do not depend on machines. `hours`: how long a request waits for an approver."""
    return {"v": 1, "role": role, "kid": KID} | ({"confirm_hours": hours} if role == "gateway" else {})


def _files(role: str, policy: str) -> dict[str, str]:
    """Return the files of a role that are given to it: what it gets of the policy, its secret, and public keys."""
    given = {"tables" if role in ("p0", "p1") else "layout": f"{policy}/{GIVEN[role]}"}
    secret = {name: f"keys/{file}" for name, file in (SECRETS[role],)} if role in SECRETS else {}
    return given | secret | {name: f"keys/{name}.key.pub" for name in PUBLIC.get(role, ())}


def _written_by(role: str, state: str) -> dict[str, str]:
    log = {"state": f"{state}/state", "log": f"{state}/log"}
    if role == "executor":
        return {"effects": "effects.json", "memory": f"{state}/actions.db", **log, "state": f"{state}/effects"}
    return {"workspace": f"{state}/workspace", **log} if role == "gateway" else {}


def _tls_files(name: str) -> dict[str, str]:
    """Return the certificate files of a party or visitor, as settings name them."""
    return {
        "certificate": f"tls/{name}.crt", "certificate-key": f"tls/{name}.key",
        "certificate-authority": "tls/authority.crt",
    }  # fmt: skip


def _tls(host: str, port: int) -> str:
    return f"tls:[{host}]:{port}" if ":" in host else f"tls:{host}:{port}"
