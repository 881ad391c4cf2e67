"""The settings of one process: a JSON file with paths relative to it. Unknown keys are refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.values.action import LIFETIME
from remit.authority.wire.address import Address, Certificates, Peers, read_address
from remit.core.errors import UsageError
from remit.core.shape import Items, Named, Record, Text, Whole, Word

if TYPE_CHECKING:
    from pathlib import Path


HOURS = 8  # that a request waits for an approver by default
EXECUTOR = "executor"
ROLES = ("p0", "p1", EXECUTOR, "gateway")
_PATH, _ADDRESS, _KID = Text(4096), Text(400), Text(64, r"[A-Za-z0-9._-]+")
FORM = Record(
    {
        "v": Whole(1, 1),
        "role": Word(ROLES),
        "listen": Named(_KID, _ADDRESS, 8),  # by purpose
        "reach": Named(_KID, _ADDRESS, 8),  # other parties, by name
        "files": Named(_KID, _PATH, 64),
        "peers": Named(_KID, Record({"users": Items(Whole(0, 2**32 - 1), 64), "names": Items(Text(253), 64)}), 8),
        "kid": _KID,
        "rate": Record({"minute": Whole(1, 10**7), "burst": Whole(1, 10**6)}),  # of a caller's requests, at a gateway
        "confirm_hours": Whole(1, LIFETIME // 3600),  # that a request waits for an approver at a gateway
    },
    frozenset({"rate", "confirm_hours"}),
)
_MOST = 64 * 1024


class PartySettings(NamedTuple):
    """The settings of one process."""

    folder: Path
    role: str
    listen: dict[str, Address]
    reach: dict[str, Address]
    files: dict[str, Path]
    peers: dict[str, Peers]  # who may connect, by what is listened for
    kid: str
    rate: tuple[int, int] | None = None  # requests of a caller: a minute, and at once
    confirm_hours: int = HOURS

    @property
    def number(self) -> int:
        """The number of the policy server, 0 or 1."""
        return ROLES.index(self.role)

    @property
    def executors(self) -> list[str]:
        """The names under which a gateway reaches executors: `executor`, `executor-2` …, in the order of the settings."""
        return [name for name in self.reach if name.partition("-")[0] == EXECUTOR]

    def file(self, name: str) -> Path:
        """Return a file that the process needs; UsageError if the settings do not name it."""
        if name not in self.files:
            raise UsageError(f"the settings of {self.role} name no `{name}`", "add it under `files`")
        return self.files[name]

    def certificates(self) -> Certificates | None:
        """The files for TLS, or None."""
        if "certificate" not in self.files:
            return None
        return Certificates(self.file("certificate"), self.file("certificate-key"), self.file("certificate-authority"))


def read_settings(path: Path) -> PartySettings:
    """Read a settings file; UsageError says what is wrong."""
    try:
        told: Any = json.loads(path.read_bytes()[: _MOST + 1])
    except (OSError, ValueError, RecursionError) as error:
        why = (error.strerror or "error").lower() if isinstance(error, OSError) else "not JSON"
        raise UsageError(f"`{path}` cannot be read: {why}", "let `remit up` or `remit deploy` write it") from None
    if fault := FORM.fault(told, path.name):
        raise UsageError(fault, "docs/authority.md has the form of settings")
    folder = path.resolve().parent
    return PartySettings(
        folder,
        told["role"],
        {name: read_address(text) for name, text in told["listen"].items()},
        {name: read_address(text) for name, text in told["reach"].items()},
        {name: folder / text for name, text in told["files"].items()},
        {name: Peers(frozenset(may["users"]), frozenset(may["names"])) for name, may in told["peers"].items()},
        told["kid"],
        (told["rate"]["minute"], told["rate"]["burst"]) if "rate" in told else None,
        told.get("confirm_hours", HOURS),
    )
