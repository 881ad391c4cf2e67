"""JSON5-like parser (comments, unquoted keys, trailing commas), based on the JavaScript grammar, of which it is a
subset.
"""

from __future__ import annotations

import ast
import json
from typing import Any

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from remit.core.errors import DataError

_WORDS = {"true": True, "false": False, "null": None}
_DEEPEST = 200


def read_json5(data: bytes, name: str) -> Any:
    """Return the value; DataError with the line if it is malformed."""
    tree = Parser(Language(tree_sitter_javascript.language())).parse(b"(" + data + b"\n)")
    found = [one for one in tree.root_node.named_children if one.type != "comment"]
    inner = found[0].named_child(0) if len(found) == 1 else None
    values = [one for one in inner.named_children if one.type != "comment"] if inner is not None else []
    if tree.root_node.has_error or inner is None or inner.type != "parenthesized_expression" or len(values) != 1:
        raise DataError(f"`{name}` is not JSON", "correct the file")
    return _value(values[0], name, 0)


def _value(node: Node, name: str, depth: int) -> Any:
    text = (node.text or b"").decode("utf-8", "replace")
    if depth < _DEEPEST:
        inner = [one for one in node.named_children if one.type != "comment"]
        match node.type:
            case "object":
                pairs = [(_key(one, name), one.child_by_field_name("value")) for one in inner]
                return {key: _value(value, name, depth + 1) for key, value in pairs if value is not None}
            case "array":
                return [_value(one, name, depth + 1) for one in inner]
            case "string":
                return _text(text)
            case "number":
                return (
                    json.loads(text)
                    if text[:1].isdigit() and text[:2].lower() != "0x"
                    else float(ast.literal_eval(text))
                )
            case "unary_expression" if text.startswith("-"):
                return -_value(inner[0], name, depth + 1)
            case "true" | "false" | "null":
                return _WORDS[text]
    raise DataError(f"`{name}`, line {node.start_point.row + 1}: `{text[:40]}` is no value of JSON", "correct the file")


def _key(pair: Node, name: str) -> str:
    key = pair.child_by_field_name("key")
    if pair.type != "pair" or key is None or key.type not in ("property_identifier", "string", "number"):
        raise DataError(f"`{name}`, line {pair.start_point.row + 1}: this is no field of JSON", "correct the file")
    text = (key.text or b"").decode("utf-8", "replace")
    return _text(text) if key.type == "string" else text


def _text(literal: str) -> str:
    """Return a string in single or double quotes."""
    if literal.startswith('"'):
        try:
            return str(json.loads(literal))
        except ValueError:
            pass
    return str(ast.literal_eval(literal.replace("\\\n", "")))
