"""Expressions that are made of literals alone, worked out: `bytes(b ^ 7 for b in DATA).decode()`, `"".join(map(chr, CODES))`.

Who hides an address or code in numbers hides it from a reader, not from an interpreter. Names of variables do not
count: another file may bind them anew. Those of built-in functions count where the file neither binds them nor reaches names by text.
"""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
import operator
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from remit.analysis.python.trees import bound_names, walk
from remit.core.patterns import lazy_pattern

_LONGEST = 100_000  # characters, bytes or elements of a value
_MOST = 200_000  # steps of one expression


class _Open(Exception):  # noqa: N818  (no error: the expression is not closed)
    """The expression is not made of literals alone, or too large."""


def _inflated(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, _LONGEST)


def _decoded(text: Any, codec: str) -> Any:
    if codec.lower().replace("-", "_") not in ("rot13", "rot_13", "hex", "hex_codec", "base64", "base64_codec"):
        raise _Open  # some make much of little
    return codecs.decode(text, codec)


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "bytearray": bytes, "bytes": bytes, "chr": chr, "enumerate": lambda *words: list(enumerate(*words)), "int": int, "len": len,
    "list": list, "ord": ord, "range": lambda *words: range(*words)[:_LONGEST], "reversed": lambda seen: list(reversed(seen)), "str": str,
    "tuple": tuple, "zip": lambda *seen: list(zip(*seen, strict=False)),
}  # fmt: skip
_LIBRARY: Mapping[tuple[str, str], Callable[..., Any]] = {
    **{("base64", name): getattr(base64, name) for name in ("b64decode", "urlsafe_b64decode", "b32decode", "b16decode", "b85decode", "a85decode")},
    ("binascii", "unhexlify"): binascii.unhexlify, ("binascii", "a2b_hex"): binascii.a2b_hex, ("binascii", "a2b_base64"): binascii.a2b_base64,
    ("bytes", "fromhex"): bytes.fromhex, ("codecs", "decode"): _decoded, ("zlib", "decompress"): _inflated,
}  # fmt: skip
_METHODS = frozenset(
    "decode encode join lower upper strip lstrip rstrip replace split removeprefix removesuffix swapcase".split()
)
_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv,
    ast.BitXor: operator.xor, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.RShift: operator.rshift,
}  # fmt: skip
_FAILS = (
    AttributeError,
    ValueError,
    TypeError,
    IndexError,
    OverflowError,
    LookupError,
    ZeroDivisionError,
    zlib.error,
    MemoryError,
)


def makes_texts(source: str) -> bool:
    """Whether a file may have an expression that hides a text: most have none, and need not be searched."""
    return _HIDES.search(source) is not None and _REBINDS.search(source) is None


_HIDES = lazy_pattern(
    r"fromhex|decode\(|c(?<!\wc)hr\b|unhexlify|a2b_|b(?<!\wb)ytes\(|bytearray\(|\[\s*:\s*:\s*-\s*1\s*\]|\.decompress\("
)


_REBINDS = lazy_pattern(
    r"globals|locals|\bvars\b|setattr|__dict__|__builtins__|builtins|sys\.modules|\bexec\b|\beval\b"
)


class _Names(NamedTuple):
    """What the names of a file mean."""

    bound: frozenset[str]  # all that it binds
    modules: frozenset[str]  # modules that it imports under their own names
    functions: Mapping[str, tuple[str, str]]  # functions of the library that it imports


class Constants:
    """The values of closed expressions of one file."""

    def __init__(self, tree: ast.AST) -> None:
        self._names = _names_of(tree)

    def text(self, node: ast.expr) -> str | None:
        """The text that an expression makes of literals alone; None if it is another, or no plain text."""
        if not _is_making(node):
            return None
        try:
            found = _Working(self._names).value(node, {})
            text = found.decode("ascii") if isinstance(found, bytes) else found
        except (*_FAILS, _Open, RecursionError):
            return None
        return text if isinstance(text, str) and len(text) <= _LONGEST else None


