"""Page of one skill: whether to install it and why, its guarantees, and (folded) the map and all effects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from markupsafe import Markup
from starlette.responses import JSONResponse, Response

from remit.report.first_screen import answer_of
from remit.report.html_skill import skill_answer
from remit.web.console.page import WrongPageError
from remit.web.console.rendering import page
from remit.web.console.request_context import console_of, link

if TYPE_CHECKING:
    from starlette.requests import Request

    from remit.checker.report import Report
    from remit.core.location import Location
    from remit.web.console.library import KnownSkill


def skill_of(request: Request) -> KnownSkill:
    """Return the skill in the URL."""
    known = console_of(request).library.get(request.path_params["ident"])
    if known is None:
        raise WrongPageError(
            404, "there is no such skill below the folders of this console", "look at the list of skills"
        )
    return known


def looked_at(request: Request) -> KnownSkill:
    """Return the skill in the URL, if it was looked at."""
    known = skill_of(request)
    if known.looked is None:
        raise WrongPageError(409, "this skill is not analysed yet", "wait a moment, and load the page again")
    return known


def analysed(request: Request) -> KnownSkill:
    """Return the skill in the URL, if its analysis succeeded."""
    known = looked_at(request)
    assert known.looked is not None
    if not known.looked.effects:
        message, remedy = known.looked.row.failure or ("there is no result for it", "look again")
        raise WrongPageError(422, f"this skill could not be analysed: {message}", remedy)
    return known


async def report_of(request: Request, known: KnownSkill) -> Report:
    """Return the report on an analysed skill; computed in a thread, so that other pages go on."""
    return await asyncio.to_thread(console_of(request).library.report, known)


async def content_of(request: Request, known: KnownSkill) -> str:
    """Return the fingerprint of a skill's current content; computed in a thread."""
    return await asyncio.to_thread(console_of(request).work.content, known.folder)


async def show(request: Request) -> Response:
    """Return the page if the analysis matches the current content.

    The skill is analysed again in the background, and the page reports a change.
    """
    known = skill_of(request)
    console_of(request).library.look_at(known)
    looked = known.looked
    if looked is None or (looked.effects and await content_of(request, known) != looked.content):
        return page(request, "skill_waiting.html", title=known.name, known=known)
    report = await report_of(request, known)
    return page(
        request,
        "skill.html",
        title=known.name,
        known=known,
        row=looked.row,
        report=report,
        look=answer_of(report),
        answer=Markup(skill_answer(report, placing(request, known))),  # noqa: S704  escapes its input
    )


async def state(request: Request) -> Response:
    """Return the fingerprint of the analysed content; a page that shows another one is outdated."""
    known = skill_of(request)
    return JSONResponse({"content": known.looked.content if known.looked else None})


# ── where things lead ──


def placing(request: Request, known: KnownSkill) -> Callable[[Location], str]:
    """Return a function that links a location in the source."""

    def place(where: Location) -> str:
        query = {"file": where.file, "line": str(where.line)}
        return f"{link(request, f'/skill/{known.ident}/source', **query)}#L{where.line}"

    return place
