"""Context of a request: the console, links, and the submitted form after a check of its token."""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from remit.authority.wire.bodies import read_body
from remit.web.console.page import WrongPageError

if TYPE_CHECKING:
    from starlette.requests import Request

    from remit.web.console.app import Console

TOKEN = "token"  # noqa: S105  the name of the field
_MOST = 2 * 1024 * 1024  # bytes of a form; a manifest is smaller
_FIELDS = 200


def console_of(request: Request) -> Console:
    """Return the console of a request."""
    console: Console = request.app.state.console
    return console


def link(request: Request, path: str, **query: str) -> str:
    """Return the URL of our page at a path below the base. Callers quote values in path parameters."""
    tail = f"?{urlencode(query)}" if query else ""
    return f"{console_of(request).sessions.base}{quote(path)}{tail}"


async def read_form(request: Request) -> dict[str, str]:
    """Return the submitted form after checking the session's token: (6) of the gate."""
    fields = await read_fields(request)
    expected = request.state.session.token
    if not compare_digest(fields.pop(TOKEN, "").encode(), expected.encode()):
        raise WrongPageError(403, "the form does not come from a page of this session", "load the page again")
    return fields


async def read_fields(request: Request) -> dict[str, str]:
    """Return the fields of a form; duplicates are refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise WrongPageError(415, "the request is not a form", "send it as `application/x-www-form-urlencoded`")
    body = await read_body(request, _MOST)
    if body is None:
        raise WrongPageError(413, "the form is too long", f"send at most {_MOST} bytes")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_FIELDS, errors="strict")
    except ValueError:
        raise WrongPageError(400, "the request is not a form", "load the page again") from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise WrongPageError(400, "a field was sent twice", "load the page again")
    return fields


def wants_json(headers: Mapping[str, str]) -> bool:
    """Return whether a script makes the request."""
    return "application/json" in headers.get("accept", "")
