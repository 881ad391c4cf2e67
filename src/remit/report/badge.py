"""A label as a badge: an SVG of 20 pixels with the level and the guarantees of a skill."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from remit.bundle.label import claim_text
from remit.core.counting import counted
from remit.findings.model import Level
from remit.report.screen import visible

_SHORT = {
    "no-network": "no network",
    "only-installs": "network: installs only",
    "only-hosts": "network: known hosts",
    "no-secrets": "no secrets",
    "deletes-no-files": "no deletes",
}
# Each with white text at a contrast of at least 4.5 to 1
_COLORS = {Level.BLOCK: "#b3261e", Level.REVIEW: "#8a5000", Level.CLEAR: "#0f6b35"}
_NAME, _WIDE, _EDGE = "remit", 6.6, 6  # the left side; pixels of a character at 11 pixels, and beside the text


def badge(label: dict[str, Any]) -> str:
    """Return the SVG; the same label gives the same bytes."""
    level = Level(label["level"])
    words = _words(label, level)
    left, right = (round(len(text) * _WIDE) + 2 * _EDGE for text in (_NAME, words))
    title = f"{visible(label['skill'])}: {words}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-labelledby="t d">',
        f'<title id="t">{escape(title)}</title>',
        f'<desc id="d">{escape(" ".join(_sentences(label)))}</desc>',
        f'<rect width="{left + right}" height="20" rx="3" fill="#333"/>',
        f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{left}z" fill="{_COLORS[level]}"/>',
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
        _text(_EDGE, left, _NAME),
        _text(left + _EDGE, right, words),
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _text(at: int, width: int, words: str) -> str:
    return (
        f'<text x="{at}" y="14" textLength="{width - 2 * _EDGE}" lengthAdjust="spacingAndGlyphs">{escape(words)}</text>'
    )


def _words(label: dict[str, Any], level: Level) -> str:
    if level is not Level.CLEAR:
        return level.words.lower()
    if not label["code"]:
        return "no concerns · no code"
    held = [claim for claim in label["guarantees"] if not claim["conditions"] and claim["id"] in _SHORT]
    if not held:
        return "no concerns"
    part = "code" if all(claim["about"] == "code" for claim in held) else "scripts"
    return f"no concerns · {part}: {', '.join(_SHORT[claim['id']] for claim in held)}"


def _sentences(label: dict[str, Any]) -> Iterator[str]:
    """Return the whole content of the label, as text for people who cannot see it or want details."""
    worst = [counted(count, f"{severity} finding") for severity, count in label["findings"].items() if count]
    yield f"{', '.join(worst) or 'No findings'}."
    for claim in label["guarantees"]:
        if not claim["conditions"]:
            said = claim_text(claim)
            yield visible(f"{said[0].upper()}{said[1:]}.")
    if conditional := sum(bool(claim["conditions"]) for claim in label["guarantees"]):
        yield f"{counted(conditional, 'guarantee')} under conditions."
    unknown = label["not_understood"]
    yield f"Not understood: {counted(len(unknown['code']), 'location')} of code, {counted(unknown['sentences'], 'sentence')}."
    yield f"By Remit {visible(label['remit'])} for {label['content']}."
