"""What the user says of a file: that it is to be looked at alone, or anything else."""

import pytest

from remit.core.errors import DataError
from remit.guard.meant import load, only_looked_at

NAMES = ("data/a.csv", "a.csv")


@pytest.mark.parametrize(
    "prompt",
    [
        "Read a.csv and calculate the total.",
        "Please summarize data/a.csv.",
        "Write a script that reads a.csv and prints the mean.",
        "Analyzing a.csv: which month was best?",
        "Moderate the messages in a.csv and decide what to answer.",
        "Convert `a.csv` to JSON.",
        "Which rows does a.csv list?",
        "Moderate the set of messages in a.csv.",
        "Read the comments in a.csv and count them.",
        "Create a report analyzing the trends in the a.csv file.",
    ],
)
def test_what_is_only_looked_at(prompt):
    assert only_looked_at([prompt], NAMES)


@pytest.mark.parametrize(
    "prompt",
    [
        "Read a.csv and add a column.",
        "Read a.csv. Then fix the dates.",
        "Edit a.csv.",
        "Export the rows to a.csv.",
        "Read b.csv and write the result as a.csv.",
        "Make a list of the months in a.csv.",  # in the file, or of what is in it
        "Make an update while you read a.csv.",
        "Create a chart in a.csv, comparing both months.",  # the chart goes there
        "Read b.csv and write a report in a.csv.",
        "Lies a.csv und rechne alles zusammen.",  # not understood
        "a.csv",
        "Read all of it.",
        "Look at a.csv. It is wrong in a.csv: do something about a.csv.",  # one sentence says something else
    ],
)
def test_what_may_be_meant_to_change(prompt):
    assert not only_looked_at([prompt], NAMES)


def test_a_later_prompt_may_ask_for_a_change():
    assert not only_looked_at(["Read a.csv.", "Now update it."], NAMES)


@pytest.mark.parametrize("row", ["[other]\nread | x", "[looks]\nRead it | x", "[looks]\nread"])
def test_a_wrong_row_is_refused_with_its_line(tmp_path, row):
    path = tmp_path / "x.table"
    path.write_text(row + "\n")
    with pytest.raises(DataError, match=r"x\.table:2"):
        load(path)
