"""`remit update`: fetches installed skills again, shows what an update changes in what they can do, asks, and replaces
them.

The replaced version is kept, with its manual changes; `--rollback` restores it.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.cli.add import fetching
from remit.cli.diff import show_text
from remit.cli.installed_skills import changes_of, chosen_records, one_record, record_value
from remit.cli.lock_files import remember
from remit.cli.messages import say
from remit.cli.staging_area import Staged, agreed, stage, tilde, why_not
from remit.core.counting import counted
from remit.core.errors import InputError, RemitError, UsageError
from remit.guard.session.workspace import root_of
from remit.guard.state_folder import prepared, state_folder
from remit.installation.files import replace_skill
from remit.installation.hosts import PROJECT
from remit.installation.records import Installed, change_records, version_of, with_record
from remit.installation.trust import Trust
from remit.manifest.drift.compare import compare
from remit.manifest.read import NAME, parse_manifest
from remit.report.drift_json import drift_json
from remit.report.drift_words import Compared
from remit.report.screen import Screen, visible
from remit.sources.fetch import fetch_source, quarantine

if TYPE_CHECKING:
    import argparse

    from remit.checker.report import Failure

OK, NO, WRONG = 0, 1, 2
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class New(NamedTuple):
    """A version that could replace the installed one."""

    folder: Path
    resolved: str
    upstream: str
    drafted: bool
    level: str  # its level by the check
    draft: str = ""  # what it asks for; empty for a version that was installed before
    refusal: str = ""  # why it needs a person's review


def update(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.json and not args.yes:
        raise UsageError("--json asks nothing", "add --yes, or leave --json out")
    if args.rollback and args.name is None:
        raise UsageError("--rollback is for one skill", "name it")
    records = [one_record(args)] if args.rollback else chosen_records(args)
    status, done = OK, []
    for record in records:
        try:
            outcome = _Update(args, record).run()
        except UsageError:  # an error of the command line, and so of every skill
            raise
        except RemitError as error:
            say(f"{record.name}: {error.message}", error.remedy)
            outcome = {"status": "failed", "reason": error.message}
        status = max(status, {"failed": WRONG, "kept": NO}.get(outcome["status"], OK))
        done.append(record_value(record) | outcome)
    if args.json:
        print(json.dumps({"skills": done}, indent=1))
    return status


class _Update:
    """The update of one skill."""

    def __init__(self, args: argparse.Namespace, record: Installed) -> None:
        self.args = args
        self.record = record
        self.target = Path(record.folder)

    def run(self) -> dict[str, Any]:
        """Fetch, show, ask and replace; return the result."""
        changed = changes_of(self.record)
        with ExitStack() as stack:
            new = self._previous() if self.args.rollback else self._fetched(stack)
            if new is None:
                return {"status": "current"}
            compared = self._compared(new)
            self._show(compared, changed)
            if not self._agreed(new, changed):
                return {"status": "kept", "changed": changed, "diff": drift_json([compared])}
            note = self._replace(new)
        self._say(f"updated {visible(self.record.name)} in {visible(tilde(self.target))}")
        if note:
            say(note)
        return {"status": "updated", "new": new.resolved, "changed": changed, "diff": drift_json([compared])}

    def _previous(self) -> New:
        before, kept = self.record.previous, Path(self.record.kept)
        if before is None or not kept.is_dir():
            raise InputError("no version before this one was kept", "`remit list` shows what is installed")
        return New(kept, before.resolved, before.upstream, before.drafted, before.level)

    def _fetched(self, stack: ExitStack) -> New | None:
        """Return the version in the source now; None if it is the installed one."""
        source, version = self.record.source, self.record.version
        if _COMMIT.fullmatch(source.revision):
            self._say(f"{visible(self.record.name)}: stays at commit {source.revision[:10]}, which its source names")
            return None
        fetching(source, quiet=self.args.quiet or self.args.json)
        fetched = stack.enter_context(fetch_source(source))
        area = stack.enter_context(quarantine())
        meant = [skill for skill in fetched.skills if skill == fetched.root / source.path]
        if not meant:
            reason = next(iter(fetched.refused.values()), "its source no longer contains it")
            raise InputError(reason, f"`remit remove {self.record.name}` removes it")
        (staged,) = stage(self.args, fetched, meant, area)
        if staged.upstream == version.upstream:
            self._say(f"{visible(self.record.name)}: up to date")
            return None
        staged.write_manifest(self._merged(staged))
        return New(
            staged.folder,
            fetched.resolved,
            staged.upstream,
            staged.drafted,
            staged.level,
            staged.draft,
            refusal=why_not(staged),
        )

    def _merged(self, staged: Staged) -> str:
        """Return the drafted manifest with a person's edits of the installed one."""
        from remit.manifest.draft.update import update as updated  # noqa: PLC0415
        from remit.manifest.find import read_manifest  # noqa: PLC0415
        from remit.manifest.render import render  # noqa: PLC0415

        own = self.target / NAME
        if not (self.record.version.drafted and staged.drafted and own.is_file()):
            return staged.draft
        return render(updated(read_manifest(own), parse_manifest(staged.draft.encode(), NAME)).manifest)

    def _compared(self, new: New) -> Compared:
        before, after = remember(self.args, [self.target, new.folder])
        if before.summary is None or after.summary is None:
            raise _unreadable(before.failure or after.failure)
        names = (f"{tilde(self.target)} ({self.record.version.short})", self.record.source.given)
        return Compared(compare(before.summary, after.summary), *names)

    def _show(self, compared: Compared, changed: list[str]) -> None:
        if self.args.json:
            return
        show_text(self.args, Screen.of(sys.stdout, self.args.color), [compared])
        for line in changed:
            print(f"  changed by hand: {visible(line)}")

    def _agreed(self, new: New, changed: list[str]) -> bool:
        """Whether a person agrees. `--yes` alone does not replace manual changes, or accept a version that does more
        than it says.
        """
        name = visible(self.record.name)
        if self.args.yes and changed and not self.args.force:
            say(
                f"{name}: {counted(len(changed), 'file')} changed by hand ({', '.join(changed[:3])})",
                "--force replaces it",
            )
            return False
        if self.args.yes and new.refusal:
            say(f"{name} {new.refusal}", "look at it in a terminal, and update it without --yes")
            return False
        if not agreed(f"update {name}?" + (" your changes are kept aside" if changed else ""), yes=self.args.yes):
            self._say(f"{name}: stays as it is")
            return False
        return True

    def _replace(self, new: New) -> str:
        record, target = self.record, self.target
        with Trust(unattended=self.args.yes) as trust:
            version = version_of(new.folder, new.resolved, new.upstream, new.level, drafted=new.drafted)
            kept = replace_skill(new.folder, target, prepared(state_folder()).folder / "kept")
            known = record.previous if self.args.rollback and record.previous else version  # its edits are still edits
            change_records(with_record(record._replace(version=known, previous=record.version, kept=str(kept))))
            trust.forget(target)
            if not trust.skill(target, new.folder, version.content, new.draft):
                say(f"not trusted: {trust.problem}", f"look at it and run `remit guard trust {tilde(target)}`")
            self._say(f"the version before is kept in {visible(tilde(kept))}")
            (found,) = remember(self.args, [target])
            if record.scope != PROJECT or found.summary is None:
                return ""
            return trust.lock(root_of(str(target.parent)), target, found.summary)

    def _say(self, text: str) -> None:
        if not (self.args.json or self.args.quiet):
            print(text)


def _unreadable(failure: Failure | None) -> InputError:
    return InputError(failure.message if failure else "it cannot be compared", failure.remedy if failure else "")
