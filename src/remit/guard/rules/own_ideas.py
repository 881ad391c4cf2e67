"""Whether the agent came up with something by itself, as far as the texts of a session show: then no skill is behind it.

What a skill says, what its code prints and the files that its code writes count as texts of that skill.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.capability import FILE_READS
from remit.core.scope import PathScope
from remit.guard.approvals.file_diff import edited_file
from remit.guard.call_analysis.destinations import nobodys
from remit.guard.hosts.toolmap import wants
from remit.guard.paths import fixed_start, is_one_path
from remit.guard.session.marked_hosts import hosts_in
from remit.guard.session.provenance import AuthorKind, is_named, origins
from remit.guard.session.tokens import Token, TokenKind, name_of, phrases, tokens

if TYPE_CHECKING:
    from remit.guard.rules.model import CallView
    from remit.guard.session.provenance import Index
    from remit.policy.request import Request

# parts of a path or an address, or long: a word that does not recur by chance
_RARE = re.compile(r".[./:@=$\\].|.{16}", re.DOTALL)
_HERE = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104  (as a text names it)
# programs that write what their words or their input say, and so all that a command of them writes stands in it
_WRITERS = frozenset({"cat", "cd", "echo", "mkdir", "printf", "sed", "tee", "touch", "true"})


# A step of a workflow that runs the code of others; GitHub's own are known to everybody. An image (`docker://…`) is an address.
_STEP = re.compile(r"\buses[\"']?\s*:\s*[\"']?(?!actions/|github/|\.)([\w-][\w.-]*/[\w.-]+)")


def is_own_name(index: Index, names: Iterable[str]) -> bool:
    """Whether no text at all has these names, in any spelling by which an index of packages finds them."""
    spelled = {other for name in names for other in (name, name.replace("-", "_"), name.replace("_", "-"))}
    return not index.cut and not any(origins(index, Token(TokenKind.NAME, name)) for name in spelled)


def is_own_change(view: CallView, request: Request) -> bool:
    """Whether the agent changes a file of the workspace in its own words.

    It does not if a skill names the file or has the new words, nor if what is written comes from elsewhere, or leads to a host or
    a step of a workflow that neither the user nor the workspace named.
    """
    scope, root = request.scope, f"{view.live.workspace.root}/"
    if not isinstance(scope, PathScope) or not is_one_path(scope) or not fixed_start(scope).startswith(root):
        return False
    before, after = _texts(view, request, fixed_start(scope))
    if before is None or after is None:
        return False
    return _is_own_text(view.live.index, fixed_start(scope).removeprefix(root), before, after)


def _texts(view: CallView, request: Request, path: str) -> tuple[str | None, str | None]:
    """Return the text of a file before and after an edit; of a command, its own words; None if what it writes is unknown."""
    edit = edited_file(view.event, wants(view.event), str(Path.home()))
    if edit is not None and edit.path == path:
        return edit.before, edit.after
    known = view.drafted.understood
    programs = {words[0].rpartition("/")[2] for one in known for words in (*one.commands, *one.inner) if words}
    read = {part.scope for one in known for part in one.parts if part.capability in FILE_READS}
    doubted = any(one.doubts for one in known)
    literal = known and programs and programs <= _WRITERS and read <= {request.scope} and not doubted
    return "", view.drafted.outgoing if literal else None


def _is_own_text(index: Index, path: str, before: str, after: str) -> bool:
    skills = [layer for source, layer in index.known if source.kind is AuthorKind.SKILL]
    names = {token.value.lower() for layer in skills for token in layer if token.sort is TokenKind.NAME}
    if index.cut or not names.isdisjoint(_names_of(path)):
        return False
    for token in {*tokens(after, index.home), *phrases(after)} - {*tokens(before, index.home), *phrases(before)}:
        copied = any(layer.get(token) for layer in skills)
        if token.sort is TokenKind.NAME:
            copied = bool(_RARE.search(token.value)) and token.value.lower() in names
        if copied and not is_named(index, token, ()):
            return False
    for step in set(_STEP.findall(after)) - set(_STEP.findall(before)):
        if not is_named(index, Token(TokenKind.NAME, name_of(step)), ()):
            return False
    hosts = {host for host in hosts_in(after) - hosts_in(before) if "@" not in host and host not in _HERE}
    return all(nobodys(host) or is_named(index, Token(TokenKind.HOST, host), ()) for host in hosts)


def _names_of(path: str) -> frozenset[str]:
    """Return the words by which a text may name a file of a project: its path, its name, and hidden folders that it is in."""
    *folders, name = path.lower().split("/")
    return frozenset(map(name_of, (path.lower(), name, *(one for one in folders if one.startswith(".")))))
