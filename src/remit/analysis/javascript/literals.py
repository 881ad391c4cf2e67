"""What literals and names of JavaScript source stand for, decoded as the language says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, UNKNOWN, Const, Hole, Num, Part, Value, text
from remit.analysis.ir import Known, Term
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    import re

UNDEFINED: Value = frozenset({Const("undefined")})

_ESCAPE = lazy_pattern(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|(\r\n|[\s\S]))"
)
_NAME_ESCAPE = lazy_pattern(r"\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))")
_SINGLE = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v",
    "\n": "", "\r": "", "\r\n": "", "\u2028": "", "\u2029": "",
}  # fmt: skip
_LONE_SURROGATE = lazy_pattern("([\ud800-\udfff])")
_LAST_CODE_POINT = 0x10FFFF
# Beyond these a double has an exponent or digits of its own spelling in JavaScript: its text is then not claimed.
_LARGEST_PLAIN, _SMALLEST_PLAIN = 2**53, 1e-4


def _character(digits: str) -> str:
    code = int(digits, 16) if len(digits) < 9 else _LAST_CODE_POINT + 1
    return chr(code) if code <= _LAST_CODE_POINT else "\ufffd"


def _unescape(match: re.Match[str]) -> str:
    braced, unit, byte, octal, single = match.groups()
    if single is not None:
        return _SINGLE.get(single, single)
    if octal is not None:
        return chr(int(octal, 8))
    return _character(braced or unit or byte)


def unescape(body: str) -> str:
    """The characters that the inside of a string literal stands for; a lone surrogate stays one."""
    if "\\" not in body:
        return body
    out = _ESCAPE.sub(_unescape, body)
    if _LONE_SURROGATE.search(out):
        out = out.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return out


def parts_of(decoded: str) -> tuple[Part, ...]:
    """A decoded text as parts. Half a surrogate pair has no text of its own, so it is a hole."""
    if not _LONE_SURROGATE.search(decoded):
        return (decoded,) if decoded else ()
    pieces = _LONE_SURROGATE.split(decoded)
    return text(*(Hole(UNKNOWN) if index % 2 else piece for index, piece in enumerate(pieces))).parts


def name_text(raw: str) -> str:
    r"""An identifier as the language compares it: `\u0065val` is `eval`."""
    if "\\" not in raw:
        return raw
    return _NAME_ESCAPE.sub(lambda match: _character(match[1] or match[2]), raw)


def number_value(raw: str) -> Value:
    """The value of a numeric literal (`1_000`, `0x1F`, `017`, `.5e3`, `12n`)."""
    digits = raw.replace("_", "").lower()
    try:
        value = _number(digits)
    except (ValueError, OverflowError):
        return frozenset({Num()}) if digits[:1].isdigit() or digits[:1] == "." else ANY
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value and not _SMALLEST_PLAIN <= abs(value) <= _LARGEST_PLAIN:
        return frozenset({Num()})
    return frozenset({Num(value, value)})


def _number(digits: str) -> float:
    if digits[:2] in {"0x", "0o", "0b"}:
        return _as_double(int(digits.removesuffix("n"), 0), digits)
    if digits.endswith("n"):
        return int(digits[:-1])
    if len(digits) > 1 and digits[0] == "0" and digits.isdigit():
        return int(digits, 10 if "8" in digits or "9" in digits else 8)
    return _as_double(int(digits), digits) if digits.isdigit() else float(digits)


def _as_double(value: int, digits: str) -> float:
    return value if digits.endswith("n") else float(value)


def property_key(value: Value) -> str | None:
    """The property name that a constant key stands for: `o["a"]` and `o[1]` name `a` and `1`."""
    if len(value) != 1:
        return None
    (atom,) = value
    if isinstance(atom, Num) and atom.low is not None and atom.low == atom.high:
        return number_text(atom.low)
    literal = getattr(atom, "literal", None)
    return literal if isinstance(literal, str) else None


def constant_key(term: Term) -> str | None:
    """Likewise of a term."""
    return property_key(term.value) if isinstance(term, Known) else None


def number_text(value: float) -> str:
    """A plain number as text."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def array_index(key: str) -> int | None:
    """The position that a property name denotes, if it is a canonical index."""
    return int(key) if key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and len(key) < 10 else None
