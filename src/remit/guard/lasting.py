"""Calls that go on when their tool has answered. What a pattern writes is looked at when the call has ended, and then it is too early."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.guard.grounding import WRITES

if TYPE_CHECKING:
    from remit.guard.drafting import Drafted
    from remit.guard.event import Event

# A single `&` behind a command. In quotes it is none, and is taken for one all the same: then a person is asked once too often.
_BEHIND = re.compile(r"(?<![&<>|])&(?![&>\d-])")
_DETACHED = frozenset(
    {"nohup", "setsid", "disown", "coproc", "bg", "screen", "tmux", "daemonize", "systemd-run", "at", "batch"}
)
_FLAGS = ("run_in_background", "is_background", "background", "detach")  # as hosts name it
_REASON = "it goes on after the call has ended, and what it writes then is not looked at"


def goes_on(event: Event, drafted: Drafted) -> tuple[str, ...]:
    """The reason to ask about a call that writes by a pattern and may write when nobody looks any more."""
    if not any(one.spared and one.capability in WRITES for one in drafted.requests):
        return ()
    texts = [value for value in event.args.values() if isinstance(value, str)]
    words = {words[0].rpartition("/")[2] for known in drafted.understood for words in known.commands if words}
    behind = any(_BEHIND.search(text) for text in texts) if drafted.understood else False
    flagged = any(event.args.get(name) for name in _FLAGS) or event.args.get("mode") == "async"
    return (_REASON,) if behind or flagged or words & _DETACHED else ()
