"""Permits for commands that a person typed: for exactly that command, and nothing else."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from remit.core.errors import ManifestError, UsageError
from remit.core.scope import ROOT, WORKSPACE, NameScope, PathScope, ScopeKind, parse_scope
from remit.core.scope.component import escape
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.projector import Approval, Projector
from remit.policy.refusal import Refusal
from remit.policy.request import Envelope
from remit.policy.skill_policy import SkillPolicy

if TYPE_CHECKING:
    from remit.policy.permit import Permit


def permit_for(skill: str, words: Sequence[str]) -> Permit:
    """Return a permit for exactly one command, authorised by the person who typed it."""
    program = _program(words[0])
    manifest = Manifest("remit test", (Permission("process.create", (program,), Decision.CONFIRM),))
    projector = Projector(SkillPolicy(skill, manifest))
    envelope = starting(program, words)
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
    scope = program_scope(word)
    if scope is not None:
        return scope
    raise UsageError(f"`{word}` is not a program", "begin with the name of a program, or a path in the skill")


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
