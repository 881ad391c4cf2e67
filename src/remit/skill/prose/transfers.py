"""Whether the words before an address send something to it."""

from __future__ import annotations

import re

from remit.core.patterns import lazy_pattern

_SENDS = (
    r"sen[dt]s?|sending|post(?:s|ed|ing)?|submit\w*|upload\w*|forward\w*|publish\w*|mirror\w*|transmit\w*|deliver\w*|push\w*"
    r"|shar(?:e[sd]?|ing)|sync\w*|relay\w*|goes|cop(?:y|ies|ied)|ingest(?:ed)?|fe?ed"
)
_MAY_SEND = (
    r"report(?:s|ed)?|e?-?mail(?:s|ed)?|register(?:s|ed)?|hand(?:s|ed)?|pass(?:es|ed)?|request|filed?|stored?|archived?|deposit(?:ed)?"
    r"|attach(?:ed)?|invited?|puts?|log(?:s|ged)?|reach(?:es)?|add(?:s|ed)?"
)
_REACHES = r"[^.!?]*(?:\b(?:to|into|onto|at|with|via|through|in|by)|[:|>\u2192])[\s`'\"<(*]*\Z"
_RECEIVES = r"\b(?:b?cc|guests?|recipients?|reply[- ]to|gets|get (?:a|the) cop(?:y|ies)|receives?|receiver|destination|subscribers?|observers?)\b[^.!?]*(?<!from)(?<!from )(?<!from [\[`<(])\Z"
_STRICT = lazy_pattern(rf"\b(?:{_SENDS})\b{_REACHES}", re.IGNORECASE)
_LOOSE = lazy_pattern(rf"\b(?:{_SENDS}|{_MAY_SEND})\b{_REACHES}|{_RECEIVES}", re.IGNORECASE)


def sends_to(before: str) -> bool:
    """Whether the words before an address say that something is sent there."""
    return _STRICT.search(before) is not None


def may_send_to(before: str) -> bool:
    """Whether the words before an address may make it a recipient, whatever the grammar: `a copy goes to …`, `Bcc | …`."""
    return _LOOSE.search(before) is not None
