"""Sentences about files: read, written, deleted; the skill's own documents."""

from __future__ import annotations

from prose_values import asks

from each_row import each_row

OURS = {"file.read", "file.write", "file.delete", "context.load"}


@each_row(
    ("text", "expected"),
    [
        ("Read the spreadsheet that came with the order.", {"file.read"}),
        ("Open `accounts.csv` and look for gaps.", {"file.read"}),
        ("Read accounts.csv and look for gaps.", {"file.read"}),
        ("Inspect the configuration before anything else.", {"file.read"}),
        ("Re-read the plan.", {"file.read"}),
        ("Transcribe the recording.", {"file.read"}),
        ("Create a PDF with one page a guest.", {"file.write"}),
        ("Generate PNG charts of the rainfall.", {"file.write"}),
        ("Write the totals into `totals.json`.", {"file.write"}),
        ("The totals are saved to `out/totals.json`.", {"file.write"}),
        ("Put the story in a .md file.", {"file.write"}),
        ("Save the diagram.", {"file.write"}),
        ("Draw a chart of the tides.", {"file.write"}),
        ("Write `skills/new/SKILL.md`.", {"file.write"}),
        ("Find `tides.toml` in the harbour's folder.", {"file.read"}),
        ("Extract the names from the scanned invoices.", {"file.read"}),
        ("Look at the spec with fresh eyes.", {"file.read"}),
        ("The photos are in the uploaded files.", {"file.read"}),
        ("Draft an offer letter for the new captain.", {"file.write"}),
        ("The heights are stored in `tides/`.", {"file.write"}),
        ("Update the design document.", {"file.write"}),
        ("Heights are saved to: `tides/`", {"file.write"}),
        ("Write the heights as a `tides.md` file and stop.", {"file.write"}),
        ("Delete the temporary files.", {"file.delete"}),
        ("Remove the folder `cache/`.", {"file.delete"}),
        ("Read `references/tides.md` for the heights.", {"context.load"}),
        ("See [the neighbour](../moon/SKILL.md).", {"context.load"}),
        ("Read the rule files one by one.", {"context.load"}),
        ("Use the moon-phases skill for the rest.", {"context.load"}),
    ],
)
def test_what_is_done_with_files(text: str, expected: set[str]) -> None:
    assert asks(text) & OURS == expected


@each_row(
    "text",
    [
        "Never delete the files.",
        "Add `/opt/tide/bin` to the PATH.",
        "Output as JSON.",
        "Generate `<kind>/<name>` for it.",
        "If it is a matter of taste (opinion, process), the presentation needs no numbers.",
        "Do you want to delete the files?",
        "It does all that and can read, without access to the file.",
        "Tools: the local file system.",
        "Generate a title from the photo that was sent.",
        "Read that file only in need.",
        "Read `src/main.rs` first.",
        "Use this skill when the user asks for the tide.",
        "Create a Notion document with the minutes.",
        "Read the Notion pages and the report of the database.",
        "Create a plan and wait for a word.",
        "Call `model.fit` to begin.",
        "Remove the first line of the file.",
        "Compare the payment plans.",
        "A good report explains itself.",
        "## What not to do\n\nDo not write files.",
    ],
)
def test_look_alikes_ask_for_nothing(text: str) -> None:
    assert asks(text) & OURS == set()
