"""Commands of a document count where the agent comes to read it; notes for those who maintain the skill do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draft_values import drafted, granted, small

from each_row import each_row
from remit.core.effect import Effect, Origin
from remit.core.location import Location
from remit.core.scope import ANY_SCOPE
from remit.core.via import Cause, Via
from remit.manifest.draft.locations import Locations
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path


def kind(folder: Path, main: str, file: str, **others: str) -> str:
    (folder / "SKILL.md").write_text(f"---\nname: it\ndescription: A skill.\n---\n{main}\n", "utf-8")
    for name, text in {file: "```bash\nbrew tea\n```", **others}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    where = Location(file, 2)
    effect = Effect("package.install", ANY_SCOPE, where, Via(Cause.COMMAND, "brew"), Origin.INSTRUCTED)
    return Locations(load_skill(folder)).kind(effect)


@each_row(
    ("main", "expected"),
    [
        ("Read [the guide](guides/pots.md).", "reference"),
        ("Read pots.md first.", "reference"),
        ("Guides lie in `guides/`.", "reference"),
        ("Make tea.", "people"),
    ],
)
def test_a_document_is_read_if_its_file_or_folder_is_named(tmp_path: Path, main: str, expected: str) -> None:
    assert kind(tmp_path, main, "guides/pots.md") == expected


def test_a_document_that_a_read_document_names_is_read(tmp_path: Path) -> None:
    others = {"leaves.md": "More in `pots.md`."}
    assert kind(tmp_path, "See leaves.md.", "pots.md", **others) == "reference"


def test_a_document_that_only_an_unread_document_names_is_not_read(tmp_path: Path) -> None:
    others = {"leaves.md": "More in `pots.md`."}
    assert kind(tmp_path, "Make tea.", "pots.md", **others) == "people"


def test_a_missing_document_in_a_folder_of_the_skill_is_its_own(tmp_path):
    made = drafted(small(tmp_path, "## Steps\n\nIf you need more, open `resources/playbook.md`.\n"))
    assert "file.read" not in granted(made)
    assert "context.load" in granted(made)
