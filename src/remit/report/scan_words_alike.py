"""Wording about skills that do the same, and skills that only claim to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.report.document import DocumentRow, Section, Sentence, Table, Theirs, Word, number, theirs, words

if TYPE_CHECKING:
    from remit.scan.report.values import Alike, FirstLine, Impostor, Impostors, Near, Twins

_SHOWN = 6  # capabilities of a group


def alike(found: Alike) -> Section:
    """Return twins, and groups of similar sets of effects."""
    small = f", and {counted(found.small_groups, 'group')} with fewer effects" if found.small_groups else ""
    said: list[Sentence] = [
        (
            (
                f"{counted(found.twin_skills, 'skill')} in {counted(found.twin_groups, 'group')} of other content and exactly"
                f" the same effects, {found.least} or more{small}"
            ),
        ),
        (f"{counted(found.near_skills, 'skill')} in {counted(found.near_groups, 'group')} with similar effects",),
    ]
    if found.uncompared:
        said.append(
            (
                (
                    f"{counted(found.uncompared, 'set')} of effects were not compared with all others:"
                    " too many share even their rarest effect"
                ),
            )
        )
    tables = (
        Table("the same effects, other content", ("skills", "contents", "effects"), ("names", "capabilities"), tuple(map(_twins, found.twins))),
        Table("similar effects", ("skills", "contents", "at least"), ("names", "capabilities of all"), tuple(map(_near, found.near))),
    )  # fmt: skip
    note = (
        f"similar: common effects by all effects of two, {found.similar:.2f} or more; a group is one set of effects"
        " and all that are similar to it"
    )
    return Section("Near-duplicates by effects", tuple(said), tables, ((note,),))


def _twins(one: Twins) -> DocumentRow:
    cells = (
        number(one.skills),
        number(one.contents),
        number(one.effects),
        _names(one),
        words(one.capabilities, _SHOWN),
    )
    return DocumentRow(cells, (("for example ", *theirs(one.examples)),))


def _near(one: Near) -> DocumentRow:
    cells: tuple[Sentence, ...] = (
        number(one.skills), number(one.contents), (f"{one.similarity:.2f}",), _names(one), words(one.shared, _SHOWN),
    )  # fmt: skip
    differing: tuple[Sentence, ...] = (("only some have ", *words(one.differing, _SHOWN)),) if one.differing else ()
    return DocumentRow(cells, (*differing, ("for example ", *theirs(one.examples))))


def _names(one: Twins | Near) -> Sentence:
    more = one.names - len(one.some_names)
    return (*theirs(one.some_names), *((f" and {more:,} more",) if more else ()))


def impostors(found: Impostors) -> Section:
    """Return variants of a name that can do more than the usual one."""
    said = (
        f"{counted(found.variants, 'variant')} of a name can do more than most skills of that name; "
        f"{found.alike:,} of them have its description too, and come first"
    )
    table = Table(
        "one name, other effects", ("skills", "usual", "weight"), ("name", "where"), tuple(map(_impostor, found.listed))
    )
    notes = (
        "usual: skills of that name with the capabilities that most sources have; weight: the levels of what it has beyond them",
        "an older or newer version looks like an impostor too: compare the two with `remit diff`",
    )
    return Section(
        "The same name, other effects", ((said,),), (table,), tuple((note,) for note in notes) if found.listed else ()
    )


def _impostor(one: Impostor) -> DocumentRow:
    cells = (
        number(one.skills),
        number(one.usual_skills),
        number(one.weight),
        (Theirs(one.name),),
        (Theirs(one.example),),
    )
    beyond = [("also ", Word(item.capability), *place(item)) for item in one.places[:_SHOWN]]
    rest = len(one.places) - len(beyond)
    more: list[Sentence] = [(f"and {counted(rest, 'more capability', 'more capabilities')}",)] if rest else []
    same = "with the same description as " if one.same_description else "compare with "
    return DocumentRow(cells, ((same, Theirs(one.usual_example)), *beyond, *more))


def place(one: FirstLine) -> Sentence:
    """Return where it is done, and its scope."""
    return (", on ", Theirs(one.scope), " at ", Theirs(f"{one.file}:{one.line}"))
