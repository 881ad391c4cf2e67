"""Clues in a document besides its sentences: blocks of program text, commands, files of the skill that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.manifest.draft.fences import fence_clues
from remit.manifest.draft.weights import worth
from remit.manifest.model import Evidence
from remit.manifest.prose.clue import Clue
from remit.manifest.prose.reader import clues_in
from remit.manifest.prose.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remit.manifest.prose.sentences import Sentence
    from remit.manifest.prose.spans import Bundled
    from remit.skill.document import Document

_REVIEWS = frozenset("review reviews reviewing audit audits auditing".split())
_RUNNABLE = ("scripts/", "bin/", "script/")


def document_clues(document: Document, bundled: Bundled) -> Iterator[Clue]:
    """Everything that one document says."""
    spoken = tuple(sentences(document, bundled))
    yield from fence_clues(document, reviews=_only_reviews(spoken, document.path))
    for sentence in spoken:
        yield from clues_in(sentence, document.path)
        for word, text in sentence.codes:
            place = Evidence(document.path, sentence.line, sentence.text, f"names `{text}`")
            if word == "~bundled":
                yield Clue("context.load", 4, "sentence", place)
            elif word == "~script" and (bundled.find(text) or "").startswith(_RUNNABLE):
                yield Clue("source.execute", worth("named", "source.execute"), "named", place)


def _only_reviews(spoken: Iterable[Sentence], path: str) -> bool:
    """Whether the description speaks of a review, and does not ask to write code."""
    about = [sentence for sentence in spoken if sentence.place == "about"]
    return any(not _REVIEWS.isdisjoint(sentence.words) for sentence in about) and not any(
        clue.capability == "source.write" for sentence in about for clue in clues_in(sentence, path)
    )
