"""HTML whose texts are safe by construction: what is no `Html` is a text, and is escaped and made visible."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from remit.report.screen import visible

_EMPTY = frozenset({"meta", "br", "img"})


class Html(str):
    """Text that is markup already. Whoever makes one vouches for it."""

    __slots__ = ()


def text(value: str) -> Html:
    """A text of anybody as markup that shows it and does nothing else."""
    return Html(escape(visible(value)))


def tag(name: str, /, *inside: str, **attributes: str | None) -> Html:
    """An element. Attributes that are None are left out; `class_` and `data_x` are written `class` and `data-x`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(inside)}</{name}>")


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Pieces one after the other."""
    return Html(text(between).join(part if isinstance(part, Html) else text(part) for part in parts))
