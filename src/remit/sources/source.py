"""Parser of a SOURCE: a folder, an archive, the URL of a Git repository, or `owner/repo` on GitHub.

skills/pdf                          a folder; what exists on this disk takes precedence pdf.skill, skills.tar.gz
an archive https://git.example/skills.git#v2   a repository at a branch, tag or commit (without `#`: its default branch)
git@git.example:team/skills.git     the same over SSH owner/repo/skills/pdf@v2            a repository on GitHub, a
folder in it, at a branch, tag or commit https://github.com/owner/repo/tree/v2/skills/pdf   the same, as the browser
shows it
"""

from __future__ import annotations

import os
import re
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import urlsplit

from remit.core.errors import InputError
from remit.skill.walk import shown
from remit.sources.unpack import ARCHIVES, safe_parts

GITHUB = "https://github.com/"
REMEDY = "give a folder, a .zip, .skill or .tar.gz file, a Git URL (https, ssh, git@…, file), or `owner/repo[/path][@ref]` on GitHub"
_PROTOCOLS = frozenset({"https", "ssh", "file"})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SSH = re.compile(r"[\w.-]+@(?P<host>[A-Za-z0-9][\w.-]*):(?!/)\S+")
_SHORT = re.compile(
    r"(?P<owner>[A-Za-z0-9][A-Za-z0-9-]{0,38})/(?P<repo>[A-Za-z0-9_-][A-Za-z0-9._-]{0,99})(?:/(?P<path>[^@]+))?(?:@(?P<ref>.+))?"
)
_BROWSED = re.compile(r"(?P<repo>[^/]+/[^/]+)/(?:tree|blob)/(?P<ref>[^/]+)(?:/(?P<path>.+))?")
_PREFIX = "github:"


class SourceKind(StrEnum):
    """How a source is read."""

    FOLDER = "folder"
    ARCHIVE = "archive"
    REPOSITORY = "repository"


class Source(NamedTuple):
    """A source, as the user named it and as it is found."""

    given: str  # as the user wrote it
    kind: SourceKind
    where: str  # a path, or the URL of a repository
    revision: str = ""  # of a repository; empty for its default branch
    path: str = ""  # a folder in it; empty for all of it
    protocol: str = ""  # by which a repository is fetched

    @property
    def address(self) -> str:
        """The source in a form that works from any folder."""
        if self.kind is not SourceKind.REPOSITORY:
            return self.where
        return self.where + (f"#{self.revision}" if self.revision else "")

    def below(self, path: str) -> str:
        """Return the name of a folder of the source for reports. For a repository on GitHub it can be used as a source."""
        if path == ".":
            return self.given
        if self.given.startswith(_PREFIX) or _SHORT.fullmatch(self.given):
            head, at, revision = self.given.partition("@")
            return f"{head}/{path}{at}{revision}"
        return f"{self.given}!{path}"


def parse_source(given: str, path: str = "") -> Source:
    """Parse a source; InputError if it is invalid. `path` is a folder in it, given separately."""
    source = _parsed(given)
    if not path:
        return source
    inner = "/".join(safe_parts(path))
    return source._replace(path=f"{source.path}/{inner}" if source.path else inner)


def _parsed(given: str) -> Source:
    if os.path.lexists(given):
        return _local(given)
    if _URL.match(given):
        return _url(given)
    if _SSH.fullmatch(given):
        address, _, revision = given.partition("#")
        return Source(given, SourceKind.REPOSITORY, address, _revision(revision, given), protocol="ssh")
    short = _SHORT.fullmatch(given.removeprefix(_PREFIX))
    if short and (given.startswith(_PREFIX) or not os.path.lexists(short["owner"])):
        return _github(given, f"{short['owner']}/{short['repo']}", short["ref"], short["path"])
    raise InputError(f"`{shown(given)}` does not exist", REMEDY)


def _local(given: str) -> Source:
    where = os.path.abspath(given)
    if os.path.isdir(given):
        return Source(given, SourceKind.FOLDER, where)
    if os.path.isfile(given):
        if given.lower().endswith(ARCHIVES):
            return Source(given, SourceKind.ARCHIVE, where)
        if os.path.basename(given).lower() == "skill.md":
            return Source(given, SourceKind.FOLDER, os.path.dirname(where))
    raise InputError(f"`{shown(given)}` is neither a folder nor an archive", REMEDY)


def _url(given: str) -> Source:
    address, _, revision = given.removeprefix("git+").partition("#")
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        raise InputError(f"`{shown(given)}` is no URL", REMEDY) from None
    scheme = parts.scheme.lower()
    if scheme not in _PROTOCOLS and not (scheme == "http" and host in _LOOPBACK):
        message = f"`{shown(given)}` is not fetched over `{shown(scheme)}`, which others can change on the way or use to run programs"
        raise InputError(message, "use https, ssh or file")
    if (scheme != "file" and not host) or host.startswith("-") or not parts.path.strip("/"):
        raise InputError(f"`{shown(given)}` names no repository", REMEDY)
    if parts.password or (parts.username and scheme != "ssh"):
        raise InputError("the address holds a user name or a password", "leave it out: Remit would write it down")
    if address.startswith(GITHUB) and (browsed := _BROWSED.fullmatch(address.removeprefix(GITHUB))) and not revision:
        return _github(given, browsed["repo"], browsed["ref"], browsed["path"])
    return Source(given, SourceKind.REPOSITORY, address, _revision(revision, given), protocol=scheme)


def _github(given: str, repository: str, revision: str | None, path: str | None) -> Source:
    where = f"{GITHUB}{repository.removesuffix('.git')}.git"
    inner = "/".join(safe_parts(path or ""))
    protocol = GITHUB.partition(":")[0]
    return Source(given, SourceKind.REPOSITORY, where, _revision(revision or "", given), inner, protocol)


def _revision(text: str, given: str) -> str:
    """Return a branch, tag or commit, if Git cannot take it for an option or a pattern."""
    if text.startswith("-") or re.search(r"[\s:?*\[\\^~\x00-\x1f\x7f]|\.\.|@\{", text):
        message = f"`{shown(text)}` in `{shown(given)}` is no branch, tag or commit"
        raise InputError(message, "write the name of a branch or tag, or a whole commit")
    return text
