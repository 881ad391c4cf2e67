"""What code does to the content of things that it opened, as can be seen at once: what a call that saves them does to a file of the user.

- it takes away and puts nothing there: a loop that does nothing but clear, remove, empty or make the same of whatever it meets, a list of
  an opened thing that becomes an empty one. What hangs on a condition chooses, and does not count
- it writes bytes of its own making: a constant, a piece of what was read, the same bytes in another order or under another code. What a
  library makes (`buffer.getvalue()`, `calendar.to_ical()`) does not count
- it has a statement of SQL that deletes or changes what a database holds. One that only adds does not count
- it asks for facts about the machine that are no effect: its name, its kernel, who works there. Which system it is, is no such fact
"""

from __future__ import annotations

import ast
import re
import warnings
from enum import StrEnum
from functools import lru_cache

from remit.analysis.programs import LANGUAGES

_LONGEST = 200_000  # characters
_CLEARS = frozenset(
    "clear remove removeChild delete delete_rows delete_cols delete_page drop_rel decompose pop unlink del_ remove_sheet".split()
)
_ALL = frozenset({"truncate", "ftruncate"})
_MAKES = frozenset(
    "b64encode b32encode b16encode a85encode b85encode hexlify hex compress encode translate replace reversed bytes bytearray join"
    " shuffle sample sorted upper lower swapcase".split()
)
_WRITES = frozenset({"write", "write_text", "write_bytes", "writelines"})
_CONTENT = frozenset(
    "body content data description string summary text value".split()
)  # attributes that hold what people read
_SCRIPT_RAW = re.compile(
    r"\b(?:writeFile|writeFileSync)\(\s{0,9}[^,()]{1,200},\s{0,9}(?:Buffer\.(?:from|alloc)\(|['\"`])|\btruncate(?:Sync)?\(|\]\s{0,9}\^="
)
_DELETES = re.compile(
    r"(?i)\b(?:delete\s{1,9}from\s|drop\s{1,9}(?:table|view|index|trigger|database|schema)\s|truncate\s{1,9}table\s|replace\s{1,9}into\s|create\s{1,9}trigger\s)"
)
_CHANGES = re.compile(
    r"(?i)\b(?:update\s{1,9}[\w.\"`\[\]]{1,99}\s{1,9}set\s|alter\s{1,9}table\s|if_exists\s{0,9}=\s{0,9}['\"]replace)"
)
_TELLS = re.compile(
    r"\bplatform\.(?:uname|node|platform|version|release|processor|mac_ver|freedesktop_os_release)\(|\b(?:gethostname|getfqdn|getlogin|getuser|getnode)\("
    r"|\bos\.uname\(|\bpsutil\.|\bos\.(?:hostname|userInfo|networkInterfaces|cpus|release)\(|['\"](?:node:)?os['\"]\)\.(?:hostname|userInfo|networkInterfaces|cpus)\("
)


class Taking(StrEnum):
    """What code does to what was there."""

    EMPTIES = "it takes away what is there, and puts nothing in its place"
    SCRAMBLES = "it writes bytes of its own making"
    DELETES = "it deletes what a database holds"
    CHANGES = "it changes what a database holds"
    TELLS = "it asks for facts about the machine"


_SAID = {Taking.DELETES: _DELETES, Taking.CHANGES: _CHANGES, Taking.TELLS: _TELLS}


@lru_cache(256)
def takings(language: str, text: str) -> frozenset[Taking]:
    """What a program does to the content of what it opens."""
    if len(text) > _LONGEST:
        return frozenset()
    spoken = LANGUAGES.get(language)
    if spoken not in ("js", "python"):
        return frozenset()
    told = {one for one, words in _SAID.items() if words.search(text)}
    if spoken == "js":
        return frozenset(told | ({Taking.SCRAMBLES} if _SCRIPT_RAW.search(text) else set()))
    return frozenset(told | _in_python(text))


def _in_python(text: str) -> set[Taking]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return set()  # it does not run, or is asked about as what it is
    found: set[Taking] = set()
    if any(_empties(node) for node in nodes):
        found.add(Taking.EMPTIES)
    names = _made(nodes)
    if any(_scrambles(node, names) for node in nodes):
        found.add(Taking.SCRAMBLES)
    return found


def _empties(node: ast.AST) -> bool:
    if isinstance(node, ast.For):
        return bool(node.body) and all(map(_takes_away, node.body))
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return _clears(node.elt) and not any(one.ifs for one in node.generators)
    if isinstance(node, ast.Assign):
        targets = [one for one in node.targets if isinstance(one, ast.Attribute)]
        return bool(targets) and _is_empty_list(node.value) and not any(_is_own(one) for one in targets)
    return False


def _takes_away(statement: ast.stmt) -> bool:
    """Whether a statement in a loop does nothing but take something away."""
    if isinstance(statement, ast.For):
        return bool(statement.body) and all(map(_takes_away, statement.body))
    if isinstance(statement, ast.Expr):
        return _clears(statement.value)
    if isinstance(statement, ast.Assign):
        targets = [one for one in statement.targets if isinstance(one, ast.Attribute) and not _is_own(one)]
        same = isinstance(statement.value, ast.Constant) and all(one.attr in _CONTENT for one in targets)
        return len(targets) == len(statement.targets) and (same or _is_empty_list(statement.value))
    return isinstance(statement, ast.Delete)


def _clears(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _CLEARS


def _is_empty_list(value: ast.expr) -> bool:
    return (isinstance(value, ast.List | ast.Tuple) and not value.elts) or (
        isinstance(value, ast.Dict) and not value.keys
    )


def _is_own(target: ast.Attribute) -> bool:
    """Whether an attribute is that of an object which the code itself describes."""
    return isinstance(target.value, ast.Name) and target.value.id in ("self", "cls", "args")


def _made(nodes: list[ast.AST]) -> frozenset[str]:
    """Names that stand for bytes or text of the code's own making."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign) and _is_made(node.value, frozenset()):
            found |= {one.id for one in node.targets if isinstance(one, ast.Name)}
    return frozenset(found)


def _scrambles(node: ast.AST, names: frozenset[str]) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in _ALL:
        return True
    return node.func.attr in _WRITES and bool(node.args) and _is_made(node.args[0], names)


def _is_made(value: ast.expr, names: frozenset[str]) -> bool:
    """Whether a value is bytes or text that no library of a format made."""
    if isinstance(value, ast.Name):
        return value.id in names
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str | bytes)
    if isinstance(value, ast.Subscript):
        return isinstance(value.slice, ast.Slice)
    if isinstance(value, ast.BinOp):
        return _is_made(value.left, names) or _is_made(value.right, names)
    if isinstance(value, ast.Call):
        called = value.func
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        return name in _MAKES
    return False
