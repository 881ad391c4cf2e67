"""Lowers JavaScript and TypeScript in one pass over the tree of tree-sitter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from remit.analysis.ir import Global, Program, StarImport
from remit.analysis.javascript.calls import CALLS, note_helpers
from remit.analysis.javascript.classes import CLASSES
from remit.analysis.javascript.expressions import EXPRESSIONS, JSX
from remit.analysis.javascript.functions import function_expression, has_directive
from remit.analysis.javascript.grammar import TOO_LONG, misread, parse
from remit.analysis.javascript.hoisting import declare_vars, lower_statements
from remit.analysis.javascript.lowerer import Lowerer
from remit.analysis.javascript.modules import MODULES, TYPESCRIPT
from remit.analysis.javascript.operators import OPERATORS
from remit.analysis.javascript.statements import STATEMENTS
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.domain import Value

# The dialect of a file, by its ending.
DIALECTS = {
    ".js": "js", ".cjs": "js", ".mjs": "js", ".jsx": "jsx", ".ts": "ts", ".mts": "ts", ".cts": "ts", ".tsx": "tsx",
}  # fmt: skip
# A script of zx finds its functions without importing them.
_ZX = lazy_pattern(rb"#![^\n]*\bzx\b")
_MODULE_MARKS = frozenset({"import_statement", "export_statement"})
_ALL_EXPRESSIONS = EXPRESSIONS | OPERATORS | CALLS | CLASSES | JSX | {
    "function_expression": function_expression, "generator_function": function_expression,
}  # fmt: skip
_ALL_STATEMENTS = STATEMENTS | MODULES | TYPESCRIPT


def lower_javascript(
    source: bytes, file: str, dialect: str, *, holes: Mapping[str, Value] | None = None, script: bool = False
) -> Program:
    """The common form of a file; `file` is its path in the skill, or empty for text that became code.

    `dialect` is `js`, `jsx`, `ts` or `tsx`. `holes` gives the values that private characters in the text stand for.
    A `script` has no module around it: its `this` is the global object.
    """
    program = Program("js", file)
    lowerer = Lowerer(program, source, holes or {}, _ALL_EXPRESSIONS, _ALL_STATEMENTS)
    tree = parse(source, dialect)
    if tree is None:
        program.opaque.append((TOO_LONG, 1))
        return program
    if script:
        lowerer.module.this = Global("globalThis", 1)
    if _ZX.match(source):
        program.functions[0].facts.append(StarImport("zx", 0, 1))
    try:
        program.opaque.extend((reason, row + 1) for reason, row in misread(source, tree))
        _lower(lowerer, tree.root_node)
    except RecursionError:
        entry = ("the code is nested too deeply", 1)
        program.opaque += [] if entry in program.opaque else [entry]
    return program


def _lower(lo: Lowerer, root: Node) -> None:
    statements = root.named_children
    lo.body.strict = has_directive(lo, statements) or any(statement.type in _MODULE_MARKS for statement in statements)
    note_helpers(lo, statements)
    declare_vars(lo, lo.scope, None, root)
    lower_statements(lo, lo.scope, statements)
    lo.drain()
