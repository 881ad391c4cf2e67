"""A clue: something in a skill that speaks for a capability, with the place and the words that say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.manifest.model import Evidence
from remit.skill.prose.reader import asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.scope import Scope
    from remit.skill.prose.sentences import Sentence


class Clue(NamedTuple):
    """`kind` says where it comes from (a sentence, a command, a script …); `data/weights.table` knows its points by kind."""

    capability: str
    points: int
    kind: str
    evidence: Evidence
    scope: Scope | None = None  # None: the words do not say on what


def clues_in(sentence: Sentence, file: str) -> Iterator[Clue]:
    """What one sentence asks for; each capability once, by its strongest words."""
    for capability, points, rule in asked(sentence):
        yield Clue(capability, points, "sentence", Evidence(file, sentence.line, sentence.text, rule))
