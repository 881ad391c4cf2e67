"""Hosts that came from untrusted text and were written into files during a session.

A host keeps its mark with the content: a call that builds, installs, runs or pushes such a file later reaches a
destination that only the text of a skill or the result of a tool named. A host has no mark if the user, the manifest or
the workspace's configuration names it, or if it stood in the file or in the repository before.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.capability import FILE_WRITES
from remit.guard.call_analysis.run_later import run_later
from remit.guard.paths import fixed_start, is_one_path, read_start
from remit.guard.session.provenance import is_named, origins
from remit.guard.session.tokens import Token, TokenKind, addresses, host_of

if TYPE_CHECKING:
    from remit.guard.call_analysis.requests import CallRequests
    from remit.guard.session.state import SessionState

_LARGEST = 1_000_000  # bytes of a file, and characters of a call, that are searched
_MOST = 500  # files with marks
_SECONDS = 2
_IMAGE = re.compile(
    r"(?:\bFROM|\bimage:|docker://)\s*(?:--\S+\s+)*[\"']?([\w-]+(?:\.[\w-]+)+(?::\d+)?)/", re.IGNORECASE
)
_CARRY = frozenset({"commit.push", "container.run", "container.manage", "package.install", "publish"})


def mark_written(live: SessionState, drafted: CallRequests) -> bool:
    """Note the hosts from untrusted text that a call would write into files. Return whether there is a new one."""
    hosts = hosts_in(drafted.outgoing[:_LARGEST])
    paths = [
        fixed_start(one.scope) for one in drafted.requests if one.capability in FILE_WRITES if is_one_path(one.scope)
    ]
    if not (hosts and paths):
        return False
    before_call = live.host_marks.copy()
    known = frozenset(host for marked in live.host_marks.values() for host in marked)
    unnamed = {host for host in hosts if "@" not in host and _is_untrusted(live, host)}
    for path in paths if unnamed else ():
        before = _text(path)
        new = {host for host in unnamed if host in known or not (host in before or _stood_before(live, host))}
        if new and len(live.host_marks) < _MOST:
            live.host_marks[path] = tuple(sorted({*new, *live.host_marks.get(path, ())}))
    return live.host_marks != before_call


def hosts_in(text: str) -> set[str]:
    """Return the hosts of addresses and of images of containers in a text, and mail addresses."""
    return {token.value for token in addresses(text)} | {host_of(found) for found in _IMAGE.findall(text)}


def marked_hosts(live: SessionState, drafted: CallRequests) -> Iterator[tuple[str, str]]:
    """Return each marked host that a call may reach, with the file that names it."""
    if not live.host_marks:
        return
    carries = any(one.capability in _CARRY for one in drafted.requests)
    run = {
        fixed_start(one.scope)
        for one in drafted.requests
        if one.capability == "source.execute" and is_one_path(one.scope)
    }
    for path, hosts in live.host_marks.items():
        if drafted.doubts or path in run or (carries and run_later(path)):
            text = _text(path)
            yield from ((host, path) for host in hosts if host in text and not _is_named(live, host))


def _is_named(live: SessionState, host: str) -> bool:
    return is_named(live.index, Token(TokenKind.HOST, host))


def _is_untrusted(live: SessionState, host: str) -> bool:
    return bool(origins(live.index, Token(TokenKind.HOST, host))) and not _is_named(live, host)


def _text(path: str) -> str:
    return (read_start(path, _LARGEST) or b"").decode("utf-8", "replace")


def _stood_before(live: SessionState, host: str) -> bool:
    """Whether the last commit of the workspace names a host. What this session committed was marked when it was
    written.
    """
    root = live.workspace.root
    if not os.path.lexists(root / ".git"):
        return False
    words = ["git", "-c", "core.fsmonitor=false", "-C", str(root), "grep", "-qF", "-e", host, "HEAD", "--"]
    try:
        return subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False).returncode == 0  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return False
