"""Search for the manifest of a skill: remit.json, else one of another format, in the order of `foreign.formats`.

A file whose name identifies it counts even if it cannot be parsed: a broken manifest is not "no manifest". A file with
a name that other tools use too (manifest.json of a browser extension, skill.json of a registry) counts if it claims to
be one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import ManifestError
from remit.manifest.read import read_bytes, read_document

if TYPE_CHECKING:
    from pathlib import Path

    from remit.manifest.foreign.formats import Format
    from remit.manifest.foreign.result import Reading
    from remit.manifest.model import Manifest


class OwnManifest(NamedTuple):
    """The skill's own manifest, with notes about it."""

    path: Path
    manifest: Manifest
    notes: tuple[str, ...] = ()


def find_manifest(skill: Path) -> Path | None:
    """Return the manifest of a skill, if there is one.

    A link counts too: reading it refuses anything that is not a file.
    """
    return next((path for path, _ in _found(skill)), None)


def manifest_among(names: list[str], data: Callable[[str], bytes]) -> tuple[str, Format] | None:
    """Return the manifest among the files of a skill that are stored elsewhere, and its format.

    `data` returns the content of a file; ManifestError if it cannot.
    """
    return next(_among(names, data), None)


def read_manifest(path: Path) -> Manifest:
    """Read the manifest in a file, in the format of its name; ManifestError with its location if it is invalid."""
    return read_any(path).manifest


def read_any(path: Path, format_name: str = "") -> Reading:
    """Read the manifest in a file, in the given format or that of the file's name, with what is lost."""
    from remit.manifest.foreign.formats import format_named  # noqa: PLC0415  (as below)

    known = format_named(format_name) if format_name else _format_of(path)
    return known.read(read_bytes(path), str(path))


def own_manifest(skill: Path) -> OwnManifest | None:
    """Return the manifest of a skill, and a note for each other manifest that differs and is ignored."""
    from remit.manifest.foreign.result import LossKind  # noqa: PLC0415

    found = list(_found(skill))
    if not found:
        return None
    (path, known), *others = found
    reading = known.read(read_bytes(path), str(path))
    notes = [loss.message for loss in reading.losses if loss.kind is not LossKind.LOST]  # what changes permissions
    for other, format_ in others:
        try:
            contradicts = _differ(reading.manifest, format_.read(read_bytes(other), str(other)).manifest)
        except ManifestError:
            contradicts = True
        if contradicts:
            notes.append(
                f"`{other.name}` says something else than `{path.name}`, which takes precedence; it is ignored"
            )
    return OwnManifest(path, reading.manifest, tuple(notes))


def file_of(skill: Path, format_name: str) -> Path | None:
    """Return the file of a skill in a format, if there is one."""
    from remit.manifest.foreign.formats import format_named  # noqa: PLC0415

    name = _file(_names(skill), lambda name: read_bytes(skill / name), format_named(format_name))
    return skill / name if name else None


def _differ(one: Manifest, other: Manifest) -> bool:
    from remit.manifest.foreign.permissions import changed  # noqa: PLC0415

    return any(changed(one, other))


def _found(skill: Path) -> Iterator[tuple[Path, Format]]:
    """Return every manifest of a skill, each file once, the preferred one first."""
    for name, known in _among(_names(skill), lambda name: read_bytes(skill / name)):
        yield skill / name, known


def _among(names: list[str], data: Callable[[str], bytes]) -> Iterator[tuple[str, Format]]:
    from remit.manifest.foreign.formats import FORMATS  # noqa: PLC0415  (`--help` needs none of them)

    for known in FORMATS:
        name = _file(names, data, known) if known.own else ""
        if name:
            yield name, known


def _names(skill: Path) -> list[str]:
    try:
        return os.listdir(skill)  # noqa: PTH208  (the names as they are spelled)
    except OSError:
        return []  # the loader says why


def _file(names: list[str], data: Callable[[str], bytes], known: Format) -> str:
    for file in known.files:
        name = _spelled(file, names)
        if name and (file not in known.shared or _claims(known, name, file, data)):
            return name
    return ""


def _spelled(file: str, names: list[str]) -> str:
    """Return the file with its spelling in this folder; hosts accept SKILL.md in any case."""
    from remit.manifest.foreign.formats import SKILL_TEXT  # noqa: PLC0415
    from remit.skill.find import main_name  # noqa: PLC0415

    if file == SKILL_TEXT:
        return main_name(names)
    return file if file in names else ""


def _format_of(path: Path) -> Format:
    """Return the format that the name of a file indicates; ours if none."""
    from remit.manifest.foreign.formats import FORMATS, SKILL_TEXT  # noqa: PLC0415

    for known in FORMATS:
        for file in known.files if known.own else ():
            named = path.name.lower() == file.lower() if file == SKILL_TEXT else path.name == file
            if named and (
                file == SKILL_TEXT
                or file not in known.shared
                or _claims(known, path.name, file, lambda _: read_bytes(path))
            ):
                return known
    return FORMATS[0]


def _claims(known: Format, name: str, file: str, data_of: Callable[[str], bytes]) -> bool:
    """Whether a file with an ambiguous name claims to be a manifest of this format.

    A file with a key of the format that cannot be parsed counts, so that a typo is reported.
    """
    try:
        data = data_of(name)
    except ManifestError:
        return False
    if not any(word.encode() in data for word in known.words):
        return False
    if name.lower().endswith(".md"):
        return known.shared[file](_front(data))
    try:
        return known.shared[file](read_document(data, file)[1].value)
    except ManifestError:
        return any(f'"{word}"'.encode() in data for word in known.words)


def _front(data: bytes) -> Any:
    """Return the fields of a front matter, as far as it can be parsed; the loader of skills reports its errors."""
    from remit.skill import frontmatter  # noqa: PLC0415  (YAML)

    text, _, _ = frontmatter.split(data.decode("utf-8", "replace"))
    return frontmatter.read(text, "").values if text and "caps" in text else {}
