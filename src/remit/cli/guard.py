"""`remit guard install`, `uninstall`, `status` and `doctor`; other actions are in modules of their own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError, UsageError
from remit.guard.client.build import build_client, find_compiler
from remit.guard.install.model import Change, HookStatus, Lock, Site
from remit.guard.install.registry import INSTALLERS, find_installer
from remit.guard.install.settings_file import apply
from remit.guard.state_folder import StateFolder, prepared, state_folder
from remit.guard.walls import walls_sentence
from remit.report.guard_text import change_lines, standing_lines, trap_lines

if TYPE_CHECKING:
    import argparse


def guard(args: argparse.Namespace) -> int:
    """Run the command."""
    match args.action:
        case "install" | "uninstall":
            return _change(args)
        case "status":
            return _status(args)
        case "mcp":
            from remit.cli.guard_mcp import guard_mcp  # noqa: PLC0415  a proxy needs nothing of installers

            return guard_mcp(args)
        case "answers" | "rules":
            from remit.cli.guard_answers import guard_answers  # noqa: PLC0415  nor do these

            return guard_answers(args)
        case "trust" | "untrust" | "task" | "broker" | "stop" | "log":
            from remit.cli.guard_words import guard_words  # noqa: PLC0415  nor do these

            return guard_words(args)
        case _:
            return _doctor(args)


def _site(args: argparse.Namespace) -> Site:
    project = Path(getattr(args, "project", "."))
    if not project.is_dir():
        raise UsageError(f"`{project}` is no folder", "name the folder in which the host works")
    managed = Path(args.managed_folder).absolute() if args.managed_folder else None
    return Site(Path.home(), Path(os.path.realpath(project)), state_folder(), managed)


def _change(args: argparse.Namespace) -> int:
    installer, site = find_installer(args.host), _site(args)
    if args.action == "install":
        from remit.cli.guard_authority import gateway_words  # noqa: PLC0415  only who installs needs the gateway

        site = site._replace(authority=gateway_words(args))
    if args.action == "install" and not args.managed:
        site = site._replace(client=_compiled_client(site, dry=args.dry_run))
    plan = installer.install if args.action == "install" else installer.uninstall
    changes = plan(site, managed=args.managed)
    if not args.dry_run:
        apply(changes)
    value = {
        "host": args.host, "action": args.action, "done": not args.dry_run, "changes": [_change_value(c) for c in changes],
    }  # fmt: skip
    _tell(args.format, value, change_lines(args.host, args.action, changes, dry=args.dry_run))
    return 0


def _compiled_client(site: Site, *, dry: bool) -> Path | None:
    """Return the client that hooks run: the compiled one, which is ten times faster, unless this machine cannot
    compile.
    """
    if dry:
        return StateFolder(site.state).client if find_compiler() else None
    try:
        return build_client(prepared(site.state))
    except GuardError as error:
        print(f"{error.message}; hooks run the Python client", file=sys.stderr)
        return None


def _status(args: argparse.Namespace) -> int:
    site = _site(args)
    installers = [find_installer(args.host)] if args.host else list(INSTALLERS)
    found = {installer.name: installer.status(site) for installer in installers}
    value = {host: [_standing_value(standing) for standing in places] for host, places in found.items()}
    _tell(args.format, value, (line for host, places in found.items() for line in standing_lines(host, places)))
    # without a host: all hosts in which the guard was installed, completely or not
    meant = [places for places in found.values() if args.host or any(place.events or place.problem for place in places)]
    return 0 if meant and all(any(not place.missing for place in places) for places in meant) else 1


def _doctor(args: argparse.Namespace) -> int:
    installer, site = find_installer(args.host), _site(args)
    found = installer.doctor(site)
    traps = [trap._asdict() | {"lock": trap.lock.value} for trap in found]
    walls = walls_sentence(args.host, StateFolder(site.state), site.home)
    from remit.cli.guard_authority import effects_sentence  # noqa: PLC0415

    effects = effects_sentence(found, site)
    value = {"host": args.host, "project": str(site.project), "walls": walls, "effects": effects, "traps": traps}
    _tell(args.format, value, (*trap_lines(args.host, found), effects, walls))
    return 1 if any(trap.lock is Lock.OPEN for trap in found) else 0


def _change_value(change: Change) -> dict[str, Any]:
    what = "created" if change.before is None else "removed" if change.after is None else "changed"
    return {"path": str(change.path), "what": what}


def _standing_value(standing: HookStatus) -> dict[str, Any]:
    return standing._asdict() | {"path": str(standing.path)}


def _tell(form: str, value: dict[str, Any], lines: Iterable[str]) -> None:
    print(json.dumps(value, indent=2) if form == "json" else "\n".join(lines))
