"""`remit serve`: one party of the two authorities, as a process. `remit up` starts all of them."""

from __future__ import annotations

from collections.abc import Coroutine
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.authority.settings import PartySettings, read_settings
from remit.core.errors import PackageError
from remit.guard.state_folder import telling_folders
from remit.telemetry.startup import telling

if TYPE_CHECKING:
    import argparse


# the module of each party; its imports are separate from the others
_RUNS = {
    "p0": "remit.authority.server.app",
    "p1": "remit.authority.server.app",
    "executor": "remit.executor.run",
    "gateway": "remit.gateway.run",
}


def serve(args: argparse.Namespace) -> int:
    """Run a party until it is stopped."""
    try:
        import uvloop  # noqa: PLC0415  only this command needs it
    except ImportError:
        raise PackageError("uvloop", "authority") from None
    settings = read_settings(Path(args.settings))
    with telling(settings.role, *telling_folders(settings.folder)):
        uvloop.run(_party(settings))
    return 0


def _party(settings: PartySettings) -> Coroutine[Any, Any, None]:
    run = import_module(_RUNS[settings.role]).run
    needed: tuple[Any, ...] = (settings,)
    if settings.role in ("p0", "p1"):
        from remit.bundle.keys import read_private  # noqa: PLC0415  the others do without

        needed = (settings, read_private(settings.file("key")))
    party: Coroutine[Any, Any, None] = run(*needed)
    return party
