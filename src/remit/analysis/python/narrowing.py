"""Tests of a variable: `isinstance(x, str)`, `x in NAMES` and the like say what `x` is where they hold, or where they do not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from remit.analysis.python.trees import walk
from remit.core.patterns import lazy_pattern

# What makes bytes of a text that is known: where none of it stands, and no literal is bytes, the program's own texts are `str`.
# Each pattern begins with characters, not with the edge of a word, so that most of a text is passed over quickly.
_BYTES = lazy_pattern(
    r"b(?<!\wb)ytes\b|bytearray|memoryview|encode\b|a(?:16|32|64|85)|b(?:16|32|64|85)|fromhex|hexlify|compress"
)
_COOKIE = lazy_pattern(r"coding[:=]\s*(?!utf-?8\b)", re.IGNORECASE)
_TESTS = lazy_pattern(r"isinstance|\bif\b.*\bin\b|[!=]=|\.is[adin]|is_relative_to|match\(")


class Condition(NamedTuple):
    """What holds of the variable `name`, by `kind`: it is `keep` one of the types, or among the members, that `said` names; it is
    flat as its method says; it matches as the call says; it lies below the folder; or `either` of several holds."""

    name: str
    kind: str
    said: ast.expr
    keep: bool = True
    options: tuple[Condition, ...] = ()


# Ways to give a name another meaning without an assignment
_REBINDING = frozenset("globals locals vars exec setattr builtins __builtins__ __dict__ modules".split())
# Methods of a text that hold only where it has no slash.
_FLAT = frozenset("isalnum isalpha isdecimal isdigit isidentifier isnumeric".split())
_MATCHING = frozenset({"fullmatch", "match"})
_PLAIN = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.Set,
    ast.Load,
)  # looked at again without a trace


def conditions(test: ast.expr, *, holds: bool) -> list[Condition]:
    """What a test says about variables where it holds, or where it does not. One that assigns says nothing."""
    if any(isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for node in walk(test)):
        return []
    return list(_conditions(test, holds=holds))


def _conditions(test: ast.expr, *, holds: bool) -> Iterator[Condition]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _conditions(test.operand, holds=not holds)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if holds else ast.Or):
        for operand in test.values:
            yield from _conditions(operand, holds=holds)
    elif isinstance(test, ast.BoolOp):
        options = [next(_conditions(operand, holds=holds), None) for operand in test.values]
        said = tuple(option for option in options if option is not None and option.kind != "type")
        if len(said) == len(options) and len({option.name for option in said}) == 1:
            yield Condition(said[0].name, "either", test, options=said)
    elif isinstance(test, ast.Call) and not test.keywords:
        yield from _called(test, holds=holds)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        yield from _compared(test.left, test.ops[0], test.comparators[0], holds=holds)


def _called(test: ast.Call, *, holds: bool) -> Iterator[Condition]:
    function, args = test.func, test.args
    if (
        isinstance(function, ast.Name)
        and function.id == "isinstance"
        and len(args) == 2
        and isinstance(args[0], ast.Name)
    ):
        yield Condition(args[0].id, "type", args[1], holds)
    if not holds or not isinstance(function, ast.Attribute):
        return
    subject = function.value
    if isinstance(subject, ast.Name) and function.attr in _FLAT and not args:
        yield Condition(subject.id, "flat", subject)
    elif isinstance(subject, ast.Name) and function.attr == "is_relative_to" and len(args) == 1 and _plain(args[0]):
        yield Condition(subject.id, "below", args[0])
    elif function.attr in _MATCHING and len(args) == 2 and all(map(_plain, args)) and isinstance(args[1], ast.Name):
        yield Condition(args[1].id, "match", test)


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr, *, holds: bool) -> Iterator[Condition]:
    if not isinstance(left, ast.Name) or not _plain(right):
        return
    if isinstance(operator, ast.In if holds else ast.NotIn):
        yield Condition(left.id, "member", right)
    elif isinstance(operator, ast.Eq if holds else ast.NotEq) and isinstance(right, ast.Constant):
        yield Condition(left.id, "member", ast.copy_location(ast.Tuple([right], ast.Load()), right))


def _plain(node: ast.expr) -> bool:
    return all(isinstance(part, _PLAIN) for part in walk(node))


def tested_names(statements: list[ast.stmt]) -> set[str]:
    """The variables about which a test in a body says something."""
    return {
        found.name
        for statement in statements
        for node in walk(statement)
        if isinstance(node, (ast.Call, ast.Compare))
        for holds in (True, False)
        for found in _conditions(node, holds=holds)
    }


def keeps_sys(tree: ast.AST) -> bool:
    """Whether `sys` is Python's own wherever it stands in a module."""
    for node in walk(tree):
        if isinstance(node, ast.Name):
            if node.id in _REBINDING or (node.id == "sys" and not isinstance(node.ctx, ast.Load)):
                return False
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            own = isinstance(node, ast.Import)
            names = [(alias.asname or alias.name, own and alias.name == "sys") for alias in node.names]
            if any(name == "*" or (name == "sys" and not same) for name, same in names):
                return False
        elif isinstance(node, ast.Attribute):
            if node.attr in _REBINDING:
                return False
        elif not isinstance(node, ast.alias) and "sys" in [
            getattr(node, part, None) for part in ("name", "arg", "rest")
        ]:
            return False  # definitions, parameters, exceptions, patterns
    return True


def is_exit(node: ast.expr) -> bool:
    """Whether an expression is `sys.exit(…)`, which never returns where `sys` is Python's own."""
    function = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "exit"
        and isinstance(function.value, ast.Name)
        and function.value.id == "sys"
    )


def has_tests(source: str) -> bool:
    """Whether a program may hold a test that says something of a variable."""
    return _TESTS.search(source) is not None


def may_make_bytes(source: str) -> bool:
    """Whether a program can make bytes of known text; one in another encoding may spell it so that it is not seen here."""
    return _BYTES.search(source) is not None or _COOKIE.search(source[:400]) is not None
