"""Settings of parsers and their arguments, as they are written out in a program."""

from __future__ import annotations

import ast

from remit.guard.understand.bindings import UnclearError

_IGNORED = frozenset(
    "description epilog usage prog help metavar title formatter_class default const type choices version deprecated".split()
)  # none of these says which word an argument gets
_KEPT = {
    "parser": {"add_help", "allow_abbrev", "exit_on_error"},
    "sub": {"add_help", "allow_abbrev", "exit_on_error", "aliases"},
    "subparsers": {"dest", "required"},
    "group": set(),
    "exclusive": {"required"},
    "argument": {"nargs", "action", "dest", "required"},
}
_NARGS = {"OPTIONAL": "?", "ZERO_OR_MORE": "*", "ONE_OR_MORE": "+"}
_BOOLEAN = "BooleanOptionalAction"


def settings_of(call: ast.Call, kind: str) -> tuple[tuple[str, object], ...]:
    """The settings that decide which words go where; they have to be written out."""
    out: list[tuple[str, object]] = []
    for word in call.keywords:
        if word.arg in _KEPT[kind]:
            out.append((word.arg or "", _plain(word.value)))
        elif word.arg not in _IGNORED:
            raise UnclearError
    return tuple(sorted(out, key=lambda item: item[0]))


def _plain(node: ast.expr) -> object:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in {*_NARGS, _BOOLEAN}:
        return _NARGS.get(node.attr, node.attr)
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(map(_plain, node.elts))
    raise UnclearError


def text_of(node: ast.expr) -> str:
    """A text that is written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise UnclearError
