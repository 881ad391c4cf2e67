"""The formats of manifests, one line each: how they are called, where they lie, and who reads and writes them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import UsageError
from remit.manifest.foreign.enclawed_read import is_enclawed, read_enclawed
from remit.manifest.foreign.enclawed_write import write_enclawed, write_enclawed_json
from remit.manifest.foreign.result import Reading, Writing
from remit.manifest.foreign.skillguard_read import is_skillguard, read_skillguard
from remit.manifest.foreign.skillguard_write import write_skillguard
from remit.manifest.foreign.tools_read import read_tools
from remit.manifest.foreign.tools_write import write_tools
from remit.manifest.read import parse_manifest
from remit.manifest.render import render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from remit.manifest.model import Manifest

SKILL_TEXT = "SKILL.md"


class Format(NamedTuple):
    """A way to write down what a skill may do."""

    name: str
    files: tuple[str, ...]  # in a skill's folder, the first that is there counts
    read: Callable[[bytes, str], Reading]
    write: Callable[[Manifest], Writing]
    shared: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
        {}
    )  # files that others use too, and how ours is told from theirs
    words: tuple[str, ...] = ()  # one of these keys stands in every such file that is ours
    own: bool = True  # it bounds a skill, so that it can be a skill's own manifest
    json: Callable[[Manifest], Writing] | None = None  # how it is written to a JSON file, if that differs


def _remit_read(data: bytes, file: str) -> Reading:
    return Reading(parse_manifest(data, file))


def _remit_write(manifest: Manifest) -> Writing:
    return Writing(render(manifest))


# The order in which a skill's own manifest is looked for.
FORMATS = (
    Format("remit", ("remit.json",), _remit_read, _remit_write),
    Format(
        "skillguard",
        ("skillguard-manifest.json", ".skillguard.json", "manifest.json"),
        read_skillguard,
        write_skillguard,
        shared={"manifest.json": is_skillguard},
        words=("capability", "skill_metadata"),
    ),
    Format(
        "enclawed",
        ("skill.json", SKILL_TEXT),
        read_enclawed,
        write_enclawed,
        shared={"skill.json": is_enclawed, SKILL_TEXT: lambda fields: "caps" in fields},
        words=("caps",),
        json=write_enclawed_json,
    ),
    Format("allowed-tools", (SKILL_TEXT,), read_tools, write_tools, own=False),
)


def format_named(name: str) -> Format:
    """The format of this name."""
    for known in FORMATS:
        if known.name == name:
            return known
    raise UsageError(f"`{name}` is not a format", f"it is one of {', '.join(known.name for known in FORMATS)}")
