"""docs/theorems.md: every assumption names the tests or the layer that carry it, and they exist."""

import re
from pathlib import Path

from each_row import each_row
from remit.core.assumption import assumptions

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/theorems.md").read_text("utf-8")
TEST = re.compile(r"`(tests/[\w./-]+)`")
LAYERS = ("guard", "capsule", "audit")  # rooms of docs/architecture.md, and of the plan for those that are not built
TRUSTED = ("mypy", "Z3 and cvc5", "cryptography, the library", "above")


def sections():
    return dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))


def rows(section):
    cells = [
        tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in section.splitlines() if line[:1] == "|"
    ]
    return cells[2:]  # without the head and the rule below it


THEOREMS = {name: text for name, text in sections().items() if name.startswith("Theorem ")}
ASSUMED = [(name, *row) for name, text in THEOREMS.items() for row in rows(text)]


def test_there_are_four():
    assert [name[:9] for name in THEOREMS] == ["Theorem 1", "Theorem 2", "Theorem 3", "Theorem 4"]
    assert all("\n> " in text and "*Why.*" in text and rows(text) for text in THEOREMS.values())


@each_row("row", ASSUMED, ids=lambda row: row[1][:60])
def test_every_assumption_is_carried_by_something(row):
    _, assumed, *carried = row
    assert assumed
    (what,) = carried
    assert TEST.search(what) or what.startswith((*LAYERS, *TRUSTED)), row


def test_every_test_that_is_named_is_there_and_has_tests():
    named = set(TEST.findall(TEXT))
    assert len(named) > 30
    for name in named:
        path = ROOT / name
        found = [path] if path.is_file() else sorted(path.glob("test_*.py"))
        assert found, name
        assert any(
            re.search(r"^(?:async )?def test_|^class Test", one.read_text("utf-8"), re.MULTILINE) for one in found
        ), name


def test_the_assumptions_of_a_run_are_the_closed_list():
    shown = dict(re.findall(r"^\| `([\w-]+)`: (.*) \|$", sections()["The assumptions of a run"], re.MULTILINE))
    assert shown == {ident: f"{found.meaning} | {found.layer}" for ident, found in assumptions().items()}


def test_each_attack_has_its_test_and_each_test_its_attack():
    shown = set(TEST.findall(sections()["Attacks that are closed by this"]))
    there = {f"tests/attacks/{path.name}" for path in (ROOT / "tests/attacks").glob("test_*.py")}
    assert shown == there
    assert len(there) == 12


@each_row("code", re.findall(r"`((?:core|policy|proof|analysis)\.[\w.]+)`", TEXT))
def test_code_that_is_named_exists(code):
    from importlib import import_module

    parts = code.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(["remit", *parts[:cut]]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            found = getattr(found, name)
        return
    raise AssertionError(code)
