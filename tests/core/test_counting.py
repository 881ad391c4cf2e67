"""Numbers of things are said in one way, and rightly."""

import re
from pathlib import Path

import remit
from each_row import each_row
from remit.core.counting import counted

_BY_HAND = re.compile(
    r"""else ["']s["']|["']s["'] if |["']["'] if [^"']+ == 1 else ["']s|\{len\(\w+\)\} (skills|files|entries|places)\b"""
)


@each_row(
    ("said", "expected"),
    [
        (counted(0, "skill"), "0 skills"),
        (counted(1, "skill"), "1 skill"),
        (counted(1200, "skill"), "1,200 skills"),
        (counted(1, "entry", "entries"), "1 entry"),
        (counted(2, "entry", "entries"), "2 entries"),
    ],
)
def test_one_is_one_and_many_are_many(said, expected):
    assert said == expected


def test_nobody_makes_plurals_by_hand():
    found = [
        f"{path.name}: {line.strip()}"
        for path in Path(remit.__file__).parent.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if _BY_HAND.search(line)
    ]
    assert found == []
