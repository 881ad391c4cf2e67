"""Small skills on disk, and the draft for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.session import analyse
from remit.checker.extras import objections
from remit.findings.assess import find
from remit.manifest.draft.draft import draft
from remit.manifest.model import Evidence
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path

    from remit.core.location import Location
    from remit.manifest.draft.draft import Draft
    from remit.manifest.model import Permission

HEAD = "---\nname: small\ndescription: A small helper.\nversion: 1.2.3\n---\n"


def small(folder: Path, body: str, **files: str) -> Path:
    """A skill with this SKILL.md and other files; `__` in a name is a slash, `_` before its ending a dot."""
    root = folder / "small"
    root.mkdir(parents=True, exist_ok=True)
    (root / "SKILL.md").write_text(HEAD + body)
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def drafted(root: Path) -> Draft:
    skill = load_skill(root)
    found = analyse(skill, ())
    return draft(skill, found.effects, found.commands, found.uses, objections(skill, found, find(skill, found)))


def entries(made: Draft) -> dict[str, Permission]:
    return {entry.capability: entry for entry in made.manifest.permissions}


def granted(made: Draft) -> set[str]:
    return {entry.capability for entry in made.manifest.permissions if entry.effect != "deny"}


def denied(made: Draft) -> set[str]:
    return {entry.capability for entry in made.manifest.permissions if entry.effect == "deny"}


def seen(where: Location, why: str) -> Evidence:
    """As `Locations.evidence`, where there is no file to quote."""
    return Evidence(where.file, where.line, why, why)
