"""Editor page for a skill's manifest: judged while typing, and written only after a confirmation that says what it
permits.
"""

from __future__ import annotations

import asyncio
import difflib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.responses import JSONResponse, RedirectResponse, Response

from remit.checker.report import Report, judge
from remit.core.capability import vocabulary
from remit.core.digest import bytes_digest, digest
from remit.core.errors import ManifestError, RemitError
from remit.gateway.acts import RefusedError
from remit.gateway.workspace import Workspace
from remit.manifest import Manifest, own_manifest, parse_manifest
from remit.manifest.foreign.permissions import changed
from remit.manifest.render import entry_value, layout
from remit.proof import Escape, Verdict
from remit.proof.least import least
from remit.report.wording import rank, verdict_words
from remit.web.console.library import KnownSkill, unpacked
from remit.web.console.page import Form, WrongPageError
from remit.web.console.pages.skill import analysed, content_of, placing
from remit.web.console.rendering import page, piece
from remit.web.console.request_context import console_of, link

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request


FILE = "remit.json"
_NOTHING = Manifest("", ())  # permits nothing: compared with it, every grant is more


class Disk(NamedTuple):
    """The current manifest file. `seen`: its digest, empty if there is none."""

    text: str | None
    seen: str


_LOOKS = {Verdict.ESCAPES: "bad", Verdict.OPAQUE: "unknown", Verdict.UNDECLARED: "warn", Verdict.CONTAINED: "good"}


class ManifestJudgement(NamedTuple):
    """The judgement of a text: a report or an error; and what it permits more and less than the current file."""

    report: Report | None = None
    error: RemitError | None = None
    more: tuple[str, ...] = ()
    less: tuple[str, ...] = ()


async def show(request: Request) -> Response:
    """Return the editor."""
    known = analysed(request)
    disk = await asyncio.to_thread(_disk, known)
    text = disk.text if disk.text is not None else _skeleton(known)
    judged = await asyncio.to_thread(_judge, known, text)
    return page(
        request,
        "manifest.html",
        title=f"Manifest of {known.name}",
        known=known,
        text=text,
        seen=disk.seen,
        there=disk.text is not None,
        saved="saved" in request.query_params,
        verdict=_verdict(request, known, judged),
    )


async def check(request: Request, form: Form) -> Response:
    """Return the judgement of a text; with `add`, after adding an entry."""
    known = analysed(request)
    text = form.get("text", "")
    if form.get("add"):
        text = _with_entry(text, form["add"])
    judged = await asyncio.to_thread(_judge, known, text)
    return JSONResponse({"text": text, "verdict": _verdict(request, known, judged)})


async def save(request: Request, form: Form) -> Response:
    """Ask for confirmation of the changes; with the confirmation of exactly these, write the file."""
    known = analysed(request)
    text, seen = form.get("text", "").replace("\r\n", "\n"), form.get("seen", "")
    if not text.endswith("\n"):
        text += "\n"
    disk = await asyncio.to_thread(_disk, known)
    if disk.seen != seen:
        raise WrongPageError(
            409, "the manifest was changed elsewhere meanwhile", "load the editor again, and repeat the change"
        )
    judged = await asyncio.to_thread(_judge, known, text)
    if judged.error:
        raise judged.error
    says, look = _said(judged)
    assert known.looked is not None
    if await content_of(request, known) != known.looked.content:
        console_of(request).library.look_at(known)
        says, look = "not known: the skill changed, and is analysed again", "unknown"
    # covers all that the question shows, so that a confirmation is void if the skill or its manifest changed meanwhile
    sure = digest([known.ident, seen, text, says, list(judged.more), list(judged.less)])
    if form.get("sure") != sure:
        return page(
            request,
            "manifest_sure.html",
            title=f"Manifest of {known.name}",
            known=known,
            text=text,
            seen=seen,
            sure=sure,
            judged=judged,
            says=says,
            look=look,
            lines=_difference(disk.text or "", text),
        )
    await asyncio.to_thread(console_of(request).work.save, _place(request, known), text)
    console_of(request).library.look_at(known)
    return RedirectResponse(link(request, f"/skill/{known.ident}/manifest", saved="1"), 303)


