r"""Patterns of a manifest, run by an engine with linear time: a pattern cannot be used for an attack.

Denials are searched for in what was written *and* in what it means: the raw command, and each command that a shell
makes of it, its words joined by one space, so that quotes, escapes and odd spacing hide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from remit.core.errors import ManifestError
from remit.manifest.constructs import find_unknown

MAX_PROGRAM = 2_000  # instructions; time is at most this times the length of the text
_MEMORY = 2 * 1024 * 1024  # bytes for one compiled pattern; beyond them the engine is slower, never wrong


def check_pattern(pattern: str) -> None:
    """Refuse a pattern that the engine cannot run, or that most engines interpret differently."""
    unknown = find_unknown(pattern)
    if unknown:
        message = f"the pattern has {unknown.what} `{unknown.text}` at position {unknown.at + 1}"
        raise ManifestError(message, unknown.remedy)
    size = _compiled(pattern, dot_is_any=True).programsize
    if size > MAX_PROGRAM:
        message = f"the pattern takes {size} steps when its repetitions are written out; {MAX_PROGRAM} are the most"
        raise ManifestError(message, "use smaller counts, `*` or `+`")


def denied(patterns: Iterable[str], raw: str, parsed: Iterable[Sequence[str]]) -> str | None:
    """Return the first pattern that a command matches anywhere: as it is written, or as the words of one of its
    commands.

    `.` is any character, line ends included. A program named by its path also counts under its last name.
    """
    forms = [_clean(raw)]
    for words in parsed:
        forms.append(_clean(" ".join(words)))
        if words and "/" in words[0]:
            forms.append(_clean(" ".join((words[0].rpartition("/")[2], *words[1:]))))
    for pattern in patterns:
        search = _compiled(pattern, dot_is_any=True).search
        if any(search(form) for form in forms):
            return pattern
    return None


def matches_whole(pattern: str, text: str) -> bool:
    """Whether all of a text matches: for arguments. `.` is no line end."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return _compiled(pattern, dot_is_any=False).fullmatch(data) is not None


def _clean(text: str) -> bytes:
    """Replace lone surrogates: the engine would stop at them."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode("utf-8")


@lru_cache(128)
def _compiled(pattern: str, *, dot_is_any: bool) -> Any:
    import re2  # noqa: PLC0415  (most manifests have no pattern)

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    options.never_capture = True
    options.dot_nl = dot_is_any
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason, _, part = error.args[0].decode("utf-8", "replace").partition(": ")
        at = pattern.find(part) if part else -1
        place = f" at position {at + 1}" if at >= 0 else ""
        quoted = f" `{part}`" if part else ""
        message = f"the pattern cannot be run: {reason}{quoted}{place}"
        raise ManifestError(message, "correct it; the syntax is that of RE2") from None
