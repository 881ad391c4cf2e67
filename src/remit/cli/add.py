"""`remit add`: fetch a skill, check it, ask, and install it for an agent host.

(1) The source is fetched into a quarantine; if it has several skills, the user names one or takes all.
(2) Each skill is copied, and the copy is checked: what is shown is what will be installed.
(3) A person agrees, or `--yes` was given.
(4) The copy is put into the folder of the host atomically; existing files are never replaced.
(5) The installation is recorded, and trusted if a person agreed: the guard holds the skill to its manifest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.cli.installed_skills import record_value
from remit.cli.lock_files import remember
from remit.cli.messages import say
from remit.cli.staging_area import Staged, agreed, show_report, stage, tilde, why_not
from remit.core.counting import counted
from remit.core.errors import InputError, UsageError
from remit.guard.session.workspace import root_of
from remit.installation.files import is_name, place_skill
from remit.installation.hosts import PROJECT, USER, Host, choose_host
from remit.installation.records import Installed, change_records, version_of, with_record
from remit.installation.trust import Trust
from remit.manifest.read import NAME
from remit.report.manifest_text import short_manifest
from remit.report.screen import Screen, visible
from remit.sources.fetch import Fetched, fetch_source, quarantine
from remit.sources.source import Source, SourceKind, parse_source

if TYPE_CHECKING:
    import argparse


OK, NO = 0, 1


class InstallTarget(NamedTuple):
    """Where skills are installed."""

    host: Host
    scope: str
    project: Path

    @property
    def folder(self) -> Path:
        """Return the folder that holds the skills."""
        return self.host.folder(self.scope, Path.home(), self.project)


def add(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.json and not args.yes:
        raise UsageError("--json asks nothing", "add --yes, or leave --json out")
    place = InstallTarget(choose_host(args.host, Path.home()), PROJECT if args.project else USER, root_of("."))
    source = parse_source(args.source, args.path)
    fetching(source, quiet=args.quiet or args.json)
    with fetch_source(source) as fetched, quarantine() as area:  # (1)
        staged = stage(args, fetched, _chosen(args, fetched), area)  # (2)
        targets = [place.folder / _name(args, one) for one in staged]
        _refuse_taken(targets)
        if not args.json:
            _show(args, fetched.resolved, staged, targets, place)
        for one in staged:
            if args.yes and (reason := why_not(one)):
                raise UsageError(f"`{one.name}` {reason}", "look at it in a terminal, and install it without --yes")
        if not agreed("install this?" if len(staged) == 1 else f"install these {len(staged)}?", yes=args.yes):  # (3)
            return NO
        with Trust(unattended=args.yes) as trust:
            done = [
                _install(args, source, fetched.resolved, one, target, place, trust)
                for one, target in zip(staged, targets, strict=True)
            ]
    if args.json:
        print(json.dumps({"installed": done}, indent=1))
    return OK


def fetching(source: Source, *, quiet: bool) -> None:
    """Print that a source is fetched, which may take a while."""
    if source.kind is SourceKind.REPOSITORY and not quiet:
        say(f"fetching {source.address}")


def _chosen(args: argparse.Namespace, fetched: Fetched) -> Sequence[Path]:
    """Return the requested skills of a source."""
    given = fetched.source.given
    if fetched.refused and (args.all or not fetched.skills):
        path, reason = fetched.refusals()[0]
        raise InputError(f"`{path}`: {reason}", "choose another one with --path")
    if len(fetched.skills) > 1 and not args.all:
        for skill in fetched.skills:
            print(visible(fetched.path_of(skill)), file=sys.stderr)
        message = f"`{given}` holds {counted(len(fetched.skills), 'skill')}"
        raise UsageError(message, "name one of these with --path, or take all of them with --all")
    if len(fetched.skills) > 1 and args.name:
        raise UsageError("--name is for one skill", "leave it out, or choose one with --path")
    return fetched.skills


def _name(args: argparse.Namespace, staged: Staged) -> str:
    """Return the name under which a skill is installed: the given one, its own, or that of its folder."""
    if args.name:
        if not is_name(args.name):
            raise UsageError(f"`{args.name}` is no name for a skill", "use letters, digits, `-`, `_` and `.`")
        return str(args.name)
    found = next((name for name in (staged.name, staged.folder.name) if is_name(name)), "")
    if not found:
        raise UsageError(f"`{staged.name}` is no name for a folder", "give one with --name")
    return found


def _refuse_taken(targets: Sequence[Path]) -> None:
    """Refuse names that are taken, before anything is shown or asked."""
    for number, target in enumerate(targets):
        if target in targets[:number]:
            raise UsageError(f"two skills of the source are called `{target.name}`", "choose one with --path")
        if target.is_symlink() or target.exists():
            message = f"`{tilde(target)}` exists already"
            raise UsageError(message, "`remit update` replaces what `remit add` installed; --name takes another name")


def _show(
    args: argparse.Namespace, resolved: str, staged: Sequence[Staged], targets: Sequence[Path], place: InstallTarget
) -> None:
    screen = Screen.of(sys.stdout, args.color)
    for one, target in zip(staged, targets, strict=True):
        show_report(args, one.report)
        whose = "drafted by Remit" if one.drafted else "its own"
        screen.write([f"manifest ({whose}):", *short_manifest(one.manifest, screen)])
        at = f" at {resolved.removeprefix('sha256:')[:10]}" if resolved else ""
        screen.write([f"source   {visible(tilde(one.report.found.path))}{at}"])
        screen.write(f"link     {visible(path)} is a copy of {visible(there)}" for path, there in one.linked.items())
        screen.write([f"install  {visible(tilde(target))} ({place.host.name}, {place.scope})"])


def _install(
    args: argparse.Namespace,
    source: Source,
    resolved: str,
    staged: Staged,
    target: Path,
    place: InstallTarget,
    trust: Trust,
) -> dict[str, Any]:
    staged.write_manifest()
    version = version_of(staged.folder, resolved, staged.upstream, staged.level, drafted=staged.drafted)
    place_skill(staged.folder, target)  # (4)
    own = source._replace(given=staged.report.found.path, path="" if staged.path == "." else staged.path)
    record = Installed(target.name, place.host.name, place.scope, str(target), own, version)
    change_records(with_record(record))  # (5)
    trusted = trust.skill(target, staged.folder, version.content, staged.draft)
    note = _lock(args, target, place, trust)
    if not args.json:
        _tell(target, place, staged, "" if trusted else trust.problem, note)
    return record_value(record) | {"trusted": trusted, "report": staged.report.to_dict()}


def _lock(args: argparse.Namespace, target: Path, place: InstallTarget, trust: Trust) -> str:
    """Write a skill of a project into its lock, if there is one."""
    if place.scope != PROJECT or not (place.project / "skills.lock").is_file():
        return ""
    (found,) = remember(args, [target])
    return trust.lock(place.project, target, found.summary) if found.summary else ""


def _tell(target: Path, place: InstallTarget, staged: Staged, problem: str, note: str) -> None:
    print(f"installed {visible(target.name)} for {place.host.name} in {visible(tilde(target))}")
    if problem:
        print(f"not trusted: {problem}; look at it and run `remit guard trust {visible(tilde(target))}`")
    elif staged.drafted:
        manifest = visible(tilde(target / NAME))
        print(f"the guard holds it to {manifest}; if you edit that, run `remit guard trust {visible(tilde(target))}`")
    if note:
        say(note)
