"""Notebooks: code cells joined to one Python program; magics and `!commands` are shell."""

from __future__ import annotations

import json
import re
from typing import Any

from remit.core.patterns import lazy_pattern
from remit.skill.config_commands import ConfigProgram, line_finder, unread

_BANG = lazy_pattern(r"\s*(?:[\w, ]+=\s*)?!{1,2}(?!=)\s*(.+)")
_MAGIC = lazy_pattern(r"\s*(?:[\w, ]+=\s*)?%{1,2}(\w+)\s*(.*)")
_SHELL_CELLS = frozenset("bash sh script sx system".split())
_COMMAND_MAGICS = frozenset("pip conda mamba uv cd ls mkdir rm rmdir mv cp cat ln".split())
# These affect display or timing; the code after some of them still runs.
_QUIET = frozenset(
    "matplotlib load_ext reload_ext autoreload config pylab precision who whos env capture html markdown latex svg javascript js".split()
)
_TIMED = frozenset("time timeit prun memit mprun lprun debug".split())


def split_magics(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return Python with IPython's own lines blanked, and the shell commands among those, by line index."""
    if "!" not in text and "%" not in text:
        return text, []
    lines = text.split("\n")
    shell: list[tuple[int, str]] = []
    for index, line in enumerate(lines):
        start = line.lstrip()
        if not start or (start[0] not in "!%" and not re.match(r"[\w, ]+=\s*[!%][\w./]", start)):
            continue
        indent = line[: len(line) - len(start)]
        if found := _BANG.fullmatch(line):
            shell.append((index, _interpolated(found[1])))
        elif found := _MAGIC.fullmatch(line):
            name, rest = found[1], found[2]
            if name in _TIMED and rest and not rest.startswith("-"):
                lines[index] = indent + rest
                continue
            if name in _COMMAND_MAGICS:
                shell.append((index, _interpolated(f"{name} {rest}")))
            elif name in _SHELL_CELLS and rest:
                shell.append((index, _interpolated(rest)))
            elif name not in _QUIET and name not in _TIMED and name != "cell":
                continue  # left unchanged: the Python front end reports it as unreadable
        else:
            continue
        lines[index] = indent + "pass"
    return "\n".join(lines), shell


def _interpolated(command: str) -> str:
    """IPython fills `{expr}` and `$name` from Python variables: `$name` reads the same in a shell, braces become one."""
    return re.sub(r"(?<![${])\{([A-Za-z_]\w*)[^{}]*\}(?!\})", r"$\1", command)


def cells(data: bytes) -> list[ConfigProgram]:
    """Return the programs of a notebook: one in Python, and one for each shell line or cell."""
    try:
        book: Any = json.loads(data)
        found = [cell for cell in book["cells"] if isinstance(cell, dict) and cell.get("cell_type") == "code"]
        language = str(
            book.get("metadata", {}).get("kernelspec", {}).get("language")
            or book.get("metadata", {}).get("language_info", {}).get("name")
            or "python"
        ).lower()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [unread(1, "a notebook that cannot be read", "notebook", form="cells")]
    if language not in {"python", "python3", "ipython"}:
        return [unread(1, f"a notebook in {language}", language, form="cells")]
    finder = line_finder(data)
    python: list[str] = []
    lines: list[int] = []
    out: list[ConfigProgram] = []
    for cell in found:
        source = cell.get("source", "")
        rows = source if isinstance(source, list) else str(source).splitlines(keepends=True)
        text = "".join(str(row) for row in rows)
        numbers = _row_lines([str(row) for row in rows], text, finder, is_list=isinstance(source, list))
        magic = re.match(r"\s*%%(\w+)(.*)", text)
        if magic and (magic[1] in _SHELL_CELLS):
            body = text.partition("\n")[2]
            out.append(ConfigProgram(body, numbers[0], form="cells", lines=tuple(numbers[1:]), asked=True))
            continue
        if magic and magic[1] not in _TIMED | _QUIET:
            out.append(unread(numbers[0], f"a notebook cell in `{magic[1]}`", magic[1], form="cells", asked=True))
            continue
        code, shell = split_magics(text)
        out += [
            ConfigProgram(command, numbers[min(index, len(numbers) - 1)], form="cells", asked=True)
            for index, command in shell
        ]
        if not magic or magic[1] in _TIMED or magic[1] == "capture":
            python.append(code.removesuffix("\n"))
            lines += numbers[: python[-1].count("\n") + 1]
    if python:
        out.insert(
            0,
            ConfigProgram("\n".join(python) + "\n", 1, language="python", form="cells", lines=tuple(lines), asked=True),
        )
    return out


def _row_lines(rows: list[str], text: str, finder: Any, *, is_list: bool) -> list[int]:
    """Return the line of the JSON file for each line of a cell."""
    if not is_list:
        return [finder(text)] * (text.count("\n") + 1)
    numbers: list[int] = []
    for row in rows:
        numbers += [finder(row)] * max(1, row.count("\n") + (not row.endswith("\n")))
    return numbers or [finder(text)]
