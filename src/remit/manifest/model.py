"""What a skill may do: the values of a manifest. Reading and writing them is the work of other files of this room."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.core.capability import Level, vocabulary
from remit.core.scope import ANY_SCOPE, Scope

SHOWN = "shown, but not asked for"  # why a draft denies what no text directs an agent to do


class Decision(StrEnum):
    """What happens to a request that an entry speaks of."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


class Verification(StrEnum):
    """How well it is shown that a skill stays inside its manifest, the least first."""

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
    """Of which skill the manifest speaks."""

    name: str
    version: str = ""
    trust_tier: int | None = None  # 1 to 4; it never widens anything
    classification: Classification | None = None


class TimeWindow(NamedTuple):
    """When a request may be made: days of the week (all if empty) and minutes of the day, in UTC.

    A window whose end lies before its start reaches over midnight.
    """

    days: tuple[str, ...] = ()
    start: int = 0
    end: int = 24 * 60


class RateLimit(NamedTuple):
    """At most so many requests in any span of so many seconds."""

    calls: int
    seconds: int


class Matching(NamedTuple):
    """An argument whose whole text must match a pattern."""

    pattern: str


Allowed: TypeAlias = "Matching | tuple[str | int | bool, ...]"  # the values of which an argument must be one


class Constraints(NamedTuple):
    """What narrows an entry further. All of them must hold; the default of each narrows nothing."""

    workspace_only: bool = False
    resource_scope: tuple[Scope, ...] = ()  # the request must lie in one of these too
    denied_command_patterns: tuple[str, ...] = ()
    arguments: tuple[tuple[str, Allowed], ...] = ()  # sorted by name
    time_window: TimeWindow | None = None
    rate_limit: RateLimit | None = None
    redact: bool = False

    @property
    def varies(self) -> bool:
        """Whether it looks at more than what is asked for: at arguments, at the time, or at earlier calls."""
        return bool(self.arguments) or self.time_window is not None or self.rate_limit is not None


class Evidence(NamedTuple):
    """Why an entry stands in a draft: the place, the words there, and the rule that read them."""

    file: str
    line: int
    text: str
    rule: str = ""


class Permission(NamedTuple):
    """One entry: a capability or pattern (`object.*`, `*`), the scopes it is given for, and what happens.

    A request is inside if it lies in one of `scopes`. `line` is where the entry stands; it is no part of what it says.
    """

    capability: str
    scopes: tuple[Scope, ...] = (ANY_SCOPE,)
    effect: Decision | None = None  # None: not written, so that the level of each capability decides
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
        """What happens to a request for a capability that the entry stands for."""
        return self.effect or usual_decision(vocabulary()[capability].level)


class AcceptedFinding(NamedTuple):
    """A finding that a person looked at and accepts. It is void when the lines that show the finding change."""

    finding: str  # the identifier of a rule
    where: str  # the deciding location, `file:line`
    digest: str  # of the finding's message and lines, as `remit check -v` prints it
    reason: str
    until: str = ""  # the last day on which it counts, as YYYY-MM-DD
    line: int = 0  # where the entry stands; it is no part of what it says


class Manifest(NamedTuple):
    """All entries, in the order of the file."""

    file: str
    permissions: tuple[Permission, ...]
    skill_metadata: Metadata | None = None
    verification: Verification = Verification.UNVERIFIED  # the level that is claimed
    drafted: tuple[str, ...] = ()  # digests of what a draft wrote, so that edits and removals can be told
    tests: tuple[str, ...] = ()  # command lines that exercise the skill, in their order
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
    Level.REDACT: Decision.CONFIRM,  # and the value is handed out masked
}


def usual_decision(level: Level) -> Decision:
    """What a draft, or an entry without `effect`, decides for a level. Total: every level has its answer."""
    return _USUAL[level]
