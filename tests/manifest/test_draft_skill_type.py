"""A skill that teaches a client library asks for source code, not for what the user's program does."""

from __future__ import annotations

import pytest

from each_row import each_row
from remit.manifest.draft.clues import Clue
from remit.manifest.draft.skill_type import teaches_library, without_lessons
from remit.manifest.model import Evidence
from remit.skill.document import parse

PROGRAM = "```python\n" + "client.send(x)\n" * 8 + "```\n"
COMMANDS = "```bash\n" + "post --all\n" * 8 + "```\n"


def teaches(about: str, body: str) -> bool:
    return teaches_library(parse("SKILL.md", f"---\nname: it\ndescription: {about}\n---\n{body}".encode()))


@pytest.mark.parametrize("about", ["Post SDK for Python.", "Send parcels with the client library for .NET."])
def test_a_library_of_a_language_with_programs(about: str) -> None:
    assert teaches(about, PROGRAM)


@each_row(
    ("about", "body"),
    [
        ("Post SDK for Python.", COMMANDS),
        ("Post SDK for Python.", PROGRAM + COMMANDS),
        ("Post SDK for Python.", "Text."),
        ("Installs the post SDK.", PROGRAM),
        ("Sends parcels with a Python script.", PROGRAM),
    ],
)
def test_other_skills_are_what_they_say(about: str, body: str) -> None:
    assert not teaches(about, body)


def test_what_is_taught_stays_and_what_its_scripts_do() -> None:
    clues = [
        Clue(capability, 4, kind, Evidence("SKILL.md", 1, "", ""))
        for capability, kind in [
            ("source.write", "sentence"),
            ("api.call", "sentence"),
            ("message.send", "command"),
            ("api.call", "script"),
            ("file.write", "hook"),
        ]
    ]
    assert [(clue.capability, clue.kind) for clue in without_lessons(clues)] == [
        ("source.write", "sentence"),
        ("api.call", "script"),
        ("file.write", "hook"),
    ]
