"""Digests: canonical JSON (RFC 8785) and SHA-256 over values, files and trees.

A digest is written `sha256:` and 64 hexadecimal digits. Two values have the same canonical form exactly if they are
the same JSON value, whatever the order of their keys and the spelling of their numbers.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from json.encoder import encode_basestring  # escapes exactly what RFC 8785 wants escaped
from typing import Any

from remit.core.errors import InputError

MAX_DEPTH = 200  # deeper nesting is an attack on the reader, not data
_SAFE = 2**53 - 1  # beyond, JSON readers disagree on the value


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of a value made of None, booleans, numbers, text, lists or tuples, and dicts with text
    keys.
    """
    try:
        return _written(value, 0).encode()
    except UnicodeEncodeError:
        message = "a text holds half of a surrogate pair, which JSON cannot carry"
        raise InputError(message, "repair the text; it is not valid Unicode") from None


def digest(value: Any) -> str:
    """Return the digest of a value's canonical JSON."""
    return bytes_digest(canonical(value))


def bytes_digest(data: bytes) -> str:
    """Return the digest of some bytes."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def tree_digest(files: Mapping[str, str]) -> str:
    """Return the digest of a folder, from its files: relative POSIX paths and the digests of their content.

    Paths that are not in normal form are refused, so that no two listings mean the same folder.
    """
    for path in files:
        if not path or path.startswith("/") or any(part in ("", ".", "..") for part in path.split("/")):
            message = f"`{path}` is not a path relative to the folder"
            raise InputError(message, "list each file by its normal relative path")
    return digest(dict(files))


def _written(value: Any, depth: int) -> str:
    if depth > MAX_DEPTH:
        message = f"a value is nested deeper than {MAX_DEPTH} levels"
        raise InputError(message, "flatten it")
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, dict):
        return _object(value, depth)
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{','.join([_written(item, depth + 1) for item in value])}]"
    if value is None:
        return "null"
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _float(value)
    message = f"a value of type `{type(value).__name__}` is not JSON"
    raise InputError(message, "use text, numbers, booleans, null, lists and objects")


def _object(items: dict[Any, Any], depth: int) -> str:
    for key in items:
        if not isinstance(key, str):
            message = f"the key `{key!r}` is not text"
            raise InputError(message, "write it in quotes")
    # keys are ordered by their UTF-16 code units, which is the order of their code points only where all are small
    plain = all(map(str.isascii, items))
    keys = sorted(items) if plain else sorted(items, key=lambda text: text.encode("utf-16-be", "surrogatepass"))
    write = encode_basestring
    parts = []
    for key in keys:
        value = items[key]
        said = write(value) if type(value) is str and depth < MAX_DEPTH else _written(value, depth + 1)
        parts.append(f"{write(key)}:{said}")
    return f"{{{','.join(parts)}}}"


def _integer(value: int) -> str:
    if abs(value) > _SAFE:
        message = f"the number `{value if abs(value) < 10**30 else 'of many digits'}` is too large to be read exactly"
        raise InputError(message, "write it as text")
    return str(int(value))


def _float(value: float) -> str:
    """Return a number as ECMAScript writes it: the shortest digits that round-trip, in its choice of notation."""
    if not math.isfinite(value):
        message = f"`{value}` is not a JSON number"
        raise InputError(message, "leave it out, or write it as text")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # the value is 0.digits times 10 to the power of `point`
    point = len(whole.lstrip("0")) + int(exponent or 0)
    if not whole.lstrip("0"):
        point -= len(fraction) - len(fraction.lstrip("0"))
    digits = digits.rstrip("0")
    return sign + _notation(digits, point)


def _notation(digits: str, point: int) -> str:
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    exponent = f"{point - 1:+d}"
    return digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "") + "e" + exponent
