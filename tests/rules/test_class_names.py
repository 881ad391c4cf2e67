"""A class name stands for at most three classes: a name that many share says nothing.

class_names.table lists the names that more classes have, with their number. A number may only fall, and what is within the limit is
not listed.
"""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "src/remit"
TABLE = Path(__file__).with_name("class_names.table")
MOST = 3


def shared_names(root):
    """The names that more than three classes have, each with its number; a leading underscore makes no other name."""
    found = Counter(
        node.name.lstrip("_")
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef)
    )
    return {name: number for name, number in found.items() if number > MOST}


def listed_names():
    """The table."""
    lines = TABLE.read_text("utf-8").splitlines()
    return {name: int(number) for name, _, number in (line.partition(" ") for line in lines if line[:1] != "#")}


def test_no_name_stands_for_more_classes_than_are_listed():
    assert shared_names(ROOT) == listed_names()


def test_a_fourth_class_of_one_name_is_found(tmp_path):
    for number in range(4):
        (tmp_path / f"m{number}.py").write_text(
            "class Rule:\n    class _Inner:\n        pass\n" if number else "class _Rule: ...\n"
        )
    assert shared_names(tmp_path) == {"Rule": 4}
