"""What the TypeScript compiler puts before a CommonJS module: helpers that wrap `require`.

They copy a module member by member, which no analysis of single members survives. Where the text of a helper is the
compiler's own, and nothing ran before it that could have replaced it, a call of it means what the compiler meant.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from remit.analysis.domain import lit
from remit.analysis.ir import Choice, Export, Import, Known, Mapping, Term
from remit.analysis.javascript.literals import UNDEFINED
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer

# SHA-256 (first half) of each helper's initialiser, runs of blanks as one. Emitted by TypeScript 3.9 and later.
_HELPERS = {
    "7a6387317d93415b539a669ab9ebced7": "__importDefault",
    "2f4fe3757810b133ea95f3cfd1575516": "__createBinding",
    "dc84b7b6701fc557cc51ca614aac9748": "__setModuleDefault",
    "66f45936a41606f6f521bef10c8e1953": "__importStar",
    "d2b5a43b8083a5a29aed41966b26bcc4": "__importStar",
    "2b1e3e7cb1ed0bb4f5b60144fe50ce28": "__exportStar",
}
_BLANKS = lazy_pattern(rb"\s+")
_BEFORE = frozenset({"comment", "hash_bang_line", "empty_statement"})


def note_helpers(lo: Lowerer, statements: list[Node]) -> None:
    """Find the helpers that open a module."""
    if b"(this && this.__" not in lo.source or b"\\u" in lo.source:
        return
    for statement in statements:
        if statement.type == "variable_declaration":
            if not _note(lo, statement):
                return
        elif statement.type not in _BEFORE and not _is_directive(statement):
            return


def _is_directive(statement: Node) -> bool:
    first = statement.named_child(0) if statement.type == "expression_statement" else None
    return first is not None and first.type == "string"


def _note(lo: Lowerer, statement: Node) -> bool:
    if statement.named_child_count != 1:
        return False
    declarator = statement.named_child(0)
    target = declarator.child_by_field_name("name") if declarator is not None else None
    value = declarator.child_by_field_name("value") if declarator is not None else None
    if target is None or value is None:
        return False
    name = lo.name(target)
    digest = hashlib.sha256(_BLANKS.sub(b" ", lo.source[value.start_byte : value.end_byte])).hexdigest()[:32]
    assigned = re.findall(rb"\b" + re.escape(name.encode()) + rb"\s*=(?!=)", lo.source)
    if _HELPERS.get(digest) != name or len(assigned) != 1:
        return False
    lo.helpers[name] = statement.id
    return True


def helper_call(lo: Lowerer, name: str, args: tuple[Term, ...], line: int) -> Term | None:
    """What a call of a helper yields; None for the helpers that only helpers call."""
    module = args[0] if args else Known(UNDEFINED)
    if name == "__importStar":
        return module
    if name == "__importDefault":
        plain = isinstance(module, Import) and module.member is None
        default = Import(module.name, 0, line, "default") if plain and isinstance(module, Import) else module
        wrapped = Mapping(((Known(lit("default")), default),), line)
        return wrapped if plain else Choice((module, wrapped))
    if name == "__exportStar":
        lo.facts.append(Export(None, module, line))
        return Known(UNDEFINED)
    return None
