"""Form of a page in the registry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

Form = Mapping[str, str]
Show = Callable[[Request], Awaitable[Response]]
Take = Callable[[Request, Form], Awaitable[Response]]


class Page(NamedTuple):
    """A page, or a resource of pages."""

    path: str  # below the base, in Starlette's route syntax
    title: str
    section: str  # its menu entry
    show: Show | None = None  # handles GET
    take: Take | None = None  # handles POST; gets the form after its token was checked


class Section(NamedTuple):
    """A menu entry. `key`: pressed after `g`, it opens the entry."""

    name: str
    title: str
    path: str
    key: str


class WrongPageError(Exception):
    """A handler cannot answer the request."""

    def __init__(self, status: int, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.remedy = remedy
