"""Skills of a source, copied to a folder of ours, checked and drafted: for `remit add` and `remit update`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.checker.extras import DRAFT
from remit.checker.run import Run
from remit.cli.check_options import check_options
from remit.cli.sinks import sink_for
from remit.core.errors import InputError, UsageError
from remit.findings.model import Level
from remit.installation.files import copy_skill, is_name
from remit.installation.records import read_tree
from remit.manifest.drift.content import content_digest
from remit.manifest.find import own_manifest
from remit.manifest.read import NAME, parse_manifest
from remit.proof import Verdict

if TYPE_CHECKING:
    import argparse

    from remit.checker.report import Report
    from remit.manifest.model import Manifest
    from remit.sources.fetch import Fetched

PROMPT = "[y/N]"


class Staged(NamedTuple):
    """A skill that can be installed: the copy is what was checked, and what is installed."""

    name: str
    path: str  # in its source
    folder: Path  # the copy
    upstream: str  # the digest of the content of the source
    report: Report
    draft: str  # the text of a drafted manifest
    manifest: Manifest  # its own manifest, or the draft
    drafted: bool
    linked: dict[str, str]  # files that came from outside of its folder, with their origins

    @property
    def level(self) -> str:
        """Return the level: `clear`, `review` or `block`."""
        return str(self.report.level)

    def write_manifest(self, text: str = "") -> None:
        """Write the manifest into the copy, if the skill has none of its own."""
        if self.drafted:
            (self.folder / NAME).write_text(text or self.draft, "utf-8")


def stage(args: argparse.Namespace, fetched: Fetched, skills: Sequence[Path], area: Path) -> list[Staged]:
    """Copy and check skills of a source. InputError if one of them cannot be read."""
    copies: list[Path] = []
    linked: list[dict[str, str]] = []
    for number, skill in enumerate(skills):
        copies.append(area / str(number) / (skill.resolve().name if is_name(skill.resolve().name) else "skill"))
        linked.append(copy_skill(skill, _within(fetched, skill), copies[-1]))
    checks = Run(copies, check_options(args, copies)._replace(sources=()), DRAFT)
    found: dict[int, Staged] = {}
    for number, answer in checks.answers():
        shown = fetched.name_of(skills[number])
        report, _ = checks.report(answer)
        failure = report.failure
        if failure or answer.more is None:
            message = failure.message if failure else "there is no draft"
            raise InputError(f"{shown}: {message}", failure.remedy if failure else "")
        own = own_manifest(answer.folder)
        draft = str(answer.more["text"])
        tree = read_tree(answer.folder)
        found[number] = Staged(
            report.found.skill,
            fetched.path_of(skills[number]),
            answer.folder,
            content_digest(tree.files, tree.links),
            report._replace(found=replace(report.found, path=shown)),
            draft,
            own.manifest if own else parse_manifest(draft.encode(), NAME),
            own is None,
            linked[number],
        )
    return [found[number] for number in range(len(skills))]


def _within(fetched: Fetched, skill: Path) -> Path:
    from remit.skill.find import link_boundary  # noqa: PLC0415

    return link_boundary(skill, [fetched.root])


def show_report(args: argparse.Namespace, report: Report) -> None:
    """Print the output of `remit check` for a skill."""
    args.format = "text"
    sink = sink_for(args, 1, None)
    sink.show(report, 0)
    sink.close(0)


def why_not(staged: Staged) -> str:
    """Return why a skill is only installed on the approval of a person who has seen the report; empty if there is no
    reason.
    """
    if staged.report.level is Level.BLOCK:
        return staged.report.findings[0].message
    return "does more than its own manifest says" if staged.report.verdict is Verdict.ESCAPES else ""


def agreed(question: str, *, yes: bool) -> bool:
    """Whether a person says yes; Enter means no. UsageError if no one can be asked."""
    if yes:
        return True
    sys.stdout.flush()
    if not sys.stdin.isatty():
        raise UsageError(
            "no person can be asked: standard input is not a terminal", "pass --yes to do it without a question"
        )
    try:
        return input(f"{question} {PROMPT} ").strip().lower() in {"y", "yes"}
    except EOFError:
        print()
        return False


def tilde(path: str | Path) -> str:
    """Return a path with `~` for the home folder."""
    home = str(Path.home())
    text = str(path)
    return f"~{text[len(home) :]}" if text == home or text.startswith(f"{home}/") else text
