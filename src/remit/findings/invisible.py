"""What a reader does not see and a model does: characters, comments and styles."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from remit.core.patterns import lazy_pattern
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "letters.table"
# U+FE0F and its like are common after a sign, one at a time; joiners are usual in emoji and in scripts that need them.
_INVISIBLE = lazy_pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u206f\ufeff\uffa0\u3164"
    "\U000e0000-\U000e007f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|(?<=[A-Za-z])[\u200c\u200d](?=[A-Za-z])"
)
_ANY = lazy_pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\uffa0\u3164"
    "\U000e0000-\U000e01ef\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)
_TURNED = lazy_pattern("[\u202a-\u202e\u2066-\u2069]")
_TAGS = lazy_pattern("[\U000e0020-\U000e007e]{4,}")
_FLAG = lazy_pattern("\U0001f3f4[\U000e0061-\U000e007a]{2,6}\U000e007f")  # flags of regions are written with tags
_SELECTORS = lazy_pattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}")
_BITS = lazy_pattern("[\u200b\u200c\u200d\u2060\ufeff]{16,}")
_TAG = 0xE0000
_RIGHT_TO_LEFT = lazy_pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_MIXED = lazy_pattern(r"[\w.@/:-]*[A-Za-z][\w.@/:-]*")
# Text of a page that a style makes invisible.
HIDING_STYLE = lazy_pattern(
    r"<\w+[^>]{0,300}style\s*=\s*[\"'][^\"']{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|"
    r"color\s*:\s*(?:white|#fff(?:fff)?)\b|opacity\s*:\s*0(?![.\d]))[^\"']{0,200}[\"'][^>]{0,100}>\s*([^<\s][^<]*)"
    r"|<\w+(?:\s[^>]{0,100})?\shidden(?:\s[^>]{0,100})?>\s*([^<\s][^<]*)",
    re.IGNORECASE,
)
# What tells an agent to do something, in a text that no page shows.
HIDDEN_ORDER = lazy_pattern(
    r"\b(?:you (?:must|should)|always|never|before (?:you|answering|processing|any)|first,?|also,?|then,?|please|important:?|note to|system:|assistant:|agents?:|as an? (?:ai|agent|assistant))"
    r"[^\n]{0,120}\b(?:send|upload|forward|post|run|execute|fetch|download|install|read|delete|ignore|disregard|include|append|transmit|curl|call)\b"
    r"|^\s*(?:send|upload|forward|post|run|execute|fetch|download|install|delete|ignore|disregard)\b[^\n]{0,200}(?:https?://|~/|\.env|/etc/|\.ssh|instructions)"
    r"|(?:\.(?:ssh|aws|gnupg|netrc|env)|id_(?:rsa|ed25519|ecdsa))\b[^\n]{0,200}https?://",
    re.IGNORECASE,
)


@cache
def _letters() -> dict[int, str]:
    """Letters of other scripts, and the letters they look like."""
    rows = (row.cells for row in read_table(_FILE, 2))
    return {ord(theirs): ours for letters, same in rows for theirs, ours in zip(letters, same, strict=True)}


def unmasked(text: str) -> str:
    """A text as a reader takes it: lookalikes as the letters that they look like. Its length stays the same."""
    if text.isascii() or _letters().keys().isdisjoint(map(ord, text)):
        return text
    return _MIXED.sub(lambda word: word[0] if word[0].isascii() else word[0].translate(_letters()), text)


def disguised_word(line: str) -> str:
    """A word in which letters of ours and lookalikes stand together, and nothing else: a word of another script has others too."""
    for word in _MIXED.findall(line):
        if not word.isascii():
            folded = word.translate(_letters())
            if folded != word and folded.isascii():
                return str(word[:60])
    return ""


def hidden_text(line: str) -> str:
    """The text that invisible characters of a line spell; empty if they spell none."""
    plain = _FLAG.sub("", line)
    if found := _TAGS.search(plain):
        return "".join(chr(ord(char) - _TAG) for char in found[0])
    if found := _SELECTORS.search(plain) or _BITS.search(plain):
        return f"{len(found[0])} characters in a row"
    return ""


def invisible_in(line: str, *, first: bool = False) -> str:
    """`turned` if characters change the direction of reading, `unseen` if there are others that show nothing, or empty."""
    plain = _FLAG.sub("", line.removeprefix("\ufeff") if first else line)
    if _TURNED.search(plain) and not _RIGHT_TO_LEFT.search(plain):
        return "turned"
    return "unseen" if _INVISIBLE.search(plain) else ""


def may_hide(line: str) -> bool:
    """Whether a line holds such characters at all; joiners and selectors of usual texts count too."""
    return _ANY.search(line) is not None
