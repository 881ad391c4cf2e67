"""Other skills are installed or changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.effect import Origin
from remit.core.scope import DEEP, SKILL, PathScope
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.purpose import is_about
from remit.findings.wording import path_words

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Skills that are written."""
    yield from _copied(subject)
    if is_about(subject, "skills"):
        return
    name = subject.skill.name.lower()
    told: set[Location] = set()
    for effect in subject.with_capability("skill.install"):
        own = name in path_words(effect.scope).lower().split("/")
        if own or effect.where in told or effect.via.possible or effect.via.cause in (Cause.SENTENCE, Cause.SETTING):
            continue
        told.add(effect.where)  # one command is one cause, however many files it may write
        severity = Severity.LOW if effect.origin is Origin.INSTRUCTED else Severity.MEDIUM
        message = f"installs or changes other skills: {effect.scope.render()}"
        yield by_effect(RULE, subject, effect, severity, message)


def _copied(subject: Subject) -> Iterator[Finding]:
    """Files of the skill that are put into whichever other skills there are."""
    for effect in subject.with_capability("skill.install"):
        if (
            effect.via.possible
            or not isinstance(effect.scope, PathScope)
            or not {"*", DEEP} & set(_name_of_skill(effect.scope.parts[:-1]))
        ):
            continue
        here = subject.by_line[effect.where]
        own = (other.scope for other in here if other.capability in ("file.read", "source.read"))
        if any(isinstance(scope, PathScope) and scope.anchor == SKILL for scope in own):
            message = f"copies itself into other skills: {effect.scope.render()}"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)
        elif subject.basis_of(effect) is Basis.SCRIPT and _CHANGES.isdisjoint(subject.announced):
            message = f"changes all other skills: {effect.scope.render()}"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)


# Words of a description that let a person expect that skills are written
_CHANGES = frozenset(
    "install installs installer installing update updates upgrade upgrades sync syncs synchronise synchronize manage manages manager write writes"
    " create creates creator edit edits fix fixes format formats migrate migrates convert converts rename renames improve improves optimise"
    " optimises optimize optimizes translate translates deploy deploys import imports copy copies link links generate generates build builds"
    " add adds remove removes restore restores enable disable enables disables refactor refactors".split()
)


def _name_of_skill(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The components of a path up to the name of the skill; what lies below that is inside of one skill."""
    at = next((at for at, part in enumerate(parts) if part == "skills"), len(parts))
    return parts[: at + 2]


RULE = Rule(
    "other-skill",
    "persistence",
    "the skill installs or changes other skills, commands or agents",
    Severity.HIGH,
    "The new text was not reviewed, and it stays when the skill is removed.",
    "Skills whose description mentions skills, plugins, agents or commands; the skill's own folder.",
    "List in the description what is installed, and let the user install it.",
    find,
)
