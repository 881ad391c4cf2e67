"""A self-contained HTML page: no script, no request; its style is allowed by digest in its own policy."""

from __future__ import annotations

import base64
import hashlib

from remit.report.markup import Html, tag

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
