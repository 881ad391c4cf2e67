"""`remit console`: starts the console, and prints what a user must know first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING

from remit.cli.messages import say
from remit.core.errors import GuardError, UsageError
from remit.guard.approvals.persons import present
from remit.guard.state_folder import state_folder

if TYPE_CHECKING:
    import argparse

    from remit.web.console.settings import ConsoleSettings


def console(args: argparse.Namespace) -> int:
    """Run the command."""
    from remit.cli.console_work import OwnProcesses  # noqa: PLC0415  packages that only this needs
    from remit.web.console.server import serve  # noqa: PLC0415

    settings = _settings(args)
    if settings.without_tls and not settings.tls:
        say("anyone on the network path can read along: this console has no TLS")
    with suppress(KeyboardInterrupt):  # this is how a person stops it
        asyncio.run(serve(settings, OwnProcesses(args), _telling()))
    return 0


def _telling() -> Callable[[str], None]:
    """Print the address that admits a browser, and each further one for another browser."""
    said = chain(("open",), repeat("for another browser:"))

    def tell(address: str) -> None:
        print(next(said), address, flush=True)

    return tell


def _settings(args: argparse.Namespace) -> ConsoleSettings:
    from remit.web.console.settings import ConsoleSettings, Tls  # noqa: PLC0415

    if bool(args.tls_certificate) != bool(args.tls_key):
        raise UsageError("a certificate and its key belong together", "give `--tls-certificate` and `--tls-key`")
    for name in filter(None, (args.tls_certificate, args.tls_key, args.trust_root)):
        if not Path(name).is_file():
            raise UsageError(f"`{name}` is no file", "name one that is there")
    folders = []
    for path in args.paths or ["."]:
        folder = Path(path)
        if not folder.exists():
            raise UsageError(f"`{path}` does not exist", "name a skill, or a folder that holds skills")
        folders.append((folder if folder.is_dir() else folder.parent).resolve())
    state = Path(args.state).absolute() if args.state else state_folder()
    who, why_not = _person(unattended=args.unattended)
    return ConsoleSettings(
        folders=tuple(dict.fromkeys(folders)),
        state=state,
        authority=Path(args.authority).absolute() if args.authority else state / "authority",
        trust_root=Path(args.trust_root).absolute() if args.trust_root else None,
        address=args.bind,
        port=args.port,
        names=tuple(args.name),
        tls=Tls(Path(args.tls_certificate), Path(args.tls_key)) if args.tls_key else None,
        without_tls=args.without_tls,
        who=who,
        why_not=why_not,
    )


def _person(*, unattended: bool) -> tuple[str, str]:
    """Return who answers approvals in the pages; or why no one does: an agent that starts a console does not answer
    itself.
    """
    try:
        return f"{present(unattended=unattended)}, in the console", ""
    except GuardError as error:
        return "", error.message
