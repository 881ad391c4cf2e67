"""`remit gateway init|import|up|chat|audit|pair|runs`: settings of the inbound gateway, pairing, and requests to
devices.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.audit.log import Log
from remit.cli.chat import chat
from remit.core.errors import UsageError
from remit.gateway.inbound import pairing, records
from remit.gateway.inbound.findings import findings
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.settings.loader import SETTINGS, read_inbound
from remit.gateway.inbound.settings.writer import Choices, starting, write_settings
from remit.gateway.inbound.stores.operations import listed
from remit.gateway.inbound.stores.sql import FILE, open_store
from remit.guard.approvals.persons import present
from remit.guard.state_folder import state_folder
from remit.report.screen import Screen, visible

if TYPE_CHECKING:
    import argparse

    from remit.gateway.inbound.stores.store import Store


LOG = "log"


def _folder(args: argparse.Namespace) -> Path:
    return Path(args.folder).absolute() if args.folder else state_folder() / "inbound"


def _settings(args: argparse.Namespace) -> Path:
    return Path(args.settings).absolute() if args.settings else _folder(args) / SETTINGS


def up(args: argparse.Namespace) -> int:
    """Run it until it is stopped."""
    from remit.cli.inbound_up import run  # noqa: PLC0415  packages that only this needs

    folder, path = _folder(args), _settings(args)
    if not args.settings and not path.exists():
        write_settings(starting(Choices()), path)
        print(f"settings to begin with were written: {path}; `remit gateway init` asks for them")
    return run(path, folder, args.port, args.monitor, stop=args.monitor_stop)


def init(args: argparse.Namespace) -> int:
    """Ask a few questions, and write the settings."""
    from remit.cli.gateway_setup import init as ask  # noqa: PLC0415

    return ask(args, _settings(args))


def import_(args: argparse.Namespace) -> int:
    """Convert the settings of another gateway."""
    from remit.cli.gateway_setup import import_settings  # noqa: PLC0415

    return import_settings(args, _settings(args))


def audit(args: argparse.Namespace) -> int:
    """Print what is wrong with the settings; 1 if something is serious."""
    found = findings(read_inbound(_settings(args)))
    if args.format == "json":
        told = [
            {"id": one.id, "at": one.at, "grave": one.kind.grave, "says": one.kind.says, "remedy": one.kind.remedy}
            for one in found
        ]
        print(json.dumps({"findings": told}, indent=2))
    else:
        lines = [
            line
            for one in found
            for line in (
                f"{'grave' if one.kind.grave else 'warn '}  {one.id}  ({one.at})",
                f"       {one.kind.says}",
                f"       {one.kind.remedy}",
            )
        ]
        Screen.of(sys.stdout, "auto").write(lines or ["no problems found in the settings"])
    return int(any(one.kind.grave for one in found))


def pair(args: argparse.Namespace) -> int:
    """List who waits, or admit someone."""
    with _store(args) as store:
        if not args.channel:
            _show(args, _waiting(store), "nobody waits")
            return 0
        settings = read_inbound(_settings(args)).channels.get(args.channel)
        rules = settings.pairing if settings else pairing.Rules()
        if not args.code and not args.remove:
            raise UsageError("no code is given", "remit gateway pair CHANNEL CODE")
        person = str(present(unattended=args.unattended))
        event: pairing.PairingEvent = (
            pairing.Remove(args.remove)
            if args.remove
            else pairing.Deny(args.code)
            if args.deny
            else pairing.Approve(args.code)
        )
        outcome = store.run(pairing.apply(rules, args.channel, event, int(time.time())))
        with Log.open(_folder(args) / LOG) as log:
            yes = outcome is pairing.Outcome.APPROVED
            log.append(records.answered("pairing", args.remove or args.code, person, yes=yes))
        print(f"{args.channel}: {outcome}")
        return 0 if outcome in (pairing.Outcome.APPROVED, pairing.Outcome.DENIED, pairing.Outcome.REMOVED) else 1


def answer_runs(args: argparse.Namespace) -> int:
    """List what waits for a person, or answer it."""
    with _store(args) as store:
        if not args.id:
            _show(args, _runs(store), "nothing waits")
            return 0
        request = store.run(runs.look(args.id))
        if request is None:
            raise UsageError(f"nothing waits under `{args.id}`", "`remit gateway runs` lists them")
        person = str(present(unattended=args.unattended))
        event: runs.RunEvent = runs.Deny() if args.deny else runs.Approve(request.digest, person)
        refused = store.run(runs.apply(args.id, event, int(time.time())))
        with Log.open(_folder(args) / LOG) as log:
            log.append(records.answered("node", args.id, person, yes=not args.deny and not refused))
        print(
            f"{request.command} {request.shown} on {request.device}: {refused or ('denied' if args.deny else 'approved')}"
        )
        return 1 if refused else 0


@contextmanager
def _store(args: argparse.Namespace) -> Iterator[Store]:
    settings, folder = read_inbound(_settings(args)), _folder(args)
    if not settings.database and not (folder / FILE).exists():
        raise UsageError("no gateway has run here", "remit gateway up")
    store = open_store(settings, folder)
    try:
        yield store
    finally:
        store.close()


def _show(args: argparse.Namespace, rows: list[dict[str, Any]], nothing: str) -> None:
    if args.format == "json":
        print(json.dumps({"waiting": rows}, indent=2))
        return
    lines = ["  ".join(f"{value}" for value in row.values()) for row in rows]
    Screen.of(sys.stdout, "auto").write([visible(line) for line in lines] or [nothing])


def _waiting(store: Store) -> list[dict[str, Any]]:
    now = int(time.time())
    found = store.run(listed(pairing.TABLE))
    return [
        {"channel": name, "code": one.code, "who": one.sender, "minutes": (one.until - now) // 60}
        for name, channel in found
        for one in pairing.live(channel, now).waiting
    ]


def _runs(store: Store) -> list[dict[str, Any]]:
    now = int(time.time())
    return [
        {"id": name, "device": one.device, "command": one.command, "arguments": one.shown}
        for name, one in store.run(listed(runs.TABLE))
        if one.phase is runs.RunPhase.WAITING and now < one.until
    ]


INBOUND: dict[str, Callable[[argparse.Namespace], int]] = {
    "init": init,
    "import": import_,
    "up": up,
    "chat": chat,
    "audit": audit,
    "pair": pair,
    "runs": answer_runs,
}


def gateway(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.action in INBOUND:
        return INBOUND[args.action](args)
    from remit.cli.gateway_operator import operate  # noqa: PLC0415  packages that agents and channels do without

    return operate(args)
