"""What a report on a scan says, as values: every number was counted, and every text is a stranger's until it is shown."""

from __future__ import annotations

from typing import NamedTuple


class Count(NamedTuple):
    """How many skills have something: a level, a verdict, a guarantee."""

    name: str
    skills: int


class Overview(NamedTuple):
    """How much was scanned, and how much of it was understood."""

    skills: int
    analysed: int  # without an error
    understood: int  # and without an opaque place
    contents: int  # copies counted once
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


class Shown(NamedTuple):
    """A finding of a skill."""

    rule: str
    severity: str
    message: str
    file: str
    line: int


class Ranked(NamedTuple):
    """A skill with findings that are not accepted."""

    level: str
    skills: int  # with the same content
    name: str
    example: str
    found: int
    findings: tuple[Shown, ...]  # the worst of them


class RuleCount(NamedTuple):
    """In how many skills a rule finds something, and the worst severity that it finds."""

    rule: str
    severity: str
    skills: int
    contents: int
    example: str


class CapabilityCount(NamedTuple):
    """In how many skills a capability was found, and in how many if copies count once."""

    capability: str
    skills: int
    contents: int


class OpaqueReason(NamedTuple):
    """A reason why places are not understood."""

    reason: str
    skills: int
    alone: int  # skills in which it is the only one
    held: int  # of those the ones with the verdict `opaque`: it alone keeps them from being contained
    example: str


class Reached(NamedTuple):
    """A host or program, and who reaches it."""

    what: str
    skills: int
    contents: int
    capabilities: tuple[str, ...]
    example: str


class Place(NamedTuple):
    """Where a skill does something: the first such line."""

    capability: str
    scope: str
    file: str
    line: int
    why: str


class Twins(NamedTuple):
    """Skills that do exactly the same and are not copies."""

    skills: int
    contents: int
    effects: int
    names: int
    some_names: tuple[str, ...]
    capabilities: tuple[str, ...]
    examples: tuple[str, ...]


class Near(NamedTuple):
    """A set of effects that skills have, and all sets that are similar to it."""

    skills: int
    contents: int
    shapes: int
    similarity: float  # of the one that is least like the first
    names: int
    some_names: tuple[str, ...]
    shared: tuple[str, ...]  # capabilities of all
    differing: tuple[str, ...]  # of some
    examples: tuple[str, ...]


class Alike(NamedTuple):
    """Skills that do the same, or nearly."""

    least: int  # effects that a skill must have to be compared
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
    places: tuple[Place, ...]


class Impostors(NamedTuple):
    """How many variants of names can do more than the usual one, how many of them say the same of themselves, and the first of them."""

    variants: int
    alike: int
    listed: tuple[Impostor, ...]


class CapabilityChange(NamedTuple):
    """How many skills gained and lost a capability."""

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
    obscured: bool  # it has opaque places now, and had none
    places: tuple[Place, ...]  # of what was gained
    widened: tuple[Place, ...]  # what it could do before, and now on something else too


class Located(NamedTuple):
    """A skill, by where it is."""

    location: str
    name: str


class ChangeCounts(NamedTuple):
    """What became of all locations."""

    new: int
    gone: int
    moved: int  # of those that are gone: something new has their content
    same: int
    content: int  # other content, the same effects
    effects: int  # other content, other effects
    analysis: int  # the same content, other effects: Remit changed
    unknown: int  # one of the two scans could not analyse it
    worse: int  # changed, and have a worse level now
    lost_sight: int  # of those the ones that can no longer be analysed
    obscured: int  # changed, and have opaque places now where they had none
    gained: int  # a capability
    widened: int  # use a capability that they had on something else
    lost: int


class Changes(NamedTuple):
    """What changed since another scan."""

    counts: ChangeCounts
    capabilities: tuple[CapabilityChange, ...]
    changed: tuple[Changed, ...]
    new: tuple[Located, ...]
    gone: tuple[Located, ...]
    unknown: tuple[Located, ...]

    @property
    def alarming(self) -> bool:
        """Whether a skill has a worse level or can do more than before, or nobody can tell any more."""
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
