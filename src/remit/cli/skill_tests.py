"""`remit test`: runs the skill's own tests, confined and observed. By typing the command, the user permits what it
runs.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.bundle.snapshot import snapshot
from remit.capsule.cases import FILE, MAX_BYTES, Case, read_cases
from remit.capsule.confinement import Limits
from remit.capsule.run import NOBODY
from remit.capsule.skill_tests import Command, Subject, discover, run_tests
from remit.capsule.verdict import Source, TestRecord, record_bytes, record_value
from remit.cli.atomic_write import save
from remit.cli.discover import skills
from remit.cli.messages import say
from remit.cli.progress import Progress
from remit.core.counting import counted
from remit.core.errors import CapsuleError, InputError, UsageError
from remit.core.scope import WORKSPACE, PathScope
from remit.core.scope.component import escape
from remit.core.source import is_source
from remit.manifest import own_manifest, read_manifest
from remit.manifest.drift.content import file_marks
from remit.policy.command_permits import permit_for
from remit.policy.words import plain_words
from remit.skill.model import Limits as SkillLimits
from remit.skill.walk import RawFile, Tree, Walker, is_repository

if TYPE_CHECKING:
    import argparse

    from remit.capsule.run import Observed
    from remit.manifest.model import Manifest


@contextmanager
def staging() -> Iterator[Path]:
    """Make a folder for the copy and for what a run needs, which is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="remit-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield folder


def copy_skill(skill: Path, to: Path) -> None:
    """Copy a skill; links stay links. The user `nobody` can read the copy."""

    def left_out(folder: str, names: list[str]) -> set[str]:
        evidence = {"evidence"} & set(names) if Path(folder) == skill else set()
        return evidence | set(filter(is_repository, names))

    try:
        shutil.copytree(skill, to, symlinks=True, ignore=left_out)
        for folder, _, files in os.walk(to):
            Path(folder).chmod(0o755)
            for path in (Path(folder, name) for name in files):
                if not path.is_symlink():
                    path.chmod(0o755 if path.stat().st_mode & 0o111 else 0o644)
    except (OSError, shutil.Error) as error:
        raise CapsuleError(f"`{skill}` cannot be copied: {error}", "make the skill readable") from None


_EVIDENCE = "evidence/"


def test_skill(folder: Path, args: argparse.Namespace) -> tuple[TestRecord, Manifest, list[tuple[Command, Observed]]]:
    """Return the record of a skill's tests, and the output of each command."""
    manifest = _manifest(folder, args.manifest)
    name = manifest.skill_metadata.name if manifest.skill_metadata else Path(os.path.realpath(folder)).name
    told: list[tuple[Command, Observed]] = []
    with staging() as scratch:
        subject = _staged(name, folder, scratch / "skill", manifest)
        limits = Limits(seconds=args.timeout)
        if args.generate:
            _generate(folder, subject, scratch, limits, quiet=args.quiet)
            subject = _staged(name, folder, scratch / "with-cases", manifest)
        commands = [
            Command(case, source, permit_for(name, case.words)) for case, source in _commands(subject, args.lines)
        ]
        with Progress(len(commands), quiet=args.quiet, verb="testing") as progress:

            def done(command: Command, found: Observed) -> None:
                told.append((command, found))
                progress.step(shlex.join(command.words))

            return run_tests(subject, commands, scratch, limits, done), manifest, told


def _generate(folder: Path, subject: Subject, scratch: Path, limits: Limits, *, quiet: bool) -> None:
    """Write test cases into the skill, and print what they do not reach."""
    from remit.checker.run import Options  # noqa: PLC0415  who only runs tests analyses nothing
    from remit.cli.test_generation import generate  # noqa: PLC0415

    scripts = len(subject.code)
    with Progress(scripts, quiet=quiet, verb="generating") as progress:
        made = generate(folder, subject, Options(), scratch, limits, progress.step)
    say(f"{folder / FILE}: {counted(len(made.cases), 'case')}, yours to keep or change")
    for capability, scope, place in made.unreached:
        say(f"no sample reaches {capability} {scope} at {place}", "write a test that does")


