"""Permits for commands that a person typed: for exactly that command, and nothing else."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from remit.core.errors import UsageError
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.command_requests import program_scope, starting
from remit.policy.projector import Approval, Projector
from remit.policy.refusal import Refusal
from remit.policy.skill_policy import SkillPolicy

if TYPE_CHECKING:
    from remit.core.scope import NameScope, PathScope
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
