"""Evidence files as canonical JSON (RFC 8785) with a final line feed, so that one value has one encoding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from remit.core.digest import canonical
from remit.core.errors import BundleError, RemitError

if TYPE_CHECKING:
    from remit.core.shape import Shape

MAX_BYTES = 4 * 1024 * 1024  # of one evidence file; the analysis looks into files of this size too
_ANEW = "make a new bundle with `remit prove`"


def written(value: Any) -> bytes:
    """Return the bytes of an evidence file."""
    return canonical(value) + b"\n"


def read(data: bytes, file: str, shape: Shape) -> Any:
    """Read an evidence file; BundleError if it is malformed or not canonical.

    This also refuses duplicate keys, numbers in other notations, and blanks.
    """
    if len(data) > MAX_BYTES:
        raise BundleError(f"`{file}` is larger than {MAX_BYTES} bytes", _ANEW)
    try:
        value = json.loads(data.decode("utf-8"))
        spelling = written(value)
    except (ValueError, RecursionError, RemitError):  # of JSON, of UTF-8, of numbers with too many digits
        raise BundleError(f"`{file}` is not JSON of an evidence file", _ANEW) from None
    if spelling != data:
        raise BundleError(f"`{file}` is not in the canonical spelling", _ANEW)
    if fault := shape.fault(value, file):
        raise BundleError(fault, _ANEW)
    return value
