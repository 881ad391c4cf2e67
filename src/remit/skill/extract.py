"""Readers of the commands that configuration files hold, by the name that data/autoload.toml gives them.

A reader that meets a form it does not know returns an opaque entry, never nothing: the file is run by its place.
"""

from __future__ import annotations

import configparser
from collections.abc import Callable

from remit.skill import held_json, held_lines, held_toml, held_yaml
from remit.skill.held import Held
from remit.skill.yamltree import YamlError

_MAX_BYTES = 256 * 1024
Reader = Callable[[bytes], list[Held]]


def extract(reader: str, data: bytes) -> list[Held]:
    """The commands of a file. What cannot be read is one opaque entry with the reason."""
    if len(data) > _MAX_BYTES:
        return [
            Held("", 1, language="configuration", opaque="a file that is run by its place and is too large to read")
        ]
    try:
        return READERS[reader](data)
    except (ValueError, YamlError, configparser.Error, RecursionError, TypeError, AttributeError, KeyError) as error:
        return [
            Held(
                "",
                1,
                language="configuration",
                opaque=f"a file that is run by its place and cannot be read ({type(error).__name__})",
            )
        ]


READERS: dict[str, Reader] = {
    "hooks": held_json.hooks,
    "package": held_json.package,
    "devcontainer": held_json.devcontainer,
    "vscode-tasks": held_json.vscode_tasks,
    "vscode-launch": held_json.vscode_launch,
    "yaml-run": held_yaml.yaml_run,
    "precommit": held_yaml.precommit,
    "compose": held_yaml.compose_file,
    "pyproject": held_toml.pyproject,
    "toml-commands": held_toml.toml_commands,
    "tox": held_toml.tox,
    "pth": held_lines.pth,
    "dockerfile": held_lines.dockerfile,
}
