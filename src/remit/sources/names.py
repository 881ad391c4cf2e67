"""File names that mean the same file on every disk, in every tool and to every reader."""

from __future__ import annotations

import re
from collections.abc import Sequence

from remit.core.errors import InputError
from remit.core.sensitive import fold
from remit.skill.model import Limits
from remit.skill.walk import check_name, shown

REMEDY = "rename the file"
_LIMITS = Limits()
# Windows takes these for devices, with any extension and in any folder; digits may be superscripts
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_GIT = frozenset({".git", "git~1"})


class Names:
    """The names of one source. Each is checked against all before it."""

    def __init__(self) -> None:
        self._seen: dict[str, str] = {}

    def add(self, parts: Sequence[str]) -> None:
        """Add a name, in parts. InputError if it is not portable, or equal to another one on a disk that ignores case."""
        folded = path = ""
        for part in parts:
            check_part(part, path)
            path = f"{path}/{part}" if path else part
            folded = f"{folded}/{fold(part)}"
            first = self._seen.setdefault(folded, path)
            if first != path:
                message = f"`{shown(first)}` and `{shown(path)}` are the same file on a disk that ignores case"
                raise InputError(message, "rename one of them")


def check_part(part: str, folder: str = "") -> None:
    """Refuse a name that some system interprets differently."""
    check_name(part, folder, _LIMITS)
    if _DEVICE.fullmatch(part.rstrip(" .")):
        raise InputError(f"`{shown(part)}` is the name of a device on Windows", REMEDY)
    if ":" in part:
        raise InputError(f"the name `{shown(part)}` holds a colon, which is a separator on Windows", REMEDY)
    if part[-1:] in (".", " "):
        raise InputError(f"the name `{shown(part)}` ends in a dot or a blank, which Windows leaves out", REMEDY)


def is_git_folder(part: str) -> bool:
    """Whether a disk may take a name for `.git`, which Git refuses in a tree."""
    return fold(part) in _GIT
