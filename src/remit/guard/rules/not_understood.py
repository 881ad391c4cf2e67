"""Commands of a skill of which the analysis cannot say what they do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.digest import digest
from remit.guard.rules.model import Action, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.drafting import Drafted
    from remit.guard.rules.model import CallView

_SHOWN = 2
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


def find(view: CallView) -> Iterator[Hit]:
    """One hit for the whole call."""
    doubts = view.drafted.doubts
    if doubts:
        more = f"; and {len(doubts) - _SHOWN} more" if len(doubts) > _SHOWN else ""
        yield Hit(
            command_prefix(view.drafted),
            f"{view.skill} wants to run something that cannot be read: {'; '.join(doubts[:_SHOWN])}{more}",
        )


RULE = Rule(
    "not-understood",
    Action.ASK,
    "A skill runs something of which the analysis cannot say what it does.",
    'eval "$(cat commands.txt)"',
    "cat commands.txt",
    find,
)
