"""Where the console listens, by which names it may be asked for, and what it shows."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import UsageError
from remit.gateway.inbound.access.origin import LOCAL_NAMES

if TYPE_CHECKING:
    from pathlib import Path

LOOPBACK = "127.0.0.1"
PORT = 18795


class Tls(NamedTuple):
    """A certificate and its key, both PEM."""

    certificate: Path
    key: Path


class Settings(NamedTuple):
    """What a person asked for when the console was started."""

    folders: tuple[Path, ...]  # where skills are, each as it is on disk; nothing outside of them is shown or written
    state: Path  # the state folder of the guard
    authority: Path  # the folder of `remit up`
    trust_root: Path | None = None  # whose word counts, for the bundles of skills
    address: str = LOOPBACK
    port: int = PORT
    names: tuple[str, ...] = ()  # of this machine, by which others reach it
    tls: Tls | None = None
    without_tls: bool = False  # whether it may be reached from elsewhere without TLS
    who: str = ""  # the person who answers approvals in the pages, as the log has it; empty: nobody does
    why_not: str = ""  # then, why

    @property
    def scheme(self) -> str:
        """How browsers come here."""
        return "https" if self.tls else "http"

    @property
    def hosts(self) -> frozenset[str]:
        """What may stand in the header Host, without its port: a stranger's name that leads here is a trick (DNS rebinding)."""
        return frozenset((*LOCAL_NAMES, _bracketed(self.address), *(name.lower() for name in self.names)))

    def url(self, port: int) -> str:
        """Its address, for a person."""
        host = self.names[0] if self.names else _bracketed(self.address)
        return f"{self.scheme}://{host}:{port}/"


def checked(settings: Settings) -> Settings:
    """The settings, if nobody on the network can listen to what they serve, or a person said that this may be."""
    try:
        address = ip_address(settings.address)
    except ValueError:
        raise UsageError(f"`{settings.address}` is no address", "give one of this machine, such as 127.0.0.1") from None
    if address.is_loopback or settings.without_tls or settings.tls:
        if address.is_unspecified and not settings.names:
            raise UsageError(
                f"`{settings.address}` is every address, and has no name by which browsers ask",
                "add `--name NAME` with the name or address that stands in the browser",
            )
        return settings
    raise UsageError(
        f"`{settings.address}` is reached from elsewhere, and whoever is on the way could read along and answer approvals",
        "leave `--bind` out and forward the port (`ssh -L 18795:127.0.0.1:18795 HOST`), or give `--tls-certificate` and "
        "`--tls-key`, or say `--without-tls`",
    )


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
