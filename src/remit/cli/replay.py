"""`remit replay`: replays sessions that led outside of a manifest against the present skill; also writes such sessions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.checker.report import Report, evidence
from remit.checker.run import Run
from remit.cli.atomic_write import save
from remit.cli.check_options import check_options
from remit.cli.discover import skills
from remit.cli.input_file import read_given
from remit.cli.messages import say
from remit.core.counting import counted
from remit.core.errors import InputError, UsageError
from remit.manifest import Manifest, own_manifest, read_manifest
from remit.proof.replay import ReplayResult, replay
from remit.proof.session_form import MAX_BYTES, Sessions, document, read_sessions
from remit.report.as_json import pretty
from remit.report.replay_view import as_json, as_text
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    sessions = _read(Path(args.sessions))
    folders, wrong = skills([args.path])
    if wrong:
        raise wrong[0]
    if len(folders) != 1:
        raise UsageError(f"`{args.path}` holds {counted(len(folders), 'skill')}", "name one of them")
    manifest = read_manifest(Path(args.manifest)) if args.manifest else _own(folders[0])
    ((_, answer),) = Run(folders, check_options(args, folders)).answers()
    if answer.found is None:
        assert answer.failure is not None
        raise InputError(f"{answer.path}: {answer.failure.message}", answer.failure.remedy)
    if answer.found.skill != sessions.skill:
        message = f"the sessions are of the skill `{sessions.skill}`, not of `{answer.found.skill}`"
        raise InputError(message, "name the skill that they were written for")
    seen = evidence(answer.found)
    replays = [replay(session, seen, answer.found.opaque, manifest) for session in sessions.sessions]
    if args.format == "json":
        print(pretty(as_json(sessions.skill, replays)))
    else:
        screen = Screen.of(sys.stdout, args.color)
        screen.write(as_text(screen, sessions.skill, replays, quiet=args.quiet))
    return 0 if all(item.standing is ReplayResult.GONE for item in replays) else 1


def _own(folder: Path) -> Manifest | None:
    own = own_manifest(folder)
    for note in own.notes if own else ():
        say(f"{folder.as_posix()}: {note}")
    return own.manifest if own else None


def _read(path: Path) -> Sessions:
    make = "write it with `remit check --counterexample`"
    data = read_given(path, f"`{path}`", MAX_BYTES, make, "replay a part of it")
    return read_sessions(data, str(path))


def write_sessions(path: Path, report: Report) -> None:
    """Write the sessions of a report; without any, print that and write nothing."""
    sessions = report.sessions
    if not sessions:
        say(f"nothing of `{report.found.skill}` is known to be outside of a manifest: no session is written")
        return
    try:
        save(path, pretty(document(report.found.skill, sessions)) + "\n")
    except OSError as error:
        raise UsageError(
            f"`{path}` cannot be written: {(error.strerror or 'error').lower()}", "name another file"
        ) from None
