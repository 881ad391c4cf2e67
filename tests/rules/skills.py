"""Small skills made from text, analysed in process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "---\nname: demo\ndescription: A small skill for a test.\n---\n\n# Demo\n\n"


@dataclass
class Found:
    """What the analysis says, in the shape that tests compare."""

    effects: set[tuple[str, str]]
    opaque: list[str]
    assumptions: tuple[str, ...] = ()

    @property
    def capabilities(self) -> set[str]:
        return {capability for capability, _ in self.effects}

    def scopes(self, capability: str) -> set[str]:
        return {scope for name, scope in self.effects if name == capability}


def check_skill(folder: Path, files: dict[str, str | bytes], text: str = "Use the scripts.\n") -> Found:
    """Analyse a skill that holds these files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(HEAD + text, encoding="utf-8")
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    result = analyse(load_skill(folder))
    return Found(
        {(e.capability, e.scope.render()) for e in result.effects},
        [o.reason for o in result.opaque],
        result.assumptions,
    )
