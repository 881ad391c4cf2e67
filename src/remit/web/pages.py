"""What a browser is given: pages that load nothing from anywhere else."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from re import DOTALL, findall

from starlette.responses import HTMLResponse

_FOLDER = Path(__file__).with_name("pages")
CHAT = "chat.html"


def page(name: str) -> HTMLResponse:
    """A page. Only the script and the style that stand in it run: what somebody smuggles in does not."""
    text = (_FOLDER / name).read_text("utf-8")
    scripts, styles = (_allowed(text, tag) for tag in ("script", "style"))
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return HTMLResponse(
        text,
        headers={
            "content-security-policy": policy,
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff",
            "cache-control": "no-store",
        },
    )


def _allowed(text: str, tag: str) -> str:
    found = findall(rf"<{tag}>(.*?)</{tag}>", text, DOTALL)
    return " ".join(f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in found) or "'none'"
