"""Wording of differences: the verdict in one line, each change in a few words. All formats use it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from remit.core.counting import counted
from remit.manifest.drift.model import Change, Drift, TraitKind

_COUNTED = {
    TraitKind.OPAQUE: "opaque location",
    TraitKind.UNTOLD: "changed opaque file",
    TraitKind.HIDDEN: "hidden text",
}
_SHOWN = 6  # parts of a verdict
_SCOPES = 2  # scopes of one capability in a verdict
_LONG = 60  # characters of a command in a verdict
_ALIKE = 0.5  # share of common words for two sentences to be shown as one that changed
_MOST = 150  # sentences of one file that are compared with each other
_LONGEST = 1000  # characters of a sentence that is compared word by word: longer ones take too long
_WORDS = re.compile(r"\s+|[\w'-]+|.", re.DOTALL)


class Compared(NamedTuple):
    """One skill on both sides, and the differences. A skill on one side only is compared with nothing."""

    drift: Drift
    old: str | None  # the path for display; None if there is none
    new: str | None

    @property
    def name(self) -> str:
        """The name of the skill."""
        return self.drift.new.name or self.drift.old.name

    @property
    def verdict(self) -> str:
        """Return `same`, `changed` (but it can do no more), `gains`, `new` or `missing`."""
        if self.old is None:
            return "new"
        if self.new is None:
            return "missing"
        if self.drift.gains:
            return "gains"
        return "same" if self.drift.empty else "changed"


def verdict_line(compared: Compared) -> str:
    """Return what an update means, in one line; texts of the skill in it are not yet escaped for a terminal."""
    drift = compared.drift
    if compared.new is None:
        return "is missing"
    if drift.empty and compared.old is not None:
        return "gains nothing; not a byte changed"
    parts = [*_gained(drift.gains)]
    more = [f"and {len(parts) - _SHOWN} more"] if len(parts) > _SHOWN else []
    if compared.old is None:
        listed = ", ".join(parts[:_SHOWN] + more)
        return f"is new: {listed}" if parts else "is new; it exercises no capability"
    if parts:
        return f"gains: {', '.join(parts[:_SHOWN] + more)}"
    opaque = len(drift.new.of(TraitKind.OPAQUE))
    told = f" that can be determined ({counted(opaque, 'location')} opaque before and after)" if opaque else ""
    return f"gains nothing{told}; {counted(len(changed_files(drift)), 'file')} changed"


def _gained(gains: Sequence[Change]) -> Iterator[str]:
    groups: dict[tuple[TraitKind, str], list[Change]] = {}
    for change in gains:
        sort = change.trait.sort
        one = sort in (TraitKind.CAPABILITY, TraitKind.ENTRY) and not lifted(change)
        key = f"{change.trait.subject}" if one else "" if sort in _COUNTED else phrase(change)
        groups.setdefault((sort, key), []).append(change)
    for (sort, key), found in groups.items():
        if sort in _COUNTED:
            yield counted(len(found), _COUNTED[sort])
        elif sort in (TraitKind.CAPABILITY, TraitKind.ENTRY) and not lifted(found[0]):
            scopes = list(dict.fromkeys(scope for change in found for scope in change.trait.scopes))
            listed = ", ".join(scopes[:_SCOPES]) + (f", +{len(scopes) - _SCOPES}" if len(scopes) > _SCOPES else "")
            yield ("permission for " if sort is TraitKind.ENTRY else "") + f"{key}({listed})"
        else:
            yield key


def phrase(change: Change) -> str:  # noqa: PLR0911  one case for each kind of thing that is worded
    """Return a change in a few words."""
    trait = change.trait
    if trait.sort is TraitKind.COMMAND:
        text = trait.subject if len(trait.subject) <= _LONG else trait.subject[: _LONG - 1] + "…"
        return f"runs `{text}` by itself"
    if trait.sort is TraitKind.REQUEST:
        text = trait.subject if len(trait.subject) <= _LONG else trait.subject[: _LONG - 1] + "…"
        return f"says “{text}”"
    if trait.sort is TraitKind.FREED:
        text = trait.subject if len(trait.subject) <= _LONG else trait.subject[: _LONG - 1] + "…"
        return f"no longer says “{text}”"
    if trait.sort is TraitKind.ADDRESS:
        return f"names {trait.subject}"
    if trait.sort is TraitKind.TOOL:
        return f"pre-approval of {trait.subject}"
    if trait.sort is TraitKind.PACKAGE:
        return f"package {trait.subject}"
    if lifted(change):
        return f"no denial of {trait.subject}({trait.scope})"
    if trait.sort in (TraitKind.CAPABILITY, TraitKind.ENTRY):
        return f"{trait.subject}({trait.scope})"
    return trait.subject


def lifted(change: Change) -> bool:
    """Whether the change is about a denial: as a gain, one that is gone."""
    return change.trait.sort is TraitKind.ENTRY and change.trait.origin == "deny"


def gone(drift: Drift) -> list[Change]:
    """Return what the skill can no longer do, or no longer says about itself; without what is shown with its new state."""
    gains = set(drift.gains)
    return [
        change
        for change in drift.removed
        if change not in gains
        and change.trait.sort not in (TraitKind.INSTRUCTION, TraitKind.FILE, TraitKind.VERSION, TraitKind.UNTOLD)
    ]


def changed_files(drift: Drift) -> dict[str, str]:
    """Return each file that differs, and how, by path."""
    out: dict[str, str] = {}
    for change in drift.removed:
        if change.trait.sort is TraitKind.FILE and not change.before:
            out[change.trait.subject] = "removed"
    for change in drift.added:
        if change.trait.sort is TraitKind.FILE:
            out[change.trait.subject] = _file_words(change.before[0], change.trait.mark) if change.before else "added"
    return dict(sorted(out.items()))


def _file_words(before: str, after: str) -> str:
    """Return how a file changed: content, executability, link target."""
    (old, *had), (new, *has) = before.split(" ", 1), after.split(" ", 1)
    words = ["changed"] if old != new else []
    flags = ("".join(had), "".join(has))
    if "link to" in flags[1] and flags[0] != flags[1]:
        words.append(f"is now a {'folder ' * (new == 'folder')}link to {flags[1].partition('link to ')[2]}")
    elif "link to" in flags[0] and "link to" not in flags[1]:
        words.append("is no longer a link")
    if ("executable" in flags[0]) != ("executable" in flags[1]):
        words.append("is now executable" if "executable" in flags[1] else "is no longer executable")
    return ", ".join(words) or "changed"


# ── instructions ──


class Sentence(NamedTuple):
    """A sentence that is new, gone, or changed; an empty side is unknown or missing."""

    file: str
    line: int
    old: str
    new: str
    lost: int = 0  # sentences that are gone, and of which a lock file has only digests


def changed_sentences(drift: Drift) -> list[Sentence]:
    """Return the changed instructions, in the order of the text; similar sentences are shown as one."""
    files: dict[str, tuple[list[Change], list[Change]]] = {}
    for side, changes in enumerate((drift.removed, drift.added)):
        for change in changes:
            if change.trait.sort is TraitKind.INSTRUCTION:
                files.setdefault(change.trait.where.file, ([], []))[side].append(change)
    return [sentence for file in sorted(files) for sentence in _aligned(file, *files[file])]


def _aligned(file: str, gone: list[Change], come: list[Change]) -> Iterator[Sentence]:
    lost = sum(not change.trait.subject for change in gone)
    left = [change for change in gone if change.trait.subject]
    for change in come:
        text = change.trait.subject
        was = _nearest(text, left) if len(come) <= _MOST else None
        if was is not None:
            left.remove(was)
        yield Sentence(file, change.trait.where.line, was.trait.subject if was else "", text)
    for change in left:
        yield Sentence(file, change.trait.where.line, change.trait.subject, "")
    if lost:
        yield Sentence(file, 0, "", "", lost)


def _nearest(text: str, others: list[Change]) -> Change | None:
    best, found = _ALIKE, None
    matcher = difflib.SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(_words(text))
    for other in others[:_MOST]:
        matcher.set_seq1(_words(other.trait.subject))
        if matcher.real_quick_ratio() >= best and matcher.quick_ratio() >= best and matcher.ratio() > best:
            best, found = matcher.ratio(), other
    return found


def _words(text: str) -> list[str]:
    return [word for word in _WORDS.findall(text[:_LONGEST]) if not word.isspace()]


def word_diff(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Return pieces of a changed sentence: (` `, `-` or `+`; text)."""
    if not old or not new or max(len(old), len(new)) > _LONGEST:
        yield from ((sign, text) for sign, text in (("-", old), ("+", new)) if text)
        return
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    for what, low, high, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            yield " ", "".join(before[low:high])
            continue
        if high > low:
            yield "-", "".join(before[low:high])
        if end > start:
            yield "+", "".join(after[start:end])