# ── what is read and written ──


def _disk(known: KnownSkill) -> Disk:
    try:
        text = Workspace(known.folder).read(FILE)
    except RefusedError as error:
        if error.refused.code == "NOT_FOUND":
            return Disk(None, "")
        raise WrongPageError(409, f"`{FILE}` of this skill is a link, or no text", "edit it where it is") from None
    return Disk(text, bytes_digest(text.encode()))


def _place(request: Request, known: KnownSkill) -> Path:
    """Return the path to write: in the skill's folder, which must really lie below a folder of the console."""
    folder = known.folder.resolve()
    if not any(folder.is_relative_to(one.resolve()) for one in console_of(request).settings.folders):
        raise WrongPageError(403, "the skill is no longer below a folder of this console", "look at its place")
    return folder / FILE


def _skeleton(known: KnownSkill) -> str:
    """Return a manifest that permits nothing."""
    return layout({"skill_metadata": {"name": known.name}, "permissions": []})


def _with_entry(text: str, entry: str) -> str:
    """Return the text with one more entry, formatted again. Text that is no manifest is refused."""
    try:
        parse_manifest(text.encode(), FILE)
        value, added = json.loads(text), json.loads(entry)
    except (ManifestError, ValueError, RecursionError):
        raise WrongPageError(422, "an entry is added to a manifest that can be read", "mend the text first") from None
    if not isinstance(added, dict) or set(added) - {"capability", "scope"}:
        raise WrongPageError(422, "this is no entry", "load the page again")
    value["permissions"] = [*value.get("permissions", []), added]
    return layout(value)


# ── what it means ──


def _judge(known: KnownSkill, text: str) -> ManifestJudgement:
    assert known.looked is not None
    try:
        manifest = parse_manifest(text.encode(), FILE)
        report = judge(unpacked(known)[0], manifest, known.looked.noted)
    except RemitError as error:
        return ManifestJudgement(error=error)
    try:
        own = own_manifest(known.folder)
        before = own.manifest if own else _NOTHING
    except ManifestError:
        before = _NOTHING
    return ManifestJudgement(report, None, *changed(before, manifest))


def _said(judged: ManifestJudgement) -> tuple[str, str]:
    """Return the verdict as text, and its style."""
    report = judged.report
    return (verdict_words(report), _LOOKS[report.verdict]) if report else ("", "")


def _verdict(request: Request, known: KnownSkill, judged: ManifestJudgement) -> str:
    report = judged.report
    says, look = _said(judged)
    return piece(
        request,
        "manifest_verdict.html",
        judged=judged,
        report=report,
        says=says,
        look=look,
        outside=_outside(report) if report else [],
        place=placing(request, known),
    )


def _outside(report: Report) -> list[dict[str, Any]]:
    """Return escapes by capability, each with the smallest entry that would permit them."""
    groups: dict[tuple[str, str], list[Escape]] = {}
    for item in sorted(report.containment.escapes, key=lambda one: rank(one.effect.capability)):
        groups.setdefault((item.effect.capability, item.reason), []).append(item)
    return [_group(capability, reason, items) for (capability, reason), items in groups.items()]


def _group(capability: str, reason: str, items: list[Escape]) -> dict[str, Any]:
    (entry,) = map(entry_value, least(items))
    return {
        "capability": capability,
        "level": str(vocabulary()[capability].level),
        "reason": reason,
        "effects": list({item.effect.scope: item.effect for item in items}.values()),
        "entry": json.dumps(entry, ensure_ascii=False),
        "scoped": "scope" in entry,
    }


def _difference(old: str, new: str) -> list[tuple[str, str]]:
    """Return the lines of a diff with their signs."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3)
    return [(line[:1], line[1:]) for line in lines if not line.startswith(("---", "+++", "@@"))]
