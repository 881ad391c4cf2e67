"""One skill: the map of what it can do, what is wrong and what to do, then everything else, the worst first."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup
from starlette.responses import JSONResponse

from remit.core.capability import vocabulary
from remit.proof import remedy_for
from remit.report.map_model import Kind
from remit.report.map_svg import map_svg
from remit.report.wording import rank, verdict_words
from remit.web.console.asking import console_of, link
from remit.web.console.page import WrongPageError
from remit.web.console.pages.skills import VERDICTS
from remit.web.console.rendering import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from remit.checker.report import Report
    from remit.core.effect import Effect
    from remit.core.location import Location
    from remit.report.map_model import Node
    from remit.web.console.library import Known


class Line(NamedTuple):
    """One scope of a capability: its first place, and how many others there are."""

    scope: str
    where: Location
    more: int
    why: str
    origin: str
    url: str


class Group(NamedTuple):
    """Lines under one capability; `says` is why they are listed, `remedy` what to do."""

    capability: str
    level: str
    lines: tuple[Line, ...]
    says: str = ""
    remedy: str = ""


def skill_of(request: Request) -> Known:
    """The skill that the address names."""
    known = console_of(request).library.get(request.path_params["ident"])
    if known is None:
        raise WrongPageError(
            404, "there is no such skill below the folders of this console", "look at the list of skills"
        )
    return known


def looked_at(request: Request) -> Known:
    """The same, if it was looked at."""
    known = skill_of(request)
    if known.looked is None:
        raise WrongPageError(409, "this skill is not analysed yet", "wait a moment, and load the page again")
    return known


def analysed(request: Request) -> Known:
    """The same, if the look found out what it can do."""
    known = looked_at(request)
    assert known.looked is not None
    if not known.looked.effects:
        message, remedy = known.looked.row.failure or ("nothing is known of it", "look again")
        raise WrongPageError(422, f"this skill could not be analysed: {message}", remedy)
    return known


async def report_of(request: Request, known: Known) -> Report:
    """The report on a skill that was looked at; made in a thread, so that other pages go on."""
    return await asyncio.to_thread(console_of(request).library.report, known)


async def content_of(request: Request, known: Known) -> str:
    """The fingerprint of what lies in the folder of a skill now; hashed in a thread."""
    return await asyncio.to_thread(console_of(request).work.content, known.folder)


async def show(request: Request) -> Response:
    """The page, if what was looked at is what lies there now. The skill is looked at again behind it, and the page says if that changes something."""
    known = skill_of(request)
    console_of(request).library.look_at(known)
    looked = known.looked
    if looked is None or (looked.effects and await content_of(request, known) != looked.content):
        return page(request, "skill_waiting.html", title=known.name, known=known)
    report = await report_of(request, known)
    places = placing(request, known)
    held = report.containment
    return page(
        request,
        "skill.html",
        title=known.name,
        known=known,
        row=looked.row,
        report=report,
        says="failed" if report.failure else verdict_words(report),
        look=VERDICTS["failed" if report.failure else str(report.verdict)],
        picture=Markup(map_svg(report, leading(request, known))),  # noqa: S704  which escapes what it is given
        escapes=list(_escapes(report, places)),
        denied=list(grouped((item.effect for item in held.denied), places)),
        effects=list(grouped(report.found.effects, places)),
        meanings={name: vocabulary()[name].meaning for name in {effect.capability for effect in report.found.effects}},
        place=places,
    )


async def state(request: Request) -> Response:
    """What was analysed: a page that shows something else is an old one."""
    known = skill_of(request)
    return JSONResponse({"content": known.looked.content if known.looked else None})


# ── where things lead ──


def placing(request: Request, known: Known) -> Callable[..., str]:
    """Makes the address of a place in the source; with a capability and a scope, of one thing that happens there."""

    def place(where: Location, capability: str = "", scope: str = "") -> str:
        query = {"file": where.file, "line": str(where.line)}
        if capability:
            query |= {"capability": capability, "scope": scope}
        return f"{link(request, f'/skill/{known.ident}/source', **query)}#L{where.line}"

    return place


def leading(request: Request, known: Known) -> Callable[[Node], str | None]:
    """Where the nodes of the map lead: to the line, or to the list of all lines."""
    places = placing(request, known)

    def href(node: Node) -> str | None:
        match node.kind:
            case Kind.SCOPE | Kind.REASON if node.places:
                return places(node.places[0], node.capability, node.name if node.capability else "")
            case Kind.CAPABILITY:
                return f"#can-{node.name}"
            case Kind.OPAQUE | Kind.REASON:
                return "#opaque"
            case Kind.MORE:
                return f"#can-{node.capability}" if node.capability else "#opaque"
        return None

    return href


# ── what is listed ──


def grouped(effects: Iterable[Effect], places: Callable[..., str]) -> Iterable[Group]:
    """Effects by capability, the worst first; those of one scope are one line."""
    groups: dict[str, list[Effect]] = {}
    for effect in effects:
        groups.setdefault(effect.capability, []).append(effect)
    for name in sorted(groups, key=rank):
        yield Group(name, str(vocabulary()[name].level), tuple(_lines(groups[name], places)))


def _escapes(report: Report, places: Callable[..., str]) -> Iterable[Group]:
    groups: dict[tuple[str, str, bool], list[Effect]] = {}
    for item in sorted(report.containment.escapes, key=lambda one: rank(one.effect.capability)):
        groups.setdefault((item.effect.capability, item.reason, item.declared), []).append(item.effect)
    for (name, reason, declared), effects in groups.items():
        lines = tuple(_lines(effects, places))
        yield Group(name, str(vocabulary()[name].level), lines, reason, remedy_for(effects, declared=declared))


def _lines(effects: Iterable[Effect], places: Callable[..., str]) -> Iterable[Line]:
    groups: dict[tuple[str, str], list[Effect]] = {}
    for effect in effects:
        groups.setdefault((effect.scope.render(), str(effect.origin)), []).append(effect)
    for (scope, origin), found in groups.items():
        first = found[0]
        url = places(first.where, first.capability, scope)
        yield Line(scope, first.where, len(found) - 1, first.why, origin, url)
