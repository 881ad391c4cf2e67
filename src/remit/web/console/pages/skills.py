"""All skills below the folders: what each can do, and whether it stays inside its manifest."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.responses import JSONResponse, RedirectResponse

from remit.report.wording import LEVELS, rank
from remit.web.console.asking import console_of, link
from remit.web.console.rendering import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from remit.web.console.library import Known
    from remit.web.console.page import Form

# verdicts, the worst first, and how they look
VERDICTS = {"failed": "bad", "escapes": "bad", "opaque": "unknown", "undeclared": "warn", "contained": "good"}
WAITING = "waiting"
_ORDER = (*VERDICTS, WAITING)
_ROWS = 50  # on one page


class Wanted(NamedTuple):
    """What of the list is to be seen."""

    text: str = ""  # in its name, its place, or a capability
    verdict: str = ""
    level: str = ""  # of a capability that it has
    page: int = 1

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Wanted:
        """From an address; what is not understood is left out."""
        number = query.get("page", "")
        return cls(
            query.get("q", "")[:200].strip().lower(),
            query["verdict"] if query.get("verdict") in _ORDER else "",
            query["level"] if query.get("level") in LEVELS else "",
            max(1, int(number)) if number.isascii() and number.isdigit() and len(number) < 7 else 1,
        )

    def fits(self, known: Known) -> bool:
        """Whether a skill is meant, but for its verdict."""
        capabilities = known.looked.row.capabilities if known.looked else ()
        if self.level and not any(level == self.level for _, level in capabilities):
            return False
        words = (known.name, known.shown, *(name for name, _ in capabilities))
        return not self.text or any(self.text in word.lower() for word in words)


async def show(request: Request) -> Response:
    """The page."""
    return page(request, "skills.html", **_listed(request))


async def rows(request: Request) -> Response:
    """The list alone, for the script that filters it."""
    return page(request, "skill_rows.html", **_listed(request))


async def state(request: Request) -> Response:
    """How far the look is."""
    return JSONResponse(console_of(request).library.progress._asdict())


async def look(request: Request, _: Form) -> Response:
    """Look at everything again."""
    console_of(request).library.look()
    return RedirectResponse(link(request, "/"), 303)


def verdict_of(known: Known) -> str:
    """One of the verdicts; a skill at which nobody has looked yet waits."""
    return known.looked.row.verdict if known.looked else WAITING


def _listed(request: Request) -> dict[str, Any]:
    library = console_of(request).library
    wanted = Wanted.read(request.query_params)
    fitting = [known for known in library.skills() if wanted.fits(known)]
    counts = Counter(map(verdict_of, fitting))
    found = [known for known in fitting if not wanted.verdict or verdict_of(known) == wanted.verdict]
    found.sort(key=_rank)
    pages = max(1, -(-len(found) // _ROWS))
    number = min(wanted.page, pages)
    return {
        "wanted": wanted._replace(page=number),
        "counts": [(name, counts[name]) for name in _ORDER if counts[name]],
        "all": len(fitting),
        "found": len(found),
        "rows": found[(number - 1) * _ROWS : number * _ROWS],
        "pages": pages,
        "progress": library.progress,
        "wrong": library.wrong,
        "folders": library.folders,
        "levels": [str(level) for level in LEVELS],
        "looks": VERDICTS,
        "verdict_of": verdict_of,
        "few": _few,
    }


def _rank(known: Known) -> tuple[Any, ...]:
    """The worst first: by verdict, then by the worst capability, then by name."""
    worst = known.looked.row.capabilities[0][0] if known.looked and known.looked.row.capabilities else ""
    return _ORDER.index(verdict_of(known)), rank(worst)[0] if worst else len(LEVELS), known.name, known.shown


def _few(capabilities: Iterable[tuple[str, str]], most: int = 5) -> tuple[list[tuple[str, str]], int]:
    listed = list(capabilities)
    return (listed, 0) if len(listed) <= most + 1 else (listed[:most], len(listed) - most)
