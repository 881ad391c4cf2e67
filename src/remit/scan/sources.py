"""Inputs of a scan from what a user names: folders are listed, indexes read, archives and repositories recognised."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from remit.core.counting import counted
from remit.core.errors import InputError, RemitError, UsageError
from remit.scan.places import Bad, Item, PlaceKind, SkillSource, Wanted, spelled
from remit.skill.find import find_skills
from remit.skill.walk import shown
from remit.sources.unpack import ARCHIVES

INDEXES = (".jsonl", ".ndjson")
_MAX_LINE = 64 * 1024
_FIELDS = frozenset({"location", "name", "digest"})
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_URL = re.compile(r"(?:git\+)?(?:https?|ssh|git|file)://|[\w.-]+@[\w.-]+:")
_REMEDY = (
    f"give a folder, an archive ({', '.join(ARCHIVES)}), a Git repository (a URL, or a folder with `#REVISION`), "
    f"or an index ({' or '.join(INDEXES)})"
)


def wanted(sources: Sequence[str]) -> Iterator[Wanted]:
    """Return everything in some sources, each location once. Two different ones with the same name are an error: one
    would be missing.
    """
    seen: dict[str, tuple[str, ...]] = {}
    for source in sources:
        for found in _index(Path(source)) if source.endswith(INDEXES) else one_source(source):
            if found.location not in seen:
                seen[found.location] = found.meant
                yield found
            elif seen[found.location] != found.meant:
                message = (
                    f"`{shown(found.location)[:200]}` is named twice, and means another folder or digest each time"
                )
                raise UsageError(message, "name it once, or scan one after the other")


def one_source(source: str, base: str = "", called: str = "", digest: str = "") -> Iterator[Wanted]:
    """Return the content of a folder, an archive or a repository; a relative path starts at `base`."""
    address, revision = _revision(source, base)
    named = spelled(source)
    path = os.path.join(base, address)
    if _URL.match(address) and not os.path.exists(path):
        yield SkillSource(PlaceKind.REPOSITORY, named, address.removeprefix("git+"), revision, called, digest)
    elif not os.path.exists(path):
        raise UsageError(f"`{shown(source)}` does not exist", _REMEDY)
    elif os.path.isdir(path):
        if revision or (_is_bare(path) and not _holds_skills(path)):
            yield SkillSource(PlaceKind.REPOSITORY, named, os.path.abspath(path), revision, called, digest)
        else:
            yield from _folder(source, path, called, digest)
    elif path.lower().endswith(ARCHIVES):
        yield SkillSource(PlaceKind.ARCHIVE, named, os.path.abspath(path), "", called, digest)
    elif os.path.basename(path).lower() == "skill.md":
        yield from _folder(os.path.dirname(source) or ".", os.path.dirname(path) or ".", called, digest)
    else:
        raise UsageError(f"`{shown(source)}` is nothing that can be scanned", _REMEDY)


def _folder(source: str, path: str, called: str, digest: str) -> Iterator[Item]:
    """Return every SKILL.md at or below a folder; one inside another skill is a skill of its own as well."""
    name = os.path.normpath(source)
    root = os.path.abspath(path)
    folders = [str(folder) for folder in find_skills(root, nested=True)]
    if digest and len(folders) > 1:
        raise InputError(
            f"`{shown(source)}` holds {counted(len(folders), 'skill')}, and one digest", "put each on its own line"
        )
    for folder in folders:
        inside = os.path.relpath(folder, root) if folder != root else "."
        location = name if inside == "." else f"{name}/{inside}"
        yield Item(spelled(location), spelled(source), spelled(inside), folder, called, digest)


def _index(path: Path) -> Iterator[Wanted]:
    """Return the places that an index lists. An invalid line is an error of the index, and ends the scan before it
    begins.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE + 1), b""), 1):
                if line.strip():
                    yield from _entry(line, f"{path}:{number}", str(path.parent))
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read: {(error.strerror or 'error').lower()}", _REMEDY) from None


def _entry(line: bytes, where: str, base: str) -> Iterator[Wanted]:
    fields = _fields(line, where)
    source, called, digest = fields["location"], spelled(fields.get("name", "")), fields.get("digest", "")
    try:
        yield from one_source(source, base, called, digest)
    except RemitError as error:  # one of many: the others continue
        yield Bad(spelled(source), spelled(source), ".", f"{where}: {error.message}", called)


def _fields(line: bytes, where: str) -> dict[str, str]:
    remedy = 'write one object a line: {"location": "skills/pdf.skill", "name": "pdf", "digest": "sha256:…"}'
    try:
        data: Any = json.loads(line) if len(line) <= _MAX_LINE else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or not all(isinstance(value, str) for value in data.values()):
        raise UsageError(f"{where}: the line is no object of texts", remedy)
    if not data.get("location") or data.keys() - _FIELDS:
        raise UsageError(f"{where}: an entry has `location`, and may have `name` and `digest`", remedy)
    if data.get("digest") and not _DIGEST.fullmatch(data["digest"]):
        raise UsageError(f"{where}: `{shown(data['digest'])[:80]}` is no digest", "write `sha256:` and 64 digits")
    return data


def _revision(source: str, base: str) -> tuple[str, str]:
    """Split an address and the revision after `#`, unless a file has that name."""
    address, mark, revision = source.rpartition("#")
    if not mark or not address or os.path.exists(os.path.join(base, source)):
        return source, ""
    if not revision or revision.startswith("-"):
        raise UsageError(f"`{shown(source)}` names no revision after `#`", "write a commit, a branch or a tag there")
    return address, revision


def _is_bare(path: str) -> bool:
    """Whether a folder is a bare Git repository."""
    return os.path.isfile(os.path.join(path, "HEAD")) and all(
        os.path.isdir(os.path.join(path, name)) for name in ("objects", "refs")
    )


def _holds_skills(path: str) -> bool:
    """Whether a folder contains skills: then it is a folder source, even if something in it looks like a repository."""
    try:
        return bool(find_skills(path))
    except InputError:
        return False
