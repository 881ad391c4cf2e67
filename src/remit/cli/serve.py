"""`remit serve`: one party of the two authorities, as a process. `remit up` starts all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from remit.authority.settings import read_settings
from remit.bundle.keys import read_private
from remit.core.errors import PackageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Coroutine
    from typing import Any

    from remit.authority.settings import Settings


def serve(args: argparse.Namespace) -> int:
    """Run a party until it is told to stop."""
    try:
        import uvloop  # noqa: PLC0415  only this command needs it
    except ImportError:
        raise PackageError("uvloop", "authority") from None
    settings = read_settings(Path(args.settings))
    uvloop.run(_party(settings))
    return 0


def _party(settings: Settings) -> Coroutine[Any, Any, None]:
    # each role has imports of its own, which the others do without
    if settings.role == "dealer":
        from remit.authority.dealer.run import run as deal  # noqa: PLC0415

        return deal(settings)
    if settings.role == "executor":
        from remit.executor.run import run as execute  # noqa: PLC0415

        return execute(settings)
    if settings.role == "gateway":
        from remit.gateway.run import run as speak  # noqa: PLC0415

        return speak(settings)
    from remit.authority.server.run import run as decide  # noqa: PLC0415

    return decide(settings, read_private(settings.file("key")))
