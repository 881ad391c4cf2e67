"""Permits on the word of the person who types a command: for exactly that command, and nothing else."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from remit.core.errors import ManifestError, UsageError
from remit.core.scope import ROOT, WORKSPACE, NameScope, PathScope, ScopeKind, parse_scope
from remit.core.scope.component import escape
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.projector import Approval, Projector
from remit.policy.refusal import Refusal
from remit.policy.request import Envelope
from remit.policy.skillpolicy import SkillPolicy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remit.policy.permit import Permit


def permit_for(skill: str, words: Sequence[str]) -> Permit:
    """The permit for one command, on the word of the person who typed it: for this command and nothing else."""
    program = _program(words[0])
    manifest = Manifest("remit test", (Permission("process.create", (program,), Decision.CONFIRM),))
    projector = Projector(SkillPolicy(skill, manifest))
    envelope = Envelope("process.create", {"target": program.render(), "command": shlex.join(words)})
    found = projector.project(envelope)
    if isinstance(found, Refusal) and found.question:
        found = projector.project(envelope, answer=Approval(found.question.digest))
    if isinstance(found, Refusal):
        line = shlex.join(words)
        raise UsageError(
            f"`{line}` cannot be run: {found.reason}", "name one plain command; the rest goes into a script"
        )
    return found


def _program(word: str) -> NameScope | PathScope:
    try:
        scope = parse_scope(ScopeKind.PROGRAM, "/".join(map(escape, word.split("/"))))
    except ManifestError:
        scope = None
    if isinstance(scope, NameScope) or (isinstance(scope, PathScope) and scope.anchor in (ROOT, WORKSPACE)):
        return scope
    raise UsageError(f"`{word}` is not a program", "begin with the name of a program, or a path in the skill")
