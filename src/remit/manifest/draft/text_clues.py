"""Clues in the text of a skill: its sentences, code blocks and front matter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from remit.manifest.draft.clues import Clue, clues_in, points_for
from remit.manifest.draft.code_blocks import fence_clues
from remit.manifest.draft.effect_clues import effect_clues
from remit.manifest.draft.locations import Locations
from remit.manifest.draft.skill_type import skill_type, teaches_library, without_lessons
from remit.manifest.model import Evidence
from remit.skill.prose.sentences import sentences
from remit.skill.prose.spans import Bundled
from remit.skill.prose.variables import holds_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remit.core.effect import Effect
    from remit.manifest.draft.skill_type import SkillType
    from remit.skill.document import Document
    from remit.skill.model import Skill
    from remit.skill.prose.sentences import Sentence

_KIND = "declared"
_PROGRAMS = frozenset({"bins", "anyBins", "binaries", "commands", "programs"})
_VARIABLES = frozenset({"env", "envVars", "environment", "primaryEnv"})
_INSTALLS = frozenset({"install", "installers"})
_DEPTH = 6  # hosts nest these fields under `metadata`, their own name and `requires`


def declared_clues(document: Document) -> Iterator[Clue]:
    """What the fields of a document ask for, wherever they are nested."""
    front = document.front_matter
    for key, value in front.values.items():
        for name, found in _fields(key, value, _DEPTH):
            place = Evidence(document.path, front.line(key), f"{name}: {_shown(found)}", f"front matter `{name}`")
            for capability in _needs(name, found):
                yield Clue(capability, points_for(_KIND, capability), _KIND, place)


def _needs(name: str, value: Any) -> Iterator[str]:
    if not value or isinstance(value, bool):
        return
    if name in _PROGRAMS:
        yield "shell.execute"
    elif name in _INSTALLS and isinstance(value, list):
        yield "package.install"
    elif name in _VARIABLES:
        yield "env.read"
        if any(holds_secret(name) for name in _shown(value).split(", ")):
            yield "secret.read"


def _fields(key: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    yield key, value
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = _json(value)
    if isinstance(value, dict) and depth and key not in _VARIABLES:
        for name, inner in value.items():
            yield from _fields(str(name), inner, depth - 1)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None  # some text that only begins like JSON


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, dict)) else str(value)


_RUNNABLE = ("scripts/", "bin/", "script/")


def document_clues(document: Document, spoken: Iterable[Sentence], bundled: Bundled, kind: SkillType) -> Iterator[Clue]:
    """Everything that one document says, in its blocks and sentences."""
    yield from fence_clues(document, kind)
    for sentence in spoken:
        yield from clues_in(sentence, document.path)
        for word, text in sentence.codes:
            place = Evidence(document.path, sentence.line, sentence.text, f"names `{text}`")
            if word == "~bundled":
                yield Clue("context.load", 4, "sentence", place)
            elif word == "~script" and (bundled.find(text) or "").startswith(_RUNNABLE):
                yield Clue("source.execute", points_for("named", "source.execute"), "named", place)


def all_clues(skill: Skill, effects: Sequence[Effect]) -> tuple[Clue, ...]:
    """Everything in a skill that speaks for a capability."""
    bundled = Bundled(skill)
    main = next(document for document in skill.documents if document.path == skill.main)
    spoken = tuple(sentences(main, bundled))
    kind = skill_type(spoken)
    clues = (
        *effect_clues(effects, Locations(skill), kind),
        *declared_clues(main),
        *document_clues(main, spoken, bundled, kind),
    )
    return tuple(without_lessons(clues)) if teaches_library(main) else clues
