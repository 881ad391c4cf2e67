"""Blocks of program text and scripts that a text names, as clues."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from draft_values import seen

from each_row import each_row
from remit.core.effect import Effect
from remit.core.location import Location
from remit.core.scope.forms import PathScope
from remit.core.via import recorded
from remit.manifest.draft.effect_clues import effect_clues
from remit.manifest.draft.skill_type import SkillType, skill_type
from remit.manifest.draft.text_clues import document_clues
from remit.skill.document import parse
from remit.skill.prose.sentences import sentences
from remit.skill.prose.spans import Bundled

if TYPE_CHECKING:
    from remit.manifest.draft.locations import Locations
    from remit.skill.model import Skill

BLOCK = "```python\nx = 1\n```\n"


def found(text: str, *, about: str = "Does a thing.", files: tuple[str, ...] = ()) -> set[str]:
    document = parse("SKILL.md", f"---\nname: it\ndescription: {about}\n---\n{text}\n".encode())
    listed = tuple(SimpleNamespace(path=path, languages=("python",)) for path in files)
    bundled = Bundled(cast("Skill", SimpleNamespace(files=listed, main="SKILL.md")))
    spoken = tuple(sentences(document, bundled))
    return {clue.capability for clue in document_clues(document, spoken, bundled, skill_type(spoken))}


def test_a_block_of_program_text_is_to_be_written() -> None:
    assert found("This is how:\n\n```tsx\nlet x\n```\n") == {"source.write"}
    assert found("This is how:\n\n```python\n{}\n```\n") == set()
    assert found("This is how:\n\n```json\n{}\n```\n") == set()


@each_row("before", ["Bad:", "This is vulnerable:", "The wrong way:", "\u274c"])
def test_a_block_that_shows_a_fault_is_not(before: str) -> None:
    assert found(f"{before}\n\n{BLOCK}") == set()
    assert found(f"```python\n# {before}\nx = 1\n```\n") == set()


@each_row(
    ("before", "shown"),
    [
        ("Ideally, measure the number of fields, which is often wrong. Correct the type to match.", False),
        ("They gave a bad answer. Count the leaves of each oak, then:", False),
        ("Never do that. It leaks every key:", True),
        ("Never do that. See:", True),
        ("Seen in the wild. This one is wrong:", True),
    ],
)
def test_the_sentence_before_a_block_calls_it_a_fault(before: str, *, shown: bool) -> None:
    assert found(f"{before}\n\n{BLOCK}") == (set() if shown else {"source.write", "source.execute"})


def test_blocks_of_a_skill_that_reviews_show_what_to_look_for() -> None:
    assert found(BLOCK, about="Audits views of a web site.") == set()
    assert "source.write" in found(BLOCK, about="Audits views and refactors code.")


def test_blocks_of_a_scripting_language_are_run_unless_they_are_samples_of_the_users_program() -> None:
    assert found(BLOCK, about="Fits curves to points.") == {"source.write", "source.execute"}
    assert found(BLOCK, about="The SDK of a cloud store.") == {"source.write"}
    assert found(BLOCK, about="Write endpoints for a web site.") == {"source.write"}


def test_a_script_that_the_text_names_is_run() -> None:
    assert found("- `tally.py` counts the words", files=("scripts/tally.py",)) == {"source.execute"}
    assert found("- `tally.py` counts the words", files=("assets/tally.py",)) == {"context.load"}  # to be copied


@each_row(
    ("language", "capability", "expected"),
    [
        ("python", "file.write", {"file.write", "source.write", "source.execute"}),
        ("typescript", "file.write", {"file.write"}),
        ("python", "env.read", {"env.read"}),
    ],
)
def test_a_shown_program_that_works_on_data_is_an_instrument(
    language: str, capability: str, expected: set[str]
) -> None:
    places = cast("Locations", SimpleNamespace(kind=lambda _: "code", language=lambda _: language, evidence=seen))
    effect = Effect(capability, PathScope("./out.csv"), Location("SKILL.md", 3), recorded("writes"))
    assert {clue.capability for clue in effect_clues((effect,), places, SkillType())} == expected
    built = {clue.capability for clue in effect_clues((effect,), places, SkillType(builds=True))}
    assert built == {capability}
