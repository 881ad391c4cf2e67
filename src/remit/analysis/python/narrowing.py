"""Tests of a variable's type: `isinstance(x, str)` says what `x` is where it holds and what it is not where it does not."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from remit.core.patterns import lazy_pattern

# What makes bytes of a text that is known: where none of it stands, and no literal is bytes, the program's own texts are `str`.
_BYTES = lazy_pattern(r"\bbytes\b|bytearray|memoryview|encode\b|[ab](?:16|32|64|85)|fromhex|hexlify|compress")
_COOKIE = lazy_pattern(r"coding[:=]\s*(?!utf-?8\b)", re.IGNORECASE)


class TypeTest(NamedTuple):
    """`name` is one of `types` if the test holds (`positive`), or if it does not; `exact`: otherwise it is none of them."""

    name: str
    types: ast.expr
    positive: bool
    exact: bool


def type_test(test: ast.expr) -> TypeTest | None:
    """What a condition says about the type of a variable."""
    positive = True
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        positive, test = not positive, test.operand
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and positive:
        inner = type_test(test.values[0])
        return inner._replace(exact=False) if inner is not None else None
    if (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id == "isinstance"
        and len(test.args) == 2
        and isinstance(test.args[0], ast.Name)
    ):
        return TypeTest(test.args[0].id, test.args[1], positive, exact=True)
    return None


def tested_names(statements: list[ast.stmt]) -> set[str]:
    """The variables whose type a body asks for."""
    return {
        found.name
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and (found := type_test(node)) is not None
    }


def may_make_bytes(source: str) -> bool:
    """Whether a program can make bytes of known text; one in another encoding may spell it so that it is not seen here."""
    return _BYTES.search(source) is not None or _COOKIE.search(source[:400]) is not None
