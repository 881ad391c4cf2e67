"""Effects that a command can have only if a word that is not known turns out to be an option.

`curl "$URL"` may be told by a hostile answer to use a proxy, so the analysis reports `curl -x`. Nothing in the skill asks for
it: in a draft it counts for nothing, and is denied unless the skill needs the same for another reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.draft.places import Places

_OPTION = re.compile(r"`[\w.-]+(?: [\w.-]+)* (--?[A-Za-z][\w-]*)")


def is_only_possible(effect: Effect, places: Places) -> bool:
    """Whether the reason names an option that does not stand in the command."""
    found = _OPTION.match(effect.why)
    if not found:
        return False
    option, command = found[1], places.command_at(effect.where)
    if option.startswith("--"):
        return option not in command
    letter = re.escape(option[1:])  # short options may be joined: `-sSx`
    return re.search(rf"(?:^|\s)-[A-Za-z]*{letter}", command) is None
