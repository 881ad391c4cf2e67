"""Calls that go on when their tool has answered. What a pattern writes is looked at when the call has ended, and then it is too early."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.guard.grounding import WRITES
from remit.guard.rules.model import Action, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView

# A single `&` behind a command. In quotes it is none, and is taken for one all the same.
_BEHIND = re.compile(r"(?<![&<>|])&(?![&>\d-])")
_DETACHED = frozenset(
    {"nohup", "setsid", "disown", "coproc", "bg", "screen", "tmux", "daemonize", "systemd-run", "at", "batch"}
)
_FLAGS = ("run_in_background", "is_background", "background", "detach")  # as hosts name it


def find(view: CallView) -> Iterator[Hit]:
    """A call that writes by a pattern and may write when nobody looks any more."""
    if not any(one.spared and one.capability in WRITES for one in view.drafted.requests):
        return
    args, understood = view.event.args, view.drafted.understood
    words = {words[0].rpartition("/")[2] for known in understood for words in known.commands if words}
    behind = understood and any(_BEHIND.search(value) for value in args.values() if isinstance(value, str))
    flagged = any(args.get(name) for name in _FLAGS) or args.get("mode") == "async"
    if behind or flagged or words & _DETACHED:
        yield Hit("background", "it goes on after the call has ended, and what it writes then is not looked at")


RULE = Rule(
    "background-writes",
    Action.NOTICE,
    "A skill starts something that goes on after the call and writes where nobody looks any more.",
    "npm run dev &",
    "npm run build",
    find,
)
