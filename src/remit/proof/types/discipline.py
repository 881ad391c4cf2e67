"""Restrictions on the dispatch, because type checkers ignore some constructs: casts, `Any`, suppressions, undefined
names.

Python's types are sound for a corner of the language. These rules keep the dispatch in that corner: they say what may be
used, and everything else is a breach.
"""

from __future__ import annotations

import ast
import builtins
import io
import re
import tokenize
from collections.abc import Iterator, Mapping

_SILENCE = re.compile(r"(type|mypy|ty|pyright|pyre)\s*:|ignore", re.IGNORECASE)
_BUILTINS = frozenset(
    {
        "AssertionError",
        "TypeError",
        "bool",
        "float",
        "int",
        "isinstance",
        "list",
        "object",
        "property",
        "str",
        "tuple",
        "type",
    }
)
_TYPING = frozenset({"NamedTuple", "NoReturn", "Self", "TYPE_CHECKING", "TypeVar", "final"})
_CHECKED = frozenset({"Any", "Callable"})  # for annotations; the checkers refuse `Any` wherever it is used
_MODULES = frozenset({"__future__", "collections.abc", "math", "typing", "weakref"})
_DUNDERS = frozenset({"__bases__", "__new__"})
_REFUSED = (
    ast.Global,
    ast.Nonlocal,
    ast.Delete,
    ast.AsyncFunctionDef,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
    ast.NamedExpr,
)
# how often the right to issue is named, made and used: one registry, one claim, one maker, one permit
_ONCE: Mapping[str, tuple[str, ...]] = {
    "core/seal.py": ("object.__new__(kind)",),
    "policy/permit.py": ("registry(Permit, Grant)",),
    "policy/projector.py": ("_maker(claim_issuing())", "claim_issuing()", "issue(grant)"),
}
_RIGHT = "claim_issuing"
_LOOKED_AT = "TYPE_CHECKING"


def breaches(name: str, text: str) -> Iterator[str]:
    """Yield everything in a source that the checkers would not check."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and _SILENCE.search(token.string):
            yield f"line {token.start[0]}: a comment could silence a checker"
    tree = ast.parse(text)
    for node in ast.walk(tree):
        what = _breach(node)
        if what:
            yield f"line {getattr(node, 'lineno', 1)}: {what}"
    tests = [node.test for node in ast.walk(tree) if isinstance(node, ast.If)]
    looked = sum(isinstance(node, ast.Name) and node.id == _LOOKED_AT for node in ast.walk(tree))
    if looked != sum(isinstance(test, ast.Name) and test.id == _LOOKED_AT for test in tests):
        yield "what a checker sees is not what runs"
    calls = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = sum(
        isinstance(node, ast.Name) and node.id == _RIGHT and isinstance(node.ctx, ast.Load) for node in ast.walk(tree)
    )
    for call in _ONCE[name]:
        alike = [other for other in calls if other.partition("(")[0] == call.partition("(")[0]]
        if alike != [call]:
            yield f"`{call}` occurs once, and nothing like it: {', '.join(alike) or 'nothing'}"
    if named != (name == "policy/projector.py"):
        yield f"the right to issue is named {named} times"
    if name == "core/seal.py" and sum(".__new__" in call for call in calls) != 1:
        yield "objects are made at another place too"


def _breach(node: ast.AST) -> str:
    match node:
        case ast.Import(names):
            strange = [one.name for one in names if one.name not in _MODULES or one.asname]
            return f"`{strange[0]}` is imported" if strange else ""
        case ast.ImportFrom(module, names):
            ours = (module or "").startswith("remit.")
            strange = [one.name for one in names if one.asname or one.name == "*"]
            if module == "typing":
                strange += [one.name for one in names if one.name not in _TYPING | _CHECKED]
            if node.level or strange or not (ours or module in _MODULES):
                return f"`{strange[0] if strange else module}` is imported"
        case ast.If(ast.Name("TYPE_CHECKING"), body, orelse):
            if orelse or not all(isinstance(one, ast.Import | ast.ImportFrom) for one in body):
                return "what a checker sees is not what runs"
        case ast.Name(name, ast.Load()) if hasattr(builtins, name) and name not in _BUILTINS:
            return f"`{name}` is used"
        case ast.Name(name, ast.Store() | ast.Del()) if name in _BUILTINS | _TYPING:
            return f"`{name}` gets another meaning"
        case ast.Attribute(_, name) if name.startswith("__") and name not in _DUNDERS:
            return f"`{name}` is used"
    return f"`{type(node).__name__}` is used" if isinstance(node, _REFUSED) else ""


def second_makers(others: Mapping[str, str]) -> Iterator[str]:
    """Yield other files of ours that claim the right to issue permits."""
    for path, text in others.items():
        if path in _ONCE or path.startswith(("models/", "proof/types/")) or not ("permit" in text and _RIGHT in text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                taken = {one.name for one in node.names} & {_RIGHT, "_held", "*"}
                line = node.lineno if taken and node.module in ("remit.policy", "remit.policy.permit") else 0
            else:
                line = node.lineno if isinstance(node, ast.Attribute) and node.attr == _RIGHT else 0
            if line:
                yield f"{path}: line {line}: it takes the right to issue permits"
