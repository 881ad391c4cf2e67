"""Texts that a program of a call writes as they are, so that a file which the same call then runs is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import lit
from remit.analysis.engine.texts import texts_of

if TYPE_CHECKING:
    from remit.analysis.world import Child, Site
    from remit.guard.understand.live import LiveSession

_TEE = frozenset({"tee", "gtee", "sponge"})  # what comes in is what stands in the files that they name


def piped(session: LiveSession, names: set[str], child: Child, site: Site) -> None:
    """The text that a program writes as it is: what is piped into it, or nothing."""
    known = [item.literal for word in child.words for item in texts_of(word)]
    if names & _TEE and child.stdin:
        text = child.stdin
    elif ("truncate" in names and {"0", "-s0", "--size=0"} & {*known}) or ("cp" in names and "/dev/null" in known):
        text = lit("")
    else:
        return
    for word in child.words[1:]:
        session.wrote(word, text, site)
