"""Parsing: which grammar reads which dialect, and which places a parse is not to be trusted."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

# Node types inside which the characters of an HTML-like comment mean nothing.
_INERT = frozenset({
    "comment", "string", "string_fragment", "escape_sequence", "template_string", "regex_pattern", "jsx_text",
    "hash_bang_line", "template_literal_type",
})  # fmt: skip
_HTML_OPEN = lazy_pattern(rb"<!--")
_HTML_CLOSE = lazy_pattern(rb"(?:^|[\r\n]|\*/|\xe2\x80[\xa8\xa9])[ \t\f\v]*(-->)")
_ERROR_LIMIT = 20
_SECONDS, _BYTES_A_SECOND = 2, 200_000  # ten times what code takes that parses
TOO_LONG = "the code takes too long to parse"


@cache
def parser(dialect: str, seconds: int) -> Parser:
    """The parser of a dialect, which gives up after so long; the grammars are loaded when first needed."""
    import tree_sitter  # noqa: PLC0415

    if dialect in {"js", "jsx"}:
        import tree_sitter_javascript  # noqa: PLC0415

        language = tree_sitter_javascript.language()
    else:
        import tree_sitter_typescript  # noqa: PLC0415

        language = (
            tree_sitter_typescript.language_tsx() if dialect == "tsx" else tree_sitter_typescript.language_typescript()
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # what is to replace it ends the process
        return tree_sitter.Parser(tree_sitter.Language(language), timeout_micros=seconds * 1_000_000)


def parse(source: bytes, dialect: str) -> Tree | None:
    """The syntax tree; None if finding it would take too long.

    Where code is broken, the parser keeps many readings of it apart. The time grows with the square of such a stretch, and for some
    texts of two hundred characters it has no end.
    """
    found = parser(dialect, _SECONDS + len(source) // _BYTES_A_SECOND)
    try:
        return found.parse(source)
    except ValueError:
        found.reset()  # else it would go on with this text
        return None


def misread(source: bytes, tree: Tree) -> Iterator[tuple[str, int]]:
    """Places (reason, row from 0) where the tree need not be what an engine would run."""
    if tree.root_node.has_error:
        yield from _errors(tree.root_node)
    if source.startswith(b"#!"):
        yield from _hashbang(tree)
    if b"-->" in source or b"<!--" in source:
        yield from _html_comments(source, tree)


def _errors(root: Node) -> Iterator[tuple[str, int]]:
    found = 0
    pending = [root]
    while pending and found < _ERROR_LIMIT:
        node = pending.pop()
        if node.is_error or node.is_missing:
            found += 1
            yield "JavaScript does not parse here", node.start_point[0]
            continue
        pending.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)


def _hashbang(tree: Tree) -> Iterator[tuple[str, int]]:
    """The first line ends where JavaScript's lines end, not only at a line feed."""
    first = tree.root_node.named_child(0)
    line = (first.text or b"").rstrip() if first is not None and first.type == "hash_bang_line" else b"\r"
    if b"\r" in line or b"\xe2\x80\xa8" in line or b"\xe2\x80\xa9" in line:
        yield ("code follows on the line of the interpreter", 0)


def _html_comments(source: bytes, tree: Tree) -> Iterator[tuple[str, int]]:
    """`<!--` and a leading `-->` begin a comment in scripts and are operators in modules: code can hide in either."""
    for pattern, group in ((_HTML_OPEN, 0), (_HTML_CLOSE, 1)):
        for match in pattern.finditer(source):
            at = match.start(group)
            node = tree.root_node.descendant_for_byte_range(at, at + 3)
            if node is None or node.type not in _INERT:
                yield (
                    "an HTML-like comment is code or not depending on how the file is loaded",
                    source.count(b"\n", 0, at),
                )