def _manifest(folder: Path, given: str | None) -> Manifest:
    if given:
        return read_manifest(Path(given))
    own = own_manifest(folder)
    if own is None:
        raise InputError(f"`{folder}` has no manifest to hold its tests against", f"run `remit init {folder}`")
    for note in own.notes:
        say(f"{folder}: {note}")
    return own.manifest


def _commands(subject: Subject, given: Sequence[str]) -> list[tuple[Case, Source]]:
    if given:
        return [(Case(_words(line)), Source.GIVEN) for line in given]
    if subject.manifest.tests:
        own = [(Case(_words(line)), Source.MANIFEST) for line in subject.manifest.tests]
    else:
        found = discover(subject.paths, lambda path: (subject.staged / path).read_bytes())
        own = [(Case(words), Source.DISCOVERED) for words in found]
    cases = [(case, Source.CASE) for case in _cases(subject)]
    if not own and not cases:
        raise InputError(
            f"the skill `{subject.name}` has no tests",
            "`--generate` writes some; or name them in `tests` of remit.json, or give --command",
        )
    return own + cases


def _cases(subject: Subject) -> tuple[Case, ...]:
    place = subject.staged / FILE
    return read_cases(read_small(place, "the file of cases", MAX_BYTES, InputError)) if FILE in subject.paths else ()


def _words(line: str) -> tuple[str, ...]:
    words = plain_words(line)
    if not words:
        raise UsageError(
            f"`{line}` is not one plain command", "close the quotation; put a pipe or a loop into a script"
        )
    return words


def _staged(name: str, folder: Path, to: Path, manifest: Manifest) -> Subject:
    """Make a copy of exactly what the digest covers: both are read, and a difference means a concurrent write."""
    tree = _tree(folder)
    copy_skill(Path(os.path.realpath(folder)), to)
    copied = _tree(to)
    if _marks(copied) != _marks(tree):
        raise InputError(f"`{folder}` changed while it was copied", "test again when nothing writes to the skill")
    paths = {file.path for file in copied.files} | set(copied.links)
    folders = {str(parent) for path in paths for parent in Path(path).parents if str(parent) != "."}
    code = frozenset(file.path for file in copied.files if _is_code(file))
    scripts = frozenset((file.path, found) for file in copied.files if (found := _interpreter(file.head)))
    return Subject(name, to, snapshot(tree).content, frozenset(paths | folders), code, scripts, manifest)


def _tree(folder: Path) -> Tree:
    return Walker(folder, SkillLimits(), shipped=True).run()


def _marks(tree: Tree) -> dict[str, str]:
    return file_marks([file for file in tree.files if not file.path.startswith(_EVIDENCE)], tree.links)


def _interpreter(head: bytes) -> str:
    """Return the program that `env` finds for a script."""
    words = head.partition(b"\n")[0].decode("utf-8", "replace").removeprefix("#!").split()
    looked_up = head.startswith(b"#!") and len(words) == 2 and words[0] in ("/usr/bin/env", "/bin/env")
    return words[1] if looked_up else ""


def _is_code(file: RawFile) -> bool:
    return file.head.startswith(b"#!") or is_source(PathScope(WORKSPACE, tuple(map(escape, file.path.split("/")))))


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from remit.report.as_json import pretty  # noqa: PLC0415
    from remit.report.screen import Screen  # noqa: PLC0415
    from remit.report.test_text import TestReport  # noqa: PLC0415

    if not args.timeout:
        raise UsageError("a test without time cannot run", "give --timeout a number of seconds")
    folders, wrong = skills([args.path])
    if wrong:
        raise wrong[0]
    if len(folders) != 1:
        raise UsageError(f"`{args.path}` holds {len(folders) or 'no'} skills", "give the folder of one skill")
    record, manifest, told = test_skill(folders[0], args)
    if args.output:
        _keep(Path(args.output), record)
    if args.format == "json":
        print(pretty(record_value(record)))
    else:
        screen = Screen.of(sys.stdout, args.color)
        outputs = [found.output for _, found in told]
        screen.write(TestReport(screen, verbose=args.verbose, quiet=args.quiet).lines(record, manifest, outputs))
    return 0 if record.level_reached else 1


def _keep(path: Path, record: TestRecord) -> None:
    try:
        save(path, record_bytes(record).decode())
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise InputError(f"`{path}` cannot be written: {reason}", "--format json prints the record") from None
