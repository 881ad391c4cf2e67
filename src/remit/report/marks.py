"""Marks of maps and pages: standing relative to the manifest, and level of harm, as shapes that need no colour."""

from __future__ import annotations

from remit.core.capability import Level
from remit.report.map_model import Stand
from remit.report.screen import width_of

_PIPS = {Level.NORMAL: 1, Level.DANGEROUS: 2, Level.REDACT: 2, Level.SYSTEM: 3}
MARKS = {
    Stand.OUTSIDE: '<path fill-rule="evenodd" d="M0-9 10 8H-10ZM-1.3-3.5H1.3L.8 3H-.8ZM-1 4.4H1V6.3H-1Z"/>',
    Stand.UNKNOWN: '<path d="M-4.5-7.5H4.5L9 0 4.5 7.5H-4.5L-9 0Z" fill="none" stroke="currentColor" stroke-width="1.6"/>'
    '<path d="M-2.4-1.8A2.4 2.4 0 1 1 0 .6V1.6M0 4V4.2" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>',
    Stand.DENIED: '<path d="M-4.5 4.5 4.5-4.5M6.4 0A6.4 6.4 0 1 1 6.4-.01Z" fill="none" stroke="currentColor" stroke-width="2"/>',
    Stand.UNDECLARED: '<circle r="4.5" fill="none" stroke="currentColor" stroke-width="2"/>',
    Stand.INSIDE: '<circle r="5"/>',
}


def mark_shapes(prefix: str) -> str:
    """Return the shapes of all marks, to be drawn by name: a page or picture has them once."""
    return "".join(f'<g id="{prefix}-{stand}">{shape}</g>' for stand, shape in MARKS.items())


def drawn_mark(prefix: str, stand: Stand, more: str = "") -> str:
    """Return one mark, on a page with `mark_shapes`; `more` are attributes."""
    return f'<use href="#{prefix}-{stand}"{more}/>'


def pips(level: Level, x: float, y: float) -> str:
    """Return the level as steps; masked values have bars across."""
    filled = _PIPS[level]
    heights = (6, 6, 6) if level is Level.REDACT else (4, 7, 10)
    return "".join(
        f'<rect x="{x + 8 * number:g}" y="{y + 6 - high:g}" width="6" height="{high}" rx="1.5"'
        + ("/>" if number < filled or level is Level.REDACT else ' fill-opacity=".25"/>')
        for number, high in enumerate(heights)
    )


def shorten(text: str, width: int) -> str:
    """Shorten a text to a number of columns, without its middle: paths and hosts differ at both ends."""
    if width_of(text) <= width:
        return text
    tail = text[-(width // 2) :]
    while width_of(tail) > width // 2:
        tail = tail[1:]
    head = text[: width - width_of(tail) - 1]
    while width_of(head) + width_of(tail) + 1 > width:
        head = head[:-1]
    return f"{head}…{tail}"
