"""Files of a `.git` folder that are Git's own data, and so not part of a skill (ADR 21).

A checkout has thousands of them, and they change whenever Git is used; they are neither bound nor analysed. Every other
file below `.git` is a file of the skill like any other. Two kinds are left out:

- Names of commits (`HEAD`, `refs/**`, `packed-refs` …), if their text has Git's form: such a text is neither a program nor a sentence.
- Objects, logs and the index, which can hold any text. So a skill that runs or reads one of these is opaque there (`names_data`).
"""

from __future__ import annotations

import os
import re

from remit.core.patterns import lazy_pattern
from remit.skill.classify import END, END_BYTES, by_name
from remit.skill.model import Stance
from remit.skill.open_files import Folder, open_plain, read_at

_INNER = r"\.git/(?:(?:modules|worktrees)/(?:[^/\s]+/)+)?"  # contain repositories of submodules and further work trees
_DATA = rf"{_INNER}(?:(?:objects|logs)/.+|index)"
_REFERENCES = rf"{_INNER}(?:refs/.+|[A-Z_]*HEAD|packed-refs|shallow)"
_DATA_FILE = lazy_pattern(rf"(?:.*/)?{_DATA}", re.DOTALL)
_REFERENCE_FILE = lazy_pattern(rf"(?:.*/)?{_REFERENCES}", re.DOTALL)
_NAMED = lazy_pattern(rf"(?<![\w.]){_INNER}(?:objects|logs|index)(?![\w.-])", re.ASCII)
_HASH = rb"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_NAME = rb"[\w./@+-]+"
_LINE = lazy_pattern(
    rb"ref: refs/%b|\^?%b(?: refs/%b)?|%b\t(?:not-for-merge)?\t(?:(?:remote-tracking )?branch|tag) '%b' of [\w.:/@~+-]+|# pack-refs with:[ a-z-]*"
    % (_NAME, _HASH, _NAME, _HASH, _NAME)
)
_LONGEST = 1 << 20


def in_history(path: str) -> bool:
    """Whether a file is data of Git by its name."""
    return ".git/" in path and (_DATA_FILE.fullmatch(path) or _REFERENCE_FILE.fullmatch(path)) is not None


def is_history(path: str, name: str, folder: Folder) -> bool:
    """Whether a file that is data of Git by its name is left out. OSError if it cannot be read.

    Not left out are files that Python could import: it takes modules from any folder in its path, and from any file
    that ends like a zip.
    """
    kind = by_name(path)
    if kind is not None and kind.stance is not Stance.INERT:
        return False
    handle = open_plain(name, folder)
    try:
        size = os.fstat(handle).st_size
        if _DATA_FILE.fullmatch(path):
            return END not in read_at(handle, END_BYTES, max(0, size - END_BYTES))
        return size <= _LONGEST and all(map(_LINE.fullmatch, read_at(handle, _LONGEST, 0).splitlines()))
    finally:
        os.close(handle)


def names_data(text: str) -> list[int]:
    """Return where a text names data of Git that can hold any text."""
    return [found.start() for found in _NAMED.finditer(text)] if ".git/" in text else []
