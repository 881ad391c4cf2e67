"""One skill on a page: the answer, what is wrong and what to do; folded the map, everything that it can do, and the
lines.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.effect import Effect, Origin
from remit.core.scope import ANY_SCOPE
from remit.findings.model import Role, Witness
from remit.manifest.render import entry_value, layout, render
from remit.proof.least import least
from remit.report.first_screen import RowKind, first_screen, hints
from remit.report.html_drift import drift
from remit.report.html_model import Anchors, SkillPage
from remit.report.html_sources import sources
from remit.report.html_words import answer, folded, mark, marks, place_link, place_links, said, severity, table
from remit.report.map_model import Stand, Stands
from remit.report.map_svg import map_shapes, map_svg
from remit.report.markup import Html, joined, tag, text
from remit.report.screen import Screen
from remit.report.session_text import session_section
from remit.report.wording import NO_REMEDY, rank, unread_words

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.core.location import Location

_ITEMS = 8  # of a sentence
SHAPES = "map"  # prefix of the names of shapes that all maps of the page share
_WHO = {Origin.SCRIPT: "a script", Origin.INSTRUCTED: "the agent, as the text says", Origin.HOOK: "a hook, by itself"}


def skill_css() -> str:
    """Return the style sheet for a skill; a page has it once."""
    return (Path(__file__).parent / "pages" / "skill.css").read_text("utf-8")


def skill(number: int, shown: SkillPage, *, alone: bool) -> Html:
    """Return everything about it; details beyond the answer are folded, once more if it is not `alone` on the page."""
    inside = _parts(number, shown, alone=alone)
    return tag("article", *inside, class_="skill", id=f"s{number}", aria_labelledby=f"s{number}-name")


def _parts(number: int, shown: SkillPage, *, alone: bool) -> Iterator[Html]:
    report, anchors = shown.report, Anchors(number, shown.report)
    yield tag("h2", tag("span", report.found.skill), answer(report), id=anchors.section("name"))
    yield tag("p", tag("code", report.found.path), f" · {_files(report)}", class_="dim")
    yield from _answer(report, anchors, hint=True)
    if report.failure and not report.found.effects:
        return
    if shown.compared:
        yield from drift(shown.compared, anchors)
    yield from _escapes(report, anchors)
    facts = _facts(shown, anchors)
    yield joined(facts) if alone else folded("Everything that is known", *facts)


def skill_answer(report: Report, elsewhere: Callable[[Location], str]) -> Html:
    """Return the answer, and folded what it depends on, for a page that shows lines `elsewhere`."""
    anchors = Anchors(1, report, elsewhere)
    shown = SkillPage(report, 0, {})
    facts = () if report.failure and not report.found.effects else _facts(shown, anchors, lines=False)
    parts = (*_answer(report, anchors, hint=False), *_escapes(report, anchors), *facts)
    return joined([marks(), Html(map_shapes(SHAPES)), *parts])


def _answer(report: Report, anchors: Anchors, *, hint: bool) -> Iterator[Html]:
    """Return what is wrong, what it does and what it never does; `hint` is the next command."""
    if report.failure:
        yield tag("p", said(report.failure.message), class_="wrong")
        yield tag("p", "→ ", said(report.failure.remedy), class_="todo") if report.failure.remedy else Html()
        if not report.found.effects:
            return
    yield from _findings(report, anchors)
    yield tag("ul", *_rows_of_first_screen(report, hint=hint), class_="answer")


def _facts(shown: SkillPage, anchors: Anchors, *, lines: bool = True) -> Iterator[Html]:
    """Return what the answer depends on, each part folded; `lines` are those of its files."""
    report, stands = shown.report, Stands(shown.report)
    picture = Html(map_svg(report, anchors.of, ident=anchors.section("map"), shapes=SHAPES))
    drawn = tag("div", picture, class_="picture", tabindex="0", role="group", aria_label="map of what it can do")
    yield folded("Map", drawn)
    yield from _opaque(report, anchors)
    if report.found.effects:
        count = len({(one.capability, one.scope, one.where) for one in report.found.effects})
        effects = _effects(report, anchors, stands)
        yield folded(f"What it can do ({counted(count, 'effect')})", *effects)
    if anchors.files and lines:
        title = f"The lines ({counted(len(anchors.files), 'file')})"
        yield folded(title, *sources(shown, anchors, stands))
    yield from _guarantees(report, anchors)
    yield from _unread(report)
    yield from _manifest(report)
    yield from _conditions(report)


def _findings(report: Report, anchors: Anchors) -> Iterator[Html]:
    accepted = {item.finding for item in report.acceptances.accepted}
    rows = [
        (
            joined([severity(finding.severity), " accepted"]) if finding in accepted else severity(finding.severity),
            joined([finding.message, tag("div", tag("code", finding.rule), class_="dim")]),
            tag("ol", *(tag("li", *_witness(item, anchors)) for item in finding.witnesses), class_="way"),
            finding.fix,
        )
        for finding in sorted(report.findings, key=lambda finding: finding in accepted)
    ]
    if rows:
        yield table("findings", ("severity", "finding", "where", "to do"), rows, "findings")


def _witness(item: Witness, anchors: Anchors) -> Iterator[str]:
    yield place_link(item.where, anchors)
    if item.text:
        yield f" “{item.text}”" if item.role is Role.TEXT else f" {item.text}"


def _rows_of_first_screen(report: Report, *, hint: bool) -> Iterator[Html]:
    """Return the rows of the terminal's first screen below the findings, except those with a section of their own."""
    told = report.failure or report.containment.escapes
    for row in first_screen(report, 0):
        if row.kind is RowKind.HINT:
            if not hint:
                continue
            parts = [joined([f"{label}: ", tag("code", command)]) for label, command in hints(row)]
            yield tag("li", joined(parts, " · "), class_="dim")
        elif row.kind not in (RowKind.MORE, RowKind.UNREAD) and not (row.kind is RowKind.MANIFEST and told):
            yield tag("li", said(row.few(_ITEMS)), class_=f"row-{row.kind}")


