"""The principals of a session and their rights. A principal is a skill, or the agent by itself (``).

A principal has the rights of its own manifest, those that the workspace gives to all principals, and those that a person granted to it.
The rights of two skills are never combined. All values are frozen: each event of a session makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import ANY_SCOPE, PathScope
from remit.manifest.model import Decision, Manifest, Permission, Verification
from remit.policy.rules import LAST, Authority, Layer
from remit.policy.skill_policy import SkillPolicy

AGENT = ""  # the agent by itself
BASELINE = "session-default"
GRANT = "user-grant"
UNLISTED = "unlisted"  # the source of the default answer of a session that has one
EVERYTHING = "*"
_NOTHING = Manifest("", ())
_SHARED = 1024  # policies that are kept ready; sessions of one workspace share them


class Loaded(NamedTuple):
    """A skill in a session."""

    name: str
    digest: str
    manifest: Manifest
    level: Verification  # as admission found it
    folder: PathScope
    sent_by: tuple[str, ...] = ()  # the skills on whose behalf it was loaded: it has at most their rights
    trusted: bool = False  # a person trusted its manifest or content: its grants count as that person's


class PersonGrant(NamedTuple):
    """A person's grant to one principal, for this session or longer. It covers what was asked for, and nothing more."""

    principal: str
    entry: Permission
    source: str = GRANT
    granted_at: int = 0
    expires: int | None = None  # seconds since 1970; None: as long as the session
    content: str = (
        ""  # the digest of the skill as the person knew it: changed, it has this no more. Empty: whatever it becomes
    )


@dataclass(frozen=True)
class SessionPolicy:
    """The state of one session on which decisions depend."""

    session: str
    baseline: tuple[Permission, ...]
    places: tuple[tuple[str, PathScope], ...]  # where workspace, home and temp lie
    started: int = 0
    skills: tuple[Loaded, ...] = ()  # the one that was loaded last is last
    granted: tuple[PersonGrant, ...] = ()
    approved: frozenset[str] = frozenset()  # digests of whole calls to which a person agreed for the session
    task: tuple[Permission, ...] = ()  # if there are any, nothing outside of them: it only narrows
    spoken: frozenset[str] = frozenset()  # capabilities that the user's own words ask for
    snapshotted: tuple[PathScope, ...] = ()
    minimum: tuple[tuple[str, Verification], ...] = ()
    protected: tuple[Permission, ...] = ()  # denials for all principals: the guard's own files
    answers_unlisted: bool = (
        False  # what no entry speaks of, the agent by itself may do, and a skill when a person agrees
    )
    _ready: dict[str, SkillPolicy] = field(default_factory=dict, init=False, repr=False, compare=False)
    _chains: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = [one.name for one in self.skills]
        for name in names:
            if not name or "/" in name or names.count(name) > 1:  # else it would have the rights of another principal
                message = f"`{name}` cannot be the name of a loaded skill, or is that of two"
                raise ManifestError(message, "give its folder a name of its own")

    def skill(self, name: str) -> Loaded | None:
        """Return a loaded skill by its name."""
        return next((one for one in self.skills if one.name == name), None)

    def chain(self, principal: str) -> tuple[str, ...]:
        """Return a principal and all on whose behalf it acts, transitively: each must permit what it does."""
        known = self._chains.get(principal)
        if known is None:
            known = self._chains[principal] = self._chain(principal)
        return known

    def _chain(self, principal: str) -> tuple[str, ...]:
        found = {principal: None}
        todo = [principal]
        while todo:
            loaded = self.skill(todo.pop())
            new = [name for name in (loaded.sent_by if loaded else ()) if name not in found]
            found |= dict.fromkeys(new)
            todo += reversed(new)
        return tuple(found)

    def content(self, principal: str) -> str:
        """Return the digest of a principal's skill as it is now; empty if it is not loaded."""
        loaded = self.skill(principal)
        return loaded.digest if loaded else ""

    def policy(self, principal: str) -> SkillPolicy:
        """Return the rights of one principal. An unknown one has only those of the workspace."""
        found = self._ready.get(principal)
        if found is None:
            found = self._ready[principal] = self._made(principal)
        return found

    def _made(self, principal: str) -> SkillPolicy:
        loaded = self.skill(principal)
        places = dict(self.places)
        if loaded:
            places["skill"] = loaded.folder
        known = ("", self.content(principal))
        own = tuple(one for one in self.granted if one.principal == principal and one.content in known)
        manifest = loaded.manifest if loaded else _NOTHING
        layers = (baseline_layer(self.baseline, principal), *map(_person, own))
        if self.answers_unlisted:
            layers = (*layers, _unlisted(principal))
        return _policy(
            principal,
            manifest,
            self._level(principal, loaded),
            self.snapshotted,
            self.minimum,
            tuple(sorted(places.items())),
            (*self.protected, *(entry for entry in self.baseline if entry.effect is Decision.DENY)),
            layers,
            _types((*manifest.permissions, *self.baseline, *self.protected, *(one.entry for one in own))),
        )

    def _level(self, principal: str, loaded: Loaded | None) -> Verification:
        if principal == AGENT or (loaded and loaded.trusted and not self.minimum):
            return Verification.FORMAL
        return loaded.level if loaded else Verification.UNVERIFIED

    def scope_of_task(self, name: str) -> SkillPolicy:
        """Return the task as one more principal, which must permit everything too. An entry without effect only declares
        its subject.
        """
        entries = tuple(entry._replace(effect=entry.effect or Decision.ALLOW) for entry in self.task)
        return _policy(
            name,
            Manifest("", entries),
            Verification.FORMAL,
            (),
            (),
            tuple(sorted(self.places)),
            (),
            (),
            _types(entries),
        )

    def with_skill(self, loaded: Loaded) -> SessionPolicy:
        """Return the session after a skill was loaded, or reloaded, which makes it the last one with its current
        content.
        """
        others = tuple(one for one in self.skills if one.name != loaded.name)
        return replace(self, skills=(*others, loaded))

    def with_grants(self, granted: Iterable[PersonGrant]) -> SessionPolicy:
        """Return the session after a person granted something."""
        return replace(self, granted=tuple(dict.fromkeys((*self.granted, *granted))))


