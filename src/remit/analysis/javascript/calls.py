"""Calls, members and constructions; among them the calls by which code enters a file: `require`, `import()`, `eval`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, PERHAPS, SKILL, SOME_BOOL, UNKNOWN, Hole, Text, lit, text
from remit.analysis.ir import (
    Attr,
    Await,
    Call,
    Choice,
    DynamicImport,
    Export,
    Global,
    Import,
    Known,
    Mapping,
    Sequence,
    SetAttr,
    Star,
    Super,
    Term,
    Unknown,
    Var,
)
from remit.analysis.javascript.expressions import join, template_parts
from remit.analysis.javascript.grammar import TOO_LONG, misread, parse
from remit.analysis.javascript.hoisting import declare_lexical
from remit.analysis.javascript.literals import UNDEFINED, constant_key, unescape
from remit.analysis.javascript.lowerer import Scope, only
from remit.analysis.javascript.patterns import attribute, get_member, symbol_key
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer


_DECLARES = frozenset({"variable_declaration", "function_declaration", "generator_function_declaration"})
_NESTING_LIMIT = 4


def direct_eval(lo: Lowerer, call: Node, given: tuple[Term, ...]) -> Term:
    """`eval(text)` under its own name."""
    line = lo.line(call)
    for extra in given[1:]:
        lo.drop(extra)
    code = given[0] if given else Known(ANY)
    constant = constant_key(code)
    if constant is None or lo.nested_evals >= _NESTING_LIMIT:
        lo.opaque("`eval` can change the variables around it", call)
        return Call(Global("eval", line), (code,), (), line)
    lo.nested_evals += 1
    value = _inline(lo, call, constant.encode("utf-8", "replace"))
    lo.nested_evals -= 1
    return value


def _inline(lo: Lowerer, call: Node, source: bytes) -> Term:
    tree = parse(source, "js")
    if tree is None:
        lo.opaque(TOO_LONG, call)
        return Known(ANY)
    for reason, _row in misread(source, tree):
        lo.opaque(reason, call)
    statements = tree.root_node.named_children
    if b"var" in source or any(statement.type in _DECLARES for statement in statements):
        lo.opaque("`eval` can declare variables around it", call)
    outer = lo.scope, lo.source, lo.first_line
    scope = Scope(lo.body, lo.scope)
    lo.scope, lo.first_line, lo.source = scope, lo.line(call), source
    declare_lexical(lo, scope, statements)
    value: Term = Known(ANY)
    for statement in statements:
        if statement.type == "expression_statement":
            value = lo.stable(lo.expr(statement.named_child(0)))
        else:
            lo.stmt(statement)
            value = Known(ANY)
    lo.scope, lo.source, lo.first_line = outer
    return value


# They copy a module member by member, which no analysis of single members survives. Where the text of a helper is the
# compiler's own, and nothing ran before it that could have replaced it, a call of it means what the compiler meant.


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


_LINKS = {"member_expression": "object", "subscript_expression": "object", "call_expression": "function"}
_SEE_THROUGH = frozenset({
    "non_null_expression", "parenthesized_expression", "instantiation_expression", "as_expression", "satisfies_expression",
})  # fmt: skip
_META_TERMS: dict[str, Callable[[Lowerer], Term]] = {
    "url": lambda lo: Known(frozenset({text("file://", *part.parts) for part in lo.path() if isinstance(part, Text)})),
    "filename": lambda lo: Known(lo.path()),
    "path": lambda lo: Known(lo.path()),
    "file": lambda lo: Known(lo.path()),
    "dirname": lambda lo: Known(lo.path(folder=True)),
    "dir": lambda lo: Known(lo.path(folder=True)),
    "main": lambda _: Known(SOME_BOOL),
    "env": lambda _: Attr(Global("process", 1), "env", 1),
    "require": lambda _: Global("require", 1),
    "resolve": lambda _: Attr(Global("require", 1), "resolve", 1),
    "resolveSync": lambda _: Attr(Global("require", 1), "resolve", 1),
}
_MODULE_TERMS: dict[str, Callable[[Lowerer], Term]] = {
    "exports": lambda lo: lo.exports,
    "require": lambda _: Global("require", 1),
    "filename": lambda lo: Known(lo.path()),
    "id": lambda lo: Known(lo.path()),
    "path": lambda lo: Known(lo.path(folder=True)),
    "loaded": lambda _: Known(SOME_BOOL),
}
_ENTRY = Known(frozenset({text(Hole(SKILL), "/", Hole(UNKNOWN))}))


def chain(lo: Lowerer, node: Node) -> Term:
    """`a.b[c](d)…`: links are applied in a loop from the innermost, since chains get long."""
    links: list[Node] = []
    current: Node | None = node
    while current is not None:
        field = _LINKS.get(current.type)
        if field is not None:
            links.append(current)
            current = current.child_by_field_name(field)
        elif current.type in _SEE_THROUGH:
            current = only(current)
        else:
            break
    links.reverse()
    if current is not None and current.type == "arrow_function" and _ends_unparenthesized(lo, current):
        lo.opaque("an arrow function ends before this bracket, but the parser reads on", links[0])
    term, used = _start(lo, current, links)
    for link in links[used:]:
        term = _link(lo, link, term)
    if (
        current is not None
        and current.type == "identifier"
        and used
        and lo.source[current.start_byte : current.end_byte] == b"await"
    ):
        return Await(term, lo.line(node))
    if lo.source.find(b"?.", node.start_byte, node.end_byte) >= 0 and any(map(_is_optional, links)):
        return Choice((term, Known(PERHAPS)))
    return term


def _is_optional(link: Node) -> bool:
    """Whether a chain ends at this link if what stands before it is missing."""
    return link.child_by_field_name("optional_chain") is not None


def _ends_unparenthesized(lo: Lowerer, base: Node) -> bool:
    """Whether what follows a base stands outside any parenthesis around it."""
    return not lo.source[base.end_byte : base.end_byte + 80].lstrip().startswith(b")")


def _start(lo: Lowerer, base: Node | None, links: list[Node]) -> tuple[Term, int]:  # noqa: PLR0911  one case for each form of the grammar
    """The innermost term, and how many links it used up."""
    if base is None:
        return lo.expr(None), 0
    kind = base.type
    first = links[0]
    if kind == "identifier":
        name = lo.name(base)
        found = lo.scope.find(name)
        if name in lo.helpers and found is not None and found.owner == 0 and first.type == "call_expression":
            made = helper_call(lo, name, arguments(lo, first.child_by_field_name("arguments")), lo.line(first))
            if made is not None:
                return made, 1
        if found is not None and (found.owner, found.name) not in lo.requires:
            return found, 0
        special = _SPECIAL.get("require" if found is not None else name)
        term = special(lo, links) if special is not None else None
        if term is not None:
            return term
    elif kind == "import" and first.type == "call_expression":
        return _imported(lo, links)
    elif kind == "function_expression" and first.type == "call_expression" and _sees_global(lo, base):
        line = lo.line(first)
        given = arguments(lo, first.child_by_field_name("arguments"))
        return Call(Attr(lo.expr(base), "call", line), (Global("globalThis", line), *given), (), line), 1
    elif kind == "super":
        return _super(lo, first), 1
    elif kind == "meta_property" and first.type == "member_expression" and lo.raw(base).endswith("meta"):
        member = first.child_by_field_name("property")
        meta = _META_TERMS.get(lo.name(member)) if member is not None else None
        if meta is not None:
            return meta(lo), 1
    return lo.expr(base), 0


def _sees_global(lo: Lowerer, function: Node) -> bool:
    """Whether `this` of a function that is called where it stands is the global object."""
    return not lo.body.strict and lo.source.find(b"this", function.start_byte, function.end_byte) >= 0


def _link(lo: Lowerer, link: Node, term: Term) -> Term:
    if link.type == "member_expression":
        name = link.child_by_field_name("property")
        return attribute(lo, term, name) if name is not None else Known(ANY)
    if link.type == "subscript_expression":
        return get_member(term, symbol_key(lo, link.child_by_field_name("index")), lo.line(link))
    return _call(lo, link, term)


def _call(lo: Lowerer, node: Node, callee: Term) -> Term:
    given = node.child_by_field_name("arguments")
    if given is not None and given.type == "template_string":
        return _tagged(lo, given, callee)
    args, line = arguments(lo, given), lo.line(given if given is not None else node)
    return _buffer_text(callee, args, line) or Call(callee, args, (), line)


def _buffer_text(callee: Term, args: tuple[Term, ...], line: int) -> Term | None:
    """`Buffer.from(…).toString(…)`: nobody else sees the buffer, so that its text is known if what it is made of is."""
    made = callee.base if isinstance(callee, Attr) and callee.name == "toString" else None
    maker = made.callee if isinstance(made, Call) else None
    if (
        not isinstance(made, Call)
        or not isinstance(maker, Attr)
        or maker.name != "from"
        or not isinstance(maker.base, Global)
        or maker.base.name != "Buffer"
        or len(made.args) > 2
        or len(args) > 1
        or any(isinstance(term, Star) for term in (*made.args, *args))
    ):
        return None
    absent = Known(UNDEFINED)
    encodings = [*made.args[1:], absent][:1] + [*args, absent][:1]
    return Call(Attr(maker.base, "__text__", line), (*made.args[:1], *encodings), (), line)


def arguments(lo: Lowerer, node: Node | None) -> tuple[Term, ...]:
    """The terms of an argument list."""
    if node is None:
        return ()
    return tuple([lo.expr(child) for child in node.named_children if child.type != "comment"])


def _tagged(lo: Lowerer, node: Node, tag: Term) -> Term:
    """A tag is called with the texts (cooked, and raw as a member) and the values."""
    line = lo.line(node)
    parts = template_parts(lo, node)
    raw = [part for part in parts if isinstance(part, str)]
    values = [lo.expr(part.named_child(0)) for part in parts if not isinstance(part, str)]
    if isinstance(tag, Attr) and tag.name == "raw" and isinstance(tag.base, Global) and tag.base.name == "String":
        pieces: list[Term] = [lo.text(raw[0], line)]
        for value, piece in zip(values, raw[1:], strict=False):
            pieces += [value, lo.text(piece, line)]
        return join(pieces, line)
    cooked = lo.stable(Sequence("list", tuple(lo.text(unescape(part), line) for part in raw), line))
    lo.facts.append(SetAttr(cooked, "raw", Sequence("list", tuple(lo.text(part, line) for part in raw), line), line))
    return Call(tag, (cooked, *values), (), line)


def new_expression(lo: Lowerer, node: Node) -> Term:
    """`new X(…)`."""
    callee = lo.expr(node.child_by_field_name("constructor"))
    return Call(callee, arguments(lo, node.child_by_field_name("arguments")), (), lo.line(node), new=True)


def _super(lo: Lowerer, link: Node) -> Term:
    index, line = lo.body.class_index, lo.line(link)
    base: Term = Super(index, line) if index is not None else lo.body.this
    return _link(lo, link, base)


def super_value(lo: Lowerer, node: Node) -> Term:
    """`super` without a member, which only broken source holds."""
    index = lo.body.class_index
    return Super(index, lo.line(node)) if index is not None else Known(ANY)


def meta_property(lo: Lowerer, node: Node) -> Term:
    """`import.meta` as a value; `new.target`."""
    if not lo.raw(node).endswith("meta"):
        return Known(ANY)
    return Mapping(tuple((Known(lit(name)), made(lo)) for name, made in _META_TERMS.items()), lo.line(node))


# --- modules by call


def module_term(name: Term, line: int) -> Term:
    """The module that a specifier names."""
    constant = constant_key(name)
    return Import(constant, 0, line) if constant is not None else DynamicImport(name, line)


def dynamic_import(lo: Lowerer, call: Node) -> Term:
    """`import(x)`. A promise is the value that it will have, so this is the module."""
    given = arguments(lo, call.child_by_field_name("arguments"))
    for extra in given[1:]:
        lo.drop(extra)
    return module_term(given[0] if given else Known(ANY), lo.line(call))


def _imported(lo: Lowerer, links: list[Node]) -> tuple[Term, int]:
    """`import(x)`, and `import(x).then(f)`, since a module has no method `then`."""
    module = dynamic_import(lo, links[0])
    if (
        len(links) < 3
        or links[2].type != "call_expression"
        or _member(lo, links[1]) not in {"then", "catch", "finally"}
    ):
        return module, 1
    given = arguments(lo, links[2].child_by_field_name("arguments"))
    line = lo.line(links[2])
    failed = Known(ANY)
    calls: list[Term] = [Call(handler, (failed,), (), line) for handler in given]
    if _member(lo, links[1]) == "then" and given:
        calls[0] = Call(given[0], (module,), (), line)
        return Choice(tuple(calls)), 3
    return Choice((module, *calls)), 3


def _require(lo: Lowerer, links: list[Node]) -> tuple[Term, int] | None:
    first = links[0]
    if first.type == "call_expression":
        given = arguments(lo, first.child_by_field_name("arguments"))
        return module_term(given[0] if given else Known(ANY), lo.line(first)), 1
    if len(links) > 1 and _member(lo, first) == "main":
        member = _member(lo, links[1])
        if member in {"filename", "path", "id"}:
            return _ENTRY, 2
        if member == "require":
            return Global("require", lo.line(first)), 2
    if first.type == "member_expression":
        return Global("require", lo.line(first)), 0
    return None


def _module(lo: Lowerer, links: list[Node]) -> tuple[Term, int] | None:
    name = _member(lo, links[0])
    if name is None:
        return None
    made = _MODULE_TERMS.get(name)
    if made is not None:
        return made(lo), 1
    return Unknown(f"`module.{name}` reaches the modules around this one", lo.line(links[0])), 1


def _eval(lo: Lowerer, links: list[Node]) -> tuple[Term, int] | None:
    if links[0].type != "call_expression":
        return None
    return direct_eval(lo, links[0], arguments(lo, links[0].child_by_field_name("arguments"))), 1


def _member(lo: Lowerer, link: Node) -> str | None:
    if link.type != "member_expression":
        return None
    name = link.child_by_field_name("property")
    return lo.name(name) if name is not None else None


def _awaited(lo: Lowerer, links: list[Node]) -> tuple[Term, int] | None:
    """`await (0, f)(x)` is parsed as calls of a function `await`: the first list is a parenthesis, not arguments."""
    first = links[0]
    if first.type == "subscript_expression":
        index = first.child_by_field_name("index")
        parts = index.named_children if index is not None and index.type == "sequence_expression" else [index]
        return Sequence("list", tuple(lo.expr(part) for part in parts), lo.line(first)), 1
    given = first.child_by_field_name("arguments") if first.type == "call_expression" else None
    if given is None:
        return None
    if given.type == "template_string":
        return lo.expr(given), 1
    terms = arguments(lo, given)
    for term in terms[:-1]:
        lo.drop(term)
    return (terms[-1] if terms else Known(ANY)), 1


_SPECIAL: dict[str, Callable[[Lowerer, list[Node]], tuple[Term, int] | None]] = {
    "require": _require, "module": _module, "eval": _eval, "await": _awaited,
}  # fmt: skip


def made_require(lo: Lowerer, variable: Term, term: Term) -> None:
    """Note `const require = createRequire(…)`: calls of it load modules."""
    if not isinstance(variable, Var) or not isinstance(term, Call):
        return
    callee = term.callee
    if (isinstance(callee, Attr) and callee.name == "createRequire") or (
        isinstance(callee, Var) and callee.name == "createRequire"
    ):
        lo.requires.add((variable.owner, variable.name))


CALLS: dict[str, Callable[[Lowerer, Node], Term]] = {
    "call_expression": chain, "member_expression": chain, "subscript_expression": chain, "new_expression": new_expression,
    "super": super_value, "meta_property": meta_property,
}  # fmt: skip
