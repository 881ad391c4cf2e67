"""Classes stay small: own inheritance at most 3 deep, at most 25 methods and 12 attributes.

structure.table lists the classes that are over a limit, with their measure and the reason. A listed measure may only fall, and what is
within the limits is not listed.
"""

import ast
from pathlib import Path
from typing import NamedTuple

from each_row import each_row

ROOT = Path(__file__).resolve().parents[2] / "src/remit"
TABLE = Path(__file__).with_name("structure.table")
LIMITS = {"depth": 3, "methods": 25, "attributes": 12}


class Measured(NamedTuple):
    """A class: its own bases by full name, and how much it holds itself."""

    bases: tuple[str, ...]
    methods: int
    attributes: int


def measured(root):
    """Every class at the top of a module, by its full name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_bytes())
        module = ".".join(path.relative_to(root.parent).with_suffix("").parts)
        names = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                bases = (names.get(base.id, f"{module}.{base.id}") for base in node.bases if isinstance(base, ast.Name))
                methods = sum(isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) for one in node.body)
                found[f"{module}.{node.name}"] = Measured(tuple(bases), methods, len(_attributes(node)))
    return found


def _attributes(node):
    return {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and isinstance(one.ctx, ast.Store)
        and isinstance(one.value, ast.Name)
        and one.value.id == "self"
    }


def depth(classes, name):
    """How many classes of ours stand above each other, this one included."""
    return 1 + max((depth(classes, base) for base in classes[name].bases if base in classes), default=0)


def over(classes):
    """What is over a limit, as lines of the table."""
    out = []
    for name, one in sorted(classes.items()):
        values = {"depth": depth(classes, name), "methods": one.methods, "attributes": one.attributes}
        out += [f"{name} {what} {value}" for what, value in values.items() if value > LIMITS[what]]
    return out


def test_no_class_is_over_a_limit_but_those_that_are_listed():
    rows = [line.split(" | ") for line in TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert over(measured(ROOT)) == [row[0] for row in rows]
    assert all(len(row) == 2 and row[1] for row in rows), "each line says why"


@each_row(
    ("text", "line"),
    [
        ("class A: pass\nclass B(A): pass\nclass C(B): pass\nclass D(C): pass\n", "remit.x.D depth 4"),
        ("class A:\n" + "".join(f"    def m{n}(self): pass\n" for n in range(26)), "remit.x.A methods 26"),
        (
            "class A:\n    def __init__(self):\n" + "".join(f"        self.a{n} = 1\n" for n in range(13)),
            "remit.x.A attributes 13",
        ),
    ],
    ids=["depth", "methods", "attributes"],
)
def test_what_is_over_a_limit_is_seen(tmp_path, text, line):
    (tmp_path / "remit").mkdir()
    (tmp_path / "remit/x.py").write_text(text)
    assert over(measured(tmp_path / "remit")) == [line]


def test_what_a_class_leaves_to_others_is_abstract_and_raises_nothing():
    raising = [path for path in ROOT.rglob("*.py") if "raise NotImplementedError" in path.read_text("utf-8")]
    assert not raising, "declare it with `abstractmethod`, or hand in what it needs"
