"""What a handler is given: who asks, the console behind it, and what was sent, if it holds the token of the session."""

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
_MOST = 2 * 1024 * 1024  # bytes of what a page sends; a manifest is smaller
_FIELDS = 200


def console_of(request: Request) -> Console:
    """The console that is asked."""
    console: Console = request.app.state.console
    return console


def link(request: Request, path: str, **query: str) -> str:
    """The address of a page of ours: the path below the base. What stands in braces elsewhere is quoted by the caller."""
    tail = f"?{urlencode(query)}" if query else ""
    return f"{console_of(request).sessions.base}{quote(path)}{tail}"


async def read_form(request: Request) -> dict[str, str]:
    """What a page of ours sent (as a form, or by a script in the form of one), with the token of its session: (6) of the gate."""
    fields = await read_fields(request)
    expected = request.state.session.token
    if not compare_digest(fields.pop(TOKEN, "").encode(), expected.encode()):
        raise WrongPageError(403, "what was sent does not come from a page of this session", "load the page again")
    return fields


async def read_fields(request: Request) -> dict[str, str]:
    """The fields of a form, each once."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise WrongPageError(415, "what was sent is no form", "send it as `application/x-www-form-urlencoded`")
    body = await read_body(request, _MOST)
    if body is None:
        raise WrongPageError(413, "what was sent is too long", f"send at most {_MOST} bytes")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_FIELDS, errors="strict")
    except ValueError:
        raise WrongPageError(400, "what was sent is no form", "load the page again") from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise WrongPageError(400, "a field was sent twice", "load the page again")
    return fields


def wants_json(headers: Mapping[str, str]) -> bool:
    """Whether a script of a page asks, and not a person."""
    return "application/json" in headers.get("accept", "")
