"""Page of an update's changes to a skill: compared with another folder or with the lock. Gains come first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.location import Location
from remit.report.drift_words import word_diff
from remit.web.console.page import WrongPageError
from remit.web.console.pages.skill import content_of, looked_at, placing
from remit.web.console.pages.waiting import answered, stamp
from remit.web.console.rendering import page
from remit.web.console.request_context import console_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from remit.web.console.library import KnownSkill

LOCK = "skills.lock"
_MOST = 500  # skills to choose from; those with the same name come first
LOOKS = {"gains": "bad", "new": "warn", "missing": "warn", "changed": "good", "same": "good"}


class Choice(NamedTuple):
    """A candidate to compare with. `ident`: its id in URLs."""

    ident: str
    title: str
    path: Path
    usual: bool = False  # a lock file, or a skill of the same name: the most likely choice


async def show(request: Request) -> Response:
    """Return the changes against the choice; without one, the choices."""
    known = looked_at(request)
    choices = list(_choices(request, known))
    wanted = request.query_params.get("old", "")
    title = f"Update of {known.name}"
    if not wanted:
        return page(
            request, "update.html", title=title, known=known, choices=choices, chosen=None, found=None, errors=()
        )  # fmt: skip
    chosen = next((one for one in choices if one.ident == wanted), None)
    if chosen is None:
        raise WrongPageError(404, "nothing has this name to compare with", "choose from the list")
    work = console_of(request).work
    key = f"compare {known.ident} {await content_of(request, known)} {chosen.ident} {await _state(request, chosen)}"
    found = answered(request, key, lambda: work.compare(chosen.path, known.folder))
    if found is None:
        return page(request, "waiting.html", title=title, known=known, at="update", doing="The two are compared")
    return page(
        request,
        "update.html",
        title=title,
        known=known,
        choices=choices,
        chosen=chosen,
        found=_one(found, known),
        errors=found["errors"],
        looks=LOOKS,
        place=placing(request, known),
        at=Location,
    )


def _choices(request: Request, known: KnownSkill) -> list[Choice]:
    """Return lock files above the skill within the console's folders, then other skills, those with the same name
    first.
    """
    console = console_of(request)
    locks = [
        Choice(f"lock-{number}", f"as locked in {above.name}/{LOCK}", above / LOCK, usual=True)
        for number, above in enumerate(known.folder.parents)
        if (above / LOCK).is_file() and any(above.is_relative_to(folder) for folder in console.settings.folders)
    ]
    others = sorted(
        (one for one in console.library.skills() if one.ident != known.ident),
        key=lambda one: (one.name != known.name, one.folder.name != known.folder.name, one.shown),
    )
    return [*locks, *(Choice(one.ident, one.shown, one.folder, one.name == known.name) for one in others[:_MOST])]


async def _state(request: Request, chosen: Choice) -> str:
    """Return a fingerprint of the other side."""
    other = console_of(request).library.get(chosen.ident)
    return await content_of(request, other) if other else stamp(chosen.path)


def _one(found: dict[str, Any], known: KnownSkill) -> dict[str, Any] | None:
    """Return the changes of this skill: gains, other additions, removals, and word-level diffs of sentences."""
    here = next((one for one in found["skills"] if one["new"] and Path(one["new"]["path"]) == known.folder), None)
    if here is None:
        return None
    changes = [*here["added"], *here["removed"]]
    return {
        **here,
        "gains": _titled([one for one in changes if one["gain"]]),
        "others": _titled([one for one in here["added"] if not one["gain"]]),
        "gone": _titled([one for one in here["removed"] if not one["gain"]]),
        "sentences": [{**one, "pieces": list(word_diff(one["old"], one["new"]))} for one in here["instructions"]],
    }


def _titled(changes: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for change in sorted(changes, key=lambda one: one["rank"]):
        groups.setdefault(change["title"], []).append(change)
    return list(groups.items())
