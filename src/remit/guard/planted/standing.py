"""Programs by their place: files that run without being called, and names that stand in for something else."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from remit.guard.planted.packages import known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_STARTS = re.compile(
    r"(?:.*/)?(?:(?:site|user)customize\.py|[^/]+\.pth|\.pdbrc|\.gdbinit|\.lldbinit|\.exrc|\.irbrc|\.node_repl)\Z"
)
_MODULE = re.compile(r"(\w+)(?:\.py|/__init__\.py)\Z", re.ASCII)


def by_place(name: str, before: str, prompts: Sequence[str]) -> Iterator[str]:
    """Why a person should look at a new program, by where it would stand in the workspace."""
    if before:
        return
    if _STARTS.match(name):
        yield "would run by itself, in whatever is started beside it"
    module = _MODULE.match(name)  # a module at the top stands before all others of its name
    if module is None or any(re.search(rf"(?i)(?<!\w){module[1]}\.py\b|`{module[1]}`", one) for one in prompts):
        return
    if module[1] in sys.stdlib_module_names:
        yield f"would be taken for the module `{module[1]}` of Python by every program beside it"
    elif known("pypi", module[1]):
        yield f"would be taken for the package `{module[1]}` by every program beside it"
