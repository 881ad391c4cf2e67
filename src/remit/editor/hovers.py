"""Hover texts: what a capability means, and what causes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from remit.core.capability import Change, matches, vocabulary
from remit.editor.notes import Kind, Note
from remit.findings.registry import rules
from remit.report.markdown import code

_CHANGES = {Change.NONE: "changes nothing", Change.REVERSIBLE: "reversible", Change.IRREVERSIBLE: "irreversible"}
_STANDS = {
    Kind.ESCAPE: "❌ outside of the manifest",
    Kind.DENIED: "🚫 denied by the manifest",
    Kind.OPAQUE: "❔ not understood, so not contained",
}
_WHO = {"instructed": "the text asks the agent for it", "hook": "it runs without being asked"}
_WORD = re.compile(r'"([a-z*]+(?:\.[a-z*]+)?)"')
_CAUSES = 12  # locations that are listed


def line_hover(found: Sequence[Note]) -> str:
    """Return the hover text for one line of a script or document; empty if there is none."""
    names = dict.fromkeys(one.capability for one in found if one.capability and one.kind is not Kind.UNUSED)
    parts = [_finding(one) for one in found if one.kind is Kind.FINDING]
    parts += [
        "\n".join([_meaning(name), "", *(_cause(one) for one in found if one.capability == name)]) for name in names
    ]
    parts += [
        f"{_STANDS[one.kind]}: {code(one.message)}  \n→ {code(one.remedy)}" for one in found if one.kind is Kind.OPAQUE
    ]
    return "\n\n---\n\n".join(parts)


def _finding(one: Note) -> str:
    """Return a finding, its data flow, and what the rule is about."""
    rule = rules()[one.rule]
    steps = "".join(
        f"\n{number}. {code(f'{file}:{line}')} {code(text)}" for number, (file, line, text) in enumerate(one.steps, 1)
    )
    todo = f"\n\n→ {code(one.remedy)}" if one.remedy else ""
    return f"**{one.severity or 'accepted'}** {code(one.message)}\n{steps}{todo}\n\n{rule.why}\n\n`remit explain {one.rule}`"


def manifest_hover(line: str, column: int, found: Sequence[Note]) -> str:
    """Return the meaning of the capability at a column of a line of remit.json, and the locations that need it; empty
    if there is none.
    """
    for word in _WORD.finditer(line):
        name = word[1]
        if word.start() <= column <= word.end() and vocabulary().expand(name):
            meant = _meaning(name) if name in vocabulary() else f"**{code(name)}**: {_all(name)}"
            return "\n".join([meant, "", *_causes([one for one in found if _causes_it(name, one)])])
    return ""


def _causes_it(name: str, one: Note) -> bool:
    return bool(one.capability) and one.kind is not Kind.UNUSED and matches(name, one.capability)


def _meaning(name: str) -> str:
    known = vocabulary()[name]
    return f"**{code(name)}** {known.meaning}  \n*{known.level}, {_CHANGES[known.change]}*"


def _all(name: str) -> str:
    names = vocabulary().expand(name)
    few = ", ".join(map(code, names[:_CAUSES]))
    return few + (f" and {len(names) - _CAUSES} more" if len(names) > _CAUSES else "")


def _causes(found: Sequence[Note]) -> Iterator[str]:
    if not found:
        yield "Nothing in the skill needs it."
    for one in found[:_CAUSES]:
        yield f"- {code(f'{one.file}:{one.line}')} {code(one.scope)}{_stand(one)}"
    if len(found) > _CAUSES:
        yield f"- … and {len(found) - _CAUSES} more places"


def _cause(one: Note) -> str:
    who = f", {_WHO[one.origin]}" if one.origin in _WHO else ""
    calls = f"  \n  called from {' → '.join(map(code, one.calls))}" if one.calls else ""
    return f"- {code(one.scope)}{_stand(one)}{who}{calls}"


def _stand(one: Note) -> str:
    return f" {_STANDS[one.kind]}" if one.kind in _STANDS else ""
