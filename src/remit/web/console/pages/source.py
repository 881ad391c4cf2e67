"""Page of a source file of a skill: a line, its effects, and the calls that lead to it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.digest import bytes_digest
from remit.core.location import Location
from remit.gateway.acts import RefusedError
from remit.gateway.workspace import MOST_BYTES, Workspace
from remit.web.console.page import WrongPageError
from remit.web.console.pages.skill import analysed, placing, report_of
from remit.web.console.rendering import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from remit.checker.report import Report
    from remit.core.effect import Effect
    from remit.web.console.library import KnownSkill

_LINES = 20_000  # of a file


class SourceLine(NamedTuple):
    """A line of the file. `mark`: CSS class of the worst effect there."""

    number: int
    text: str
    mark: str = ""
    here: bool = False


async def show(request: Request) -> Response:
    """Return the page."""
    known = analysed(request)
    report = await report_of(request, known)
    found = report.found
    digests = dict(found.digests)
    file, number = request.query_params.get("file", ""), request.query_params.get("line", "0")
    listed = sorted(
        {*digests, *(place.file for place in report.places())} - {"", "."}
    )  # entries for the whole skill are no files
    if file not in listed:  # no other file is opened, whatever the URL names
        raise WrongPageError(404, f"`{file}` is no file of this skill that was looked into", "go back to the skill")
    line = int(number) if number.isascii() and number.isdigit() and len(number) < 8 else 0
    text = await asyncio.to_thread(_read, known, file)
    here = [effect for effect in found.effects if effect.where == Location(file, line)]
    return page(
        request,
        "source.html",
        title=f"{file} · {known.name}",
        known=known,
        file=file,
        files=listed,
        line=line,
        lines=_shown(text, file, line, report),
        cut=text.count("\n") >= _LINES,
        changed=digests.get(file) not in (None, bytes_digest(text.encode())),
        findings=[one for one in report.findings if Location(file, line) in [item.where for item in one.witnesses]],
        here=list(dict.fromkeys(here)),
        unknown=[item for item in found.opaque if item.where == Location(file, line)],
        place=placing(request, known),
        levels={effect.capability: str(vocabulary()[effect.capability].level) for effect in here},
        at=Location,
    )


def _read(known: KnownSkill, file: str) -> str:
    """Return the current content of a file. No link is followed, so nothing outside the skill is shown."""
    try:
        return Workspace(known.folder).read(file)
    except RefusedError as error:
        why = {"NOT_FOUND": "it no longer exists", "NOT_TEXT": f"it is no text of at most {MOST_BYTES} bytes"}
        said = why.get(error.refused.code, "a link leads to it, or out of the skill")
        raise WrongPageError(409, f"`{file}` is not shown: {said}", "look at it where it is") from None


def _shown(text: str, file: str, line: int, report: Report) -> list[SourceLine]:
    marks: dict[int, str] = {}
    for effect in sorted(report.found.effects, key=_level):
        if effect.where.file == file:
            marks[effect.where.line] = f"level-{vocabulary()[effect.capability].level}"
    marks |= {item.where.line: "unknown" for item in report.found.opaque if item.where.file == file}
    marks |= {item.where.line: "escape" for one in report.concerns for item in one.witnesses if item.where.file == file}
    marks |= {item.effect.where.line: "escape" for item in report.containment.escapes if item.effect.where.file == file}
    return [
        SourceLine(number, one.expandtabs(4), marks.get(number, ""), number == line)
        for number, one in enumerate(text.split("\n")[:_LINES], 1)
    ]


def _level(effect: Effect) -> int:
    """Return the sort key: the worst last, so that its mark wins."""
    return ("normal", "redact", "dangerous", "system").index(str(vocabulary()[effect.capability].level))
