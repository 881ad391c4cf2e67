"""Skills of a folder and of the workspace, read but not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.core.errors import InputError, LimitError, RemitError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.local.workspace import Workspace


class SkillFolder:
    """A folder of enabled skills, and a workspace from which others can be imported."""

    def __init__(self, root: Path, workspace_root: Path, workspace: Workspace) -> None:
        self._root = root
        self._workspace_root = workspace_root
        self._workspace = workspace

    def listed(self) -> list[dict[str, Any]]:
        """Return the enabled skills; a skill that cannot be read has a `problem`."""
        from remit.skill.find import find_skills  # noqa: PLC0415  light imports

        try:
            folders = find_skills(self._root)
        except LimitError:
            raise
        except InputError:  # there is none
            return []
        return [_described(folder) for folder in folders]

    def described(self, name: str) -> dict[str, Any] | None:
        """Return the skill of this name, or None."""
        return next((one for one in self.listed() if one["skill"] == name), None)

    def imported(self, path: str) -> dict[str, Any] | None:
        """Return the skill in a folder of the workspace, or None."""
        return _described(self._workspace_root / path) if self._workspace.exists_inside(path) else None


def _described(folder: Path) -> dict[str, Any]:
    from remit.bundle.skill_copy import content_of  # noqa: PLC0415  light imports
    from remit.skill.load import load_skill  # noqa: PLC0415

    try:
        skill, digest = load_skill(folder), content_of(folder)
    except RemitError as error:
        return {"skill": folder.name, "problem": error.message}
    return {"skill": skill.name, "description": skill.front_matter.text("description")[:1000], "digest": digest}
