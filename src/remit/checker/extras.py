"""What a worker computes of a skill besides its effects: the draft of its manifest, and the summary that updates are compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.checker.task import Also
from remit.manifest.read import NAME, parse_manifest

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.skill.model import Skill


def _draft(skill: Skill, found: Effects) -> dict[str, Any]:
    from remit.manifest.draft.draft import draft  # noqa: PLC0415  the cached path never gets here
    from remit.manifest.render import render  # noqa: PLC0415

    made = draft(skill, found.effects, found.commands)
    text = render(made.manifest)
    parse_manifest(text.encode(), NAME)  # a draft that cannot be read back is an error, and is not kept
    return {"text": text, "warnings": [[w.file, w.line, w.reason, w.text] for w in made.warnings]}


def _summary(skill: Skill, found: Effects) -> dict[str, Any]:
    from remit.manifest.drift.codec import encode  # noqa: PLC0415  the cached path needs neither YAML nor Markdown
    from remit.manifest.drift.summarise import summarise  # noqa: PLC0415

    return encode(summarise(skill, found.effects, found.opaque))


DRAFT = Also("draft", _draft)
SUMMARY = Also("drift", _summary)
