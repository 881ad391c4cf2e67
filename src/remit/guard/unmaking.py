"""Code that would undo what a file of the user holds, though its name was meant: reasons to ask.

Who asks for a headline in a report wants the report with a headline. What code does to the things that it opens is seen in the code
(`understand/taking.py`), which file it writes in what the call would do; a person is asked where both meet:
- code that only takes away, and saves a file that was there before, unless the user's words ask for something to be taken away
- bytes of its own making over a file that is no text: no program of its format made them
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from remit.guard.planted.spoiling import is_no_text
from remit.guard.replacing import was_there, written
from remit.guard.understand.taking import Taking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.guard.drafting import Drafted
    from remit.guard.session import Live
    from remit.guard.understand import Understanding

_HEAD = 8192
_PLAIN = ("open", "write_text", "write_bytes", "truncate", "writeFile", "writeFileSync", "truncateSync")  # of no format
_ASKED = re.compile(
    r"(?i)\b(?:anonymi|blank|cancel|clean|clear|delet|discard|drop|empt|eras|purg|redact|remov|replac|reset|strip|wip)"
)
_DOER = re.compile(r"`([^`]+)`")


def unmade(live: Live, drafted: Drafted, whose: Sequence[str]) -> tuple[str, ...]:
    """Why a person should look at code of a call on behalf of some skills."""
    found: dict[str, None] = {}
    for known in drafted.understood if whose else ():
        if known.takings:
            found |= dict.fromkeys(_reasons(live, drafted, known))
    return tuple(found)


def _reasons(live: Live, drafted: Drafted, known: Understanding) -> Iterator[str]:
    files = [path for path in dict.fromkeys(written(drafted.requests)) if was_there(live, path)]
    wanted = any(map(_ASKED.search, live.prompts))
    plainly = {part.scope.render() for part in known.parts if _is_plain(part.why)} if files else frozenset[str]()
    for path in files:
        name = os.path.relpath(path, live.workspace.root)
        if Taking.EMPTIES in known.takings and not wanted:
            yield f"`{name}` was there before the session, and of the code that saves it: {Taking.EMPTIES}"
        if Taking.SCRAMBLES in known.takings and path in plainly and is_no_text(_head(path)):
            yield f"`{name}` is no text, and of the code that saves it: {Taking.SCRAMBLES}"


def _is_plain(why: str) -> bool:
    """Whether a file is opened by a function that knows no format."""
    return any(name.rpartition(".")[2] in _PLAIN for name in _DOER.findall(why)[-1:])


def _head(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""
