"""One skill on a page: the verdict, the map, what is wrong and what to do, everything that it can do, and the lines."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.effect import Origin
from remit.core.scope import ANY_SCOPE
from remit.manifest.render import entry_value, layout, render
from remit.proof import least
from remit.report.html_drift import drift
from remit.report.html_model import Anchors
from remit.report.html_sources import sources
from remit.report.html_words import folded, mark, place_link, place_links, said, table
from remit.report.map_model import Stand, Stands, stand_of
from remit.report.map_svg import map_svg
from remit.report.markup import Html, joined, tag, text
from remit.report.screen import Screen
from remit.report.session_text import session_section
from remit.report.wording import NO_REMEDY, rank, unread_words, verdict_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.checker.report import Report
    from remit.core.effect import Effect
    from remit.core.location import Location
    from remit.report.html_model import Shown

SHAPES = "map"  # how names of what all maps of the page draw begin
_WHO = {Origin.SCRIPT: "a script", Origin.INSTRUCTED: "the agent, as the text says", Origin.HOOK: "a hook, by itself"}


def skill(number: int, shown: Shown) -> Html:
    """Everything about it."""
    return tag("article", *_parts(number, shown), class_="skill", id=f"s{number}", aria_labelledby=f"s{number}-name")


def numbers(report: Report) -> str:
    """What was found, counted."""
    found = report.found
    names = {effect.capability for effect in found.effects}
    parts = [counted(len(names), "capability", "capabilities")]
    parts += [f"at {counted(len(found.effects), 'place')}"] if found.effects else []
    out = " ".join(parts)
    for many, word in (
        (len(report.containment.escapes), "escape"),
        (len(report.containment.denied), "denied attempt"),
        (len(found.opaque), "opaque place"),
    ):
        out += f", {counted(many, word)}" if many else ""
    return out


def _parts(number: int, shown: Shown) -> Iterator[Html]:
    report, anchors = shown.report, Anchors(number, shown.report)
    stands = Stands(report)
    yield tag("h2", mark(stand_of(report)), tag("span", report.found.skill), id=anchors.section("name"))
    yield tag("p", tag("strong", verdict_words(report)), " · ", numbers(report), class_="verdict")
    yield tag("p", tag("code", report.found.path), f" · {_files(report)}", class_="dim")
    if report.failure:
        yield tag("p", said(report.failure.message), class_="wrong")
        yield tag("p", "→ ", said(report.failure.remedy), class_="todo") if report.failure.remedy else Html()
    if shown.compared:
        yield from drift(shown.compared, anchors)
    picture = Html(map_svg(report, anchors.of, ident=anchors.section("map"), shapes=SHAPES))
    yield tag("div", picture, class_="picture", tabindex="0", role="group", aria_label="map of what it can do")
    yield from _escapes(report, anchors)
    yield from _opaque(report, anchors)
    yield from _effects(report, anchors, stands)
    if anchors.files:
        yield tag("h3", "Where it stands")
        yield from sources(shown, anchors, stands)
    yield from _unread(report)
    yield from _manifest(report)
    yield from _conditions(report)


def _files(report: Report) -> str:
    found = report.found
    opaque = f", {found.opaque_files} opaque" if found.opaque_files else ""
    return f"{counted(found.analysed, 'file')} analysed, {found.inert} inert{opaque}"


# ── what is wrong ──


def _escapes(report: Report, anchors: Anchors) -> Iterator[Html]:
    escapes = report.containment.escapes
    if not escapes or report.manifest is None:
        return
    yield tag("h3", f"Outside of {report.manifest.file}")
    yield table(
        "what escapes",
        ("capability", "scope", "where", "why it is outside"),
        [
            (
                joined([mark(Stand.OUTSIDE), tag("strong", one.effect.capability)]),
                tag("code", one.effect.scope.render()),
                place_link(one.effect.where, anchors),
                one.reason,
            )
            for one in sorted(escapes, key=lambda item: (rank(item.effect.capability), item.effect.where))
        ],
    )
    yield from _session(report)
    yield from _fix(report)


def _session(report: Report) -> Iterator[Html]:
    screen = Screen(io.StringIO(), color=False, width=110)
    lines = list(session_section(screen, report.sessions[:1], every=True))[2:]
    if lines:
        yield tag("h4", "How it gets there")
        yield _pre(lines)


def _fix(report: Report) -> Iterator[Html]:
    """The entries that would allow everything that escapes; a person decides which of them are meant."""
    entries = least(report.containment.escapes)
    yield tag("h4", "To do")
    yield tag("p", "Remove it from the skill, narrow it, or, if it is meant, add to the permissions of the manifest:")
    yield _pre(layout({"permissions": [entry_value(entry) for entry in entries]}).splitlines())
    wide = [entry.capability for entry in entries if ANY_SCOPE in entry.scopes]
    if wide:
        yield tag("p", f"The scope of {', '.join(wide)} could be anything: narrow it in the skill first, if you can.")


def _pre(lines: Sequence[str]) -> Html:
    return tag("pre", tag("code", Html("\n".join(text(line) for line in lines))), tabindex="0")


def _opaque(report: Report, anchors: Anchors) -> Iterator[Html]:
    groups: dict[tuple[str, str], list[Location]] = {}
    for item in report.found.opaque:
        groups.setdefault((item.reason, item.remedy), []).append(item.where)
    if not groups:
        return
    yield tag("h3", "Not understood, so not contained", id=anchors.section("opaque"))
    rows = [
        (joined([mark(Stand.UNKNOWN), said(reason)]), place_links(places, anchors), said(remedy or NO_REMEDY))
        for (reason, remedy), places in sorted(groups.items(), key=lambda group: -len(group[1]))
    ]
    yield table("what is not understood", ("reason", "where", "to do"), rows)


# ── what it can do ──


def _effects(report: Report, anchors: Anchors, stands: Stands) -> Iterator[Html]:
    groups: dict[str, list[Effect]] = {}
    for effect in report.found.effects:
        groups.setdefault(effect.capability, []).append(effect)
    if not groups:
        return
    yield tag("h3", "What it can do")
    for name in sorted(groups, key=rank):
        found = vocabulary()[name]
        title = tag("h4", tag("span", name), tag("span", str(found.level), class_=f"badge level-{found.level}"))
        yield tag("div", title, tag("p", found.meaning, class_="dim"), id=anchors.capability(name), class_="capability")
        yield table(name, ("scope", "by", "where", "why"), _rows(groups[name], anchors, stands), "effects")


def _rows(effects: Sequence[Effect], anchors: Anchors, stands: Stands) -> list[tuple[str, ...]]:
    """A row for each scope; several if it comes about at other places, or for other reasons, by somebody else."""
    groups: dict[tuple[str, Stand], dict[Origin, list[Effect]]] = {}
    for effect in effects:
        origins = groups.setdefault((effect.scope.render(), stands.of(effect)), {})
        origins.setdefault(effect.origin, []).append(effect)
    rows: dict[tuple[str, Stand, tuple[Location, ...], tuple[str, ...]], list[Origin]] = {}
    for (scope, stand), origins in groups.items():
        for origin, found in origins.items():
            places = tuple(dict.fromkeys(one.where for one in found))
            reasons = tuple(dict.fromkeys(one.why for one in found))
            rows.setdefault((scope, stand, places, reasons), []).append(origin)
    level = str(vocabulary()[effects[0].capability].level)
    return [
        (
            joined([mark(stand, level), tag("code", scope)]),
            "; ".join(_WHO[origin] for origin in origins),
            place_links(places, anchors),
            joined([said(why) for why in reasons], "; "),
        )
        for (scope, stand, places, reasons), origins in rows.items()
    ]


# ── what is left ──


def _manifest(report: Report) -> Iterator[Html]:
    if report.manifest is None:
        return
    unused = [f"{entry.capability} {entry.place}" for entry in report.containment.unused]
    note = (
        [tag("p", "Declared, but never used: ", joined([tag("code", one) for one in unused], ", "))] if unused else []
    )
    yield folded(f"The manifest ({report.manifest.file})", _pre(render(report.manifest).splitlines()), *note)


def _unread(report: Report) -> Iterator[Html]:
    if unread := report.found.unread:
        items = [tag("li", tag("code", str(one.where)), " ", one.text) for one in unread]
        yield folded(unread_words(len(unread)), tag("ul", *items))


def _conditions(report: Report) -> Iterator[Html]:
    needed = [one for one in report.containment.residuals if one.kind != "assumption"]
    if needed:
        items = [tag("li", one.meaning, " ", tag("span", one.layer, class_="badge")) for one in needed]
        yield folded(f"This holds if, at run time ({len(needed)})", tag("ul", *items))
    if report.assumed:
        items = [
            tag("li", tag("strong", one.ident), f": {one.meaning} ", tag("span", one.layer, class_="badge"))
            for one in report.assumed
        ]
        yield folded(f"It rests on ({len(report.assumed)})", tag("ul", *items))
