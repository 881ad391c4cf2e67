"""What a skill says about itself in its front matter: the programs and variables that it needs, and what installs them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from remit.manifest.draft.clue import Clue
from remit.manifest.draft.weights import worth
from remit.manifest.model import Evidence
from remit.skill.prose.variables import holds_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.skill.document import Document

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
                yield Clue(capability, worth(_KIND, capability), _KIND, place)


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
