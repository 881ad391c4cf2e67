"""A report on a scan in words: its findings as a document, the same for every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.findings.model import Level
from remit.report.document import Document, DocumentRow, Section, Sentence, Table, Theirs, Word, number, theirs, words
from remit.report.scan_words_alike import alike, impostors, place

if TYPE_CHECKING:
    from remit.scan.report.values import (
        ChangeCounts,
        Changed,
        Changes,
        Count,
        Findings,
        Located,
        OpaqueReason,
        Ranked,
        Reached,
    )


_SHOWN = 6  # lines of what a skill gained


def changes(found: Changes) -> Section:
    """Return what was added or removed, and what can do other things than before."""
    by_capability = [
        DocumentRow((number(one.gained), number(one.lost), (Word(one.capability),))) for one in found.capabilities
    ]
    tables = (
        Table(
            "skills that can do other things",
            ("gained", "lost"),
            ("name", "where"),
            tuple(map(_changed, found.changed)),
        ),
        Table("by capability", ("gained", "lost"), ("capability",), tuple(by_capability)),
        _located("new", found.new),
        _located("gone", found.gone),
        _located("not analysed now, or not before", found.unknown),
    )
    note = "a skill that one of the two scans could not analyse has neither gained nor lost anything that is known"
    return Section("Changed since the scan before", tuple(_sums(found.counts)), tables, ((note,),))


def _sums(counts: ChangeCounts) -> Iterator[Sentence]:
    moved = f" ({counts.moved:,} of them moved)" if counts.moved else ""
    yield (f"{counts.new:,} new, {counts.gone:,} gone{moved}, {counts.same:,} as before",)
    yield (
        (
            f"{counted(counts.content, 'skill has', 'skills have')} other content and the same effects, {counts.effects:,} have other effects:"
            f" {counts.gained:,} gained a capability, {counts.widened:,} use one on more, {counts.lost:,} lost one"
        ),
    )
    if counts.worse:
        yield (
            f"{counted(counts.worse, 'skill that changed has', 'skills that changed have')} a worse level than before",
        )
    if counts.obscured:
        yield (
            f"{counted(counts.obscured, 'skill that was', 'skills that were')} understood before and changed, with opaque locations now",
        )
    if counts.unknown:
        yield (
            f"{counted(counts.unknown, 'skill')} could not be analysed in one of the two scans, {counts.lost_sight:,} of them now",
        )
    if counts.analysis:
        yield (f"{counted(counts.analysis, 'skill')} of the same content with other effects: Remit changed, not they",)


def _changed(one: Changed) -> DocumentRow:
    gained = [("now also ", Word(item.capability), *place(item)) for item in one.places[:_SHOWN]]
    widened = [("on more: ", Word(item.capability), *place(item)) for item in one.widened[:_SHOWN]]
    lost: list[Sentence] = [("no longer ", *words(one.lost, _SHOWN))] if one.lost else []
    pairs = ((one.old_level, one.new_level), (one.old_verdict, one.new_verdict))
    stands = [("was ", Theirs(was or "unknown"), ", is ", Theirs(now or "unknown")) for was, now in pairs if was != now]
    dark: list[Sentence] = [("has opaque locations, and had none",)] if one.obscured else []
    cells = (number(len(one.gained)), number(len(one.lost)), (Theirs(one.name),), (Theirs(one.location),))
    return DocumentRow(cells, (*stands, *gained, *widened, *lost, *dark))


def _located(title: str, found: Sequence[Located]) -> Table:
    rows = [DocumentRow(((Theirs(one.name),), (Theirs(one.location),))) for one in found]
    return Table(title, (), ("name", "where"), tuple(rows))


def scan_document(found: Findings) -> Document:
    """Return the report."""
    return Document(f"Scan of {counted(found.overview.skills, 'skill')}", tuple(_lead(found)), tuple(_sections(found)))


def _lead(found: Findings) -> Iterator[Sentence]:
    seen = found.overview
    yield (
        (
            f"{counted(seen.contents, 'content')} (copies counted once) from {counted(seen.sources, 'source')}: "
            f"{counted(seen.files, 'file')}, {seen.bytes / 1e6:,.1f} MB, {counted(seen.effects, 'effect')}"
        ),
    )
    if seen.skills > seen.analysed:
        failed = counted(seen.skills - seen.analysed, "skill")
        yield (f"{failed} could not be analysed, and are not counted in any number below",)
    if seen.analysed:
        share = f"{_share(seen.understood, seen.analysed)} of {seen.analysed:,}"
        yield (
            f"{counted(seen.understood, 'skill')} ({share}) have no opaque location; the others can do at least what is listed",
        )
    kept = f", of {seen.cached:,} from a cache" if seen.cached else ""
    yield (f"{seen.seconds:,.0f} s of work{kept}, by ", *theirs(seen.toolchains, 3))


def _sections(found: Findings) -> Iterator[Section]:
    if found.changes is not None:
        yield changes(found.changes)
    yield Section("Whether to install", tables=tuple(_levels(found)))
    yield _worst(found)
    yield _rules(found)
    yield _guarantees(found)
    yield _capabilities(found)
    yield _opaque(found)
    for title, reached, unnamed, word in (
        ("Hosts most reached", found.hosts, found.unnamed_hosts, "host"),
        ("Programs most started", found.programs, found.unnamed_programs, "program"),
    ):
        yield _reach(title, reached, unnamed, word)
    yield alike(found.alike)
    yield impostors(found.impostors)


def _levels(found: Findings) -> Iterator[Table]:
    answers = [one._replace(name=_answer(one.name)) for one in found.levels]
    yield _counted("levels", "level", answers, found.overview.skills)
    yield _counted("how skills compare with their manifests", "verdict", found.verdicts, found.overview.skills)
    rows = tuple(
        DocumentRow((number(one.skills), (Theirs(one.error),), (Theirs(one.example),))) for one in found.errors
    )
    yield Table("why they could not be analysed", ("skills",), ("error", "for example"), rows)


def _answer(level: str) -> str:
    """Return a level in words; results of third parties may contain anything."""
    return f"{level}: {Level(level).words}" if level in tuple(Level) else level or "nothing is known"


def _worst(found: Findings) -> Section:
    rows = tuple(_ranked(one) for one in found.worst)
    said = () if rows else (("no skill has a level other than `clear`",),)
    table = Table("skills to look at first", ("skills", "findings"), ("level", "skill", "where"), rows)
    return Section("Skills to look at first", said, (table,))


def _ranked(one: Ranked) -> DocumentRow:
    cells: tuple[Sentence, ...] = (
        number(one.skills), number(one.found), (Theirs(one.level),), (Theirs(one.name),), (Theirs(one.example),),
    )  # fmt: skip
    below: list[Sentence] = [
        (Word(item.severity), " ", Word(item.rule), ": ", Theirs(item.message), " at ", Theirs(f"{item.file}:{item.line}"))
        for item in one.findings
    ]  # fmt: skip
    more = one.found - len(one.findings)
    return DocumentRow(cells, (*below, *(((f"and {counted(more, 'more finding')}",),) if more else ())))


def _rules(found: Findings) -> Section:
    rows = [
        DocumentRow((number(one.skills), (_share(one.skills, found.overview.skills),), number(one.contents), (Word(one.severity),), (Word(one.rule),)),
            (("for example ", Theirs(one.example)),))
        for one in found.rules
    ]  # fmt: skip
    table = Table("rules", ("skills", "share", "contents"), ("severity", "rule"), tuple(rows))
    said = () if rows else (("no rule finds anything",),)
    return Section(
        "Findings by rule", said, (table,), (("`remit explain RULE` says what a rule finds, and why it matters",),)
    )


def _guarantees(found: Findings) -> Section:
    table = _counted("guarantees", "guarantee", found.guarantees, found.overview.analysed)
    said = () if found.guarantees else (("no skill has a guarantee",),)
    return Section("What their code never does", said, (table,))


def _counted(title: str, head: str, counts: Sequence[Count], total: int) -> Table:
    rows = [DocumentRow((number(one.skills), (_share(one.skills, total),), (Theirs(one.name),))) for one in counts]
    return Table(title, ("skills", "share"), (head,), tuple(rows))


def _capabilities(found: Findings) -> Section:
    total = found.overview.analysed
    rows = [
        DocumentRow((number(one.skills), (_share(one.skills, total),), number(one.contents), (Word(one.capability),)))
        for one in found.capabilities
    ]
    table = Table("capabilities", ("skills", "share", "contents"), ("capability",), tuple(rows))
    note = "`remit explain CAPABILITY` says what a capability means"
    return Section("Capabilities by frequency", tables=(table,), notes=((note,),))


def _opaque(found: Findings) -> Section:
    tables = (_reasons("kinds of reasons", found.opaque_kinds), _reasons("single reasons", found.opaque_reasons))
    notes = (
        "alone: skills with no other opaque location",
        "held: those of them that would be contained without this reason",
    )
    shown = tables if found.opaque_kinds else ()
    said = () if shown else (("nothing is opaque",),)
    return Section("Opaque reasons", said, shown, tuple((note,) for note in notes) if shown else ())


def _reasons(title: str, reasons: Sequence[OpaqueReason]) -> Table:
    rows = [
        DocumentRow(
            (number(one.skills), number(one.alone), number(one.held), (Theirs(one.reason),)),
            (("for example ", Theirs(one.example)),),
        )
        for one in reasons
    ]
    return Table(title, ("skills", "alone", "held"), ("reason",), tuple(rows))


def _reach(title: str, reached: Sequence[Reached], unnamed: Sequence[Reached], word: str) -> Section:
    rows = [
        DocumentRow((number(one.skills), number(one.contents), (Theirs(one.what),), words(one.capabilities)))
        for one in reached
    ]
    said: list[Sentence] = [] if rows else [(f"no {word} is named",)]
    if unnamed:
        parts: list[Sentence] = [(Theirs(one.what), f" ({counted(one.skills, 'skill')})") for one in unnamed]
        flat = [piece for at, part in enumerate(parts) for piece in (*((", ",) if at else ()), *part)]
        said.append((f"not one {word}, or known only when the skill runs: ", *flat))
    table = Table(title, ("skills", "contents"), (word, "by"), tuple(rows))
    return Section(title, tuple(said), (table,))


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"
