"""`remit gateway give|keep|waiting|confirm|deny|liars|end|mcp`: actions of operator and approver, and the MCP server of
an agent.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.authority.sinks import SINK
from remit.authority.wire.address import Certificates, read_address
from remit.bundle.files import read_small
from remit.core.errors import UsageError
from remit.core.telemetry import read_parent
from remit.gateway.deployment.operator_actions import (
    CredentialContents,
    audit_look_ups,
    confirm_one,
    end_session,
    give,
    keep,
    refuse_one,
    waiting,
)
from remit.gateway.deployment.waiting_requests import SHORT, gateway_folder
from remit.gateway.handles import Secret, Sensitivity
from remit.guard.approvals.persons import present
from remit.guard.state_folder import state_folder
from remit.report.gateway_view import waiting_lines, waiting_value
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse

    from remit.gateway.transactions import Waiting

_MOST_SECRET = 64 * 1024
_HOUR = 3600


def operate(args: argparse.Namespace) -> int:
    """Run one action of operator, approver or agent."""
    folder = Path(args.folder).absolute() if args.folder else gateway_folder(state_folder())
    if args.action in ("give", "keep", "end"):
        present(unattended=True)  # no terminal is needed; an agent does not give itself rights
    match args.action:
        case "give":
            _give(args, folder)
        case "keep":
            _keep(args, folder)
        case "waiting":
            _waiting(args, waiting(folder))
        case "confirm":
            person = present(unattended=args.unattended)
            done = confirm_one(folder, args.id, str(person), key_file=Path(args.key) if args.key else None)
            Screen.of(sys.stdout, "auto").write([*waiting_lines(done), "confirmed"])
        case "deny":
            person = present(unattended=args.unattended)
            print(f"{refuse_one(folder, args.id, str(person)).id[:SHORT]}: denied")
        case "liars":
            return _liars(args.format, folder, Path(args.tables) if args.tables else None)
        case "end":
            print(f"the session `{args.session}` is over; values that are gone: {end_session(folder, args.session)}")
        case _:
            _mcp(args, folder)
    return 0


def _give(args: argparse.Namespace, folder: Path) -> None:
    session = args.session or f"{args.name}-{secrets.token_hex(4)}"
    uid = -1 if args.user is None else args.user
    text = give(folder, CredentialContents(args.name, session, args.intent, args.sink, args.hours * _HOUR, uid))
    try:
        handle = os.open(args.out, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(
            f"`{args.out}` cannot be made: {(error.strerror or 'error').lower()}", "give a new name"
        ) from None
    with os.fdopen(handle, "w") as file:
        file.write(text + "\n")
    print(f"a credential for `{args.name}` in the session `{session}`, for {args.hours} hours: {args.out}")


def _keep(args: argparse.Namespace, folder: Path) -> None:
    value = sys.stdin.buffer.read(_MOST_SECRET + 1).rstrip(b"\n")
    if not value or len(value) > _MOST_SECRET:
        raise UsageError(f"a secret has from 1 to {_MOST_SECRET} bytes", "send it to standard input")
    for sink in args.sink:
        if fault := SINK.fault(sink, "--sink"):
            raise UsageError(fault, "name a host, `runtime`, or `*`")
    sensitivity = Sensitivity.LOW if args.low else Sensitivity.HIGH
    keep(folder, args.name, Secret(value, sensitivity, frozenset(args.sink)))
    print(f"`{args.name}` is kept; it may go to {', '.join(sorted(args.sink))}")


def _waiting(args: argparse.Namespace, found: tuple[Waiting, ...]) -> None:
    if args.format == "json":
        print(json.dumps({"waiting": [waiting_value(one) for one in found]}, indent=2))
        return
    lines = [line for one in found for line in (*waiting_lines(one), "")] or ["nothing waits"]
    Screen.of(sys.stdout, "auto").write(lines)


def _liars(form: str, folder: Path, tables: Path | None) -> int:
    """Print which server gave wrong answers in failed look-ups; 1 if one did."""
    found = audit_look_ups(folder, tables)
    if form == "json":
        told = [{"look_up": one.name, "liars": list(one.liars)} for one in found]
        print(json.dumps({"look_ups": told}, indent=2))
    else:
        for one in found:
            print(f"{one.name}: {' and '.join(one.liars) or 'no answer differs from these tables'}")
        print(f"failed look-ups: {len(found)}; with a lying server: {sum(bool(one.liars) for one in found)}")
    return 1 if any(one.liars for one in found) else 0


def _mcp(args: argparse.Namespace, folder: Path) -> None:
    from remit.executor.credentials.tokens import MOST_BYTES  # noqa: PLC0415  packages that only this needs
    from remit.gateway.fronts.client import GatewayClient  # noqa: PLC0415
    from remit.gateway.fronts.mcp_stdio import serve  # noqa: PLC0415

    data = read_small(Path(args.credential), "the credential", MOST_BYTES, UsageError, private=True)

    if bool(args.at) != bool(args.tls):
        raise UsageError("--at and --tls go together", "name the gateway's address and the folder of the certificate")
    place, files = (read_address(args.at), _certificates(Path(args.tls))) if args.at else (_socket(folder), None)

    async def main() -> None:
        within = read_parent(os.environ.get("TRACEPARENT", ""))  # position of its host in a trace
        async with GatewayClient(place, data.decode("ascii", "replace").strip(), files, within) as asker:
            await serve(asker.act)

    asyncio.run(main())


def _socket(folder: Path) -> str:
    return str(folder / "run" / "gateway.sock")


def _certificates(tls: Path) -> Certificates:
    return Certificates(tls / "agent.crt", tls / "agent.key", tls / "authority.crt")
