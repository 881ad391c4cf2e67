"""From clues to what is required: points of different places add up, those of one place do not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.manifest.draft.archetype import archetype, teaches_library, without_lessons
from remit.manifest.draft.declared import declared_clues
from remit.manifest.draft.documents import document_clues
from remit.manifest.draft.effects import effect_clues
from remit.manifest.draft.implied import with_implied
from remit.manifest.draft.places import Places
from remit.manifest.draft.weights import worth
from remit.skill.prose.sentences import sentences
from remit.skill.prose.spans import Bundled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.core.effect import Effect
    from remit.manifest.draft.clue import Clue
    from remit.skill.model import Skill

_LOGIN = re.compile(r"\b(?:login|auth)\b")
_BY_COMMAND = re.compile(r"cli`|~service`")  # the words that a rule found


def all_clues(skill: Skill, effects: Sequence[Effect]) -> tuple[Clue, ...]:
    """Everything in a skill that speaks for a capability."""
    bundled = Bundled(skill)
    main = next(document for document in skill.documents if document.path == skill.main)
    spoken = tuple(sentences(main, bundled))
    kind = archetype(spoken)
    clues = (
        *effect_clues(effects, Places(skill), kind),
        *declared_clues(main),
        *document_clues(main, spoken, bundled, kind),
    )
    return tuple(without_lessons(clues)) if teaches_library(main) else clues


def required(clues: Iterable[Clue]) -> dict[str, tuple[Clue, ...]]:
    """The capabilities that the skill needs, each with its clues, the strongest first."""
    places: dict[str, dict[tuple[str, int], Clue]] = {}
    for clue in clues:
        at = places.setdefault(clue.capability, {})
        key = (clue.evidence.file, clue.evidence.line)
        if key not in at or at[key].points < clue.points:
            at[key] = clue
    out: dict[str, tuple[Clue, ...]] = {}
    for capability, found in sorted(places.items()):
        listed = sorted(found.values(), key=lambda clue: (-clue.points, clue.evidence))
        if sum(clue.points for clue in listed) >= worth("enough", capability):
            out[capability] = tuple(listed)
    return with_implied(_without_hosted_tools(out))


def _without_hosted_tools(found: dict[str, tuple[Clue, ...]]) -> dict[str, tuple[Clue, ...]]:
    """A service that is reached through tools of the host is no API that the skill calls itself.

    Its name, its key and a login say nothing then; a program of the skill or a command that calls it does.
    """
    if "tool.invoke" not in found or any(map(_calls_itself, found.get("api.call", ()))):
        return found
    return {capability: clues for capability, clues in found.items() if capability != "api.call"}


def _calls_itself(clue: Clue) -> bool:
    if clue.kind == "sentence":
        return bool(_BY_COMMAND.search(clue.evidence.rule))
    return bool(clue.points) and not _LOGIN.search(clue.evidence.rule)