def _is_making(node: ast.expr) -> bool:
    """Whether an expression may make a text of others: a call of one of these functions, or a text backwards."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice) and node.slice.step is not None
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in ("decode", "join") or any(name == node.func.attr for _, name in _LIBRARY)
    return isinstance(node.func, ast.Name) and node.func.id in ("bytes", "chr", "b64decode", "unhexlify")


class _Working:
    """One expression."""

    def __init__(self, names: _Names) -> None:
        self._file = names
        self._steps = 0

    def value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:  # noqa: PLR0911  one case for each form of expression
        """What an expression is; raises where that is not known."""
        self._steps += 1
        if self._steps > _MOST:
            raise _Open
        match node:
            case ast.Constant(value=str() | bytes() | int() as value):
                return value
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self.value(item, names) for item in items]
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self.value(inner, names)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
                return self._combined(sign, self.value(left, names), self.value(right, names))
            case ast.Subscript(value=base, slice=ast.Slice(lower, upper, step)):
                cut = slice(*(self.value(part, names) if part else None for part in (lower, upper, step)))
                return self.value(base, names)[cut]
            case ast.Subscript(value=base, slice=index):
                return self.value(base, names)[self.value(index, names)]
            case ast.ListComp(elt=made, generators=[one]) | ast.GeneratorExp(elt=made, generators=[one]):
                return [self.value(made, inner) for inner in self._rounds(one, names)]
            case ast.Call(func=function, args=words, keywords=[]):
                return self._called(function, words, names)
        raise _Open

    def _rounds(self, one: ast.comprehension, names: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        if one.ifs or one.is_async:
            raise _Open
        for item in self.value(one.iter, names):
            yield {**names, **dict(_unpacked(one.target, item))}

    def _combined(self, sign: ast.operator, left: Any, right: Any) -> Any:
        if isinstance(sign, ast.Mult) and not (isinstance(left, int) and isinstance(right, int)):
            raise _Open
        if isinstance(sign, ast.Mod) and not (isinstance(left, int) and isinstance(right, int)):
            raise _Open
        return _small(_OPERATORS[type(sign)](left, right))

    def _called(self, function: ast.expr, words: list[ast.expr], names: Mapping[str, Any]) -> Any:
        match function:
            case ast.Name(id="map") if "map" not in self._file.bound and len(words) == 2:
                one = words[0]
                if not isinstance(one, ast.Name) or one.id in self._file.bound or one.id not in _FUNCTIONS:
                    raise _Open
                return [_FUNCTIONS[one.id](item) for item in _small(self.value(words[1], names))]
            case ast.Name(id=name) if name in _FUNCTIONS and name not in self._file.bound:
                return _small(_FUNCTIONS[name](*_given(name, [self.value(word, names) for word in words])))
            case ast.Name(id=name) if name in self._file.functions:
                return _small(_LIBRARY[self._file.functions[name]](*(self.value(word, names) for word in words)))
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if (owner, name) in _LIBRARY and self._is_library(
                owner
            ):
                return _small(_LIBRARY[owner, name](*(self.value(word, names) for word in words)))
            case ast.Attribute(value=base, attr=name) if name in _METHODS:
                text = self.value(base, names)
                if not isinstance(text, (str, bytes)):
                    raise _Open
                given = [self.value(word, names) for word in words]
                if name in ("join", "replace") and max(len(text), 1) * sum(map(_size, given)) > _LONGEST * 10:
                    raise _Open
                return _small(getattr(text, name)(*given))
        raise _Open

    def _is_library(self, name: str) -> bool:
        """Whether a name is the module of that name, or the built-in type."""
        return name in self._file.modules or (name == "bytes" and name not in self._file.bound)


def _given(name: str, words: list[Any]) -> list[Any]:
    """Arguments that make nothing large: `bytes(10**9)` would."""
    if name in ("bytes", "bytearray") and words and isinstance(words[0], int):
        raise _Open
    return words


def _size(value: Any) -> int:
    return len(value) if isinstance(value, (str, bytes, list, tuple)) else 1


def _small(value: Any) -> Any:
    if isinstance(value, (str, bytes, list, tuple, range)) and len(value) > _LONGEST:
        raise _Open
    if isinstance(value, int) and value.bit_length() > 64:
        raise _Open
    return value


def _unpacked(target: ast.expr, item: Any) -> Iterable[tuple[str, Any]]:
    match target:
        case ast.Name(id=name):
            return [(name, item)]
        case ast.Tuple(elts=parts) if len(parts) == len(item):
            return [pair for part, inner in zip(parts, item, strict=True) for pair in _unpacked(part, inner)]
    raise _Open


def _names_of(tree: ast.AST) -> _Names:
    """One walk through a file."""
    counts: dict[str, int] = {}
    modules: set[str] = set()
    functions: dict[str, tuple[str, str]] = {}
    for node in walk(tree):
        declared = node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else ()
        for name in (*bound_names(node), *declared):
            counts[name] = counts.get(name, 0) + 1
        match node:
            case ast.Import(names=names):
                modules |= {one.name for one in names if one.asname in (None, one.name)}
            case ast.ImportFrom(module=str(module), names=names):
                functions |= {
                    one.asname or one.name: (module, one.name) for one in names if (module, one.name) in _LIBRARY
                }
    once = {name for name, count in counts.items() if count == 1}
    own = {name: found for name, found in functions.items() if name in once}
    return _Names(frozenset(counts), frozenset(modules & once), own)
