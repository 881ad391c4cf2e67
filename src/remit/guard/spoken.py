"""What the user's own words ask for: the rules that read the prose of skills, read a prompt."""

from __future__ import annotations

from functools import lru_cache

from remit.core.capability import vocabulary
from remit.skill.document import parse
from remit.skill.prose.reader import asked
from remit.skill.prose.sentences import sentences
from remit.skill.prose.spans import Bundled

_LONGEST = 20_000  # characters of a prompt that are read; what comes after asks for nothing


@lru_cache(256)
def capabilities_in(prompt: str) -> frozenset[str]:
    """The capabilities that a prompt asks for in so many words."""
    document = parse("prompt.md", prompt[:_LONGEST].encode("utf-8", "replace"))
    found = {
        clue.capability
        for sentence in sentences(document, Bundled(None))
        for clue in asked(sentence)
        if clue.points > 1
    }
    return frozenset(name for name in found if name in vocabulary())
