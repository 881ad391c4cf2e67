"""What a scan is given, and what it looks at: places that hold skills, and skills."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

INSIDE = "!"  # between a place that is opened and a folder in it
_SPELLED = "\\ud"  # how a byte that is no UTF-8 is spelled out begins


class Kind(StrEnum):
    """How a place is opened."""

    ARCHIVE = "archive"
    REPOSITORY = "repository"


class Place(NamedTuple):
    """An archive or a repository, which is opened by a worker; how many skills it holds is not known before."""

    kind: Kind
    source: str  # as the user or the index names it
    where: str  # the file, folder or URL
    revision: str = ""  # of a repository; empty for what it calls HEAD
    called: str = ""  # what the index calls it
    digest: str = ""  # what the index says that its one skill is

    @property
    def location(self) -> str:
        """The name of the place itself."""
        return self.source

    @property
    def meant(self) -> tuple[str, ...]:
        """What is opened, and what it must be."""
        return self.where, self.revision, self.digest


class Item(NamedTuple):
    """One skill: its name in the table, and the folder in which it can be read."""

    location: str
    source: str
    path: str
    folder: str
    called: str = ""
    digest: str = ""

    @property
    def meant(self) -> tuple[str, ...]:
        """What is read, and what it must be."""
        return self.folder, self.digest


class Bad(NamedTuple):
    """A place, or a skill in it, of which is known beforehand that it cannot be read; and why."""

    location: str
    source: str
    path: str
    error: str
    called: str = ""

    @property
    def meant(self) -> tuple[str, ...]:
        """Nothing: it is not read."""
        return ()

    @property
    def item(self) -> Item:
        """As the table names it."""
        return Item(self.location, self.source, self.path, "", self.called)


Wanted: TypeAlias = "Place | Item | Bad"
_FORMS: dict[str, Any] = {"place": Place, "item": Item, "bad": Bad}
_NAMES = {form: name for name, form in _FORMS.items()}


def encode(wanted: Wanted) -> list[Any]:
    """As JSON values."""
    return [_NAMES[type(wanted)], *wanted]


def decode(data: list[Any]) -> Wanted:
    """From JSON values of our own."""
    name, *fields = data
    out: Wanted = _FORMS[name](*fields)
    return out._replace(kind=Kind(out.kind)) if isinstance(out, Place) else out


def located(source: str, path: str) -> str:
    """The name of a folder in a place that is opened."""
    return source if path == "." else f"{source}{INSIDE}{path}"


def spelled(name: str) -> str:
    """A name as the table can hold it: bytes that are no UTF-8 are spelled out. No two names become the same."""
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    if text == name and _SPELLED not in name:
        return name
    return name.replace("\\", "\\\\").encode("utf-8", "backslashreplace").decode("utf-8")
