import pytest

from each_row import each_row
from remit.core.capability import Change
from remit.core.errors import DataError
from remit.manifest.model import Decision, Verification
from remit.policy.gate import Gate, Standing, gate_table, read_gate, standing

LEVELS = tuple(Verification)
ORDER = tuple(Gate)


def test_the_table_is_that_of_the_design():
    shown = {line: " ".join(gate_table()[line, level] for level in LEVELS) for line in Standing}
    assert shown == {
        "outside": "deny deny deny deny",
        "denied": "deny deny deny deny",
        "ask": "confirm confirm confirm confirm",
        "unchanged": "allow allow allow allow",
        "reversible": "confirm allow allow allow",
        "irreversible": "confirm confirm once allow",
    }


@each_row("line", Standing)
def test_a_better_proof_never_asks_more(line):
    strictness = [ORDER.index(gate_table()[line, level]) for level in LEVELS]
    assert strictness == sorted(strictness, reverse=True)


@each_row(
    ("decision", "change", "snapshotted", "expected"),
    [
        (None, Change.NONE, True, Standing.OUTSIDE),
        (Decision.DENY, Change.NONE, True, Standing.DENIED),
        (Decision.CONFIRM, Change.NONE, True, Standing.ASK),
        (Decision.ALLOW, Change.NONE, False, Standing.UNCHANGED),
        (Decision.ALLOW, Change.REVERSIBLE, True, Standing.REVERSIBLE),
        (Decision.ALLOW, Change.REVERSIBLE, False, Standing.IRREVERSIBLE),
        (Decision.ALLOW, Change.IRREVERSIBLE, True, Standing.IRREVERSIBLE),
    ],
)
def test_standings(decision, change, snapshotted, expected):
    assert standing(decision, change, snapshotted=snapshotted) is expected


GOOD = "[all]\n" + "\n".join(f"{line} | deny | deny | deny | deny" for line in Standing)


@each_row(
    ("text", "said"),
    [
        (GOOD.replace("outside |", "inside |"), "gate.table:2"),
        (GOOD.replace("deny", "maybe", 1), "gate.table:2"),
        (GOOD + "\nask | deny | deny | deny | deny", "occurs twice"),
        (GOOD.replace("ask | deny | deny | deny | deny\n", ""), "nothing is said of `ask`"),
        (GOOD.replace("ask | deny |", "ask |"), "5 cells"),
    ],
)
def test_a_table_with_a_gap_or_an_unknown_word_is_refused(tmp_path, text, said):
    path = tmp_path / "gate.table"
    path.write_text(text)
    with pytest.raises(DataError, match=r"gate\.table") as raised:
        read_gate(path)
    assert said in raised.value.message
