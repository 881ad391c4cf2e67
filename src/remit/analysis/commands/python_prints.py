"""What a short Python program prints, as far as its text shows: numbers, or pieces of what it reads.

Only programs of well-known, silent parts are judged; whatever could make new text (characters by number, decoding, code
in strings) or print by another way leaves the output unknown.
"""

from __future__ import annotations

import ast
import builtins
import os
import warnings
from functools import lru_cache
from typing import NamedTuple

from remit.core.patterns import lazy_pattern

_MODULES = frozenset(
    "json sys re math datetime time csv statistics collections itertools functools decimal random uuid yaml tomllib urllib.parse "
    "hashlib zoneinfo calendar operator typing os os.path".split()
)
_OS = frozenset("environ getenv path linesep sep".split())
_SYS = frozenset("stdin stdout stderr argv exit version_info version maxsize platform executable".split())
_CALLED = frozenset(
    "print len int float round sum abs min max sorted reversed enumerate range zip list dict set tuple str bool isinstance any all "
    "map filter next iter repr divmod pow type hasattr open exit quit KeyError ValueError Exception".split()
)
_MAKERS = frozenset(
    "decode encode fromhex hex translate maketrans write buffer fileno writelines detach unquote unquote_plus loads_all load_all "
    "unsafe_load full_load exec eval system popen fromordinal sub escape swapcase casefold rot format_map format".split()
)
_OTHER_BUILTINS = (
    frozenset(dir(builtins))
    - _CALLED
    - frozenset("True False None Exception KeyError ValueError IndexError TypeError".split())
)
_NUMBERS = frozenset("len int float round abs ord hash".split())
_NUMBER_FORMAT = lazy_pattern(r"[-+ 0-9,.]*[dfeg%]")
_PLAIN = lazy_pattern(r"[^$`\\'\";|&\n]*")


class Prints(NamedTuple):
    """`numbers`: nothing but one number. The rest says what it reads (the environment always)."""

    numbers: bool
    stdin: bool
    argv: bool
    files: tuple[str, ...]


@lru_cache(256)
def prints(source: str) -> Prints | None:
    """What a program prints; None if that cannot be seen from its text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, os.devnull)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    files: list[str] = []
    nodes = list(ast.walk(tree))
    if not all(_understood(node, files) for node in nodes):
        return None
    printed = [node for node in nodes if isinstance(node, ast.Call) and _name(node.func) == "print"]
    loops = any(isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.ListComp)) for node in nodes)
    numbers = not loops and all(len(call.args) == 1 and _number(call.args[0]) for call in printed)
    numbers = numbers and not any(isinstance(node, ast.Attribute) and node.attr == "stdout" for node in nodes)
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return Prints(numbers and len(printed) > 0, "stdin" in attributes, "argv" in attributes, tuple(files))


def _understood(node: ast.AST, files: list[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id not in _OTHER_BUILTINS and (isinstance(node.ctx, ast.Load) or node.id not in _CALLED)
    if isinstance(node, ast.Import):
        return all(alias.name in _MODULES and alias.asname is None for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        silent = node.module in _MODULES and node.module not in ("os", "sys") and not node.level
        return silent and not any(alias.name in _MAKERS or alias.name == "*" or alias.asname for alias in node.names)
    if isinstance(node, ast.Attribute):
        return _attribute(node)
    if isinstance(node, ast.Call):
        return _call(node, files)
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, (str, bytes)) or (
            isinstance(node.value, str) and _PLAIN.fullmatch(node.value) is not None and "%c" not in node.value
        )
    if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
        return all(isinstance(p, ast.Constant) and not str(p.value).endswith("c") for p in node.format_spec.values)
    return not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Global, ast.Nonlocal))


def _attribute(node: ast.Attribute) -> bool:
    owner = _name(node.value)
    if owner == "os":
        return node.attr in _OS
    if owner == "sys":
        return node.attr in _SYS
    return not node.attr.startswith("_") and node.attr not in _MAKERS


def _call(node: ast.Call, files: list[str]) -> bool:
    if isinstance(node.func, ast.Attribute):
        return True  # its name was looked at
    name = _name(node.func)
    if name == "open":
        first = node.args[0] if len(node.args) == 1 and not node.keywords else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            files.append(first.value)
            return True
        return (
            isinstance(first, ast.Subscript) and isinstance(first.value, ast.Attribute) and first.value.attr == "argv"
        )
    if name == "print":
        return not any(word.arg not in ("end", "sep", "flush") for word in node.keywords)
    return (
        name in _CALLED
        or (name is not None and name[:1].isupper())
        or name in ("datetime", "date", "timedelta", "quote")
    )


def _name(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def _number(node: ast.expr) -> bool:
    """Whether an expression is a number for certain."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            owner = _name(node.func.value)
            return owner in ("math", "statistics") or (owner, node.func.attr) == ("time", "time")
        return _name(node.func) in _NUMBERS
    if isinstance(node, ast.BinOp):
        return _number(node.left) and _number(node.right)
    if isinstance(node, ast.IfExp):
        return _number(node.body) and _number(node.orelse)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _number(node.operand)
    if isinstance(node, ast.JoinedStr):
        return len(node.values) == 1 and isinstance(node.values[0], ast.FormattedValue) and _formatted(node.values[0])
    return False


def _formatted(node: ast.FormattedValue) -> bool:
    spec = node.format_spec
    if not isinstance(spec, ast.JoinedStr) or len(spec.values) != 1 or not isinstance(spec.values[0], ast.Constant):
        return False
    return _NUMBER_FORMAT.fullmatch(str(spec.values[0].value)) is not None
