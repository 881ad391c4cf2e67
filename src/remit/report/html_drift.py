"""Changes since a skill was locked, as part of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.manifest.drift.model import Change, TraitKind
from remit.manifest.drift.ranks import ranks
from remit.report.drift_words import (
    Compared,
    Sentence,
    changed_files,
    changed_sentences,
    gone,
    lifted,
    verdict_line,
    word_diff,
)
from remit.report.html_words import folded, said, table
from remit.report.markup import Html, joined, tag

if TYPE_CHECKING:
    from remit.report.html_model import Anchors

_PIECES = {"-": "del", "+": "ins"}


def drift(compared: Compared, anchors: Anchors) -> Iterator[Html]:
    """Return the verdict on the update, what the skill gains, and folded what is otherwise new, gone or reworded."""
    found = compared.drift
    yield tag("h3", "What changed", id=anchors.section("drift"))
    kind = "gains" if found.gains else "same"
    yield tag("p", said(verdict_line(compared)), class_=f"drift {kind}")
    if compared.old is None:
        return  # everything that it can do is new, and shown below
    if found.gains:
        yield _changes("gains", found.gains)
    other = [
        one
        for one in found.added
        if one not in found.gains and one.trait.sort not in (TraitKind.INSTRUCTION, TraitKind.FILE)
    ]
    for title, changes in (("also changed", other), ("no longer", gone(found))):
        if changes:
            yield folded(f"{title} ({len(changes)})", _changes(title, changes))
    sentences = changed_sentences(found)
    if sentences:
        yield folded(f"instructions ({len(sentences)})", tag("ul", *(tag("li", *_sentence(one)) for one in sentences)))
    files = changed_files(found)
    if files:
        items = [tag("li", tag("code", path), f" {how}") for path, how in files.items()]
        yield folded(f"files ({len(files)})", tag("ul", *items))


def _changes(title: str, changes: Sequence[Change]) -> Html:
    rows = [
        (
            "no longer denied" if lifted(one) and title == "gains" else ranks()[one.rank].title,
            tag("code", f"{one.trait.subject} {one.trait.scope}".strip() or "only its digest is known"),
            tag("code", str(one.trait.where)),
            said("; ".join(filter(None, (_before(one, title), one.trait.why)))),
        )
        for one in changes
    ]
    return table(title, (title, "what", "where", "why"), rows)


def _before(change: Change, title: str) -> str:
    if not change.before or change.note:
        return change.note
    return f"{'narrowed to' if title == 'no longer' else 'before:'} {', '.join(change.before[:4])}"


def _sentence(one: Sentence) -> Iterator[Html]:
    yield tag("code", f"{one.file}:{one.line}")
    if one.lost:
        yield joined([f" {one.lost} gone; the lock file has only digests"])
        return
    pieces = [tag(_PIECES[sign], words) if sign in _PIECES else words for sign, words in word_diff(one.old, one.new)]
    yield tag("div", *pieces)
