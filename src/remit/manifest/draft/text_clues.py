"""Clues in the text of a skill: its sentences, code blocks and front matter."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from remit.core.errors import ManifestError
from remit.core.scope import Scope, ScopeKind, parse_scope
from remit.core.sensitive import VARIABLE
from remit.manifest.draft.clues import Clue, clues_in, points_for
from remit.manifest.draft.code_blocks import fence_clues
from remit.manifest.draft.effect_clues import effect_clues
from remit.manifest.draft.skill_type import SkillType, skill_type, teaches_library, without_lessons
from remit.manifest.model import Evidence
from remit.skill.prose.lexicon import ENOUGH
from remit.skill.prose.sentences import Sentence, sentences
from remit.skill.prose.spans import Bundled
from remit.skill.prose.variables import holds_secret

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.draft.locations import Locations
    from remit.skill.document import Document
    from remit.skill.model import Skill

_KIND = "declared"
_REFERENCE = "instruction"
_PROGRAMS = frozenset({"bins", "anyBins", "binaries", "commands", "programs"})
_VARIABLES = frozenset({"env", "envVars", "environment", "primaryEnv"})
_INSTALLS = frozenset({"install", "installers"})
_PACKAGES = ("package", "formula", "module", "cask", "crate")
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DEPTH = 6  # hosts nest these fields under `metadata`, their own name and `requires`


def declared_clues(document: Document) -> Iterator[Clue]:
    """Return what the fields of a document ask for, at any depth."""
    front = document.front_matter
    for key, value in front.values.items():
        for name, found in _fields(key, value, _DEPTH):
            place = Evidence(document.path, front.line(key), f"{name}: {_shown(found)}", f"front matter `{name}`")
            for capability, scopes in _needs(name, found):
                points = points_for(_KIND, capability)
                yield from (Clue(capability, points, _KIND, place, scope) for scope in scopes or (None,))


def _needs(name: str, value: Any) -> Iterator[tuple[str, tuple[Scope, ...]]]:
    """Return the capabilities that a field asks for, each with what it names."""
    if not value or isinstance(value, bool):
        return
    listed = _shown(value).split(", ")
    if name in _PROGRAMS:
        yield "shell.execute", _named(ScopeKind.PROGRAM, listed)
    elif name in _INSTALLS and isinstance(value, list):
        packages = [str(one[key]) for one in value if isinstance(one, dict) for key in _PACKAGES if one.get(key)]
        yield "package.install", _named(ScopeKind.NAME, packages)
    elif name in _VARIABLES:
        variables = [one for one in listed if _VARIABLE.fullmatch(one)]
        yield "env.read", _named(ScopeKind.NAME, variables)
        if any(map(holds_secret, listed)):
            yield "secret.read", _named(ScopeKind.PATH, [VARIABLE + one for one in variables if holds_secret(one)])


def _named(kind: ScopeKind, names: Sequence[str]) -> tuple[Scope, ...]:
    """Return names as scopes, without those that no scope can express."""
    found = []
    for name in names:
        try:
            found.append(parse_scope(kind, name.strip()))
        except ManifestError:
            continue
    return tuple(found)


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
    """Return the clues of one document, in its blocks and sentences."""
    yield from fence_clues(document, kind)
    for sentence in spoken:
        yield from clues_in(sentence, document.path)
        for word, text in sentence.codes:
            place = Evidence(document.path, sentence.line, sentence.text, f"names `{text}`")
            if word == "~bundled":
                yield Clue("context.load", 4, "sentence", place)
            elif word == "~script" and (bundled.find(text) or "").startswith(_RUNNABLE):
                yield Clue("source.execute", points_for("named", "source.execute"), "named", place)


def reference_clues(skill: Skill, locations: Locations, bundled: Bundled) -> Iterator[Clue]:
    """Return what instructions ask for in reference documents that SKILL.md leads to; each counts little."""
    for document in skill.documents:
        if document.path in locations.read and document.path != skill.main and document.role != "people":
            for sentence in sentences(document, bundled):
                for clue in clues_in(sentence, document.path):
                    if clue.points >= ENOUGH:
                        yield clue._replace(points=points_for(_REFERENCE, clue.capability), kind=_REFERENCE)


def all_clues(skill: Skill, effects: Sequence[Effect], locations: Locations) -> tuple[Clue, ...]:
    """Return all evidence in a skill for its capabilities."""
    bundled = Bundled(skill)
    main = next(document for document in skill.documents if document.path == skill.main)
    spoken = tuple(sentences(main, bundled))
    kind = skill_type(spoken)
    clues = (
        *effect_clues(effects, locations, kind),
        *declared_clues(main),
        *document_clues(main, spoken, bundled, kind),
        *reference_clues(skill, locations, bundled),
    )
    return tuple(without_lessons(clues)) if teaches_library(main) else clues
