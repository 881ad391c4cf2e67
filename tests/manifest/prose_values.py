"""What a text asks for, read as the body of a SKILL.md."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from remit.skill.document import parse
from remit.skill.prose.lexicon import ENOUGH
from remit.skill.prose.reader import asked
from remit.skill.prose.sentences import sentences
from remit.skill.prose.spans import Bundled

if TYPE_CHECKING:
    from remit.skill.model import Skill


def asks(text: str, *, about: str = "A skill.") -> set[str]:
    """The capabilities for which the sentences of a text together give enough points."""
    document = parse("SKILL.md", f"---\nname: it\ndescription: {about}\n---\n{text}\n".encode())
    bundled = Bundled(cast("Skill", SimpleNamespace(files=(), main="SKILL.md")))
    points: dict[str, int] = {}
    for sentence in sentences(document, bundled):
        for clue in asked(sentence):
            points[clue.capability] = points.get(clue.capability, 0) + clue.points
    return {capability for capability, total in points.items() if total >= ENOUGH}
