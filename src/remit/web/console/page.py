"""What a page is: a line of the registry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

Form = Mapping[str, str]
Show = Callable[[Request], Awaitable[Response]]
Take = Callable[[Request, Form], Awaitable[Response]]


class Page(NamedTuple):
    """A page, or something that pages ask for."""

    path: str  # below the base, as Starlette writes routes
    title: str
    section: str  # the entry of the menu that it belongs to
    show: Show | None = None  # answers GET
    take: Take | None = None  # answers POST, and is given the form, whose token was checked


class Section(NamedTuple):
    """An entry of the menu. `key`: after `g`, the key that leads there."""

    name: str
    title: str
    path: str
    key: str


class WrongPageError(Exception):
    """A handler cannot show what it was asked for."""

    def __init__(self, status: int, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.remedy = remedy