def _guarantees(report: Report, anchors: Anchors) -> Iterator[Html]:
    items = []
    for one in report.guarantees:
        if one.broken_by:
            places = place_links([effect.where for effect in one.broken_by[:20]], anchors)
            items.append(tag("li", f"not “{one.text}”: ", places, class_="dim"))
            continue
        text = tag("strong", one.about.words, one.text) if one.about else one.text
        notes = [condition.note for standing in one.conditions for condition in standing.conditions]
        lead = ("; not certain of the rest " if one.about else ", except possibly ") if notes else ""
        items.append(tag("li", text, lead, " and ".join(notes)))
    yield folded("What it never does", tag("ul", *items))


def _files(report: Report) -> str:
    found = report.found
    opaque = f", {found.opaque_files} opaque" if found.opaque_files else ""
    return f"{counted(found.analysed, 'file')} analysed, {found.inert} inert{opaque}"


# ── what is wrong ──


def _escapes(report: Report, anchors: Anchors) -> Iterator[Html]:
    escapes = report.containment.escapes
    if not escapes or report.manifest is None:
        return
    yield tag("h3", f"Outside of {report.manifest_name}")
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
        "effects",
    )
    yield folded("How it gets there, and what would allow it", *_session(report), *_fix(report))


def _session(report: Report) -> Iterator[Html]:
    screen = Screen(io.StringIO(), color=False, width=110)
    lines = list(session_section(screen, report.sessions[:1], every=True))[2:]
    if lines:
        yield tag("h4", "How it gets there")
        yield _pre(lines)


def _fix(report: Report) -> Iterator[Html]:
    """Return the entries that would allow everything that escapes; a person decides which of them are right."""
    entries = least(report.containment.escapes)
    yield tag("h4", "To do")
    yield tag(
        "p", "Remove it from the skill, narrow it, or, if it is intended, add to the permissions of the manifest:"
    )
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
    rows = [
        (joined([mark(Stand.UNKNOWN), said(reason)]), place_links(places, anchors), said(remedy or NO_REMEDY))
        for (reason, remedy), places in sorted(groups.items(), key=lambda group: -len(group[1]))
    ]
    shown = table("what is not understood", ("reason", "where", "to do"), rows)
    title = f"Not understood ({counted(len(report.found.opaque), 'location')})"
    yield folded(title, shown, ident=anchors.section("opaque"))


# ── what it can do ──


def _effects(report: Report, anchors: Anchors, stands: Stands) -> Iterator[Html]:
    groups: dict[str, list[Effect]] = {}
    for effect in report.found.effects:
        groups.setdefault(effect.capability, []).append(effect)
    for name in sorted(groups, key=rank):
        found = vocabulary()[name]
        title = tag("h4", tag("span", name), tag("span", str(found.level), class_=f"badge level-{found.level}"))
        yield tag("div", title, tag("p", found.meaning, class_="dim"), id=anchors.capability(name), class_="capability")
        yield table(name, ("scope", "by", "where", "why"), _rows(groups[name], anchors, stands), "effects")


def _rows(effects: Sequence[Effect], anchors: Anchors, stands: Stands) -> list[tuple[str, ...]]:
    """Return a row for each scope; several if it has other locations, causes or triggers."""
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
    yield folded(f"The manifest ({report.manifest_name})", _pre(render(report.manifest).splitlines()), *note)


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
