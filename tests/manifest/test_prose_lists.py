"""Lists and the words that announce them, lists of what is forbidden, and descriptions that begin with what a skill does."""

from __future__ import annotations

from prose_values import asks

from each_row import each_row

OURS = {"file.read", "file.write", "file.delete", "source.read", "source.write"}


@each_row(
    ("text", "expected"),
    [
        ("Read these in order:\n\n- `tides.csv`, the heights\n- `moon.csv`", {"file.read"}),
        ("Generate the following:\n\n1. `main.rs` - where it begins", {"source.write"}),
        ("- Look at the harbour:\n  - `moon.csv`\n- Check the tide:\n  - `tides.csv`", {"file.read"}),
        ("Only delete:\n\n- Delete the folder `cache/`", {"file.delete"}),
        ("Open the `.gpx` files one by one.", {"file.read"}),
    ],
)
def test_an_announcement_speaks_for_the_files_of_its_list(text: str, expected: set[str]) -> None:
    assert asks(text) & OURS == expected


@each_row(
    "text",
    [
        "Never:\n\n- Delete the folder `cache/`",
        "You must not:\n\n- Write files\n- Read the log",
        "Examples:\n\n- Read the log",
        "Common mistakes:\n\n- Delete the files",
        "Read these in order:\n\n## The harbour\n\n- `tides.csv`",
        "Read these in order:\n\nThe harbour is deep.\n\n- `tides.csv`",
        "Never read these:\n\n- `tides.csv`",
        "Do not sail by night, wake the crew, open the hatch, or delete the files.",
        "Wait as you build, taking screenshots.",
    ],
)
def test_what_is_forbidden_or_only_shown_asks_for_nothing(text: str) -> None:
    assert asks(text) & OURS == set()


def test_a_description_that_begins_with_a_verb_says_what_the_skill_does() -> None:
    assert asks("", about="Write blog posts about the sea.") == {"file.write"}
    assert asks("", about="A hand for those who write blog posts about the sea.") == set()
