"""Page of all skills, the worst first: whether to install each, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.responses import JSONResponse, RedirectResponse, Response

from remit.report.first_screen import ANSWERS
from remit.web.console.rendering import page
from remit.web.console.request_context import console_of, link

if TYPE_CHECKING:
    from starlette.requests import Request

    from remit.web.console.library import KnownSkill
    from remit.web.console.page import Form

# answers with label and style, the worst first
_SHOWN = {
    "failed": ("cannot be read", "bad"), "block": ("do not install", "bad"), "review": ("look at first", "warn"),
    "outside": ("outside of the manifest", "bad"), "clear": ("no concerns", "good"), "waiting": ("waiting", ""),
}  # fmt: skip
_WAITING = "waiting"
_ORDER = (*ANSWERS, _WAITING)
_ROWS = 50  # on one page


class SkillFilter(NamedTuple):
    """The filter of the list."""

    text: str = ""  # in name, path, capability or reason
    answer: str = ""
    page: int = 1

    @classmethod
    def read(cls, query: Mapping[str, str]) -> SkillFilter:
        """Return the filter in a URL; unknown values are ignored."""
        number = query.get("page", "")
        return cls(
            query.get("q", "")[:200].strip().lower(),
            query["answer"] if query.get("answer") in _ORDER else "",
            max(1, int(number)) if number.isascii() and number.isdigit() and len(number) < 7 else 1,
        )

    def fits(self, known: KnownSkill) -> bool:
        """Return whether a skill matches, apart from its answer."""
        row = known.looked.row if known.looked else None
        words = (known.name, known.shown, *((row.why, *row.capabilities) if row else ()))
        return not self.text or any(self.text in word.lower() for word in words)


async def show(request: Request) -> Response:
    """Return the page."""
    return page(request, "skills.html", **_listed(request))


async def rows(request: Request) -> Response:
    """Return the list alone, for the filter script."""
    return page(request, "skill_rows.html", **_listed(request))


async def state(request: Request) -> Response:
    """Return the progress of the analysis."""
    return JSONResponse(console_of(request).library.progress._asdict())


async def look(request: Request, _: Form) -> Response:
    """Start an analysis of everything."""
    console_of(request).library.look()
    return RedirectResponse(link(request, "/"), 303)


def _answer_of(known: KnownSkill) -> str:
    """Return the skill's answer; `waiting` before its analysis."""
    return known.looked.row.answer if known.looked else _WAITING


def _listed(request: Request) -> dict[str, Any]:
    library = console_of(request).library
    wanted = SkillFilter.read(request.query_params)
    fitting = [known for known in library.skills() if wanted.fits(known)]
    counts = Counter(map(_answer_of, fitting))
    found = [known for known in fitting if not wanted.answer or _answer_of(known) == wanted.answer]
    found.sort(key=_rank)
    pages = max(1, -(-len(found) // _ROWS))
    number = min(wanted.page, pages)
    return {
        "wanted": wanted._replace(page=number),
        "counts": [(name, *_SHOWN[name], counts[name]) for name in _ORDER if counts[name]],
        "all": len(fitting),
        "found": len(found),
        "rows": found[(number - 1) * _ROWS : number * _ROWS],
        "pages": pages,
        "progress": library.progress,
        "wrong": library.wrong,
        "folders": library.folders,
        "looks": {name: look for name, (_, look) in _SHOWN.items()},
    }


def _rank(known: KnownSkill) -> tuple[Any, ...]:
    """Return the sort key: the worst first, skills that wait last."""
    row = known.looked.row if known.looked else None
    return _ORDER.index(_answer_of(known)), row.badness if row else (), known.name, known.shown
