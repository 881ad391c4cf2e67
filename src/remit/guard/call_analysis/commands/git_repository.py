"""Programs that git runs by itself: hooks and settings of a repository, which do not show on the command line."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from remit.analysis.domain import lit
from remit.analysis.engine.texts import texts_of
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.world import Child, Site
    from remit.guard.call_analysis.commands.analysis_session import CommandAnalysis

# Commands that run no hook and no filter; any other may.
_QUIET = frozenset(
    "log show rev-parse branch tag remote config describe shortlog reflog blame ls-files ls-tree ls-remote cat-file"
    " for-each-ref rev-list help version --version init".split()
)
# Settings that name a program, a folder of hooks, or other settings files.
_SETTING = re.compile(
    r"^\s*(hookspath|fsmonitor|sshcommand|pager|editor|textconv|clean|smudge|process|command|cmd|helper|program|askpass|path"
    r"|driver|uploadpack|receivepack|proxycommand|gitproxy|external|sequence|browser|worktree|attributesfile|!?alias\S*)\s*=\s*(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_SECTION = re.compile(r"^\s*\[\s*(alias|include|includeif|pager)\b", re.IGNORECASE | re.MULTILINE)
_HARMLESS = re.compile(
    r"(?:true|false|git-lfs (?:clean|smudge) -- %f|git-lfs filter-process|/dev/null|)", re.IGNORECASE
)


def around_git(session: CommandAnalysis, child: Child, site: Site) -> None:
    """Inspect the repositories in which git is about to run: their hooks are programs too."""
    words = [item.literal for word in child.words for item in texts_of(word)]
    env = {name: [item.literal for item in texts_of(value)] for name, value in (child.env or {}).items()}
    for folder in [item.literal for item in texts_of(child.cwd)]:
        if folder is None:
            continue  # that is a doubt already
        starts = _starts(folder, words)
        named = [*_values(words, "--git-dir"), *env.get("GIT_DIR", ()), *env.get("GIT_COMMON_DIR", ())]
        found = [_repository(session, start) for start in starts]
        for elsewhere in [_under(start, name) for start in starts for name in named]:
            session.effect(
                "commit.read",
                lit(elsewhere),
                site,
                Via(Cause.COMMAND, "git", words="{} gets the location of the repository"),
            )
            found.append(elsewhere)
        for store in dict.fromkeys(one for one in found if one is not None):
            _store(session, store, child, site, quiet=any(word in _QUIET for word in words[1:3]))


def _starts(folder: str, words: list[str | None]) -> list[str]:
    """Return the folder in which git begins, and those that `-C` leads to, in order."""
    out = [folder]
    for value in _values(words, "-C"):
        out += [_under(out[-1], value)]
    return out


def _values(words: list[str | None], option: str) -> list[str]:
    """Return the values of an option, separate or attached. An unknown value is a doubt of the summary."""
    out = [value for name, value in pairwise(words) if name == option and value]
    return out + [word.partition("=")[2] for word in words if word and word.startswith(f"{option}=")]


def _under(folder: str, name: str | None) -> str:
    return name if name and name.startswith("/") else f"{folder}/{name or ''}"


def _repository(session: CommandAnalysis, folder: str) -> str | None:
    """Return where the repository around a folder is stored: `.git`, or the folder itself if it looks like a bare
    repository.
    """
    here = session.disk.real(folder)
    while True:
        if session.disk.look(f"{here}/.git") is not None:
            return f"{here}/.git"
        if all(session.disk.look(f"{here}/{name}") is not None for name in ("HEAD", "objects", "refs")):
            return here
        if here in ("/", ""):
            return None
        here = here.rpartition("/")[0] or "/"


def _store(session: CommandAnalysis, found: str, child: Child, site: Site, *, quiet: bool) -> None:
    """Inspect the settings and hooks of a repository, of the one that it points to, and of its submodules."""
    if not session.disk.is_folder(found):
        line = (session.disk.read(found) or b"").decode("utf-8", "replace").strip()
        if not line.startswith("gitdir:"):
            session.opaque(f"`{found}` is no repository that is known", site)
            return
        found = _under(found.rpartition("/")[0], line.removeprefix("gitdir:").strip())
    common = (session.disk.read(f"{found}/commondir") or b"").decode("utf-8", "replace").strip()
    main = _under(found, common) if common else found
    for folder in dict.fromkeys((found, main)):
        for name in ("config", "config.worktree"):
            _settings(session, f"{folder}/{name}", site)
        if not quiet:
            _hooks(session, folder, child, site)
    if not quiet:
        for name in session.disk.names(f"{main}/modules") or ():
            _settings(session, f"{main}/modules/{name}/config", site)
            _hooks(session, f"{main}/modules/{name}", child, site)


def _settings(session: CommandAnalysis, path: str, site: Site) -> None:
    text = (session.disk.read(path) or b"").decode("utf-8", "replace")
    for name, value in _SETTING.findall(text):
        if not _HARMLESS.fullmatch(value.strip()) and not (name == "worktree" and "/modules/" in path):
            session.opaque(f"the setting `{name}` in `{path}` names a program or another place", site)
    if section := _SECTION.search(text):
        session.opaque(f"`{path}` has a section `{section[1]}`", site)


def _hooks(session: CommandAnalysis, found: str, child: Child, site: Site) -> None:
    for name in session.disk.names(f"{found}/hooks") or ():
        if name.endswith(".sample"):
            continue  # no hook has such a name
        path = f"{found}/hooks/{name}"
        info = session.disk.look(session.disk.real(path))
        if info is not None and info.st_mode & 0o111:
            session.run_file(
                "", lit(path), site._replace(hosted=False), child=child._replace(words=(), rest=frozenset())
            )
