"""`remit guard install --through-authority`: the gateway for a host's effects, and whether it answers."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.authority.wire.address import read_address
from remit.bundle.files import read_small
from remit.core.errors import GuardError, PackageError, RemitError, UsageError
from remit.gateway.deployment.waiting_requests import gateway_folder
from remit.guard.install.claude_code import HOST, our_server, servers_path
from remit.guard.install.settings_file import content, parse
from remit.guard.state_folder import state_folder
from remit.report.gateway_view import running_words

if TYPE_CHECKING:
    import argparse

    from remit.guard.install.model import Site, Trap

_GIVE = "`remit gateway give NAME --intent INTENT --sink SINK --out FILE` makes one"
_LATER = "${"  # a path that the host completes for each user, as in ${HOME}/agent.cred


def gateway_words(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the command of the gateway's MCP server for the settings of a host; empty if effects need not go through
    it.
    """
    given = [name for name in ("credential", "folder", "at", "tls") if getattr(args, name)]
    if not args.through_authority:
        if given:
            raise UsageError(f"--{given[0]} goes with --through-authority", "add it, or leave both out")
        return ()
    if args.host != HOST:
        raise UsageError(f"`{args.host}` has no settings that deny its own tools", f"it can be done in {HOST}")
    if not args.credential:
        raise UsageError("--through-authority needs the agent's credential", f"add --credential FILE; {_GIVE}")
    if importlib.util.find_spec("mcp") is None:
        raise PackageError("mcp", "mcp")
    return (
        sys.executable, "-I", "-m", "remit.cli", "gateway", "mcp", "--credential", _credential(args.credential), *_where(args)
    )  # fmt: skip


def _credential(name: str) -> str:
    """Return the path of a readable credential; `remit guard doctor` checks those of each user."""
    if _LATER in name:
        return name
    from remit.executor.credentials.tokens import MOST_BYTES, read_credential  # noqa: PLC0415  it needs the extra `authority`

    path = Path(name).absolute()
    data = read_small(path, "the credential", MOST_BYTES, UsageError, private=True)
    try:
        read_credential(data.decode("ascii", "replace").strip())
    except RemitError as error:
        raise UsageError(f"`{path}` is not a credential: {error.message}", _GIVE) from None
    return str(path)


def _where(args: argparse.Namespace) -> tuple[str, ...]:
    if bool(args.at) != bool(args.tls):
        raise UsageError("--at and --tls go together", "name the gateway's address and the folder of the certificate")
    if args.at:
        read_address(args.at)
        return "--at", args.at, "--tls", str(Path(args.tls).absolute())
    from remit.gateway.deployment.processes import known_parties  # noqa: PLC0415  as above

    folder = Path(args.folder).absolute() if args.folder else gateway_folder(state_folder())
    known_parties(folder)
    return "--folder", str(folder)


def effects_sentence(traps: Sequence[Trap], site: Site) -> str:
    """Return how a host's effects are performed, and whether the parties of this machine run."""
    if not any(trap.id == "authority-tools" for trap in traps):
        return "effects: the host's own tools act, and the guard judges each call"
    said = "effects: each needs both policy servers (`act` of the gateway)"
    folder = _folder(site)
    if folder is None:
        return f"{said}; parties on other machines: `remit deploy parties --status`"
    from remit.gateway.deployment.processes import known_parties, status  # noqa: PLC0415  as above

    try:
        down = [f"{one.role} {running_words(one)}" for one in status(folder, known_parties(folder)) if not one.healthy]
    except RemitError as error:
        return f"{said}; {error.message}: {error.remedy}"
    return f"{said}; {', '.join(down)}: `remit up` starts them" if down else f"{said}; all parties answer"


def _folder(site: Site) -> Path | None:
    for managed in (True, False):
        path = servers_path(site, managed=managed)
        try:
            words = our_server(parse(content(path), path))
        except GuardError:
            continue
        if words is not None and "--folder" in words[:-1]:
            return Path(words[words.index("--folder") + 1])
    return None
