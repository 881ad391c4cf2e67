"""HTML whose texts are safe by construction: anything but `Html` is a text, and is escaped and made visible."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape

from remit.report.screen import visible

_EMPTY = frozenset({"meta", "br", "img"})


class Html(str):
    """Text that is markup already. The code that creates one vouches for it."""

    __slots__ = ()


def text(value: str) -> Html:
    """Return any text as markup that only shows it."""
    return Html(escape(visible(value)))


def tag(name: str, /, *inside: str, **attributes: str | None) -> Html:
    """Return an element. Attributes that are None are left out; `class_` and `data_x` are written `class` and `data-x`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(inside)}</{name}>")


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Concatenate pieces."""
    return Html(text(between).join(part if isinstance(part, Html) else text(part) for part in parts))


_POLICY = "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'"


def page(title: str, style: str, body: Html) -> str:
    """Return the whole page."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = _POLICY.format(digest)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        Html(f"<style>{style}</style>"),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"
