"""A request: an intent, its inputs, caller and session, in one canonical form. Other spellings are refused.

The spelling is canonical JSON (RFC 8785) of text in Unicode's composed form (NFC), whole numbers, booleans, lists and objects.
There are no floats. A confirmation is not part of it: it is given for a request, and comes later.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Any, NamedTuple

from remit.core.digest import canonical
from remit.core.errors import AuthorityError, InputError
from remit.core.shape import Text

MOST_BYTES = 256 * 1024
_VERSION = 1
_NAME = Text(200, r"[A-Za-z0-9][A-Za-z0-9._:@/-]*")
_DEPTH = 8
_AGAIN = "send the form that docs/authority.md describes"


class Request(NamedTuple):
    """A request. `inputs` have the form of the intent; they are compared by their canonical form."""

    intent: str
    caller: str
    session: str
    inputs: dict[str, Any]

    def spelling(self) -> bytes:
        """Return the canonical form as bytes."""
        return canonical({"v": _VERSION, **self._asdict()})


def composed(value: Any, depth: int = 0) -> Any:
    """Return the value with all its text in NFC; AuthorityError if it holds a type that requests cannot have."""
    if depth > _DEPTH:
        raise AuthorityError(f"inputs are nested deeper than {_DEPTH} levels", _AGAIN)
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, list):
        return [composed(item, depth + 1) for item in value]
    if isinstance(value, dict):
        out = {composed(name, depth + 1): composed(item, depth + 1) for name, item in value.items()}
        if len(out) != len(value):
            raise AuthorityError("two keys of an input are the same in composed form", _AGAIN)
        return out
    raise AuthorityError(f"an input is a {type(value).__name__}, which a request cannot hold", _AGAIN)


def make_request(intent: str, caller: str, session: str, inputs: dict[str, Any]) -> Request:
    """Make a request, with text in NFC; AuthorityError if it has no canonical form."""
    made = Request(intent, caller, session, composed(inputs))
    _check(made)
    return made


def read_request(data: bytes) -> Request:
    """Read a request; AuthorityError if the bytes are not its canonical form.

    This also refuses duplicate keys, floats, blanks and decomposed text, because their canonical form differs.
    """
    if len(data) > MOST_BYTES:
        raise AuthorityError(f"a request has more than {MOST_BYTES} bytes", "send less at once")
    try:
        told = json.loads(data.decode())
    except (ValueError, RecursionError):
        raise AuthorityError("a request is not JSON", _AGAIN) from None
    if not isinstance(told, dict) or set(told) != {"v", *Request._fields} or not isinstance(told["inputs"], dict):
        raise AuthorityError("a request has another form", _AGAIN)
    made = make_request(told["intent"], told["caller"], told["session"], told["inputs"])
    if made.spelling() != data:
        raise AuthorityError("a request is not in its canonical spelling", _AGAIN)
    return made


def _check(made: Request) -> None:
    for name in ("intent", "caller", "session"):
        if fault := _NAME.fault(getattr(made, name), name):
            raise AuthorityError(fault, _AGAIN)
    try:
        size = len(made.spelling())
    except InputError as error:
        raise AuthorityError(str(error), _AGAIN) from None
    if size > MOST_BYTES:
        raise AuthorityError(f"a request has more than {MOST_BYTES} bytes", "send less at once")
