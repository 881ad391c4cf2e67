"""Settings of the console: address, host names, and content."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import UsageError
from remit.gateway.inbound.access import LOCAL_NAMES

if TYPE_CHECKING:
    from pathlib import Path

LOOPBACK = "127.0.0.1"
PORT = 18795


class Tls(NamedTuple):
    """A certificate and its key in PEM files."""

    certificate: Path
    key: Path


class ConsoleSettings(NamedTuple):
    """The settings with which the console was started."""

    folders: tuple[Path, ...]  # skill folders with real paths; nothing outside is shown or written
    state: Path  # the state folder of the guard
    authority: Path  # the folder of `remit up`
    trust_root: Path | None = None  # for verifying bundles
    address: str = LOOPBACK
    port: int = PORT
    names: tuple[str, ...] = ()  # further host names of this machine
    tls: Tls | None = None
    without_tls: bool = False  # allow access from other machines without TLS
    who: str = ""  # the person who answers approvals, as in the log; empty: no answers
    why_not: str = ""  # why there are no answers

    @property
    def scheme(self) -> str:
        """The URL scheme."""
        return "https" if self.tls else "http"

    @property
    def hosts(self) -> frozenset[str]:
        """Accepted values of the Host header, without port. Other names may be DNS rebinding attacks."""
        return frozenset((*LOCAL_NAMES, _bracketed(self.address), *(name.lower() for name in self.names)))

    def url(self, port: int) -> str:
        """Return the URL for a person."""
        host = self.names[0] if self.names else _bracketed(self.address)
        return f"{self.scheme}://{host}:{port}/"


def checked(settings: ConsoleSettings) -> ConsoleSettings:
    """Return the settings if no one on the network can listen in, or the person accepted that."""
    try:
        address = ip_address(settings.address)
    except ValueError:
        raise UsageError(f"`{settings.address}` is no address", "give one of this machine, such as 127.0.0.1") from None
    if address.is_loopback or settings.without_tls or settings.tls:
        if address.is_unspecified and not settings.names:
            raise UsageError(
                f"`{settings.address}` is every address, and has no name by which browsers ask",
                "add `--name NAME` with the name or address that the browser shows",
            )
        return settings
    raise UsageError(
        f"`{settings.address}` is reachable from other machines, and anyone on the network path could read and answer approvals",
        "leave `--bind` out and forward the port (`ssh -L 18795:127.0.0.1:18795 HOST`), or give `--tls-certificate` and "
        "`--tls-key`, or say `--without-tls`",
    )


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
