"""Effects that nothing in a skill asks for: the analysis reports them because it cannot rule them out.

A command can have some only if a word that is not known turns out to be an option.

`curl "$URL"` may be told by a hostile answer to use a proxy, so the analysis reports `curl -x`. Nothing in the skill asks for
it: in a draft it counts for nothing, and is denied unless the skill needs the same for another reason. So it is with a variable
that a script sets itself, on some way or other, before it reads it; `X=${X:-y}` reads the one that it was given.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.core.via import Cause

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.draft.places import Places

_OPTION = re.compile(r"--?[A-Za-z][\w-]*")


def is_only_possible(effect: Effect, places: Places) -> bool:
    """Whether the cause is an option that does not stand in the command, or a variable that its script sets."""
    via = effect.via
    if via.cause is Cause.VARIABLE and effect.capability == "env.read" and via.name:
        script = places.script(effect.where.file)
        return bool(script) and _sets(script, via.name)
    found = _OPTION.match(via.option)
    if not found:
        return False
    option, command = found[0], places.command_at(effect.where)
    if option.startswith("--"):
        return option not in command
    letter = re.escape(option[1:])  # short options may be joined: `-sSx`
    return re.search(rf"(?:^|\s)-[A-Za-z]*{letter}", command) is None


@lru_cache(256)
def _sets(script: str, name: str) -> bool:
    """Whether a script gives a variable a value that is not its own, reads it from its input, or goes through a list with it."""
    if re.search(rf"\$\{{{name}:?[-=?]", script):
        return False
    value = rf"(?![\"']?\$\{{?{name}\b)"
    return bool(re.search(rf"(?:^|[\s;&|(]){name}={value}|\bread\b[^\n;|&]*\b{name}\b|\bfor {name} in\b", script))
