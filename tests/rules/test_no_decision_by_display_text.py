"""Decisions use fields: code outside of the reports takes no text apart that is written for a reader."""

import ast
import re
from pathlib import Path

import remit
from each_row import each_row

SOURCE = Path(remit.__file__).parent
FOR_READERS = frozenset({"why", "reason", "message", "remedy"})
NAMED = re.compile(rf"\.\s*(?:{'|'.join(sorted(FOR_READERS))})\b")  # a file without these need not be parsed
EXCUSED: frozenset[str] = frozenset()
TAKES_APART = frozenset(
    "startswith endswith split rsplit partition rpartition splitlines find index match search fullmatch findall finditer".split()
)


def takes_apart(tree: ast.AST) -> list[int]:
    """The lines where a text for readers is compared or taken apart."""
    return [node.lineno for node in ast.walk(tree) if _compared(node) or _cut(node)]


def _is_display_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in FOR_READERS


def _compared(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    with_text = any(isinstance(side, ast.Constant) and side.value for side in sides)
    within = any(isinstance(op, ast.In | ast.NotIn) for op in node.ops) and _is_display_text(sides[-1])
    return any(map(_is_display_text, sides)) and (with_text or within)


def _cut(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in TAKES_APART:
        return False
    if node.func.attr == "split" and not node.args:  # blanks are made even
        return False
    return _is_display_text(node.func.value) or any(map(_is_display_text, node.args))


def test_no_text_for_readers_is_taken_apart():
    paths = [path for path in sorted(SOURCE.rglob("*.py")) if "report" not in path.parts]
    texts = {str(path.relative_to(SOURCE)): path.read_text("utf-8") for path in paths}
    found = {name for name, text in texts.items() if NAMED.search(text) and takes_apart(ast.parse(text))}
    assert found == EXCUSED


@each_row(
    "code",
    [
        "effect.why.startswith('`git')",
        "pattern.search(effect.why)",
        "code = error.message.partition(': ')[0]",
        "effect.why == 'a script is run'",
        "'dash' in effect.why",
    ],
)
def test_each_way_is_found(code):
    assert takes_apart(ast.parse(code)) == [1]
