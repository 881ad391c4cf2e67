"""Which processes there are, and how each is set. A plan is a value: nothing is written or started here.

On one machine the parties meet on Unix sockets in one folder, and belong to one user. That shows how they work together; what they
promise of one another they keep only where each runs under its own user or on its own machine (docs/authority.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.executor.keys import ED25519, HMAC

if TYPE_CHECKING:
    from pathlib import Path

ORDER = ("dealer", "p1", "p0", "executor", "gateway")  # in which they are started
KID = "k1"


class Party(NamedTuple):
    """One process: its role, its settings and where it listens, by purpose."""

    role: str
    settings: dict[str, Any]

    @property
    def sockets(self) -> dict[str, str]:
        """Where it listens, by purpose."""
        found: dict[str, str] = self.settings["listen"]
        return found


def single_machine(run: Path, user: int, epoch: int, profile: str = ED25519) -> tuple[Party, ...]:
    """All parties with sockets in one folder. Paths of files are relative to the settings."""
    signs, knows = (".mac", ".mac") if profile == HMAC else (".key", ".key.pub")
    mine = {"users": [user], "names": []}

    def at(name: str) -> str:
        return f"unix:{run / name}.sock"

    def party(role: str, listen: dict[str, str], reach: dict[str, str], files: dict[str, str]) -> Party:
        own = {"v": 1, "role": role, "kid": KID, "profile": profile, "epoch": epoch}
        rest = {"listen": listen, "reach": reach, "files": files, "peers": dict.fromkeys(listen, mine)}
        return Party(role, own | rest)

    policy = {"policy": "policy/remit.policy", "table-key": "keys/table.key"}
    bound = policy | {"binding-key": "keys/binding.key"}
    return (
        party("dealer", {"p0": at("dealer-p0"), "p1": at("dealer-p1")}, {}, {}),
        party("p1", {"http": at("p1"), "other": at("p1-p0")}, {"dealer": at("dealer-p1")}, policy | {"key": f"keys/p1{signs}"}),
        party("p0", {"http": at("p0")}, {"dealer": at("dealer-p0"), "other": at("p1-p0")}, policy | {"key": f"keys/p0{signs}"}),
        party(
            "executor", {"http": at("executor")}, {},
            bound | {
                "p0": f"keys/p0{knows}", "p1": f"keys/p1{knows}", "approver": "keys/approver.key.pub",
                "effects": "effects.json", "memory": "state/actions.db", "log": "state/executor",
            },
        ),
        party(
            "gateway", {"http": at("gateway")}, {name: at(name) for name in ("p0", "p1", "executor")},
            bound | {
                "operator": "keys/operator.key.pub", "approver": "keys/approver.key.pub", "handle-key": "keys/handle.key",
                "workspace": "workspace", "state": "state/gateway", "log": "state/gateway-log",
            },
        ),
    )  # fmt: skip
