"""Data of the user that a call would put into a file for which nobody meant it: reasons to ask.

Who names a file to work on means that file. A call on behalf of a skill that writes it, and reads other data of the user which nobody
spoke of, may put the one into the other: the list of customers in the notes of a presentation. Programs and settings are no data: they
are read to work with them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from remit.core.remembered import Facts
from remit.core.scope import ROOT, PathScope
from remit.core.scope.component import literal
from remit.guard.paths import beginning
from remit.guard.replacing import spoken_of, was_there, written
from remit.skill.classify import by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remit.guard.drafting import Drafted
    from remit.guard.session import Live

_READS = frozenset({"file.read", "source.read"})
_DATA = frozenset({"data", "table", "office", "text", "archive"})
_SHOWN = 3


def mixed(live: Live, drafted: Drafted, whose: Sequence[str]) -> tuple[str, ...]:
    """Why a person should look at what a call reads beside what it writes."""
    if not whose or not drafted.understood:
        return ()
    reads, writes = _files(drafted)
    if not reads or not writes:
        return ()
    into = [path for path in writes if was_there(live, path) and spoken_of(live, path)]
    if not into:
        return ()
    strange = [path for path in reads if path not in live.given and was_there(live, path) and not spoken_of(live, path)]
    if not strange:
        return ()
    root = live.workspace.root
    names = ", ".join(f"`{os.path.relpath(path, root)}`" for path in strange[:_SHOWN])
    return (f"{names}, which nobody named, may go into `{os.path.relpath(into[0], root)}`",)


_known_files: Facts[tuple[tuple[str, ...], tuple[str, ...]]] = Facts()


def _files(drafted: Drafted) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The data that a call reads by name and does not write, and what it writes by name."""
    found = _known_files.get(drafted)
    if found is None:
        writes = tuple(dict.fromkeys(written(drafted.requests)))
        reads = tuple(
            path
            for one in drafted.requests
            if one.capability in _READS
            and isinstance(one.scope, PathScope)
            and one.scope.anchor == ROOT
            and all(literal(part) is not None for part in one.scope.parts)
            and (path := beginning(one.scope)) not in writes
            and _is_data(path)
        )
        found = _known_files.put(drafted, (reads, writes))
    return found


def _is_data(path: str) -> bool:
    kind = by_name(path.rpartition("/")[2])
    return kind is None or kind.name in _DATA
