"""Loops without a way out: a program that never ends takes the processor, the memory or the disk from everybody else. What ends too
late (`outsized`) is no better.

What is found is asked about. A loop counts if its condition is always true and nothing in it leaves it. One that waits for somebody
(`accept`, `input`, `sleep`) is a server or a watch, and its author meant it; in a command of the shell nobody is served. What
only an exception ends is not told apart from what nothing ends, unless the loop calls for the next item of something.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.analysis.programs import LANGUAGES
from remit.guard.understand.outsized import number, python_is_outsized, script_is_outsized, shell_is_outsized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REASON = (
    "a loop of it never ends by itself or in good time, starts itself again and again, or takes all the room there is"
)
_LONGEST = 200_000  # characters
# Repetitions below are bounded: a text of a stranger must not take more time than it is long.
_ENDS = frozenset({"exit", "_exit", "quit", "abort", "execv", "execvp"})
_WAITS = frozenset(
    "accept acquire communicate connect get input join next poll pop popleft prompt read readline recv recvfrom recv_into"
    " recv_json recv_string run_until_complete select serve_forever sleep update wait".split()
)
_FOREVER = frozenset({"count", "cycle", "repeat"})  # of itertools, without a number of times
_COMPARED: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_SHELL = re.compile(
    r"(?:\bwhile\s{1,9}(?:true|:|/bin/true|\[\s{0,9}1\s{0,9}\]|\[\[\s{0,9}1\s{0,9}\]\]|\(\(\s{0,9}1\s{0,9}\)\))"
    r"|\buntil\s{1,9}false|\bfor\s{0,9}\(\(\s{0,9};\s{0,9};\s{0,9}\)\))[ \t]{0,9}[;\n]\s{0,99}do\b(.*?)(?:\bdone\b|\Z)",
    re.DOTALL,
)
_SHELL_LEAVES = re.compile(r"\b(?:break|exit|return|read|exec|timeout)\b")
_ITSELF = re.compile(r"(?<![\w.:-])([\w.:-]{1,99})\s{0,9}\(\)\s{0,99}\{[^}]{0,200}?(?<![\w.:-])\1\s{0,9}[|&]")
_SCRIPT = re.compile(r"\bwhile\s{0,9}\(\s{0,9}(?:true|1)\s{0,9}\)|\bfor\s{0,9}\([^;()]{0,999};\s{0,9};")
_SCRIPT_LEAVES = re.compile(r"\b(?:break|return|throw|await|yield|process\.exit)\b")


@lru_cache(256)
def is_endless(language: str, text: str) -> bool:
    """Whether a program has a loop that nothing in it leaves, or takes more time or room than there is."""
    if len(text) > _LONGEST:
        return False
    if language in ("shell", "sh", "bash", "zsh"):
        loops = (found[1] for found in _SHELL.finditer(text))
        endless = _ITSELF.search(text) is not None or any(_SHELL_LEAVES.search(body) is None for body in loops)
        return endless or shell_is_outsized(text)
    if LANGUAGES.get(language) == "python":
        return _python(text)
    if LANGUAGES.get(language) == "js":
        last = max((found.start() for found in _SCRIPT_LEAVES.finditer(text)), default=-1)
        return any(found.end() > last for found in _SCRIPT.finditer(text)) or script_is_outsized(text)
    return False


def _python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        loops = (node for node in ast.walk(tree) if isinstance(node, ast.While | ast.For))
        return any(_goes_on(node) and not _is_left(node) for node in loops) or python_is_outsized(tree, _is_left)
    except (SyntaxError, ValueError):
        return False  # it does not run
    except RecursionError:
        return True  # nobody writes code as deep as that to be read


def _is_left(node: ast.While | ast.For) -> bool:
    return any(map(_leaves, _inside(node.body)))


def _goes_on(node: ast.While | ast.For) -> bool:
    """Whether a loop has a condition that is always true, or goes through something that has no end."""
    if isinstance(node, ast.While):
        return _holds(node.test)
    made = node.iter
    if not isinstance(made, ast.Call):
        return False
    name = _name(made)
    return name in _FOREVER and not (name == "repeat" and len(made.args) > 1)


def _holds(test: ast.expr) -> bool:
    """Whether a condition is true whatever happens, as can be seen at once."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return isinstance(test.operand, ast.Constant) and not test.operand.value
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right, sign = number(test.left), number(test.comparators[0]), type(test.ops[0])
        return left is not None and right is not None and sign in _COMPARED and _COMPARED[sign](left, right)
    return isinstance(test, ast.Constant) and bool(test.value)


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What runs in a loop. A `break` of a loop inside of it leaves only that one, and a function inside has its own `return`."""
    todo: list[tuple[ast.AST, bool]] = [(one, False) for one in body]
    while todo:
        node, inner = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if not (inner and isinstance(node, ast.Break)):
            yield node
        inner = inner or isinstance(node, ast.While | ast.For | ast.AsyncFor)
        todo += [(one, inner) for one in ast.iter_child_nodes(node)]


def _leaves(node: ast.AST) -> bool:
    if isinstance(node, ast.Break | ast.Return | ast.Raise | ast.Yield | ast.YieldFrom | ast.Await):
        return True
    return isinstance(node, ast.Call) and _name(node) in _ENDS | _WAITS


def _name(call: ast.Call) -> str:
    called = call.func
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
