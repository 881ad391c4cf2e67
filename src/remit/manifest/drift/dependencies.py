"""Packages that a skill declares: code that is fetched from elsewhere on installation."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.skill.config_commands import loads

if TYPE_CHECKING:
    from remit.skill.model import Skill

_NODE = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(\[[^\]]*\])?\s*(.*)", re.DOTALL)
_REQUIREMENTS = re.compile(r"(?:.*/)?[\w.-]*requirements[\w.-]*\.(?:txt|in)", re.IGNORECASE)
_ELSEWHERE = re.compile(r"(?:@\s*)?(?:[a-z+]+:|[./~]|github:|[\w-]+/[\w.-]+(?:#|$))", re.IGNORECASE)
_SCRIPT = re.compile(rb"^# /// script\s*$\n((?:^#(?:| .*)$\n)+?)^# ///\s*$", re.MULTILINE)


class Dependency(NamedTuple):
    """One package. If it does not come from the usual registry, its location is part of its name."""

    name: str
    version: str
    file: str
    line: int


def dependencies(skill: Skill) -> Iterator[Dependency]:
    """Return every package that the files of a skill declare. A file that cannot be parsed here is still compared as a
    file.
    """
    for file in skill.files:
        data = skill.contents.get(file.path)
        name = file.path.rpartition("/")[2]
        if not data:
            continue
        try:
            if name == "package.json":
                found = [*_node(data)]
            elif _REQUIREMENTS.fullmatch(file.path):
                found = [*_lines(data)]
            elif name == "pyproject.toml":
                found = [*_project(data)]
            elif file.language == "python" and b"# /// script" in data:
                found = [*_inline(data)]
            else:
                continue
        except (ValueError, TypeError, AttributeError, RecursionError):
            continue
        at, line = 0, 1
        for name, version in found:  # in the order of the file, so that it is read once
            place = data.find(name.split(" ")[0].encode("utf-8", "surrogatepass"), at)
            if place >= 0:
                line += data.count(b"\n", at, place)
                at = place
            yield Dependency(name, version, file.path, line)


def _named(name: str, version: str) -> tuple[str, str]:
    version = " ".join(version.split())
    return (f"{name} from {version}", "") if _ELSEWHERE.match(version) else (name, version)


def _node(data: bytes) -> Iterator[tuple[str, str]]:
    value = loads(data)
    for key in _NODE:
        table = value.get(key)
        for name, version in table.items() if isinstance(table, dict) else ():
            yield _named(str(name), str(version))


def _requirement(text: str) -> Iterator[tuple[str, str]]:
    text = text.partition(" #")[0].partition(" --hash")[0].rstrip("\\ \t\r")
    found = _NAME.fullmatch(text)
    if found and not _ELSEWHERE.match(text):
        yield _named(found[1].lower().replace("_", "-"), found[3].partition(";")[0].strip())
    elif text.strip() and not text.lstrip().startswith(("#", "--hash")):
        yield " ".join(text.split()), ""  # an option (another index, another file), a path or an address


def _lines(data: bytes) -> Iterator[tuple[str, str]]:
    for line in data.decode("utf-8", "replace").splitlines():
        yield from _requirement(line)


def _project(data: bytes) -> Iterator[tuple[str, str]]:
    value = tomllib.loads(data.decode("utf-8", "replace"))
    project = value.get("project", {})
    groups: list[Any] = [project.get("dependencies", [])]
    groups += project.get("optional-dependencies", {}).values()
    groups += value.get("dependency-groups", {}).values()
    groups.append(value.get("build-system", {}).get("requires", []))
    for group in groups:
        for item in group:
            if isinstance(item, str):
                yield from _requirement(item)


def _inline(data: bytes) -> Iterator[tuple[str, str]]:
    """Return the block of metadata in a script, as `uv run` and `pipx run` read it."""
    for found in _SCRIPT.finditer(data.replace(b"\r\n", b"\n")):
        text = "\n".join(line[2:] for line in found[1].decode("utf-8", "replace").splitlines())
        for item in tomllib.loads(text).get("dependencies", []):
            yield from _requirement(str(item))
