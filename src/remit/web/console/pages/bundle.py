"""Page of a skill's bundle: each admission step with its result, and the evidence level.

A result is for one content and one trust root. It is computed again when either changes, and after some minutes,
because signatures expire.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from starlette.responses import RedirectResponse, Response

from remit.core.errors import RemitError
from remit.web.console.page import Form, WrongPageError
from remit.web.console.pages.skill import content_of, looked_at
from remit.web.console.pages.waiting import answered, stamp
from remit.web.console.rendering import page
from remit.web.console.request_context import console_of, link

if TYPE_CHECKING:
    from starlette.requests import Request

    from remit.web.console.library import KnownSkill

_LASTS = 300  # seconds
STATES = {"ok": "good", "failed": "bad", "skipped": "", "unclaimed": ""}


async def show(request: Request) -> Response:
    """Return the steps; verification starts with the first request, and again when the skill changed."""
    known = looked_at(request)
    if console_of(request).settings.trust_root is None:
        return page(request, "bundle.html", title=f"Bundle of {known.name}", known=known, found=None, states=STATES)
    content = await content_of(request, known)
    found = answered(request, _key(request, known, content), _verifying(request, known, content), _LASTS)
    if found is None:
        return page(
            request,
            "waiting.html",
            title=f"Bundle of {known.name}",
            known=known,
            at="bundle",
            doing="Each step is done again, from the digests to the proofs",
        )
    assert known.looked is not None
    if content == known.looked.content:
        console_of(request).library.holds(known, found["level"])
    else:
        console_of(request).library.look_at(known)
    return page(
        request, "bundle.html", title=f"Bundle of {known.name}", known=known, found=_with_reasons(found), states=STATES
    )  # fmt: skip


async def again(request: Request, _: Form) -> Response:
    """Verify again."""
    known = looked_at(request)
    if console_of(request).settings.trust_root is None:
        raise WrongPageError(409, "there is no trust root", "start the console with `--trust-root FILE`")
    content = await content_of(request, known)
    console_of(request).jobs.begin(_key(request, known, content), _verifying(request, known, content))
    return RedirectResponse(link(request, f"/skill/{known.ident}/bundle"), 303)


def _key(request: Request, known: KnownSkill, content: str) -> str:
    root = console_of(request).settings.trust_root
    assert root is not None
    return f"verify {known.ident} {content} {stamp(root)}"


def _verifying(request: Request, known: KnownSkill, content: str) -> Callable[[], Awaitable[dict[str, Any]]]:
    console = console_of(request)
    assert console.settings.trust_root is not None
    root = console.settings.trust_root

    async def verify() -> dict[str, Any]:
        found = await console.work.verify(known.folder, root)
        if await content_of(request, known) != content:
            raise RemitError("the skill changed while it was verified", "load the page again")
        return found

    return verify


def _with_reasons(found: dict[str, Any]) -> dict[str, Any]:
    """Return the steps with their reasons."""
    steps = [
        {**step, "reasons": [one for one in found["reasons"] if one["step"] == step["step"]]} for step in found["steps"]
    ]
    return {**found, "steps": steps, "others": [one for one in found["reasons"] if not one["step"]]}
