"""Rule about changes of files that are run or obeyed later, which walls cannot confine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.capability import FILE_WRITES, vocabulary
from remit.core.scope import PathScope, covers
from remit.guard.approvals.file_diff import edited_file
from remit.guard.call_analysis.project_tools import of_project_tools
from remit.guard.call_analysis.run_later import changed_later, run_later
from remit.guard.hosts.toolmap import wants
from remit.guard.paths import fixed_start, folder_scope
from remit.guard.rules.model import Action, CallView, Hit, Rule
from remit.guard.rules.own_ideas import is_own_change
from remit.guard.session.provenance import AuthorKind
from remit.manifest.model import Decision
from remit.policy.judge import Allow

if TYPE_CHECKING:
    from remit.policy.request import Request


def find(view: CallView) -> Iterator[Hit]:
    """Return a hit for each row of the table of which a file changes, unless the user or an entry names that file, or all of the file is
    code and the change is the agent's own idea.
    """
    root = view.live.workspace.root
    for one in view.judged_as(Allow):
        found = changed_later(one.request, root)
        if found is None or _is_by_tool(view, one.request) or _is_granted(view, one.request):
            continue
        path, row = found
        if not row.speaks(_text_after(view, f"{root}/{path}")) or _is_named_by_user(view, path):
            continue
        # code where usually none is says more than who wrote it, and so does code of others
        if row.setting or row.installed or not is_own_change(view, one.request):
            yield Hit(
                row.pattern, f"{view.skill} wants to change `{path}`: {row.who}, and its manifest does not name it"
            )


def _text_after(view: CallView, path: str) -> str | None:
    """Return the text of the file after a call of a tool that writes or edits it; None if unknown."""
    edit = edited_file(view.event, wants(view.event), str(Path.home()))
    return edit.after if edit is not None and edit.path == path else None


def _is_by_tool(view: CallView, request: Request) -> bool:
    """Whether only tools of the project and installers change the file, as they do by themselves (`npm install`)."""
    parts = of_project_tools(view.drafted.understood)
    by = [tool for part, tool in parts if (part.capability, part.scope) == (request.capability, request.scope)]
    return bool(by) and all(by)


def _is_granted(view: CallView, request: Request) -> bool:
    """Whether an entry names the file or its folder for all acting principals. A grant of the whole workspace names
    nothing in it.
    """
    workspace = folder_scope(view.live.workspace.root)
    policies = [view.live.policy.policy(name) for skill in view.skills for name in view.live.policy.chain(skill)]
    return all(
        any(
            request.capability in vocabulary().expand(entry.capability)
            and covers(scope, request.scope)
            and not covers(scope, workspace)
            for entry, _ in rights.granting
            if entry.effect is not Decision.DENY
            for scope in map(rights.resolve, entry.scopes)
        )
        for rights in policies
    )


def _is_named_by_user(view: CallView, path: str) -> bool:
    """Whether the user's words name the file, or another one in its folder."""
    folder, _, name = path.rpartition("/")
    words = [
        token.value for source, layer in view.live.index.known if source.kind is AuthorKind.USER for token in layer
    ]
    return any(word in (path, name) or (folder and word.startswith(f"{folder}/")) for word in words)


def is_own_project_file(view: CallView, request: Request) -> bool:
    """Whether a sensitive file is one of the project, which git or an editor obeys, and the agent changes it in its own words."""
    row = run_later(fixed_start(request.scope)) if isinstance(request.scope, PathScope) else None
    if (
        row is None
        or request.capability not in FILE_WRITES
        or view.drafted.understood
        or not is_own_change(view, request)
    ):
        return False
    return row.setting is None or not row.speaks(_text_after(view, fixed_start(request.scope)))


RULE = Rule(
    "run-later",
    Action.ASK,
    "A skill changes a file that other programs run or obey later: a build file, a CI step, a lock file. Changes in the agent's own words do not count.",
    "cat recipe.txt >> Makefile",
    "echo 'lint: ; eslint src' >> Makefile",
    find,
)
