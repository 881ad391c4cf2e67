"""What git does by itself in a repository: hooks and settings of the repository name programs that nobody sees on the command line."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from remit.analysis.domain import lit
from remit.analysis.engine.texts import texts_of

if TYPE_CHECKING:
    from remit.analysis.world import Child, Site
    from remit.guard.understand.live import LiveSession

# Commands that run no hook and no filter; every other one may.
_QUIET = frozenset(
    "log show rev-parse branch tag remote config describe shortlog reflog blame ls-files ls-tree ls-remote cat-file"
    " for-each-ref rev-list help version --version init".split()
)
# Settings that name a program, a folder of hooks, or further settings.
_SETTING = re.compile(
    r"^\s*(hookspath|fsmonitor|sshcommand|pager|editor|textconv|clean|smudge|process|command|cmd|helper|program|askpass|path"
    r"|driver|uploadpack|receivepack|proxycommand|gitproxy|external|sequence|browser|worktree|attributesfile|!?alias\S*)\s*=\s*(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_SECTION = re.compile(r"^\s*\[\s*(alias|include|includeif|pager)\b", re.IGNORECASE | re.MULTILINE)
_HARMLESS = re.compile(
    r"(?:true|false|git-lfs (?:clean|smudge) -- %f|git-lfs filter-process|/dev/null|)", re.IGNORECASE
)


def around_git(session: LiveSession, child: Child, site: Site) -> None:
    """Look at the repository in which git is about to run: its hooks are programs too."""
    words = [item.literal for word in child.words for item in texts_of(word)]
    folders = [item.literal for item in texts_of(child.cwd)]
    for folder in folders:
        for start in (folder, *(_other(folder, words))):
            found = None if start is None else _repository(session, start)
            if found is not None:
                _settings(session, found, site)
                if not any(word in _QUIET for word in words[1:3]):
                    _hooks(session, found, child, site)


def _other(folder: str | None, words: list[str | None]) -> list[str | None]:
    """Folders that options name."""
    out: list[str | None] = []
    for option, value in pairwise(words):
        if option == "-C":
            out.append(None if value is None or folder is None else value if value[:1] == "/" else f"{folder}/{value}")
    return out


def _repository(session: LiveSession, folder: str) -> str | None:
    """The folder `.git` of the repository around a folder."""
    here = session.disk.real(folder)
    while True:
        if session.disk.look(f"{here}/.git") is not None:
            return f"{here}/.git"
        if here in ("/", ""):
            return None
        here = here.rpartition("/")[0] or "/"


def _settings(session: LiveSession, found: str, site: Site) -> None:
    if not session.disk.is_folder(found):
        session.opaque(f"`{found}` leads to a repository elsewhere, whose hooks and settings were not looked at", site)
        return
    text = (session.disk.read(f"{found}/config") or b"").decode("utf-8", "replace")
    for name, value in _SETTING.findall(text):
        if not _HARMLESS.fullmatch(value.strip()):
            session.opaque(f"the setting `{name}` in `{found}/config` names a program or another place", site)
    if section := _SECTION.search(text):
        session.opaque(f"`{found}/config` has a section `{section[1]}`", site)


def _hooks(session: LiveSession, found: str, child: Child, site: Site) -> None:
    for name in session.disk.names(f"{found}/hooks") or ():
        path = f"{found}/hooks/{name}"
        info = session.disk.look(session.disk.real(path))
        if not name.endswith(".sample") and info is not None and info.st_mode & 0o111:
            session.run_file(
                "", lit(path), site._replace(hosted=False), child=child._replace(words=(), rest=frozenset())
            )
