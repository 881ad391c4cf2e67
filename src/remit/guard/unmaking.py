"""Code that would undo what a file of the user holds, though its name was meant: reasons to ask.

Who asks for a headline in a report wants the report with a headline. What code does to the things that it opens is seen in the code
(`understand/taking.py`), which file it writes in what the call would do; a person is asked where both meet:
- code that only takes away, and saves a file that was there before, unless the user's words ask for something to be taken away
- bytes of its own making over a file that is no text, or a program that knows only lines: no program of its format made them
- statements that delete or change what a database of the user holds, as they are asked about where the shell gives them to a program,
  unless the user's words ask for that
- something new under the name of a file that is no text, by code that never opened it
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import FILE_READS, FILE_WRITES
from remit.core.remembered import Facts
from remit.core.scope import PathScope, overlaps
from remit.guard.paths import beginning
from remit.guard.planted.spoiling import is_no_text
from remit.guard.replacing import is_plain, was_there
from remit.guard.understand.taking import Taking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remit.core.scope import Scope
    from remit.guard.drafting import Drafted
    from remit.guard.session import Live
    from remit.guard.understand import Part, Understanding

_HEAD = 8192
_PLAIN = ("open", "write_text", "write_bytes", "truncate", "writeFile", "writeFileSync", "truncateSync")  # of no format
# Programs that read and write lines of text, or single bytes
_LINES = frozenset(
    "awk dd dos2unix ed ex gawk iconv nl paste perl sed shuf sort sponge tac tee tr truncate uniq unix2dos".split()
)
_PACKING = "zipfile."  # a document that was unpacked before is packed again
_ASKED = re.compile(
    r"(?i)\b(?:anonymi|blank|cancel|clean|clear|delet|discard|drop|empt|eras|purg|redact|remov|replac|reset|strip|wip)"
)
_ALTERED = re.compile(
    r"(?i)\b(?:add|alter|chang|columns?\b|convert|correct|edit|fill|fix|migrat|modif|normali|renam|set\b|updat|upgrad)"
)
_DATABASES = (
    "sqlite3.",
    "aiosqlite.",
    "duckdb.",
    "sqlalchemy.",
    "pandas.",
    "sqlite_utils.",
    "better-sqlite3",
    "sqlite.",
)


def unmade(live: Live, drafted: Drafted, whose: Sequence[str]) -> tuple[str, ...]:
    """Why a person should look at what a call on behalf of some skills does to files that were there."""
    found: dict[str, None] = {}
    for known in drafted.understood if whose else ():
        if writers := _writers(known):
            found |= dict.fromkeys(_reasons(live, known.takings, writers))
    return tuple(found)


class Writer(NamedTuple):
    """What writes a file, as far as it hangs on the command alone."""

    path: str
    plain: bool  # a function that knows no format
    database: bool  # a library of databases
    lines: str  # a program that knows only lines
    anew: bool  # code that does not open it before


_known_writers: Facts[tuple[Writer, ...]] = Facts()


def _writers(known: Understanding) -> tuple[Writer, ...]:
    found = _known_writers.get(known)
    if found is None:
        read = [part.scope for part in known.parts if part.capability in FILE_READS]
        parts = [part for part in known.parts if part.capability in FILE_WRITES and is_plain(part.scope)]
        found = _known_writers.put(known, tuple(_writer(part, read) for part in parts))
    return found


def _writer(part: Part, read: Iterable[Scope]) -> Writer:
    doer = part.via.label
    function = doer.rpartition(".")[2]
    anew = "." in doer and not part.skill and not doer.startswith(_PACKING) and function not in _PLAIN
    return Writer(
        beginning(part.scope) if isinstance(part.scope, PathScope) else "",
        function in _PLAIN,
        doer.startswith(_DATABASES),
        doer if doer in _LINES else "",
        anew and not any(overlaps(part.scope, scope) for scope in read),
    )


def _reasons(live: Live, takings: frozenset[Taking], writers: Iterable[Writer]) -> Iterator[str]:
    wanted = any(map(_ASKED.search, live.prompts))
    altered = any(map(_ALTERED.search, live.prompts))
    for one in writers:
        if not (takings or one.lines or one.anew) or not was_there(live, one.path):
            continue
        name = os.path.relpath(one.path, live.workspace.root)
        if Taking.EMPTIES in takings and not wanted:
            yield f"`{name}` was there before the session, and of the code that saves it: {Taking.EMPTIES}"
        if one.database and Taking.DELETES in takings and not wanted:
            yield f"`{name}` was there before the session, and of the code that opens it: {Taking.DELETES}"
        if one.database and Taking.CHANGES in takings and not (wanted or altered):
            yield f"`{name}` was there before the session, and of the code that opens it: {Taking.CHANGES}"
        if not is_no_text(_head(one.path)):
            continue
        if Taking.SCRAMBLES in takings and one.plain:
            yield f"`{name}` is no text, and of the code that saves it: {Taking.SCRAMBLES}"
        if one.lines:
            yield f"`{name}` is no text, and `{one.lines}` knows nothing else"
        if one.anew and not wanted:
            yield f"something new would have the name of `{name}`, which was there before the session and is not opened first"


def _head(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""
