"""Masking of secret values in tool results: a search through a folder returns the agent its `.env` too.

Only folders that were read as a whole count: a call that names a secret file was asked about. A value is what follows
`=` or `:` in a line, if it is long or mixed enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from remit.core.scope import PathScope
from remit.core.sensitive import may_touch
from remit.guard.call_analysis.path_patterns import sensitive_files
from remit.guard.paths import file_scope, read_start

if TYPE_CHECKING:
    from remit.policy.request import Request

MASK = "[masked by remit]"
_MOST_FILES = 100
_LARGEST = 200_000
_VALUE = re.compile(r"[=:]\s*[\"']?([^\s\"']{8,})")
_LONG = 20


def values_met(requests: Iterable[Request], text: str) -> tuple[str, ...]:
    """Return the secret values in a text, from files in folders that a call read as a whole; the longest first."""
    found: set[str] = set()
    for request in requests:
        if request.spared and request.capability.endswith(".read") and isinstance(request.scope, PathScope):
            for path in islice(sensitive_files("file.read", request.scope), _MOST_FILES):
                if "secret.read" in may_touch("file.read", file_scope(path)):
                    found.update(value for value in _values(path) if value in text)
    return tuple(sorted(found, key=len, reverse=True))


def _values(path: str) -> Iterator[str]:
    for value in _VALUE.findall((read_start(path, _LARGEST) or b"").decode("utf-8", "replace")):
        mixed = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
        if mixed or len(value) >= _LONG:
            yield value


def masked(result: Mapping[str, Any], values: Iterable[str]) -> dict[str, Any]:
    """Return a tool's result without these values, in the same form."""
    known = tuple(values)
    return {name: _masked(value, known) for name, value in result.items()}


def _masked(value: Any, values: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        for one in values:
            value = value.replace(one, MASK)
        return value
    if isinstance(value, dict):
        return {name: _masked(one, values) for name, one in value.items()}
    return [_masked(one, values) for one in value] if isinstance(value, list) else value
