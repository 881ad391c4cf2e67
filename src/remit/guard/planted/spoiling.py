"""A text that is written over a file of the user: whether what the file holds would be gone, though its name was meant.

Who names a file to be changed means that it stays what it is. Asked about is
- a text in the place of something that is none: a document, a picture, a database
- a list of what git passes over that holds everything: what comes after it is in no history
- a text after which hardly anything of a longer one is left, unless the user's words ask for that, or git holds it
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.guard.planted.named import untouched
from remit.guard.tracked import is_stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.planted.writing import Writing
    from remit.guard.session import Live

_HEAD = 8192
_BEGINNINGS = ("PK\x03\x04", "%PDF-", "\ufffdPNG", "GIF8", "\ufffd\ufffd\ufffd\ufffd", "Rar!", "7z\ufffd\ufffd")
_EVERYTHING = frozenset({"*", "**", "/*", "/**", "*.*", "**/*"})
_IGNORES = re.compile(r"(?i)\bignor|\bexclud")
_LONG = 300  # characters of a text that is worth a question
_LEFT = 4  # it is gone if less than one part of so many is left
_ASKED = re.compile(
    r"(?i)\b(?:clean|clear|cut|delet|drop|empt|from scratch|minimal|overwrit|remov|replac|reset|rewrit|short|simplif|start over|strip|summar|trim|truncat)"
)


def spoilt(live: Live, writing: Writing) -> Iterator[str]:
    """What a text would do to the file that it replaces."""
    before, text = writing.before, writing.text
    if _hides_all(writing, str(live.workspace.root)) and not any(map(_IGNORES.search, live.prompts)):
        yield "would keep every file out of the history of the repository"
    if not before or not writing.whole or not untouched(writing.path, live.policy.started):
        return
    if is_no_text(before):
        if text[:4] != before[:4]:
            yield "would be a text, and what it holds now is none"
    elif len(before) >= _LONG and len(text) * _LEFT < len(before) and not any(map(_ASKED.search, live.prompts)):
        known = set(before.splitlines())
        kept = sum(len(line) for line in text.splitlines() if line in known)
        if kept * _LEFT < len(before) and not is_stored(live.workspace.root, writing.path):
            yield "would lose nearly all that it holds"


def _hides_all(writing: Writing, root: str) -> bool:
    """Whether git would pass over all files of the workspace from now on. A list that names exceptions chooses."""
    if writing.path not in (f"{root}/.gitignore", f"{root}/.git/info/exclude"):
        return False
    lines = {line.strip() for line in writing.text.splitlines()} - {
        line.strip() for line in writing.before.splitlines()
    }
    return not _EVERYTHING.isdisjoint(lines) and not any(line.startswith("!") for line in lines)


def is_no_text(content: str) -> bool:
    """Whether what a file holds is made by programs, and no text; read as text, with what is none of it replaced."""
    return content.startswith(_BEGINNINGS) or "\0" in content[:_HEAD]
