"""Loading a skill: which folder it is, what is in it, whether a person approved it, and what it may do.

(1) The name leads to a folder where the host looks for skills, or a path to a SKILL.md names it. Otherwise there is no result for it.
(2) The folder is read; a skill that cannot be read is refused.
(3) Its manifest is its own file; a manifest that changed since a person trusted it is refused.
(4) Label, bundle and lock decide whether it may be loaded at all, and at which level (`loading_policy.py`). What a person trusted
    (the lock that lists it, or its manifest) is at least `declared`.
(5) What the host would run for it without hooks is refused or asked about, unless settings of the host forbid it.
(6) Findings of the rules of `remit check` in its text that advise against an installation are asked about (`text_findings.py`).
(7) If the skill changed since it was trusted, what it asks for beyond its manifest is asked about (`skill_growth.py`).
What a person locked, or trusted unchanged, that person has seen: (6) and (7) do not ask about it, nor does (5) about
hooks if it is locked.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remit.core.errors import GuardError, RemitError
from remit.guard.event import Outcome
from remit.guard.paths import file_scope
from remit.guard.session.bundle_admission import Trust, admission_of, read_trust
from remit.guard.session.drafted_denials import without_drafted_denials
from remit.guard.session.load_time_commands import LoadCommandKind, forbidden, load_time_commands
from remit.guard.session.loading_policy import Candidate, Unlisted, may_load
from remit.guard.session.package_names import named_in_code
from remit.guard.session.skill_contents import SkillContents
from remit.guard.session.skill_folders import folder_of
from remit.guard.session.skill_growth import Trusted, draft_manifest, growth, growth_sentence, is_compared
from remit.guard.session.text_findings import shown, skill_findings
from remit.guard.session.tokens import page_addresses
from remit.guard.settings import read_settings
from remit.guard.store import Store, trusted_digest, trusted_text
from remit.manifest.drift.content import content_digest
from remit.manifest.find import own_manifest
from remit.manifest.model import Manifest, Permission, Verification
from remit.policy.principal import Loaded
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from remit.bundle.admission import Admission
    from remit.guard.session.workspace import Workspace
    from remit.guard.state_folder import StateFolder
    from remit.manifest.drift.lockfile import Lock
    from remit.manifest.drift.model import Summary
    from remit.skill.model import Skill

    Summarise = Callable[[Skill], Summary]

_KEPT = 256  # skills whose content is cached
_SHOWN = 3  # commands that are named


class Loading(NamedTuple):
    """The result of loading a skill."""

    loaded: Loaded | None  # None: refused
    reason: str = ""  # the reason of a refusal
    asks: tuple[str, ...] = ()  # the reasons to ask a person first
    text: str = ""  # its instructions: words that name nothing by themselves
    packages: frozenset[str] = frozenset()  # packages that its code names, if a person trusted the skill unchanged
    pages: frozenset[str] = frozenset()  # pages whose addresses are in its text, likewise


def refused(reason: str) -> Loading:
    """Return a refusal."""
    return Loading(None, reason)


T = TypeVar("T")


class _RecentValues(OrderedDict[Hashable, T]):
    """The newest values, by the content that they are about."""

    def keep(self, key: Hashable, value: T) -> T:
        self[key] = value
        while len(self) > _KEPT:
            self.popitem(last=False)
        return value


class Skills:
    """Reads skills, and caches the results by content."""

    def __init__(self, places: StateFolder, store: Store, summarise: Summarise) -> None:
        self._places = places
        self._store = store
        self._summarise = summarise
        self._findings: _RecentValues[_Read] = _RecentValues()
        self._admissions: _RecentValues[Admission | None] = _RecentValues()
        self._summaries: _RecentValues[Summary] = _RecentValues()
        self._grown: _RecentValues[tuple[str, ...]] = _RecentValues()
        self.contents = SkillContents()

    def load(self, name: str, host: str, workspace: Workspace, home: Path, *, again: bool = False) -> Loading:
        """Decide on loading a skill now. `again`: a person has already let this content in, so (7) is skipped."""
        folder = folder_of(name, host, workspace.root, home)  # (1)
        if folder is None:
            return refused(f"the skill `{name[:200]}` is not where {host} keeps skills, so Remit has no result for it")
        try:
            return self._load(folder, host, workspace, home, again=again)
        except RemitError as error:
            return refused(f"skill `{name[:200]}`: {error.message}; {error.remedy}")

    def _load(self, folder: Path, host: str, workspace: Workspace, home: Path, *, again: bool) -> Loading:
        skill = load_skill(folder)  # (2)
        found = content_digest(skill.files, skill.links)
        return self._judged(folder, found, lambda: skill, workspace, (host, home), again=again)

    def hear(self, folder: Path, workspace: Workspace, *, again: bool = False) -> Loading:
        """Decide on reading a skill's text without loading it: the same, except that the host runs nothing for it."""
        try:
            found = self.contents.of(folder).digest
            return self._judged(folder, found, partial(_unchanged, folder, found), workspace, again=again)
        except RemitError as error:
            return refused(f"skill `{folder.name[:200]}`: {error.message}; {error.remedy}")

    def _judged(
        self,
        folder: Path,
        found: str,
        skill: Callable[[], Skill],
        workspace: Workspace,
        runs_at: tuple[str, Path] | None = None,
        *,
        again: bool,
    ) -> Loading:
        """Do steps (3) to (7) for a content. `runs_at`: the host and the home folder, if the host would run what is in
        it.
        """
        own = self._own(folder)  # (3)
        manifest = own.held
        trust = read_trust(self._places)
        candidate = Candidate(
            folder.name,
            Path(os.path.relpath(folder, workspace.root)).as_posix(),
            found,
            manifest.skill_metadata.classification if manifest.skill_metadata else None,
            self._admission(folder, found, trust),
            found,
        )
        locked = _locked(workspace.lock, candidate.place)
        if locked is not None and locked != found:
            candidate = candidate._replace(summary=self._summary(skill(), found))
        may = may_load(candidate, workspace.lock, trust.clearance, self._unlisted(workspace.lock))  # (4)
        if may.outcome is Outcome.DENY:
            return refused("; ".join(may.reasons))
        denied, asks = self._runs(skill(), runs_at, workspace, seen=locked is not None) if runs_at else ((), ())  # (5)
        if denied:
            return refused(f"skill `{folder.name}`: {'; '.join(denied[:_SHOWN])}; {_NO_INLINE}")
        warnings, text, packages, pages = self._findings.get(found) or self._read(skill(), found)  # (6)
        as_it_is = found in (locked, own.trusted.content if own.trusted else None)
        warnings = () if as_it_is else warnings
        if not (again or locked is not None) and own.trusted is not None and is_compared(own.trusted, found):  # (7)
            warnings += self._more(folder, found, own.trusted, own.digest, workspace.baseline)
        low = may.level is Verification.UNVERIFIED and (own.trusted is not None or locked is not None)
        # two skills of the same name are different: the folder distinguishes them
        level = Verification.DECLARED if low else may.level
        trusted = own.trusted is not None or locked is not None
        loaded = Loaded(folder.name, found, manifest, level, file_scope(str(folder)), trusted=trusted)
        asked = (*may.reasons, *asks[:_SHOWN], *warnings)
        named = (packages, pages) if as_it_is else (frozenset[str](), frozenset[str]())
        return Loading(loaded, "", asked, text, *named)

    def text_of(self, content: str) -> str:
        """Return the text of a skill that was read, by its digest; empty if it was not."""
        known = self._findings.get(content)
        return known.text if known else ""

    def _unlisted(self, lock: Lock | None) -> Unlisted:
        """Return the treatment of a skill that no lock lists: asked about if the workspace has a lock, otherwise up to
        levels and manifests.
        """
        said = read_settings(self._places.folder).unlisted
        return said or (Unlisted.PASS if lock is None else Unlisted.ASK)

    def _own(self, folder: Path) -> _SkillManifest:
        own = own_manifest(folder)
        if own is None:
            return _SkillManifest(Manifest("", ()))
        known = trusted_digest(self._store, str(own.path))
        digest = "sha256:" + hashlib.sha256(own.path.read_bytes()).hexdigest()
        if known is not None and known != digest:
            raise GuardError(f"`{own.path.name}` is not the one that was trusted", "`remit guard trust` again")
        if known is None:
            return _SkillManifest(without_drafted_denials(own.manifest))
        seen = trusted_digest(self._store, str(folder)) or ""
        return _SkillManifest(
            without_drafted_denials(own.manifest),
            Trusted(own.manifest, seen, trusted_text(self._store, str(folder))),
            digest,
        )

    def _more(
        self, folder: Path, found: str, trusted: Trusted, digest: str, baseline: tuple[Permission, ...]
    ) -> tuple[str, ...]:
        key = (found, digest, trusted.content, baseline)
        if key not in self._grown:
            try:
                now = draft_manifest(folder)
            except GuardError as error:
                return (f"{error.message}: {error.remedy}",)
            _unchanged(folder, found)
            more = growth(now, trusted, baseline)
            self._grown.keep(
                key, (f"it asks for more than its manifest says: {growth_sentence(more)}; {_LOOK}",) if more else ()
            )
        return self._grown[key]

    def _admission(self, folder: Path, found: str, trust: Trust) -> Admission | None:
        if trust.path is None:
            return None
        key = f"{found} {hashlib.sha256(trust.path.read_bytes()).hexdigest()}"
        if key not in self._admissions:
            self._admissions.keep(key, admission_of(folder, trust))
        return self._admissions[key]

    def _summary(self, skill: Skill, found: str) -> Summary:
        known = self._summaries.get(found)
        return known or self._summaries.keep(found, self._summarise(skill))

    def _runs(
        self, skill: Skill, runs_at: tuple[str, Path], workspace: Workspace, *, seen: bool
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        host, home = runs_at
        return _runs_by_itself(skill, forbidden(host, home, workspace.root, self._places.folder), seen=seen)

    def _read(self, skill: Skill, found: str) -> _Read:
        text = "\n".join(skill.contents[one.path].decode("utf-8", "replace") for one in skill.documents)
        files = ((path, data.decode("utf-8", "replace")) for path, data in skill.contents.items())
        packages = frozenset(named_in_code(files))
        warnings = tuple(map(shown, skill_findings(skill)))
        return self._findings.keep(found, _Read(warnings, text, packages, frozenset(page_addresses(text))))


class _Read(NamedTuple):
    """What the text of a skill contains."""

    warnings: tuple[str, ...]
    text: str
    packages: frozenset[str]  # packages that its code names
    pages: frozenset[str]  # pages whose addresses are in it


class _SkillManifest(NamedTuple):
    """The manifest of a skill."""

    held: Manifest  # as it is enforced
    trusted: Trusted | None = None  # what a person trusted of the skill
    digest: str = ""  # of a trusted manifest


def _unchanged(folder: Path, found: str) -> Skill:
    """Return the skill in a folder; GuardError if its content has changed since it was looked at."""
    skill = load_skill(folder)
    if content_digest(skill.files, skill.links) != found:
        raise GuardError("it changed while it was looked at", "try again")
    return skill


_LOOK = "if that is right, `remit init --update` and `remit guard trust` end this question"
_NO_INLINE = "set `disableSkillShellExecution` in the settings of the host, as `remit guard install` does"


def _locked(lock: Lock | None, place: str) -> str | None:
    """Return the digest under which a place is locked; None if it is not."""
    return next((one.summary.content for one in lock.skills if one.path == place), None) if lock else None


def _runs_by_itself(
    skill: Skill, off: frozenset[LoadCommandKind], *, seen: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return why a skill is refused, and why a person is asked. `seen`: a person has reviewed its content."""
    found = [one for one in load_time_commands(skill) if one.sort not in off]
    inline = tuple(str(one) for one in found if one.sort is LoadCommandKind.INLINE)
    hooks = tuple(str(one) for one in found if one.sort is not LoadCommandKind.INLINE)
    return ((), inline) if seen else (inline, hooks)
