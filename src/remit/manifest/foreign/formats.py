"""The formats of manifests, one line each: names, files, readers and writers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import UsageError
from remit.manifest.foreign.result import Reading, Writing
from remit.manifest.read import parse_manifest

if TYPE_CHECKING:
    from remit.manifest.model import Manifest

SKILL_TEXT = "SKILL.md"


class Format(NamedTuple):
    """A format for what a skill may do."""

    name: str
    files: tuple[str, ...]  # in a skill's folder, the first that is there counts
    read: Callable[[bytes, str], Reading]
    write: Callable[[Manifest], Writing]
    shared: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
        {}
    )  # file names that other tools use too, and how ours is recognised
    words: tuple[str, ...] = ()  # every such file that is ours has one of these keys
    own: bool = True  # it limits a skill, so it can be a skill's own manifest
    json: Callable[[Manifest], Writing] | None = None  # how it is written to a JSON file, if that differs


def _remit_read(data: bytes, file: str) -> Reading:
    return Reading(parse_manifest(data, file))


def _remit_write(manifest: Manifest) -> Writing:
    from remit.manifest.render import render  # noqa: PLC0415  most skills have no manifest: readers and writers wait for one

    return Writing(render(manifest))


def _skillguard_read(data: bytes, file: str) -> Reading:
    from remit.manifest.foreign.skillguard_read import read_skillguard  # noqa: PLC0415

    return read_skillguard(data, file)


def _skillguard_write(manifest: Manifest) -> Writing:
    from remit.manifest.foreign.skillguard_write import write_skillguard  # noqa: PLC0415

    return write_skillguard(manifest)


def _is_skillguard(fields: Any) -> bool:
    from remit.manifest.foreign.skillguard_read import is_skillguard  # noqa: PLC0415

    return is_skillguard(fields)


def _enclawed_read(data: bytes, file: str) -> Reading:
    from remit.manifest.foreign.enclawed_read import read_enclawed  # noqa: PLC0415

    return read_enclawed(data, file)


def _enclawed_write(manifest: Manifest) -> Writing:
    from remit.manifest.foreign.enclawed_write import write_enclawed  # noqa: PLC0415

    return write_enclawed(manifest)


def _enclawed_json(manifest: Manifest) -> Writing:
    from remit.manifest.foreign.enclawed_write import write_enclawed_json  # noqa: PLC0415

    return write_enclawed_json(manifest)


def _is_enclawed(fields: Any) -> bool:
    from remit.manifest.foreign.enclawed_read import is_enclawed  # noqa: PLC0415

    return is_enclawed(fields)


def _tools_read(data: bytes, file: str) -> Reading:
    from remit.manifest.foreign.tools_read import read_tools  # noqa: PLC0415

    return read_tools(data, file)


def _tools_write(manifest: Manifest) -> Writing:
    from remit.manifest.foreign.tools_write import write_tools  # noqa: PLC0415

    return write_tools(manifest)


# The order in which a skill's own manifest is looked for.
FORMATS = (
    Format("remit", ("remit.json",), _remit_read, _remit_write),
    Format(
        "skillguard",
        ("skillguard-manifest.json", ".skillguard.json", "manifest.json"),
        _skillguard_read,
        _skillguard_write,
        shared={"manifest.json": _is_skillguard},
        words=("capability", "skill_metadata"),
    ),
    Format(
        "enclawed",
        ("skill.json", SKILL_TEXT),
        _enclawed_read,
        _enclawed_write,
        shared={"skill.json": _is_enclawed, SKILL_TEXT: lambda fields: "caps" in fields},
        words=("caps",),
        json=_enclawed_json,
    ),
    Format("allowed-tools", (SKILL_TEXT,), _tools_read, _tools_write, own=False),
)


def format_named(name: str) -> Format:
    """Return the format of this name."""
    for known in FORMATS:
        if known.name == name:
            return known
    raise UsageError(f"`{name}` is not a format", f"it is one of {', '.join(known.name for known in FORMATS)}")
