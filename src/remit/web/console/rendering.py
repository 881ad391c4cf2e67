"""Rendering of templates: all values are escaped, and an undefined name is an error."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from remit.core.counting import counted
from remit.report.screen import visible
from remit.version import VERSION
from remit.web.console.request_context import console_of, link

if TYPE_CHECKING:
    from starlette.requests import Request

_FOLDER = Path(__file__).with_name("templates")


@cache
def templates() -> Environment:
    """Return the template environment.

    The filter `visible` is for untrusted names and texts: it shows control and bidirectional characters as escapes.
    """
    found = Environment(
        loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, auto_reload=False,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    found.filters["counted"] = counted
    found.filters["visible"] = visible
    found.filters["told"] = told
    found.filters["place"] = place
    return found


def prepare() -> None:
    """Compile all templates, so that the first page is fast."""
    for name in templates().list_templates():
        templates().get_template(name)


def page(request: Request, template: str, *, status: int = 200, title: str = "", **context: Any) -> HTMLResponse:
    """Return a rendered page.

    Templates get `link`, `token`, `title`, `sections`, `section` and the page's own values.
    """
    return HTMLResponse(piece(request, template, title=title, **context), status)


def piece(request: Request, template: str, *, title: str = "", **context: Any) -> Markup:
    """Return a page, or a part of one, as HTML."""
    from remit.web.console.registry import SECTIONS  # noqa: PLC0415  the registry imports the pages, which import this

    known = getattr(request.state, "page", None)
    session = getattr(request.state, "session", None)
    console = console_of(request)
    text = templates().get_template(template).render(
        link=lambda path, **query: link(request, path, **query),
        asset=console.assets.link,
        token=session.token if session else "",
        base=console.sessions.base if session else "",
        title=title or (known.title if known else ""),
        section=known.section if known else "",
        sections=SECTIONS if session else (),
        version=VERSION,
        job=getattr(request.state, "job", ""),
        **context,
    )  # fmt: skip
    return Markup(text)  # noqa: S704  templates escape their values


def told(text: str) -> Markup:
    """Return a message as HTML, with text in backticks as code. All of it may contain untrusted text."""
    parts = visible(text).split("`")
    if len(parts) % 2 == 0:  # a backtick is missing
        return escape(visible(text))
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(part) if number % 2 else escape(part) for number, part in enumerate(parts))


def place(path: Path) -> str:
    """Return a path for display; the home folder becomes `~`."""
    home = Path.home()
    inside = path.is_relative_to(home) and path != home and home != Path(path.anchor)
    return visible(f"~/{path.relative_to(home).as_posix()}" if inside else str(path))
