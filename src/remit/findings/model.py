"""Findings, the rules that make them, and the level that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.findings.subject import Subject


class Severity(StrEnum):
    """How bad a finding is, the worst first. `high` and `critical` need a flow, an effect or a concrete order as evidence."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return _ORDER.index(self)

    def lower(self) -> Severity:
        """The next lower severity."""
        return _ORDER[min(self.rank + 1, len(_ORDER) - 1)]


_ORDER = tuple(Severity)


class Basis(StrEnum):
    """What a finding rests on."""

    SCRIPT = "script"  # what a file of the skill does when it is run
    HOOK = "hook"  # what the host or a tool runs by itself
    INSTRUCTED = "instructed"  # what the text tells the agent to do
    SAMPLE = "sample"  # a sample in a reference
    CONDITION = "condition"  # only if a value turns out to be an option


class Confidence(StrEnum):
    """How sure a rule is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Role(StrEnum):
    """What a location has to do with a finding."""

    SOURCE = "source"
    STEP = "step"
    SINK = "sink"
    TEXT = "text"


class Witness(NamedTuple):
    """A location that shows the finding."""

    role: Role
    where: Location
    text: str = ""  # what happens there, or the words that stand there


class Finding(NamedTuple):
    """Something that should worry a person."""

    rule: str
    severity: Severity
    message: str  # one plain sentence without a subject: "sends your SSH key to host"
    witnesses: tuple[Witness, ...]
    basis: Basis = Basis.SCRIPT
    confidence: Confidence = Confidence.HIGH
    fix: str = ""
    digest: str = ""  # of the message and the text of the lines that show it: who accepts the finding names it

    @property
    def where(self) -> Location:
        """The deciding location: the last one that acts."""
        return self.witnesses[-1].where


class Rule(NamedTuple):
    """One rule: a query over what is known of a skill."""

    ident: str
    family: str
    title: str  # what it finds, in a few words
    severity: Severity  # of its worst finding
    why: str  # what is harmful about it
    quiet: str  # what it does not report, and why
    fix: str  # what the author should do
    find: Callable[[Subject], Iterable[Finding]] | None = None  # none: the orders that data/harms.table has for it


class Level(StrEnum):
    """The answer."""

    BLOCK = "block"  # an informed person would refuse
    REVIEW = "review"  # something named to look at first
    CLEAR = "clear"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return tuple(Level).index(self)

    @property
    def words(self) -> str:
        """The answer to whether to install it."""
        return _ANSWERS[self]


_ANSWERS = {Level.BLOCK: "DO NOT INSTALL", Level.REVIEW: "look at this first", Level.CLEAR: "no concerns"}


def level_of(findings: Iterable[Finding]) -> Level:
    """The level that findings add up to."""
    return _level(finding.severity for finding in findings)


def _level(severities: Iterable[Severity]) -> Level:
    worst = min((severity.rank for severity in severities), default=Severity.INFO.rank)
    if worst <= Severity.HIGH.rank:
        return Level.BLOCK
    return Level.REVIEW if worst == Severity.MEDIUM.rank else Level.CLEAR


def level_with(findings: Sequence[tuple[Severity, bool]], *, own: bool) -> Level:
    """The level of findings by severity and whether each is accepted.

    A manifest that came with the skill (`own`) may be its author's: it takes a finding from `block` to `review`, never to `clear`.
    """
    level = _level(severity for severity, accepted in findings if not accepted)
    if own and level is Level.CLEAR and _level(severity for severity, _ in findings) is Level.BLOCK:
        return Level.REVIEW
    return level
