"""The beginning of a command by which an answer is remembered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.digest import digest

if TYPE_CHECKING:
    from remit.guard.drafting import Drafted

_SUBCOMMAND = re.compile(r"[A-Za-z][\w:.-]*")
_INLINE = frozenset({"-", "-c", "-e", "-p", "-r", "--eval", "--print"})  # what follows, or comes in, is the program


def command_prefix(drafted: Drafted) -> str:
    """The program and subcommand of each simple command; a call that brings its own program is known by all of it."""
    commands = [words for known in drafted.understood for words in known.commands if words]
    if not commands or any(
        not _INLINE.isdisjoint(words) or "<any>" in words[:2] or "<<" in drafted.outgoing for words in commands
    ):
        return digest(drafted.outgoing)
    return "; ".join(dict.fromkeys(_prefix(words) for words in commands))


def _prefix(words: tuple[str, ...]) -> str:
    subcommand = words[1] if len(words) > 1 and _SUBCOMMAND.fullmatch(words[1]) else ""
    return f"{words[0]} {subcommand}".strip()
