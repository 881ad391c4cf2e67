"""Types of a manifest: what a skill may do. Parsing and rendering are in other modules of this package."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.core.capability import Level, vocabulary
from remit.core.scope import ANY_SCOPE, Scope

SHOWN = "shown, but not asked for"  # why a draft denies what no text tells an agent to do


class Decision(StrEnum):
    """The decision on a request that an entry covers."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


class Verification(StrEnum):
    """How well it is established that a skill stays inside its manifest, from least to most."""

    UNVERIFIED = "unverified"
    DECLARED = "declared"
    TESTED = "tested"
    FORMAL = "formal"


class Classification(NamedTuple):
    """A label: what a reader must be cleared for. Ranks are ordered; compartments and releasability are sets."""

    label: str
    rank: int
    compartments: tuple[str, ...] = ()
    releasability: tuple[str, ...] = ()


class Metadata(NamedTuple):
    """The skill that the manifest is about."""

    name: str
    version: str = ""
    trust_tier: int | None = None  # 1 to 4; it never widens anything
    classification: Classification | None = None


class TimeWindow(NamedTuple):
    """When a request may be made: days of the week (all if empty) and minutes of the day, in UTC.

    A window that ends before its start extends over midnight.
    """

    days: tuple[str, ...] = ()
    start: int = 0
    end: int = 24 * 60


class RateLimit(NamedTuple):
    """A maximum number of requests in any span of so many seconds."""

    calls: int
    seconds: int


class Matching(NamedTuple):
    """An argument whose whole text must match a pattern."""

    pattern: str


Allowed: TypeAlias = "Matching | tuple[str | int | bool, ...]"  # the values of which an argument must be one


class Constraints(NamedTuple):
    """Further limits of an entry. All of them must hold; the default of each limits nothing."""

    workspace_only: bool = False
    resource_scope: tuple[Scope, ...] = ()  # the request must be in one of these too
    denied_command_patterns: tuple[str, ...] = ()
    arguments: tuple[tuple[str, Allowed], ...] = ()  # sorted by name
    time_window: TimeWindow | None = None
    rate_limit: RateLimit | None = None
    redact: bool = False

    @property
    def varies(self) -> bool:
        """Whether it depends on more than the requested scope: on arguments, the time, or earlier calls."""
        return bool(self.arguments) or self.time_window is not None or self.rate_limit is not None


class Evidence(NamedTuple):
    """Why an entry is in a draft: the location, its words, and the rule that matched them."""

    file: str
    line: int
    text: str
    rule: str = ""


class Permission(NamedTuple):
    """One entry: a capability or pattern (`object.*`, `*`), the scopes, and the decision.

    A request is covered if it is in one of `scopes`. `line` is the location of the entry and not part of its meaning.
    """

    capability: str
    scopes: tuple[Scope, ...] = (ANY_SCOPE,)
    effect: Decision | None = None  # None: not written, so the level of each capability decides
    priority: int = 0
    constraints: Constraints = Constraints()
    fallback_msg: str = ""
    evidence: tuple[Evidence, ...] = ()
    line: int = 0

    @property
    def place(self) -> str:
        """The scopes as a message shows them."""
        return ", ".join(scope.render() for scope in self.scopes)

    def decision(self, capability: str) -> Decision:
        """Return the decision on a request for a capability that the entry covers."""
        return self.effect or usual_decision(vocabulary()[capability].level)


class AcceptedFinding(NamedTuple):
    """A finding that a person reviewed and accepts. It becomes void when the lines of the finding change."""

    finding: str  # the identifier of a rule
    where: str  # the deciding location, `file:line`
    digest: str  # of the finding's message and lines, as `remit check -v` prints it
    reason: str
    until: str = ""  # the last day on which it counts, as YYYY-MM-DD
    line: int = 0  # the location of the entry, which is not part of its meaning


class Manifest(NamedTuple):
    """All entries, in the order of the file."""

    file: str
    permissions: tuple[Permission, ...]
    skill_metadata: Metadata | None = None
    verification: Verification = Verification.UNVERIFIED  # the level that is claimed
    drafted: tuple[str, ...] = ()  # digests of what a draft wrote, so that edits and removals are recognised
    tests: tuple[str, ...] = ()  # command lines that exercise the skill, in order
    accepted: tuple[AcceptedFinding, ...] = ()


class Defaults(NamedTuple):
    """The baseline of a workspace: what every session may do before a skill is loaded."""

    file: str
    permissions: tuple[Permission, ...]
    description: str = ""


_USUAL: Mapping[Level, Decision] = {
    Level.NORMAL: Decision.ALLOW,
    Level.DANGEROUS: Decision.CONFIRM,
    Level.SYSTEM: Decision.CONFIRM,
    Level.REDACT: Decision.CONFIRM,  # and the value is returned masked
}


def usual_decision(level: Level) -> Decision:
    """Return what a draft, or an entry without `effect`, decides for a level. Total: every level has a decision."""
    return _USUAL[level]
