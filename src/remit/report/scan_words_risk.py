"""Unusual combinations of capabilities, in words: how unusual, because of what, and on which line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.report.document import Row, Section, Table, Theirs, Word, words

if TYPE_CHECKING:
    from remit.report.document import Sentence
    from remit.scan.report.values import Cause, Outlier, Place, Risk

_NOTES = (
    (
        "a capability counts log2(n/m) bits, if of n contents with another capability of the skill (or of all) m have it, times the weight"
        " of its level (normal 0, dangerous 1, system 2, redact 3); the other one is that which makes it most surprising"
    ),
    "an outlier has a score above the upper quartile by more than three times the distance of the quartiles; unusual is not malicious",
)


def risk(found: Risk) -> Section:
    """The outliers, with their causes."""
    said = (
        f"{counted(found.above, 'content')} above {found.fence:,.1f} bits, where outliers begin"
        f" (median {found.median:,.1f}, upper quartile {found.upper:,.1f})"
    )
    rows = tuple(_row(one) for one in found.outliers)
    table = Table("outliers", ("bits", "skills"), ("skill", "where"), rows)
    return Section("Risk outliers", ((said,),), (table,), tuple((note,) for note in _NOTES), "risk")


def _row(one: Outlier) -> Row:
    least = "≥ " if one.opaque else ""
    cells: tuple[Sentence, ...] = (
        (f"{least}{one.score:,.1f}",), (f"{one.skills:,}",), (Theirs(one.name),), (Theirs(one.example),),
    )  # fmt: skip
    rest = len(one.capabilities) - len(one.causes)
    more: tuple[Sentence, ...] = (
        (f"and {counted(rest, 'other capability', 'other capabilities')}: ", *words(_others(one), 6)),
    )
    return Row(cells, (*map(_cause, one.causes), *(more if rest else ())))


def _others(one: Outlier) -> list[str]:
    told = {cause.capability for cause in one.causes}
    return [name for name in one.capabilities if name not in told]


def _cause(one: Cause) -> Sentence:
    among: Sentence = (" with ", Word(one.beside)) if one.beside else ()
    bits = f"{one.weight * one.bits:,.1f} bits: "
    which = f", which {one.having_both:,} of {counted(one.having_other, 'content')}"
    have = " has" if one.having_both == 1 else " have"
    return (bits, Word(one.capability), which, *among, have, *(place(one.place) if one.place else ()))


def place(one: Place) -> Sentence:
    """Where it is done, and on what."""
    return (", on ", Theirs(one.scope), " at ", Theirs(f"{one.file}:{one.line}"))
