"""Values of a report on a scan: every number was counted, and every text is untrusted until it is escaped."""

from __future__ import annotations

from typing import NamedTuple


class Count(NamedTuple):
    """How many skills have a property: a level, a verdict, a guarantee."""

    name: str
    skills: int


class Overview(NamedTuple):
    """The size of the scan, and how much of it was understood."""

    skills: int
    analysed: int  # without an error
    understood: int  # and without an opaque location
    contents: int  # duplicates counted once
    sources: int
    files: int
    bytes: int
    effects: int
    cached: int
    seconds: float  # of all workers
    toolchains: tuple[str, ...]


class ErrorCount(NamedTuple):
    """A reason why skills could not be analysed."""

    error: str
    skills: int
    example: str


class ReportedFinding(NamedTuple):
    """A finding of a skill."""

    rule: str
    severity: str
    message: str
    file: str
    line: int


class Ranked(NamedTuple):
    """A skill with findings that are not accepted."""

    level: str
    skills: int  # duplicates with the same content
    name: str
    example: str
    found: int
    findings: tuple[ReportedFinding, ...]  # the worst of them


class RuleCount(NamedTuple):
    """The number of skills with a finding of a rule, and its worst severity."""

    rule: str
    severity: str
    skills: int
    contents: int
    example: str


class CapabilityCount(NamedTuple):
    """The number of skills with a capability, with duplicates and without."""

    capability: str
    skills: int
    contents: int


class OpaqueReason(NamedTuple):
    """A reason for opaque locations."""

    reason: str
    skills: int
    alone: int  # skills in which it is the only reason
    held: int  # those of them with the verdict `opaque`: it alone keeps them from being contained
    example: str


class Reached(NamedTuple):
    """A host or program, and the skills that reach it."""

    what: str
    skills: int
    contents: int
    capabilities: tuple[str, ...]
    example: str


class FirstLine(NamedTuple):
    """The first line at which a skill does something."""

    capability: str
    scope: str
    file: str
    line: int
    why: str


class Twins(NamedTuple):
    """Skills that do exactly the same and are not duplicates."""

    skills: int
    contents: int
    effects: int
    names: int
    some_names: tuple[str, ...]
    capabilities: tuple[str, ...]
    examples: tuple[str, ...]


class Near(NamedTuple):
    """A set of effects of skills, and all sets that are similar to it."""

    skills: int
    contents: int
    shapes: int
    similarity: float  # of the least similar one
    names: int
    some_names: tuple[str, ...]
    shared: tuple[str, ...]  # capabilities of all
    differing: tuple[str, ...]  # capabilities of some
    examples: tuple[str, ...]


class Alike(NamedTuple):
    """Skills that do the same, or nearly."""

    least: int  # minimum number of effects of a skill that is compared
    similar: float
    twin_groups: int
    twin_skills: int
    small_groups: int  # of twins with fewer effects
    near_groups: int
    near_skills: int
    uncompared: int  # sets of effects that were not compared with all others
    twins: tuple[Twins, ...]
    near: tuple[Near, ...]


class Impostor(NamedTuple):
    """A skill with the name of others that can do more than most of them."""

    name: str
    skills: int
    usual_skills: int
    named_so: int
    same_description: bool
    beyond: tuple[str, ...]
    weight: int
    example: str
    usual_example: str
    places: tuple[FirstLine, ...]


class Impostors(NamedTuple):
    """The number of name variants that can do more than the usual one, how many of them have the same description, and
    the first of them.
    """

    variants: int
    alike: int
    listed: tuple[Impostor, ...]


class CapabilityChange(NamedTuple):
    """The number of skills that gained and lost a capability."""

    capability: str
    gained: int
    lost: int


class Changed(NamedTuple):
    """A skill that can do other things than before."""

    location: str
    name: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    old_level: str | None
    new_level: str | None
    old_verdict: str
    new_verdict: str
    obscured: bool  # it has opaque locations now, and had none
    places: tuple[FirstLine, ...]  # of what was gained
    widened: tuple[FirstLine, ...]  # capabilities that it had before, now on further scopes


class Located(NamedTuple):
    """A skill, by its location."""

    location: str
    name: str


class ChangeCounts(NamedTuple):
    """The changes of all locations."""

    new: int
    gone: int
    moved: int  # of the removed ones: something new has their content
    same: int
    content: int  # other content, the same effects
    effects: int  # other content, other effects
    analysis: int  # the same content, other effects: Remit changed
    unknown: int  # one of the two scans could not analyse it
    worse: int  # changed, with a worse level now
    lost_sight: int  # those of them that can no longer be analysed
    obscured: int  # changed, with opaque locations now and none before
    gained: int  # gained a capability
    widened: int  # use a capability that they had on further scopes
    lost: int


class Changes(NamedTuple):
    """The changes since another scan."""

    counts: ChangeCounts
    capabilities: tuple[CapabilityChange, ...]
    changed: tuple[Changed, ...]
    new: tuple[Located, ...]
    gone: tuple[Located, ...]
    unknown: tuple[Located, ...]

    @property
    def alarming(self) -> bool:
        """Whether a skill has a worse level or can do more than before, or is no longer known."""
        counts = self.counts
        return bool(counts.worse or counts.gained or counts.widened or counts.lost_sight or counts.obscured)


class Findings(NamedTuple):
    """The whole report."""

    overview: Overview
    levels: tuple[Count, ...]
    worst: tuple[Ranked, ...]
    rules: tuple[RuleCount, ...]
    guarantees: tuple[Count, ...]
    verdicts: tuple[Count, ...]
    errors: tuple[ErrorCount, ...]
    capabilities: tuple[CapabilityCount, ...]
    opaque_kinds: tuple[OpaqueReason, ...]
    opaque_reasons: tuple[OpaqueReason, ...]
    hosts: tuple[Reached, ...]
    unnamed_hosts: tuple[Reached, ...]
    programs: tuple[Reached, ...]
    unnamed_programs: tuple[Reached, ...]
    alike: Alike
    impostors: Impostors
    changes: Changes | None
