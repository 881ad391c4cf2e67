"""Inputs of a scan: skills, and places that contain skills."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

INSIDE = "!"  # between a place that is opened and a folder in it
_SPELLED = "\\ud"  # the prefix of a byte that is not UTF-8, spelled out


class PlaceKind(StrEnum):
    """How a place is opened."""

    ARCHIVE = "archive"
    REPOSITORY = "repository"


class SkillSource(NamedTuple):
    """An archive or a repository, which a worker opens; its number of skills is unknown before."""

    kind: PlaceKind
    source: str  # as the user or the index names it
    where: str  # the file, folder or URL
    revision: str = ""  # of a repository; empty for what it calls HEAD
    called: str = ""  # the name in the index
    digest: str = ""  # the name of its one skill, according to the index

    @property
    def location(self) -> str:
        """The name of the place itself."""
        return self.source

    @property
    def meant(self) -> tuple[str, ...]:
        """Return what is opened, and its required digest."""
        return self.where, self.revision, self.digest


class Item(NamedTuple):
    """One skill: its name in the table, and its folder."""

    location: str
    source: str
    path: str
    folder: str
    called: str = ""
    digest: str = ""

    @property
    def meant(self) -> tuple[str, ...]:
        """Return what is read, and its required digest."""
        return self.folder, self.digest


class Bad(NamedTuple):
    """A place, or a skill in it, that is known to be unreadable; with the reason."""

    location: str
    source: str
    path: str
    error: str
    called: str = ""

    @property
    def meant(self) -> tuple[str, ...]:
        """Return nothing: it is not read."""
        return ()

    @property
    def item(self) -> Item:
        """Return it as the table names it."""
        return Item(self.location, self.source, self.path, "", self.called)


Wanted: TypeAlias = "SkillSource | Item | Bad"
_FORMS: dict[str, Any] = {"place": SkillSource, "item": Item, "bad": Bad}
_NAMES = {form: name for name, form in _FORMS.items()}


def encode(wanted: Wanted) -> list[Any]:
    """Return JSON values."""
    return [_NAMES[type(wanted)], *wanted]


def decode(data: list[Any]) -> Wanted:
    """Parse our own JSON values."""
    name, *fields = data
    out: Wanted = _FORMS[name](*fields)
    return out._replace(kind=PlaceKind(out.kind)) if isinstance(out, SkillSource) else out


def located(source: str, path: str) -> str:
    """Return the name of a folder in a place that is opened."""
    return source if path == "." else f"{source}{INSIDE}{path}"


def spelled(name: str) -> str:
    """Return a name as the table can hold it: bytes that are not UTF-8 are spelled out. Distinct names stay distinct."""
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    if text == name and _SPELLED not in name:
        return name
    return name.replace("\\", "\\\\").encode("utf-8", "backslashreplace").decode("utf-8")
