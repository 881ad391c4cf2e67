"""Sentences about code: read, written, run."""

from __future__ import annotations

from prose_values import asks

from each_row import each_row

OURS = {"source.read", "source.write", "source.execute", "source.delete"}


@each_row(
    ("text", "expected"),
    [
        ("Review the code for race conditions.", {"source.read"}),
        ("Trace every caller of the parser.", {"source.read"}),
        ("Search for the name in the whole codebase.", {"source.read"}),
        ("Read the source before you answer.", {"source.read"}),
        ("Read `src/main.rs` first.", {"source.read"}),
        ("Scan for IaC files under the root.", {"source.read"}),
        ("Skim the relevant files.", {"source.read"}),
        ("Write unit tests for the new path.", {"source.write"}),
        ("Implement the plan step by step.", {"source.write"}),
        ("Build a small web app from the sketch.", {"source.write"}),
        ("Apply the fix.", {"source.write"}),
        ("Add a route to the router.", {"source.write"}),
        ("Delete the source files that nothing uses.", {"source.delete"}),
        ("Run the integration tests again.", {"source.execute"}),
        ("Execute the script with the chosen options.", {"source.execute"}),
        ("Detect the package manager first.", {"source.read"}),
        ("Explore the project.", {"source.read"}),
        ("Follow the conventions of the codebase.", {"source.read"}),
        ("Read the names from the installed headers.", {"source.read"}),
        ("Generate a Prisma schema for the boats.", {"source.write"}),
        ("Write a proof of concept.", {"source.write"}),
        ("Simplify the code of the rudder.", {"source.write"}),
        ("Find the deployment scripts.", {"source.read"}),
        ("Launch the dev server.", {"source.execute"}),
        ("Build, modify, run, test: all of it is in the guide.", {"source.write", "source.execute"}),
    ],
)
def test_what_is_done_with_code(text: str, expected: set[str]) -> None:
    assert asks(text) & OURS == expected


@each_row(
    "text",
    [
        "Never rewrite the script.",
        "Check the header of the response.",
        "It knows languages, build tools and harbours.",
        "Sail/test/row commands are in the guide.",
        "Create a feature branch.",
        "Write a summary of the repository.",
        "Generate questions from the modules.",
        "Check that the QR codes are readable.",
        "Review the loss functions in the paper.",
        "The server will then build an index.",
        'The user says: "Please write a test for me."',
        "## Pitfalls\n\nWrite tests after the code.",
        "Identify the type of the letter.",
        "Read the guide for details of the implementation.",
        "Verify consistent implementation of the process.",
        "Do not run the tests yet.",
        "The guide tells how to run the script.",
    ],
)
def test_what_only_sounds_so(text: str) -> None:
    assert asks(text) & OURS == set()


def test_a_title_above_everything_does_not_weaken_its_sections() -> None:
    assert "source.write" in asks("# Best practices\n\n## Steps\n\nWrite the tests.")
    assert "source.write" not in asks("# Stores\n\n## Best practices\n\nWrite the tests.")


def test_a_quotation_that_a_later_sentence_closes_is_still_one() -> None:
    assert "source.write" not in asks('User: "We must write a test. It is late."')


def test_a_review_of_code_is_enough_in_a_description_and_in_a_list_of_uses() -> None:
    assert "source.read" in asks("Be brief.", about="Review code for slow loops.")
    assert "source.read" in asks("## When to apply\n\n- Reviewing code for slow loops\n")
    assert "source.read" not in asks("Be brief.", about="Review letters for typing errors.")
