"""Clues in a document besides its sentences: blocks of program text, commands, files of the skill that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.manifest.draft.weights import worth
from remit.manifest.model import Evidence
from remit.manifest.prose.clue import Clue
from remit.manifest.prose.reader import clues_in
from remit.manifest.prose.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.manifest.prose.spans import Bundled
    from remit.skill.document import Document

_PROGRAMS = frozenset(
    "python py typescript ts tsx javascript js jsx java csharp cs c# go rust kotlin swift cpp c++ c sql hcl terraform bicep "
    "solidity ruby php dart vue svelte scala r graphql css html dockerfile lua julia elixir razor xaml groovy".split()
)
_COMMANDS = frozenset("bash sh shell zsh console powershell".split())


def document_clues(document: Document, bundled: Bundled) -> Iterator[Clue]:
    """Everything that one document says."""
    for fence in document.fences:
        first = fence.text.strip().partition("\n")[0]
        place = Evidence(document.path, fence.line, first[:200], "fence")
        if fence.language in _COMMANDS and first:
            yield Clue("shell.execute", worth("command", "shell.execute"), "command", place)
        elif fence.language in _PROGRAMS and first:
            yield Clue("source.write", worth("fence", "source.write"), "fence", place)
    for sentence in sentences(document, bundled):
        yield from clues_in(sentence, document.path)
        for word, text in sentence.codes:
            if word == "~bundled":
                yield Clue(
                    "context.load",
                    4,
                    "sentence",
                    Evidence(document.path, sentence.line, sentence.text, f"names `{text}`"),
                )
