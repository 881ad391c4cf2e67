"""Clues in a document besides its sentences: blocks of program text, commands, files of the skill that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.manifest.draft.clue import Clue, clues_in
from remit.manifest.draft.fences import fence_clues
from remit.manifest.draft.weights import worth
from remit.manifest.model import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remit.manifest.draft.archetype import Archetype
    from remit.skill.document import Document
    from remit.skill.prose.sentences import Sentence
    from remit.skill.prose.spans import Bundled

_RUNNABLE = ("scripts/", "bin/", "script/")


def document_clues(document: Document, spoken: Iterable[Sentence], bundled: Bundled, kind: Archetype) -> Iterator[Clue]:
    """Everything that one document says, in its blocks and sentences."""
    yield from fence_clues(document, kind)
    for sentence in spoken:
        yield from clues_in(sentence, document.path)
        for word, text in sentence.codes:
            place = Evidence(document.path, sentence.line, sentence.text, f"names `{text}`")
            if word == "~bundled":
                yield Clue("context.load", 4, "sentence", place)
            elif word == "~script" and (bundled.find(text) or "").startswith(_RUNNABLE):
                yield Clue("source.execute", worth("named", "source.execute"), "named", place)
