"""Envelopes for commands: the program as a scope, the words as one line."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from remit.core.errors import ManifestError
from remit.core.scope import ROOT, WORKSPACE, NameScope, PathScope, ScopeKind, parse_scope
from remit.core.scope.component import escape
from remit.policy.request import Envelope


def program_scope(word: str) -> NameScope | PathScope | None:
    """Return the scope of a program: a name, or a path of the system or the workspace; None if it is neither."""
    try:
        scope = parse_scope(ScopeKind.PROGRAM, "/".join(map(escape, word.split("/"))))
    except ManifestError:
        return None
    if isinstance(scope, NameScope):
        return scope
    return scope if isinstance(scope, PathScope) and scope.anchor in (ROOT, WORKSPACE) else None


def starting(program: NameScope | PathScope, words: Sequence[str]) -> Envelope:
    """Return the envelope that asks to start a program with these words."""
    return Envelope("process.create", {"target": program.render(), "command": shlex.join(words)})
