"""`remit init`: drafts the manifests of skills, writes or prints them, and shows the evidence."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from remit.checker.extras import DRAFT
from remit.checker.run import Answer, Run
from remit.cli.atomic_write import save
from remit.cli.check_options import check_options
from remit.cli.discover import skills
from remit.cli.messages import say
from remit.cli.progress import Progress
from remit.core.errors import InputError, ManifestError
from remit.manifest.find import read_manifest
from remit.manifest.read import NAME, parse_manifest

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from remit.manifest.draft.update import Updated
    from remit.manifest.model import Manifest

OK, FOUND, WRONG = 0, 1, 2


class Drafted(NamedTuple):
    """The draft for one skill."""

    answer: Answer
    text: str  # the manifest as it is written
    warnings: tuple[tuple[str, int, str, str], ...]  # file, line, reason, words
    updated: Updated | None = None

    @property
    def path(self) -> Path:
        """The path of the manifest."""
        return self.answer.folder / NAME

    def manifest(self) -> Manifest:
        """Return the manifest, parsed back: an invalid draft would be our error."""
        return parse_manifest(self.text.encode(), str(self.path))


class Init:
    """One run of the command."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.folders, self.wrong = skills(args.paths)
        self.checks = Run(self.folders, check_options(args, self.folders), DRAFT)
        self.status = WRONG if self.wrong else OK

    def run(self) -> int:
        """Draft every manifest, and return the exit status."""
        for error in self.wrong:
            say(error.message, error.remedy)
        if not (self.args.stdout or self.args.update or self.args.force):
            self._refuse_existing()
        waiting: dict[int, Drafted | None] = {}
        shown = 0
        with Progress(len(self.folders), quiet=self.args.quiet or self.args.stdout) as progress:
            for number, answer in self.checks.answers():
                progress.step(answer.name)
                waiting[number] = self._drafted(answer)
                while shown in waiting:
                    with progress.hidden():
                        self._deliver(waiting.pop(shown))
                    shown += 1
        return self.status

    def _refuse_existing(self) -> None:
        there = [folder / NAME for folder in self.folders if os.path.lexists(folder / NAME)]
        if there:
            more = f" and {len(there) - 1} more" if len(there) > 1 else ""
            raise InputError(
                f"`{there[0]}`{more} exists already",
                "--update keeps your edits, --force replaces it, --stdout only prints",
            )

    def _drafted(self, answer: Answer) -> Drafted | None:
        if answer.failure or answer.more is None:
            failure = answer.failure
            say(f"{answer.path}: {failure.message if failure else 'no draft'}", failure.remedy if failure else "")
            self.status = WRONG
            return None
        warnings = tuple(
            (str(file), int(line), str(why), str(text)) for file, line, why, text in answer.more["warnings"]
        )
        made = Drafted(answer, str(answer.more["text"]), warnings)
        try:
            if self.args.assist:
                made = self._assisted(made)
            if self.args.update and os.path.lexists(made.path):
                made = self._updated(made)
            if not self.args.stdout:
                made.manifest()  # before anything is written
        except ManifestError as error:
            say(error.message, error.remedy)
            self.status = WRONG
            return None
        return made

    def _assisted(self, made: Drafted) -> Drafted:
        from remit.cli.assist import suggested  # noqa: PLC0415
        from remit.manifest.render import render  # noqa: PLC0415

        manifest, notes = suggested(self.args.assist, made.answer.folder, made.manifest())
        for note in notes:
            say(f"{made.answer.path}: {note}")
        return made._replace(text=render(manifest))

    @staticmethod
    def _updated(made: Drafted) -> Drafted:
        from remit.manifest.draft.update import update  # noqa: PLC0415
        from remit.manifest.render import render  # noqa: PLC0415

        changed = update(read_manifest(made.path), made.manifest())
        return made._replace(text=render(changed.manifest), updated=changed)

    def _deliver(self, made: Drafted | None) -> None:
        if made is None:
            return
        if self.args.strict and (made.warnings or made.answer.found is None or made.answer.found.opaque):
            self.status = max(self.status, FOUND)
        if self.args.stdout:
            self._print(made)
            return
        _write(made.path, made.text)
        self._summarise(made)

    def _print(self, made: Drafted) -> None:
        if len(self.folders) == 1:
            sys.stdout.write(made.text)
        else:
            import json  # noqa: PLC0415

            print(json.dumps({"path": made.answer.path, "manifest": json.loads(made.text)}, ensure_ascii=False))
        for file, line, reason, words in made.warnings:
            say(f"{made.answer.path}/{file}:{line}: {reason}: {words}", "the draft denies what it asks for; review it")

    def _summarise(self, made: Drafted) -> None:
        from remit.checker.report import judge  # noqa: PLC0415
        from remit.report.draft_text import DraftReport  # noqa: PLC0415
        from remit.report.screen import Screen  # noqa: PLC0415

        assert made.answer.found is not None
        report = judge(made.answer.found, made.manifest(), self.checks.noted)
        screen = Screen.of(sys.stdout, self.args.color)
        lines = DraftReport(screen, verbose=self.args.verbose, quiet=self.args.quiet)
        screen.write(lines.lines(report, made.path.as_posix(), made.warnings, made.updated))


def _write(path: Path, text: str) -> None:
    try:
        save(path, text)
    except OSError as error:
        raise InputError(
            f"`{path}` cannot be written: {(error.strerror or 'error').lower()}", "--stdout prints the draft"
        ) from None


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    return Init(args).run()
