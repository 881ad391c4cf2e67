"""`remit deploy`: a folder for each party of the two authorities, for machines of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from remit.gateway.deployment.files import BUILT, epoch_of
from remit.gateway.deployment.folders import OFFICE, kept_network, make_folders
from remit.gateway.deployment.plan import ORDER, VISITORS
from remit.gateway.deployment.processes import works

if TYPE_CHECKING:
    import argparse

from remit.gateway.deployment.folders import PartyFolders

_WHO = {
    "p1": "second policy server",
    "p0": "first policy server",
    "executor": "acts, once, on two proofs; set up effects.json in its folder",
    "gateway": "what agents ask",
    "agent": "for machines of agents: remit gateway mcp --credential FILE --at {gateway} --tls {folder}/agent/tls",
    "monitor": "for reading health and metrics, at the `watch` address of each party",
    OFFICE: "policy, lists, keys of operator and approver, and of certificates: copy it to no machine that runs a party",
}


def deploy(args: argparse.Namespace) -> int:
    """Run the command."""
    folder = Path(args.folder).absolute()
    placed = kept_network(folder, must=args.status).changed(
        dict(args.host), args.port, args.listen, args.state, args.confirm_hours
    )
    if args.status:
        return _status(args.format, folder, placed)
    parties = make_folders(folder, placed, Path(args.policy) if args.policy else None, renew=args.renew)
    epoch = epoch_of(folder / OFFICE / BUILT)
    places = {
        role: {what: placed.network.at(role, what) for what in one.sockets}
        for role, one in ((one.role, one) for one in parties)
    }
    if args.format == "json":
        print(json.dumps({"folder": str(folder), "epoch": epoch, "reached": places}, indent=2))
    else:
        _show(folder, epoch, places)
    return 0


def _show(folder: Path, epoch: int, places: Mapping[str, Mapping[str, str]]) -> None:
    print(f"Folders for four parties, in {folder}; the policy has number {epoch}\n")
    for name in (*ORDER, *VISITORS, OFFICE):
        print(f"  {name:9} {_WHO[name].format(folder=folder, gateway=places['gateway']['http'])}")
        for purpose, address in places.get(name, {}).items():
            print(f"  {'':9} {address}  ({purpose})")
    print(
        "\n  next      copy each folder to its machine as /etc/remit/NAME, owned by the user remit-NAME and by nobody else readable,\n"
        "            and start deploy/systemd/remit@.service there (`systemctl enable --now remit@p0`); or, all on one machine,\n"
        "            start deploy/compose.yaml, which mounts these folders (docs/authority.md)\n"
        f"  agents    remit gateway give NAME --folder {folder / OFFICE} --intent INTENT --sink SINK --out FILE\n"
        f"  look      remit deploy {folder} --status"
    )


def _status(form: str, folder: Path, placed: PartyFolders) -> int:
    epoch = epoch_of(folder / OFFICE / BUILT)
    watched = [(role, place) for role in ORDER for place in placed.network.places(role, "watch")]
    found = [(role, place, works(folder / "monitor" / "tls", role, place, epoch)) for role, place in watched]
    if form == "json":
        parties = [{"role": role, "at": place, "works": not fault, "fault": fault} for role, place, fault in found]
        print(json.dumps({"folder": str(folder), "parties": parties}, indent=2))
    else:
        for role, place, fault in found:
            print(f"  {role:9} {place}  {fault or 'works'}")
    return 1 if any(fault for *_, fault in found) else 0
