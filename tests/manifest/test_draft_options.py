"""Files that commands name by their options."""

from each_row import each_row
from remit.manifest.draft.code_blocks import option_clues
from remit.skill.document import Fence


def named(text: str) -> set[tuple[str, int]]:
    return {
        (clue.capability, clue.evidence.line)
        for clue in option_clues(Fence("bash", "bash", text, 7, "", "", indented=False), "SKILL.md")
    }


@each_row(
    ("text", "expected"),
    [
        ("tidy -o report.md", {("file.write", 7)}),
        ("tidy\ntidy --output=out/", {("file.write", 8)}),
        ('tidy --input "survey.csv" --output-dir results/', {("file.read", 7), ("file.write", 7)}),
        ("tidy -o <name>.json", {("file.write", 7)}),
        ("tidy -o main.ts", {("source.write", 7)}),
        ("tidy -o json", set()),
        ("tidy --output table", set()),
        ("tidy report.md", set()),
        ("grep -i word", set()),
    ],
)
def test_the_value_of_an_option_is_read_or_written(text: str, expected: set[tuple[str, int]]) -> None:
    assert named(text) == expected
