"""Types of drift: the summary of a skill, and the differences of two summaries.

Everything that can appear, disappear or change is a `Trait`: a capability with its scope, a command that runs
automatically, an opaque location, a sentence of the instructions, a file. One type for all of them keeps comparing,
storing and showing simple; `Sort` says what the fields mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.core.location import Location


class TraitKind(StrEnum):
    """The kind of a trait. The comment gives its subject, and which other fields it has."""

    CAPABILITY = "capability"  # its name; one scope; origin; path
    COMMAND = "command"  # the text of a command that runs automatically
    HIDDEN = "hidden"  # text that a model reads and a person does not see; mark: its digest
    OPAQUE = "opaque"  # the reason; mark: the digest of the code around it
    UNTOLD = "untold"  # a file whose opaque places were there before, and whose code is new; in differences alone
    TOOL = "tool"  # a tool that the host is asked to allow, as it is written
    ENTRY = "entry"  # an entry of the manifest: its capability; scopes; origin: what it decides; mark: the rest of it
    PACKAGE = "package"  # the name of a dependency; scopes: its version
    VERSION = "version"  # the same, where only the version is new; in differences alone
    ADDRESS = "address"  # a host that a text names, with the first part of the path; a mailbox; what settings name
    REQUEST = (
        "request"  # a sentence that asks for something that no sentence in its place asked for; in differences alone
    )
    LIMIT = "limit"  # a sentence that says what the agent must not do, or only where, or not without being asked
    FREED = "freed"  # one of these that is gone; in differences alone
    INSTRUCTION = "instruction"  # a sentence, or a line of a code block; mark: its digest, and what it asks for
    FILE = "file"  # its path; mark: what it holds


class Trait(NamedTuple):
    """One fact about a skill, and its location."""

    sort: TraitKind
    subject: str
    where: Location
    scopes: tuple[str, ...] = ()
    origin: str = ""
    why: str = ""
    path: tuple[Location, ...] = ()  # the calls that lead to it, outermost first
    mark: str = ""

    @property
    def scope(self) -> str:
        """The scopes as they are shown."""
        return ", ".join(self.scopes)


class Summary(NamedTuple):
    """The summary of a skill. Traits are sorted, and occur once for each location that counts."""

    name: str
    content: str  # the digest of every file
    manifest: str = ""  # the digest of its manifest; empty if there is none
    traits: tuple[Trait, ...] = ()

    def of(self, sort: TraitKind) -> tuple[Trait, ...]:
        """Return the traits of one sort."""
        return tuple(trait for trait in self.traits if trait.sort is sort)


def in_order(traits: Iterable[Trait]) -> tuple[Trait, ...]:
    """Sort by kind; instructions in reading order, everything else by content."""
    order = {sort: number for number, sort in enumerate(TraitKind)}

    def key(trait: Trait) -> tuple[object, ...]:
        if trait.sort is TraitKind.INSTRUCTION:
            return (order[trait.sort], trait.where)
        if trait.sort is TraitKind.HIDDEN:  # a lock file knows no text of it
            return (order[trait.sort], trait.mark, trait.where, trait.why)
        return (order[trait.sort], trait.subject, trait.scopes, trait.origin, trait.mark, trait.where)

    return tuple(sorted(traits, key=key))


NOTHING = Summary("", "")


class Change(NamedTuple):
    """A trait that only one of two skills has."""

    trait: Trait
    rank: int  # the row of ranks.table that it falls under, from 0, the worst first
    before: tuple[
        str, ...
    ] = ()  # the counterpart in the other skill: scopes included in this one, a version, a file's mark
    note: str = ""


class Drift(NamedTuple):
    """The changes of an update: traits that only the new skill has, and traits that only the old one has."""

    old: Summary
    new: Summary
    added: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing differs, not even a byte."""
        return not self.added and not self.removed

    @property
    def gains(self) -> tuple[Change, ...]:
        """Return what lets the skill do more than before, the worst first. A removed denial lets it do more, too."""
        from remit.manifest.drift.ranks import ranks  # noqa: PLC0415  it reads a table

        found = [change for change in self.added if ranks()[change.rank].gain and not _denial(change)]
        found += [change for change in self.removed if _denial(change)]
        return tuple(sorted(found, key=lambda change: change.rank))


def _denial(change: Change) -> bool:
    return change.trait.sort is TraitKind.ENTRY and change.trait.origin == "deny"
