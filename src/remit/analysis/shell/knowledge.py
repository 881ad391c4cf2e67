"""What the shell front end knows about names, read from `data/shell.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_toml


class Knowledge(NamedTuple):
    """Variables that every shell has, and files that are streams."""

    variables: dict[str, str]
    devices: frozenset[str]


def _load() -> Knowledge:
    data = read_toml(Path(__file__).parents[1] / "data" / "shell.toml")
    variables: dict[str, str] = {}
    for kind, names in data["variables"].items():
        for name in names.split():
            if name in variables:
                message = f"data/shell.toml: `{name}` is listed twice"
                raise DataError(message, "remove one of the two")
            variables[name] = kind
    variables |= {name: f"text:{value}" for name, value in data["constants"].items()}
    return Knowledge(variables, frozenset(data["devices"]["names"].split()))


KNOWLEDGE = _load()
