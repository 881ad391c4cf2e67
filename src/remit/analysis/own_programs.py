"""The commands that a skill's own packages install: `bin` of package.json, `scripts` of pyproject.toml."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.skill.model import Skill

_ENTRY = lazy_pattern(r"([A-Za-z_][\w.]*)\s*:\s*([A-Za-z_][\w.]*)\s*(?:\[[^\]]*\])?", re.ASCII)


class OwnProgram(NamedTuple):
    """What a command runs: a file of the skill, or Python code that calls a function of it."""

    file: str = ""
    code: str = ""


def own_programs(skill: Skill) -> dict[str, OwnProgram]:
    """The commands of a skill's own packages, by name. What a package in `node_modules` installs is not the skill's."""
    found: dict[str, OwnProgram] = {}
    files = {file.path for file in skill.files}
    for path in sorted(files):
        folder, name = posixpath.split(path)
        if "node_modules" in folder.split("/"):
            continue
        if name == "package.json":
            for command, target in _of_npm(_read(skill, path)):
                file = posixpath.normpath(posixpath.join(folder, target))
                if file in files:
                    found.setdefault(command, OwnProgram(file=file))
        elif name == "pyproject.toml":
            for command, entry in _of_python(_read(skill, path)):
                if parts := _ENTRY.fullmatch(entry):
                    module, function = parts.groups()
                    code = f"import {module}\n{module}.{function}()\n"
                    found.setdefault(command, OwnProgram(code=code))
    return found


def _read(skill: Skill, path: str) -> dict[str, Any]:
    text = (skill.read(path) or b"").decode("utf-8", "replace")
    try:
        value = json.loads(text) if path.endswith(".json") else tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _of_npm(package: dict[str, Any]) -> Iterator[tuple[str, str]]:
    programs, name = package.get("bin"), package.get("name")
    if isinstance(programs, str) and isinstance(name, str):
        programs = {name: programs}
    entries = _texts(programs)
    yield from entries
    if len(entries) == 1 and isinstance(name, str):
        yield name, entries[0][1]  # `npx NAME` runs the only program of a package, whatever that is called


def _of_python(project: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for keys in (("project", "scripts"), ("tool", "poetry", "scripts")):
        table: Any = project
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        yield from _texts(table)


def _texts(table: Any) -> list[tuple[str, str]]:
    return [(name, value) for name, value in table.items() if isinstance(value, str)] if isinstance(table, dict) else []
