"""Values allowed in telemetry: each attribute has a form, and a value of another form becomes `other`.

So arguments, texts and addresses cannot slip in by accident: no form accepts them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from remit.core.capability import vocabulary
from remit.core.telemetry_table import told
from remit.policy.dlp.scan import redact

# Scrubbing of texts: removes keys, tokens, passwords, query strings and control characters. First what the value table
# knows (policy/dlp), then words after one that announces a secret, then everything that looks like a key: hiding too
# much is better than logging a key.
HIDDEN = "‹…›"  # noqa: RUF001  marks that no value holds
_LOOKED_AT, _SHOWN = 8192, 500  # characters that are examined, and that are kept
_STEERING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_QUERY = re.compile(r"[?#](?=[^\s?#]*=)\S+|(?<=://)[^\s/?#]*@|(?<=\S)\?\S+")
_HEADER = re.compile(r"(?i)((?:authorization|cookie)\w*[\"']?\s*[:=]\s*).*", re.DOTALL)
_SCHEME = re.compile(r"(?i)\b(bearer|basic|digest)\s+\S+")
_NAMED = re.compile(
    r"(?i)((?:passw(?:or)?d|passphrase|secret|token|credential|signature|(?:api|access|private)[ _-]?key)s?[\"']?\s*[:=]\s*)(?:\"[^\"]*\"?|'[^']*'?|\S+)"
)
_RUN = re.compile(r"[A-Za-z0-9_+/=.~:%-]{16,}")
_SOLID = re.compile(r"[A-Za-z0-9]{20,}|[0-9]{12,}")


def scrub(text: str) -> str:
    """Return the text scrubbed and on one line."""
    cut = text[:_LOOKED_AT]
    if len(text) > _LOOKED_AT:
        cut = re.sub(r"\S+\Z", "", cut)  # half of a key would not be recognized
    plain = _plain(redact(cut))
    plain = redact(plain)
    for pattern, instead in (
        (_HEADER, rf"\1{HIDDEN}"),
        (_NAMED, rf"\1{HIDDEN}"),
        (_SCHEME, rf"\1 {HIDDEN}"),
        (_QUERY, HIDDEN),
    ):
        plain = pattern.sub(instead, plain)
    return _RUN.sub(_unlike_a_key, plain)[:_SHOWN]


def _plain(text: str) -> str:
    """Remove invisible and control characters; replace every white space by a space."""
    if text.isascii() and text.isprintable():
        return text
    kept = (" " if char in "\t\n\r\v\f" else "" if unicodedata.category(char) in _STEERING else char for char in text)
    return "".join(kept)


def _unlike_a_key(found: re.Match[str]) -> str:
    run = found[0]
    mixed = any(map(str.isdigit, run)) and any(map(str.isupper, run)) and any(map(str.islower, run))
    return HIDDEN if mixed or _SOLID.search(run) else run


OTHER = "other"
_LONGEST = 64
_FORMS = {
    "word": re.compile(r"/?[A-Za-z0-9][A-Za-z0-9._-]*"),
    "code": re.compile(r"[A-Z][A-Z0-9_]*"),
    "id": re.compile(r"[0-9a-f]{8,64}"),
    "capability": re.compile(r"[a-z]+(?:\.[a-z_]+)+"),
}
_MOST = 2**53


def fitting(attribute: str, value: object) -> str | int:
    """Return the value as it may be sent."""
    kind = told().attributes[attribute].kind
    if kind == "number":
        return value if isinstance(value, int) and -_MOST < value < _MOST else 0
    text = value if isinstance(value, str) else OTHER
    if not text:
        return ""
    if kind == "text":
        return scrub(text)
    return _fitting(kind, text) if len(text) <= _LONGEST else OTHER


@lru_cache(4096)
def _fitting(kind: str, text: str) -> str:
    if not _FORMS[kind].fullmatch(text) or (kind == "word" and scrub(text) != text):
        return OTHER
    return OTHER if kind == "capability" and text not in vocabulary() else text
