"""What changed since another scan, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.report.document import Row, Section, Sentence, Table, Theirs, Word, number, words
from remit.report.scan_words_alike import place

if TYPE_CHECKING:
    from remit.scan.report.values import ChangeCounts, Changed, Changes, Located

_SHOWN = 6  # lines of what a skill gained


def changes(found: Changes) -> Section:
    """What came, went, and can do other things than before."""
    by_capability = [Row((number(one.gained), number(one.lost), (Word(one.capability),))) for one in found.capabilities]
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
            f"{counted(counts.obscured, 'skill that was', 'skills that were')} understood before and changed, with opaque places now",
        )
    if counts.unknown:
        yield (
            f"{counted(counts.unknown, 'skill')} could not be analysed in one of the two scans, {counts.lost_sight:,} of them now",
        )
    if counts.analysis:
        yield (f"{counted(counts.analysis, 'skill')} of the same content with other effects: Remit changed, not they",)


def _changed(one: Changed) -> Row:
    gained = [("now also ", Word(item.capability), *place(item)) for item in one.places[:_SHOWN]]
    widened = [("on more: ", Word(item.capability), *place(item)) for item in one.widened[:_SHOWN]]
    lost: list[Sentence] = [("no longer ", *words(one.lost, _SHOWN))] if one.lost else []
    pairs = ((one.old_level, one.new_level), (one.old_verdict, one.new_verdict))
    stands = [("was ", Theirs(was or "unknown"), ", is ", Theirs(now or "unknown")) for was, now in pairs if was != now]
    dark: list[Sentence] = [("has opaque places, and had none",)] if one.obscured else []
    cells = (number(len(one.gained)), number(len(one.lost)), (Theirs(one.name),), (Theirs(one.location),))
    return Row(cells, (*stands, *gained, *widened, *lost, *dark))


def _located(title: str, found: Sequence[Located]) -> Table:
    rows = [Row(((Theirs(one.name),), (Theirs(one.location),))) for one in found]
    return Table(title, (), ("name", "where"), tuple(rows))
