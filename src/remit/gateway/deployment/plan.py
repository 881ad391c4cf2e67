"""The processes of an installation and their settings, as values; this module writes and starts nothing.

On one machine the parties meet on Unix sockets in one folder and belong to one user. That shows how they work together;
their security against one another holds only where each runs under its own user or on its own machine
(docs/authority.md). Between machines they use TLS, each with a certificate of its name. `PLACES` defines who listens
for what, and whose certificates are accepted.
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


PLACES: dict[str, dict[str, str]] = {  # by role: purposes it listens for, and the accepted peer of each
    "p1": {"http": "gateway", "watch": "monitor"},
    "p0": {"http": "gateway", "watch": "monitor"},
    "executor": {"http": "gateway", "watch": "monitor"},
    "gateway": {"http": "agent", "watch": "monitor"},
}
_REACHES: dict[
    str, dict[str, tuple[str, str]]
] = {  # by role: the name in its settings, the role it reaches, and the purpose
    "p1": {},
    "p0": {},
    "executor": {},
    "gateway": {"p0": ("p0", "http"), "p1": ("p1", "http"), "executor": ("executor", "http")},
}
SECRETS: dict[str, dict[str, str]] = {  # by role: the secrets that it needs; its folder holds no others
    "p1": {"key": "p1.key"},
    "p0": {"key": "p0.key"},
    "executor": {},
    "gateway": {"handle-key": "handle.key"},
}
_PEOPLE_AND_SERVERS = ("p0", "p1", "approver", "operator")
PUBLIC = {"executor": _PEOPLE_AND_SERVERS, "gateway": _PEOPLE_AND_SERVERS}  # by role: the public keys that it needs
VISITORS = (
    "agent",
    "monitor",
)  # who has a certificate and is no party: agents' hosts, and whoever reads health and figures


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
    mine = {"users": [user], "names": []}

    def at(name: str) -> str:
        return f"unix:{run / name}.sock"

    def party(role: str, reach: tuple[str, ...], files: dict[str, str]) -> Party:
        own = {
            "v": 1,
            "role": role,
            "kid": KID,
            "listen": {"http": at(role)},
            "reach": {name: at(name) for name in reach},
        }
        given = {_given_as(role): f"{BUILT}/{GIVEN[role]}"} | _public_of(role)
        return Party(role, own | _waits(role, hours) | {"files": given | files, "peers": {"http": mine}})

    return (
        party("p1", (), {"key": "keys/p1.key"}),
        party("p0", (), {"key": "keys/p0.key"}),
        party("executor", (), {"effects": "effects.json", "memory": "state/actions.db", "log": "state/executor", "state": "state/effects"}),
        party(
            "gateway", ("p0", "p1", "executor"),
            {"handle-key": "keys/handle.key", "workspace": "workspace", "state": "state/gateway", "log": "state/gateway-log"},
        ),
    )  # fmt: skip


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

    def listens(self, role: str) -> dict[str, str]:
        """Return the listening addresses of a party, by purpose."""
        return {purpose: _tls(self.listen, self._port(role, purpose)) for purpose in PLACES[role]}

    def _port(self, role: str, purpose: str) -> int:
        """Return a distinct port for each purpose of each party, so that several parties can share a machine."""
        order = [(one, what) for one in ORDER for what in PLACES[one]]
        return self.port + order.index((role, purpose))


def separate_machines(network: Network, state: str, hours: int = HOURS) -> tuple[Party, ...]:
    """Return all parties, each on a machine of its own. `state`: parent folder for what each party writes."""
    return tuple(_apart(role, network, f"{state}/{role}", hours) for role in ORDER)


def _waits(role: str, hours: int) -> dict[str, int]:
    """Return the gateway's setting for how long a request waits for an approver; nothing for other roles."""
    return {"confirm_hours": hours} if role == "gateway" else {}


def _apart(role: str, network: Network, state: str, hours: int) -> Party:
    own = {"v": 1, "role": role, "kid": KID, **_waits(role, hours)}
    reach = {
        f"{name}-{number}" if number > 1 else name: place
        for name, there in _REACHES[role].items()
        for number, place in enumerate(network.places(*there), 1)
    }
    peers = {purpose: {"users": [], "names": [who]} for purpose, who in PLACES[role].items()}
    given = {_given_as(role): f"policy/{GIVEN[role]}"}
    files = given | _secrets_of(role) | _public_of(role) | _written_by(role, state) | tls_files(role)
    return Party(role, own | {"listen": network.listens(role), "reach": reach, "files": files, "peers": peers})


def _secrets_of(role: str) -> dict[str, str]:
    return {name: f"keys/{file}" for name, file in SECRETS[role].items()}


def _public_of(role: str) -> dict[str, str]:
    return {name: f"keys/{name}.key.pub" for name in PUBLIC.get(role, ())}


def _given_as(role: str) -> str:
    """Return the settings' name for the policy file of a role."""
    return "tables" if role in ("p0", "p1") else "layout"


def _written_by(role: str, state: str) -> dict[str, str]:
    if role == "executor":
        return {
            "effects": "effects.json",
            "memory": f"{state}/actions.db",
            "log": f"{state}/log",
            "state": f"{state}/effects",
        }
    if role == "gateway":
        return {"workspace": f"{state}/workspace", "state": f"{state}/state", "log": f"{state}/log"}
    return {}


def tls_files(name: str) -> dict[str, str]:
    """Return the certificate files of a party or visitor, as settings name them."""
    return {
        "certificate": f"tls/{name}.crt", "certificate-key": f"tls/{name}.key",
        "certificate-authority": "tls/authority.crt",
    }  # fmt: skip


def _tls(host: str, port: int) -> str:
    return f"tls:[{host}]:{port}" if ":" in host else f"tls:{host}:{port}"
