"""Kinds of skills that change what their text asks for.

A skill that teaches a client library shows what the *user's* program will do. It directs the agent to write source code
and to install the library, not to call the service: its samples, headings and advice are about the acts of others. A
skill that reviews code shows faults to look for. Otherwise, the programs that a skill shows are tools for the task.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from remit.manifest.draft.clues import Clue, clues_in
from remit.manifest.draft.code_blocks import COMMANDS, PROGRAMS

if TYPE_CHECKING:
    from remit.skill.document import Document
    from remit.skill.prose.sentences import Sentence

_LIBRARY = re.compile(r"\bSDKs?\b|\bclient librar(?:y|ies)\b")
_LANGUAGE = re.compile(
    r"\b(?:Python|Java|JavaScript|TypeScript|Node(?:\.js)?|Rust|Go|Swift|Kotlin|PHP|Ruby)\b|\.NET\b|\bC#"
)
_TAUGHT = frozenset({"source.write", "package.install", "shell.execute", "context.load"})
_OF_ITS_OWN = frozenset({"script", "hook", "named"})  # what the skill itself runs, whatever it teaches
_SHARE = 3  # lines of programs for each line of commands
_REVIEWS = frozenset("review reviews reviewing audit audits auditing".split())
_KITS = frozenset({"sdk", "sdks"})


class SkillType(NamedTuple):
    """What a description says about the programs that a skill shows."""

    reviews: bool = False  # they are faults to look for
    builds: bool = False  # they are parts of the user's own program


def skill_type(spoken: Iterable[Sentence]) -> SkillType:
    """Return the kind of skill, from the sentences of its description."""
    about = [sentence for sentence in spoken if sentence.place == "about"]
    words = {word for sentence in about for word in sentence.words}
    writes = any(clue.capability == "source.write" for sentence in about for clue in clues_in(sentence, ""))
    return SkillType(
        reviews=not writes and not _REVIEWS.isdisjoint(words), builds=writes or not _KITS.isdisjoint(words)
    )


def teaches_library(document: Document) -> bool:
    """Whether a skill says that it is about the client library of a language, and shows more programs than commands."""
    about = document.front_matter.text("description")
    if not (_LIBRARY.search(about) and _LANGUAGE.search(about)):
        return False
    programs = sum(len(fence.text.splitlines()) for fence in document.fences if fence.language in PROGRAMS)
    commands = sum(len(fence.text.splitlines()) for fence in document.fences if fence.language in COMMANDS)
    return programs > _SHARE * commands


def without_lessons(clues: Iterable[Clue]) -> Iterator[Clue]:
    """Return the clues of a skill that teaches a library, without those about what the user's program does."""
    return (clue for clue in clues if clue.capability in _TAUGHT or clue.kind in _OF_ITS_OWN)
