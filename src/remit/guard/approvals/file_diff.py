"""A short diff of what a call would change in a file, with secret values masked."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.guard.hosts.toolmap import Role, Want
from remit.guard.paths import read_start, real_path
from remit.policy.dlp.scan import redact

if TYPE_CHECKING:
    from remit.guard.event import Event

LINES = 200  # lines of a diff; the rest is counted
_LARGEST = 256 * 1024  # bytes of a file that is compared
_GROWN = 4 * _LARGEST  # characters after edits: each edit may double a text
_MOST_LINES = 2000  # of a file that is compared line by line
_LONGEST = 400  # characters of a line
_OLD, _NEW, _ALL = (
    ("old_string", "oldString", "old_str"),
    ("new_string", "newString", "new_str"),
    ("replace_all", "replaceAll"),
)
_PATCHES = ("patch", "patchText", "input")


def diff(event: Event, wants: Iterable[Want], home: str) -> list[str]:
    """Return the lines of a unified diff; empty if the call does not write text into exactly one file."""
    for name in _PATCHES:
        text = event.args.get(name)
        if isinstance(text, str) and text.lstrip().startswith("*** Begin Patch"):
            return _short(text.splitlines())
    edit = edited_file(event, wants, home)
    if edit is None:
        return []
    where, before, after = edit
    if before is None:
        return ["(the file is no text, or too large to compare)"]
    if after is None:
        return ["(with these edits the file is too large to compare)"]
    return _short([f"--- {where} (now)", f"+++ {where} (then)", *_compared(before.splitlines(), after.splitlines())])


class EditedFile(NamedTuple):
    """A file before and after a call; None where it is no text, or too large."""

    path: str
    before: str | None
    after: str | None


def edited_file(event: Event, wants: Iterable[Want], home: str) -> EditedFile | None:
    """Return the one file into which a call writes text; None for any other call."""
    written = [want for want in wants if want.role is Role.PATH and want.content is not None]
    paths = {want.target for want in written}
    where = real_path(paths.pop(), event.cwd, home) if len(paths) == 1 else None
    if where is None:
        return None
    before = _text(where)
    if before is None:
        return EditedFile(where, None, None)
    try:
        after = _edited(event.args, before)
    except OverflowError:
        return EditedFile(where, before, None)
    return EditedFile(where, before, "\n".join(want.content or "" for want in written) if after is None else after)


def _compared(before: list[str], after: list[str]) -> Iterable[str]:
    """Return the differing lines; of very long files, the lines from the first difference on, because comparison takes
    quadratic time.
    """
    if max(len(before), len(after)) > _MOST_LINES:
        same = next((number for number, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
        yield f"@@ too many lines to compare; the first that differs is {same + 1} @@"
        yield from (f"+{line}" for line in after[same : same + LINES])
    else:
        yield from list(difflib.unified_diff(before, after, n=2, lineterm=""))[2:]


def _edited(args: Mapping[str, Any], before: str) -> str | None:
    """Return a text after the edits of a call; None if the call replaces the whole text."""
    edits: Sequence[Any] = args["edits"] if isinstance(args.get("edits"), list) else [args]
    after = before
    for edit in edits:
        old, new = _first(edit, _OLD), _first(edit, _NEW)
        if not isinstance(old, str) or not isinstance(new, str):
            return None
        often = -1 if _first(edit, _ALL) is True else 1
        if len(after) + len(new) * (after.count(old) if often < 0 and old else 1) > _GROWN:
            raise OverflowError
        after = after.replace(old, new, often) if old else after or new  # without an old text the file is new
    return after


def _first(edit: Any, names: Iterable[str]) -> Any:
    return (
        next((edit[name] for name in names if name in edit), None)
        if isinstance(edit, dict) or hasattr(edit, "get")
        else None
    )


def _text(path: str) -> str | None:
    """Return the current text of a file; empty if it does not exist, None if it cannot be compared."""
    if not os.path.lexists(path):
        return ""
    data = read_start(path, _LARGEST + 1)
    try:
        return data.decode("utf-8") if data is not None and len(data) <= _LARGEST else None
    except UnicodeDecodeError:
        return None


def _short(lines: Iterable[str]) -> list[str]:
    every = list(lines)
    # redacted as a whole: a key may span several lines
    shown = redact("\n".join(line[:_LONGEST] for line in every[:LINES])).split("\n") if every else []
    return shown if len(every) <= LINES else [*shown, f"… and {len(every) - LINES} more lines"]
