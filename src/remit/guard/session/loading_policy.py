"""Whether a skill may enter the context, and at which level. Pure: everything known of the skill is passed in.

    (1) its content can be read
    (2) the reader's clearance dominates its label
    (3) its bundle, if it has one, is not refused
    (4) it is the skill that was locked: drift is refused with what it gains; a setting decides about skills that no lock lists
    (5) the level that holds: that of its bundle, if the bundle is about this content

A failed step is a reason; the strictest answer counts, and every reason is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle.trust import Clearance, cleared
from remit.guard.event import Outcome
from remit.manifest.drift.compare import compare
from remit.manifest.drift.model import Change, Drift, Summary, TraitKind
from remit.manifest.model import Classification, Verification

if TYPE_CHECKING:
    from remit.bundle.admission import Admission
    from remit.manifest.drift.lockfile import Lock

_SHOWN = 6  # gained capabilities that are named
_COUNTED = {
    TraitKind.OPAQUE: "a location that is not understood",
    TraitKind.UNTOLD: "code that is not understood",
    TraitKind.HIDDEN: "hidden text",
}
_NO_CLEARANCE = Clearance()


class Unlisted(StrEnum):
    """How a skill that no lock lists is treated."""

    PASS = "pass"  # noqa: S105  its level alone decides what it may do
    ASK = "ask"
    DENY = "deny"


class Candidate(NamedTuple):
    """What is known of a skill that is about to be loaded."""

    name: str
    place: str  # as the lock would name it: relative to the folder of the lock
    content: str  # the digest of the present content of its folder; empty if it cannot be read
    label: Classification | None = None  # of its manifest
    admission: Admission | None = None  # None: it has no bundle, or admission was not asked
    admitted: str = ""  # the digest of the content that admission was about
    summary: Summary | None = None  # its present label; only a drift needs it


class Loading(NamedTuple):
    """The decision."""

    outcome: Outcome
    level: Verification
    reasons: tuple[str, ...] = ()


def may_load(
    skill: Candidate, lock: Lock | None, clearance: Clearance = _NO_CLEARANCE, unlisted: Unlisted = Unlisted.ASK
) -> Loading:
    """Whether a skill may be loaded. `lock`: the workspace's skills.lock; None if there is none."""
    drift = _drift(skill, lock)
    found = [
        *_unread(skill),  # (1)
        *_uncleared(skill, clearance),  # (2)
        *_unadmitted(skill),  # (3)
        *_unlocked(skill, lock, drift, unlisted),  # (4)
    ]
    outcomes = {outcome for outcome, _ in found}
    outcome = next((one for one in (Outcome.DENY, Outcome.ASK) if one in outcomes), Outcome.PASS)
    level = Verification.UNVERIFIED if outcome is Outcome.DENY else _level(skill)  # (5)
    return Loading(outcome, level, tuple(reason for _, reason in found))


def _unread(skill: Candidate) -> Iterator[tuple[Outcome, str]]:
    if not skill.content:
        yield Outcome.DENY, f"the skill `{skill.name}` cannot be read"


def _uncleared(skill: Candidate, clearance: Clearance) -> Iterator[tuple[Outcome, str]]:
    bundle = skill.admission.bundle if skill.admission else None
    for label in dict.fromkeys((skill.label, bundle.held.statement.label if bundle else skill.label)):
        if why := cleared(clearance, label):
            yield Outcome.DENY, f"the skill `{skill.name}` is above what this reader may see: {why.reason}"


def _unadmitted(skill: Candidate) -> Iterator[tuple[Outcome, str]]:
    if skill.admission is not None and skill.admission.refused:
        reasons = "; ".join(map(str, skill.admission.reasons[:_SHOWN])) or "no reason was given"
        yield Outcome.DENY, f"the bundle of `{skill.name}` is refused: {reasons}"


def _locked(skill: Candidate, lock: Lock | None) -> Summary | None:
    return next((item.summary for item in lock.skills if item.path == skill.place), None) if lock else None


def _drift(skill: Candidate, lock: Lock | None) -> Drift | None:
    before = _locked(skill, lock)
    if before is None or skill.summary is None or before.content == skill.content:
        return None
    return compare(before, skill.summary)


def _unlocked(
    skill: Candidate, lock: Lock | None, drift: Drift | None, unlisted: Unlisted
) -> Iterator[tuple[Outcome, str]]:
    if lock is not None and not lock.intact:
        yield Outcome.DENY, "skills.lock was edited by hand: restore it, or write it again with `remit lock`"
        return
    before = _locked(skill, lock)
    if before is None:
        if unlisted is Unlisted.PASS:
            return
        outcome = Outcome.DENY if unlisted is Unlisted.DENY else Outcome.ASK
        yield outcome, f"the skill `{skill.name}` is in no skills.lock: no person has reviewed what it can do"
    elif before.content != skill.content:
        gains = ", ".join(_gains(drift)) if drift else "its gains are unknown"
        yield Outcome.DENY, f"the skill `{skill.name}` is not the one that was locked: {gains}"


def _gains(drift: Drift) -> Iterator[str]:
    named = list(dict.fromkeys(map(_gain, drift.gains)))
    if not named:
        yield "it can do no more than before, but its content changed"
        return
    yield f"it gains {named[0]}"
    yield from named[1:_SHOWN]
    if len(named) > _SHOWN:
        yield f"and {len(named) - _SHOWN} more"


def _gain(change: Change) -> str:
    trait = change.trait
    if trait.sort in _COUNTED:
        return _COUNTED[trait.sort]
    if trait.sort is TraitKind.COMMAND:
        return "a command that runs by itself"
    return f"`{trait.subject}({trait.scope})`" if trait.scopes else f"`{trait.subject}`"


def _level(skill: Candidate) -> Verification:
    """Return the level of the bundle; content other than the admitted one is not verified."""
    if skill.admission is None or skill.admission.refused or not skill.admitted or skill.admitted != skill.content:
        return Verification.UNVERIFIED
    return skill.admission.level
