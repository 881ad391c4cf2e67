"""Skills whose text a call brings into the context: those that it loads, and those that it only reads
(`skill_reads.py`).

A skill that may not be loaded denies the call, however its text is read. A skill that is asked about enters after a
person's approval. A loaded skill becomes the last one of its agent; a skill that is only read has no rights, and its
text is remembered as text of that skill.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.guard.hosts.toolmap import wants
from remit.guard.session.provenance import AuthorKind as From
from remit.guard.session.provenance import Source, note
from remit.guard.session.skill_reads import SkillRead, skills_read

if TYPE_CHECKING:
    from remit.guard.call_analysis.requests import CallRequests
    from remit.guard.event import Event
    from remit.guard.session.sessions import Sessions
    from remit.guard.session.skill_loading import Loading
    from remit.guard.session.state import SessionState


class CallSkills(NamedTuple):
    """The result for the skills of a call."""

    drafted: CallRequests  # with the skills that it reads
    refused: str = ""  # why the call is refused
    asks: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()  # of skills that are asked about: approval applies to their present content


def enter_skills(sessions: Sessions, live: SessionState, event: Event, drafted: CallRequests) -> CallSkills:
    """Check all skills of a call; those that need no approval enter at once, unless one is refused."""
    asks: list[str] = []
    contents: list[str] = []
    for name in drafted.loads:
        loading = sessions.load(live, name, event.agent)
        if loading.loaded is None:
            return CallSkills(drafted, loading.reason)
        asks += loading.asks
        if loading.asks:
            contents.append(loading.loaded.digest)
        else:
            sessions.enter(live, loading, event.agent)
    hears = tuple(_heard(sessions, live, event, drafted))
    if hears:
        drafted = drafted._replace(hears=tuple(str(one.folder) for one, _ in hears))
    for _, loading in hears:
        if loading.loaded is None:
            return CallSkills(drafted, loading.reason)
        asks += loading.asks
        contents += [loading.loaded.digest] if loading.asks else ()
    for one, loading in hears:
        if not loading.asks:
            remember(sessions, live, str(one.folder), loading)
    return CallSkills(drafted, "", tuple(asks), tuple(contents))


def agreed(sessions: Sessions, live: SessionState, agent: str, drafted: CallRequests) -> None:
    """Enter the skills that needed approval, after a person approved the call."""
    for name in drafted.loads:
        sessions.enter(live, sessions.load(live, name, agent), agent)
    for folder in drafted.hears:
        remember(sessions, live, folder, sessions.skills.hear(Path(folder), live.workspace))


def remember(sessions: Sessions, live: SessionState, folder: str, loading: Loading) -> None:
    """Remember the text of a skill that was only read. It is named by its folder, unlike any loaded skill."""
    if loading.loaded is None or _known(live, folder) == loading.loaded.digest:
        return
    live.heard[folder] = loading.loaded.digest
    live.index = note(live.index, loading.text, Source(From.SKILL, folder))
    sessions.save(live)


def _known(live: SessionState, folder: str) -> str:
    """Return the digest of a skill that is in the session, loaded or read; empty for any other."""
    loaded = next((one for one in live.policy.skills if one.folder.render() == folder), None)
    return loaded.digest if loaded else live.heard.get(folder, "")


@lru_cache(512)  # computing one takes longer than all else that is done with it
def _path(folder: str) -> Path:
    return Path(folder)


def _heard(
    sessions: Sessions, live: SessionState, event: Event, drafted: CallRequests
) -> Iterator[tuple[SkillRead, Loading]]:
    def folders() -> Iterator[Path]:
        yield from map(_path, live.folders.values())
        yield from (folder for _, folder in sessions.where.installed(live))

    for one in skills_read(event, wants(event), drafted, folders, sessions.skills.contents, str(sessions.home)):
        loading = sessions.skills.hear(one.folder, live.workspace)
        if loading.loaded is not None and _known(live, str(one.folder)) == loading.loaded.digest:
            loading = loading._replace(asks=())
        if one.swept and not live.stack(event.agent):
            loading = loading._replace(asks=())
        if one.kept:
            why = f"the text of the skill `{one.folder.name}` is read as git keeps it (`{one.kept[:200]}`): no person has looked at it"
            loading = loading._replace(asks=(*loading.asks, why))
        yield one, loading
