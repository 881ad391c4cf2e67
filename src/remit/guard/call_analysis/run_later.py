"""Files of a project that are run or obeyed later (`data/run_later.table`, and settings, hooks and instructions in
`core/data/sensitive.table`): walls confine a command, but not what runs after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import translate
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import FILE_DELETES, FILE_WRITES
from remit.core.scope import PathScope, covers
from remit.core.sensitive import description_of, sensitive
from remit.core.table import read_table
from remit.guard.call_analysis.project_tools import of_project_tools, runs_project
from remit.guard.paths import file_scope, fixed_start, is_one_path, read_start
from remit.guard.undo import PathKind, Tree

if TYPE_CHECKING:
    from remit.guard.call_analysis.requests import CallRequests
    from remit.policy.request import Request

_CHANGES = frozenset((*FILE_WRITES, *FILE_DELETES))
_SECRETS = frozenset({"secret.write"})
_LARGEST = 1_000_000  # bytes of a file that are searched
_TABLE = Path(__file__).parent.with_name("data") / "run_later.table"


class RunLater(NamedTuple):
    """A row of the table."""

    pattern: str
    setting: re.Pattern[str] | None  # marks code in it; None: the whole file is code, or says where code comes from
    who: str  # who runs or obeys it, as a question says
    installed: bool = False  # it is code of others, in a folder that git does not show

    def speaks(self, text: str | None) -> bool:
        """Whether a file with this text names code; unknown text may."""
        return text is None or self.setting is None or self.setting.search(text) is not None


@cache
def _rows() -> tuple[tuple[re.Pattern[str], RunLater | None], ...]:
    """Return the rows of the table in their order; None: nobody runs it."""
    found = []
    for row in read_table(_TABLE, 3):
        pattern, setting, who = row.cells
        shape = re.compile(setting.replace(" or ", "|"), re.MULTILINE) if setting else None
        known = RunLater(pattern, shape, who, row.section == "installed") if who else None
        found.append((re.compile(translate(f"*/{pattern.lower()}")), known))
    return tuple(found)


@lru_cache(4096)
def run_later(path: str) -> RunLater | None:
    """Return the row that a path matches, if any; case does not matter."""
    text = f"/{path.lstrip('/')}".lower()
    return next((row for shape, row in _rows() if shape.fullmatch(text)), None)


def changed_later(request: Request, root: Path) -> tuple[str, RunLater] | None:
    """Return the workspace file that a request changes, if it is run later. Sensitive files are asked about as such
    instead.
    """
    scope = request.scope
    if request.capability not in _CHANGES or not isinstance(scope, PathScope) or not is_one_path(scope):
        return None
    path, start = fixed_start(scope), f"{root}/"
    row = run_later(path) if path.startswith(start) and not sensitive(request.capability, scope) else None
    if row is None or (row.installed and request.capability in FILE_DELETES):
        return None
    return path.removeprefix(start), row


def changed_unjudged(changed: Tree, drafted: CallRequests, root: Path) -> Iterator[tuple[str, str]]:
    """Return run-later files that a command was seen to change although it neither named them nor left them to git or a
    tool of the project, each with who runs or obeys it. `changed`: what was there before.

    Where something else that is not understood runs in the same call, a tool answers only for files that it names.
    """
    judged = {one.scope for one in drafted.requests}
    parts = of_project_tools(drafted.understood)
    alone = all(runs_project(doubt.command) for known in drafted.understood for doubt in known.doubts)
    tools = [
        part.scope
        for part, tool in parts
        if (tool or _moves_commits(part.command)) and (alone or is_one_path(part.scope))
    ]
    installs = any(part.capability == "package.install" for part, _ in parts)
    for path, before in changed.items():
        scope = file_scope(path)
        if not path.startswith(f"{root}/") or scope in judged or any(covers(one, scope) for one in tools):
            continue
        row = run_later(path)
        if row is None or not row.speaks(_text(path)):
            if not _SECRETS.issuperset(sensitive("file.write", scope)):
                yield path, description_of(scope)
        elif not (row.installed and (installs or before.kind is PathKind.ABSENT)):  # what is new there, nobody uses yet
            yield path, row.who


def _moves_commits(command: str) -> bool:
    """Whether git brings files to the state of another commit. A patch is the caller's own text and does not count."""
    words = command.split()
    return words[:1] == ["git"] and not {"apply", "am"} & set(words)


def _text(path: str) -> str | None:
    data = read_start(path, _LARGEST)
    return None if data is None else data.decode("utf-8", "replace")
