"""`remit up` and `remit down`: all parties of the two authorities on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.plan import WHO, Party
from remit.gateway.deployment.processes import PartyProcess, known_parties, start, status, stop
from remit.guard.state_folder import state_folder
from remit.report.gateway_view import running_words

if TYPE_CHECKING:
    import argparse


def up(args: argparse.Namespace) -> int:
    """Start all parties, and print where each runs."""
    folder = _folder(args)
    if args.status:
        parties = known_parties(folder)
        running = tuple(status(folder, parties))
    else:
        parties = make_folder(folder, Path(args.policy) if args.policy else None, args.confirm_hours or 0)
        running = tuple(start(folder, parties))
    _show(args.format, folder, parties, running)
    return 0 if all(one.healthy for one in running) else 1


def down(args: argparse.Namespace) -> int:
    """Stop all parties."""
    stopped = list(stop(_folder(args)))
    print(f"stopped: {', '.join(stopped)}" if stopped else "nothing was running")
    return 0


def _folder(args: argparse.Namespace) -> Path:
    return Path(args.folder).absolute() if args.folder else state_folder() / "authority"


def _show(form: str, folder: Path, parties: Iterable[Party], running: tuple[PartyProcess, ...]) -> None:
    places = {party.role: party.sockets for party in parties}
    if form == "json":
        found = [{**one._asdict(), "listens": places[one.role]} for one in running]
        print(json.dumps({"folder": str(folder), "parties": found}, indent=2))
        return
    new = [one.role for one in running if one.new]
    told = "" if not new else "; started" if len(new) == len(places) else f"; started: {', '.join(new)}"
    told += "; the new policy counts" if any(one.renewed for one in running) else ""
    print(f"Two authorities, in {folder}{told}\n")
    for one in running:
        print(f"  {one.role:9} {WHO[one.role]}  ({running_words(one)})")
        for address in places[one.role].values():
            print(f"  {'':9} {address}")
    print(f"\n  policy    {folder / 'policy' / 'remit.policy'}   change it here, then `remit up` again")
    print(
        "  agents    remit gateway give NAME --intent INTENT --sink SINK --out FILE   a credential; remit gateway mcp serves it"
    )
    print(
        f"  effects   {folder / 'effects.json'}   what the executor may use; nothing until you set it up here (mail, web, files,"
    )
    print("            process, skills: docs/authority.md) and the policy allows it; then `remit up` again")
    print(f"  logs      {folder / 'log'}   metrics: GET /metrics at each HTTP socket, /health too")
    print(
        "\nOn one machine and under one user this shows how the parties work together. What they promise of one another they\n"
        "keep where each has a user or a machine of its own: docs/authority.md, systemd units and a compose file are in deploy/."
    )
