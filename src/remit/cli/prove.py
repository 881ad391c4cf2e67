"""`remit prove`: makes a bundle from a skill and a key, if the level holds."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from remit.bundle.admission_state import FailedStep
from remit.bundle.canonical import MAX_BYTES
from remit.bundle.files import read_small
from remit.bundle.folder import analyse, look
from remit.bundle.folder import prove as proofs
from remit.bundle.install import install
from remit.bundle.keys import PrivateKey, read_private
from remit.bundle.prove import ProvingRequest, show, subject_of
from remit.bundle.snapshot import FOLDER, TESTS, Snapshot
from remit.bundle.statement import moment
from remit.cli.check_options import check_options
from remit.core.errors import BundleError, InputError, UsageError
from remit.manifest.model import Manifest, Verification
from remit.manifest.version import parse_version
from remit.report.as_json import pretty
from remit.report.proof_text import as_json, as_text
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse


OK, FOUND = 0, 1


def prove(args: argparse.Namespace) -> int:
    """Run the command."""
    keys = _keys(args.keys)
    options = check_options(args)
    looked = look(args.path, options.limits)
    if isinstance(looked.held, FailedStep):
        raise InputError(looked.held.why, "remove it from the skill")
    subject = subject_of(looked.held)
    if parse_version(subject.version) is None:
        raise BundleError(f"`{subject.version}` is not a version", "write numbers between dots, as in 1.4.2")
    wanted = ProvingRequest(_level(args, subject.manifest), args.bound, _time(), keys, _tests(args, looked.held))
    found = analyse(looked, options)
    if isinstance(found, FailedStep):
        raise InputError(f"`{args.path}`: {found.why}", "a bundle needs a whole analysis")
    shown = show(
        subject, found, wanted, lambda manifest, effects, bound: proofs(manifest, effects, bound, options, search=True)
    )
    place = Path(args.out) if args.out else looked.folder / FOLDER
    if shown.files is not None:
        install(shown.files, place)
    signers = [key.public.keyid for key in keys]
    if args.format == "json":
        print(pretty(as_json(shown, place.as_posix(), signers)))
    else:
        screen = Screen.of(sys.stdout, args.color)
        screen.write(as_text(shown, place.as_posix(), signers, screen))
    return FOUND if shown.files is None else OK


def _keys(files: list[str]) -> list[PrivateKey]:
    keys = [read_private(Path(file)) for file in files]
    if len({key.public.keyid for key in keys}) != len(keys):
        raise UsageError("a key is given twice", "one key signs once")
    return keys


def _level(args: argparse.Namespace, manifest: Manifest) -> Verification:
    if args.level:
        return Verification(args.level)
    return Verification.FORMAL if manifest.verification is Verification.UNVERIFIED else manifest.verification


def _time() -> str:
    """Return the current time, or the one given for a reproducible build."""
    said = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not said:
        return moment(time.time())
    if not (said.isascii() and said.isdigit() and len(said) < 12):
        raise UsageError(f"SOURCE_DATE_EPOCH is `{said}`", "it is a whole number of seconds since 1970")
    return moment(int(said))


def _tests(args: argparse.Namespace, held: Snapshot) -> bytes | None:
    """Return the given record of tests, or that of the previous bundle, which counts if nothing changed since."""
    if args.tests:
        return read_small(Path(args.tests), "the record", MAX_BYTES, BundleError)
    return held.evidence.get(TESTS)