def baseline_layer(baseline: Iterable[Permission], principal: str) -> Layer:
    """Return the workspace's entries for one principal.

    What it allows, every principal may do. What it wants to be asked about, the agent by itself may do when a person agrees; to a skill
    it gives nothing that its manifest does not hold, and asks about what it does.
    """
    plain = [one for entry in baseline for one in _explicit(entry)]
    allows = tuple(entry for entry in plain if entry.effect is Decision.ALLOW)
    asks = tuple(entry for entry in plain if entry.effect is Decision.CONFIRM)
    if principal == AGENT:
        return Layer(BASELINE, Authority.WORKSPACE, (*allows, *asks))
    return Layer(BASELINE, Authority.WORKSPACE, allows, asks)


def _explicit(entry: Permission) -> tuple[Permission, ...]:
    """Return an entry with its effect written out: without one, the level of each capability decides."""
    if entry.effect is not None:
        return (entry,)
    names = vocabulary().expand(entry.capability)
    return tuple(entry._replace(capability=name, effect=entry.decision(name)) for name in names)


def _unlisted(principal: str) -> Layer:
    effect = Decision.ALLOW if principal == AGENT else Decision.CONFIRM
    return Layer(UNLISTED, Authority.SKILL, (Permission(EVERYTHING, (ANY_SCOPE,), effect, priority=LAST),))


def _person(granted: PersonGrant) -> Layer:
    return Layer(granted.source, Authority.PERSON, (granted.entry,), expires=granted.expires)


def _types(entries: Iterable[Permission]) -> tuple[type, ...]:
    """Return the types of argument values, because Python treats 1 and true as equal, and policies do not."""
    return tuple(type(value) for entry in entries for _, allowed in entry.constraints.arguments for value in allowed)


@lru_cache(_SHARED)
def _policy(  # noqa: PLR0913  what a session consists of
    skill: str,
    manifest: Manifest,
    level: Verification,
    snapshotted: tuple[PathScope, ...],
    minimum: tuple[tuple[str, Verification], ...],
    places: tuple[tuple[str, PathScope], ...],
    denials: tuple[Permission, ...],
    layers: tuple[Layer, ...],
    types: tuple[type, ...],
) -> SkillPolicy:
    del types  # a part of the key alone
    where: Mapping[str, PathScope] = dict(places)
    return SkillPolicy(skill, manifest, level, snapshotted, minimum, where, denials, layers)
