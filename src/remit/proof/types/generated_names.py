"""Names of capabilities and scopes in generated code.

A scope is untrusted text. It occurs only as a string literal in which every character that could end the literal,
begin a comment or steer a checker is escaped, so that no scope is code.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from string import ascii_letters, digits
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.core.scope import Scope

LONGEST = 100  # characters of a scope; a longer one is called by its digest, so that messages stay short
_DIGEST = "sha256:"
_PLAIN = frozenset(ascii_letters + digits + " !$%&()*+,-./:;<=>?@[]^_{|}~")  # no quotes, no backslash, no `#`


@lru_cache(1024)
def class_name(capability: str) -> str:
    """Return the class of calls of a capability."""
    return "".join(part.capitalize() for part in capability.split("."))


def written(scope: Scope) -> str:
    """Return a scope as a short text: as manifests write it, or its digest. A text that looks like a digest is digested
    too.
    """
    text = scope.render()
    if len(text) <= LONGEST and not text.startswith(_DIGEST) and _is_unicode(text):
        return text
    return _DIGEST + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(4096)
def quoted(text: str) -> str:
    """Return a text as a literal of one line of ASCII."""
    return "'" + "".join(char if char in _PLAIN else _escaped(ord(char)) for char in text) + "'"


def _escaped(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)
