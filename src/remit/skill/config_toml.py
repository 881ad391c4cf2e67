"""Commands in TOML and INI files: pyproject, settings of agent hosts, tox."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from remit.skill.config_commands import Held
from remit.skill.config_words import argv, text_line, walk, with_holes

_BACKENDS = frozenset({
    "setuptools.build_meta", "setuptools.build_meta:__legacy__", "hatchling.build", "flit_core.buildapi", "flit_scm:buildapi", "poetry.core.masonry.api",
    "poetry_dynamic_versioning.backend", "pdm.backend", "pdm.pep517.api", "uv_build", "maturin", "scikit_build_core.build", "mesonpy", "setuptools_scm.build_meta",
})  # fmt: skip


def pyproject(data: bytes) -> list[Held]:
    """Return commands of pyproject: the build backend runs when the folder is installed; task tables hold commands to
    run on request.
    """
    text = data.decode("utf-8-sig", "replace")
    value = tomllib.loads(text)
    out: list[Held] = []
    build = value.get("build-system", {})
    backend = build.get("build-backend", "setuptools.build_meta")
    if backend not in _BACKENDS or build.get("backend-path"):
        out.append(
            Held(
                "",
                text_line(text, "build-backend"),
                language="configuration",
                opaque=f"the folder is built by `{backend}`",
            )
        )
    tool = value.get("tool", {})
    if "cmdclass" in tool.get("setuptools", {}):
        out.append(
            Held(
                "",
                text_line(text, "cmdclass"),
                language="configuration",
                opaque="build steps are replaced (`cmdclass`)",
            )
        )
    return out + [
        Held(command, text_line(text, command), form="script", asked=True, note=f"the task `{name}`")
        for name, command in _tasks(tool)
    ]


def _tasks(tool: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the command lines of the task tables of a pyproject file."""
    tables = [
        tool.get(runner, {}).get(key)
        for runner, key in (("poe", "tasks"), ("pdm", "scripts"), ("taskipy", "tasks"), ("rye", "scripts"))
    ]
    tables += [
        table.get("scripts") for table in tool.get("hatch", {}).get("envs", {}).values() if isinstance(table, dict)
    ]
    for table in tables:
        for name, value in (table or {}).items():
            command = value.get("cmd") or value.get("shell") if isinstance(value, dict) else value
            for line in command if isinstance(command, list) else [command]:
                if isinstance(line, str):
                    yield name, line


def toml_commands(data: bytes) -> list[Held]:
    """Return commands of Codex settings (servers, notify) and of Gemini commands (`!{…}` in a prompt runs while the
    prompt is loaded).
    """
    text = data.decode("utf-8-sig", "replace")
    value = tomllib.loads(text)
    out = [
        Held(argv(table["command"], table.get("args")), text_line(text, "command"), note="a server of the agent host")
        for _, table in walk(value)
        if table.get("command")
    ]
    if isinstance(value.get("notify"), list) and value["notify"]:
        out.append(Held(argv(value["notify"]), text_line(text, "notify"), note="a notifier of the agent host"))
    for begin, inner in _braced(text):
        command, holes = with_holes(inner, re.compile(r"\{\{\s*args\s*\}\}"))
        out.append(Held(command, text.count("\n", 0, begin) + 1, holes=holes, note="run while the command is loaded"))
    return out


def _braced(text: str) -> Iterator[tuple[int, str]]:
    """Return the contents of `!{...}`, with balanced braces; one that is not closed reaches to the end."""
    for found in re.finditer(r"!\{", text):
        depth, at = 1, found.end()
        while depth and at < len(text):
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
        yield found.start(), text[found.end() : at - (depth == 0)]


def tox(data: bytes) -> list[Held]:
    """Return the commands of the environments of tox."""
    text = data.decode("utf-8-sig", "replace")
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.read_string(text)
    out: list[Held] = []
    for section in parser.sections():
        for key in ("commands", "commands_pre", "commands_post"):
            for line in (parser.get(section, key, fallback="") or "").splitlines():
                if line.strip():
                    command, holes = with_holes(line.strip().lstrip("-").strip(), re.compile(r"\{[^{}]*\}"))
                    out.append(Held(command, text_line(text, line.strip()), holes=holes, asked=True))
    return out
