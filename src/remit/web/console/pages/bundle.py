"""The bundle of a skill: each step of its admission with the result, and the level that holds. Nothing is remembered of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import RedirectResponse

from remit.web.console.asking import console_of, link
from remit.web.console.page import WrongPageError
from remit.web.console.pages.skill import looked_at
from remit.web.console.pages.waiting import answered
from remit.web.console.rendering import page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from remit.web.console.library import Known
    from remit.web.console.page import Form

STATES = {"ok": "good", "failed": "bad", "skipped": "", "unclaimed": ""}


async def show(request: Request) -> Response:
    """The steps; begun when the page is first asked for, and again when the skill changed."""
    known = looked_at(request)
    if console_of(request).settings.trust_root is None:
        return page(request, "bundle.html", title=f"Bundle of {known.name}", known=known, found=None, states=STATES)
    found = answered(request, _key(known), _verifying(request, known))
    if found is None:
        return page(
            request,
            "waiting.html",
            title=f"Bundle of {known.name}",
            known=known,
            at="bundle",
            doing="Each step is done again, from the digests to the proofs",
        )
    console_of(request).library.holds(known, found["level"])
    return page(
        request, "bundle.html", title=f"Bundle of {known.name}", known=known, found=_with_reasons(found), states=STATES
    )  # fmt: skip


async def again(request: Request, _: Form) -> Response:
    """Do it anew."""
    known = looked_at(request)
    if console_of(request).settings.trust_root is None:
        raise WrongPageError(409, "there is no trust root", "start the console with `--trust-root FILE`")
    console_of(request).jobs.begin(_key(known), _verifying(request, known))
    return RedirectResponse(link(request, f"/skill/{known.ident}/bundle"), 303)


def _key(known: Known) -> str:
    assert known.looked is not None
    return f"verify {known.ident} {known.looked.content}"


def _verifying(request: Request, known: Known) -> Callable[[], Awaitable[dict[str, Any]]]:
    console = console_of(request)
    assert console.settings.trust_root is not None
    root = console.settings.trust_root
    return lambda: console.work.verify(known.folder, root)


def _with_reasons(found: dict[str, Any]) -> dict[str, Any]:
    """Each step with the reasons that belong to it."""
    steps = [
        {**step, "reasons": [one for one in found["reasons"] if one["step"] == step["step"]]} for step in found["steps"]
    ]
    return {**found, "steps": steps, "others": [one for one in found["reasons"] if not one["step"]]}
