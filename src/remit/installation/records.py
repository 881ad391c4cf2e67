"""Records of what `remit add` installed: one small file in the state folder, `skills.json`.

The file says where each skill came from and its content then, so that manual changes are noticed. It decides nothing:
what a skill may do is in its manifest, and whether that counts is in the guard's own store.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.state_folder import prepared, state_folder
from remit.installation.files import save
from remit.manifest.drift.content import content_digest, file_marks
from remit.skill.model import Limits
from remit.skill.walk import Tree, Walker
from remit.sources.source import Source, SourceKind

if TYPE_CHECKING:
    from pathlib import Path


_FILE = "skills.json"
_FORM = 1
_LARGEST = 64 * 1024 * 1024


class Version(NamedTuple):
    """One version of a skill, from its source and as installed."""

    resolved: str  # the commit of a repository, the digest of an archive; empty for a folder
    upstream: str  # the digest of the content of the source
    content: str  # the digest of the installed content: the source, and a manifest
    files: Mapping[str, str]  # what was installed at each path
    drafted: bool  # whether Remit wrote the manifest
    level: str = ""  # the level of the check when it was installed: `clear`, `review` or `block`

    @property
    def short(self) -> str:
        """The version for display."""
        return (self.resolved or self.upstream).removeprefix("sha256:")[:10]


class Installed(NamedTuple):
    """A skill that was installed."""

    name: str
    host: str
    scope: str  # `user` or `project`
    folder: str  # the folder of the skill
    source: Source
    version: Version
    previous: Version | None = None  # the version before
    kept: str = ""  # the folder that holds the version before


def read_records() -> list[Installed]:
    """Return everything that was installed; nothing if there are no records."""
    return _read(state_folder() / _FILE)


def change_records(change: Callable[[list[Installed]], list[Installed]]) -> None:
    """Replace the records, atomically."""
    folder = prepared(state_folder()).folder
    with _alone(folder / f"{_FILE}.mutex"):
        path = folder / _FILE
        value = {"form": _FORM, "skills": [_value(one) for one in change(_read(path))]}
        save(path, json.dumps(value, indent=1), 0o600)


def with_record(record: Installed) -> Callable[[list[Installed]], list[Installed]]:
    """Return the change that records a skill, replacing the record of its folder."""
    return lambda known: sorted([*(one for one in known if one.folder != record.folder), record])


def without_record(record: Installed) -> Callable[[list[Installed]], list[Installed]]:
    """Return the change that removes the record of a skill."""
    return lambda known: [one for one in known if one.folder != record.folder]


def version_of(folder: Path, resolved: str, upstream: str, level: str, *, drafted: bool) -> Version:
    """Return the version in a folder."""
    tree = read_tree(folder)
    content, files = content_digest(tree.files, tree.links), file_marks(tree.files, tree.links)
    return Version(resolved, upstream, content, files, drafted, level)


def read_tree(folder: Path) -> Tree:
    """Return the content of a skill's folder; InputError if no skill may have it."""
    return Walker(folder, Limits()).run()


def local_changes(record: Installed, tree: Tree, manifest: str) -> list[str]:
    """Return the files that differ from what was installed, with the kind of change. A manifest that Remit drafted may
    be edited.
    """
    now, then = file_marks(tree.files, tree.links), dict(record.version.files)
    own = {manifest} if record.version.drafted else set()
    out = []
    for path in sorted({*now, *then} - own):
        if path not in now:
            out.append(f"{path} deleted")
        elif path not in then:
            out.append(f"{path} added")
        elif now[path] != then[path]:
            out.append(f"{path} changed")
    return out


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock: no other process changes the records meanwhile."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _read(path: Path) -> list[Installed]:
    try:
        with path.open("rb") as file:
            value = json.loads(file.read(_LARGEST))
        if value["form"] != _FORM:
            raise ValueError("it is of another version of Remit")  # noqa: TRY301  every wrong form is said below
        return [_record(one) for one in value["skills"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise GuardError(
            f"`{path}` cannot be read: {error}", "restore it, or move it away: skills stay installed"
        ) from None


def _value(record: Installed) -> dict[str, Any]:
    versions = {"version": record.version._asdict(), "previous": record.previous and record.previous._asdict()}
    return record._asdict() | {"source": record.source._asdict()} | versions


def _record(value: dict[str, Any]) -> Installed:
    source = Source(**value["source"])
    previous = Version(**value["previous"]) if value["previous"] else None
    return Installed(**value)._replace(
        source=source._replace(kind=SourceKind(source.kind)), version=Version(**value["version"]), previous=previous
    )
