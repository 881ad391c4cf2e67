"""Programs that run others with the rights of another user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView

_PROGRAMS = frozenset({"sudo", "doas", "su", "pkexec", "run0"})


def find(view: CallView) -> Iterator[Hit]:
    """Simple commands of the call and of its scripts."""
    for known in view.drafted.understood:
        for words in (*known.commands, *known.inner):
            name = words[0].rpartition("/")[2] if words else ""
            if name in _PROGRAMS:
                yield Hit(name, f"{view.skill} wants to run a command as another user (`{' '.join(words)[:200]}`)")


RULE = Rule(
    "elevated-rights",
    Action.ASK,
    "A skill runs something with the rights of another user.",
    "sudo apt-get update",
    "apt-get --version",
    find,
)
