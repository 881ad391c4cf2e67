"""Data of the user that a call would put into a file for which nobody meant it: reasons to ask.

Who names a file to work on means that file. A call on behalf of a skill that writes it, and reads other data of the user which nobody
spoke of, may put the one into the other: the list of customers in the notes of a presentation. Programs and settings are no data: they
are read to work with them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from remit.core.capability import FILE_READS
from remit.core.remembered import Facts
from remit.core.scope import ROOT, PathScope, covers
from remit.guard.paths import beginning, exactly
from remit.guard.replacing import is_plain, spoken_of, was_there, written
from remit.skill.classify import by_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.guard.drafting import Drafted
    from remit.guard.session import Live

_DATA = frozenset({"data", "table", "office", "text", "archive"})
_SHOWN = 3


def mixed(live: Live, drafted: Drafted, whose: Sequence[str]) -> tuple[str, ...]:
    """Why a person should look at what a call reads beside what it writes."""
    if not whose or not drafted.understood:
        return ()
    reads, writes = _files(drafted)
    if not reads or not writes:
        return ()
    into = [path for path in writes if spoken_of(live, path) and (was_there(live, path) or _in_full(live, path))]
    if not into:
        return ()
    named = [beginning(one) for one in reads if is_plain(one)]
    met = [path for one in reads if not is_plain(one) for path in _under(live, one)]
    strange = [
        path
        for path in dict.fromkeys((*named, *met))
        if path not in live.given
        and path not in writes
        and _is_data(path)
        and was_there(live, path)
        and not spoken_of(live, path)
    ]
    if not strange:
        return ()
    root = live.workspace.root
    names = ", ".join(f"`{os.path.relpath(path, root)}`" for path in strange[:_SHOWN])
    return (f"{names}, which nobody named, may go into `{os.path.relpath(into[0], root)}`",)


def _in_full(live: Live, path: str) -> bool:
    """Whether the user's words have the whole name of a file: a new one that only shares a word with them is the agent's."""
    name = path.rpartition("/")[2]
    return any(name in prompt for prompt in live.prompts)


_known_files: Facts[tuple[tuple[PathScope, ...], tuple[str, ...]]] = Facts()


def _files(drafted: Drafted) -> tuple[tuple[PathScope, ...], tuple[str, ...]]:
    """What a call reads, by name or by a pattern, and what it writes by name."""
    found = _known_files.get(drafted)
    if found is None:
        read = (one.scope for one in drafted.requests if one.capability in FILE_READS)
        reads = tuple(scope for scope in read if isinstance(scope, PathScope) and scope.anchor == ROOT)
        found = _known_files.put(drafted, (reads, tuple(dict.fromkeys(written(drafted.requests)))))
    return found


def _under(live: Live, scope: PathScope) -> Iterator[str]:
    """The files of the workspace that a pattern means. One of the whole workspace means none: most programs look around."""
    root = str(live.workspace.root)
    folder = beginning(scope)
    if folder.startswith(f"{root}/"):
        inside = f"{folder[len(root) + 1 :]}/"
        yield from (
            f"{root}/{name}"
            for name in sorted(live.found or ())
            if name.startswith(inside) and covers(scope, exactly(f"{root}/{name}"))
        )


def _is_data(path: str) -> bool:
    kind = by_name(path.rpartition("/")[2])
    return kind is None or kind.name in _DATA
