"""The usage report of a log, as a document and as JSON. It begins with whether the log can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from remit.audit.usage import Times, Usage, Use, times
from remit.audit.verify import DamagedLog, IntactLog
from remit.core.counting import counted
from remit.report.audit_view import verdict_json, verdict_lines
from remit.report.document import Document, DocumentRow, Section, Sentence, Table, Theirs, Word, number, theirs

if TYPE_CHECKING:
    from collections import Counter

    from remit.audit.usage import Unusual

_NOBODY = {"skill": "(the agent itself)", "tool": "(no tool)", "session": "(no session)", "host": "(no host)"}
_KINDS = {"path": "files", "host": "hosts", "program": "programs"}
_NOTES = (
    "prompts: calls about which a person was asked; ran: from the decision to the record of the end, by the clock of the writer",
    "`touched` lists the admitted scopes; a call may have used less than its scope",
)
_UNUSUAL = (
    "known: a pair of calls that is worth a look, at most eight calls apart; rare: a step that was at most 2 % of all that came after the"
    " first, of 20 or more; around: denied, and then reached in another way"
)


def usage_document(chain: IntactLog | DamagedLog, found: Usage, by: str, top: int) -> Document:
    """Return the report."""
    said: list[Sentence] = [(line.strip(),) for line in verdict_lines(chain)]
    if not isinstance(chain, IntactLog):
        said.append(("what follows covers only the part before it",))
    calls = sum(use.calls for use in found.uses)
    said.append((f"{counted(found.records, 'record')}, {counted(calls, 'call')}",))
    return Document(f"Use of the agent, by {by}", tuple(said), (_uses(found, by, top), _sequences(found, by, top)))


def _uses(found: Usage, by: str, top: int) -> Section:
    rows = tuple(_row(use, by, top) for use in found.uses[:top])
    table = Table(
        f"calls by {by}", ("calls", "admitted", "denied", "prompts", "failed"), (by, "records"), rows
    )  # fmt: skip
    left = len(found.uses) - len(rows)
    more: tuple[Sentence, ...] = ((f"and {left:,} more; --top shows them",),) if left else ()
    return Section(f"By {by}", more, (table,), tuple((note,) for note in _NOTES))


def _row(use: Use, by: str, top: int) -> DocumentRow:
    name: Sentence = (Theirs(use.name),) if use.name else (_NOBODY[by],)
    denied = use.decisions["deny"] + use.decisions["person-denied"]
    cells = (
        number(use.calls), number(use.calls - denied), number(denied), number(use.prompts), number(use.ends["failed"]),
        name, (f"{use.first} to {use.last}",),
    )  # fmt: skip
    return DocumentRow(cells, tuple(_below(use, min(top, 5))))


def _below(use: Use, top: int) -> Iterator[Sentence]:
    for title, took in (("decided", times(use.deciding)), ("ran", times(use.running))):
        if took is not None:
            yield (f"{title} in {_milliseconds(took)} ({counted(took.calls, 'call')})",)
    for kind in sorted(use.touched, key=lambda kind: (kind not in _KINDS, kind)):
        found = [(scope, count) for scope, count in use.touched[kind].items() if scope]
        if found:
            yield (f"{_KINDS.get(kind, f'other ({kind})')}: ", *_most(dict(found), top))
    if use.refused:
        found_refused = {f"{capability} {scope}".strip(): count for (capability, scope), count in use.refused.items()}
        yield ("refused: ", *_most(found_refused, top))


def _milliseconds(took: Times) -> str:
    median, slow, longest = (f"{value / 1000:,.0f} ms" for value in took[1:])
    return f"{median} (median), {slow} (19 of 20), {longest} (longest)"


def _most(counts: Mapping[str, int], top: int) -> Sentence:
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    parts: list[Any] = []
    for text, count in order[:top]:
        parts += [*((", ",) if parts else ()), Theirs(text), f" ({count:,})"]
    left = len(order) - top
    return (*parts, *((f" and {left:,} more",) if left > 0 else ()))


def _sequences(found: Usage, by: str, top: int) -> Section:
    if not found.unusual:
        return Section("Unusual sequences", (("none",),), notes=((_UNUSUAL,),))
    rows = tuple(_unusual(one, by) for one in found.unusual[:top])
    left = len(found.unusual) - len(rows)
    more: tuple[Sentence, ...] = ((f"and {left:,} more; --top shows them",),) if left else ()
    table = Table("unusual sequences", ("times",), ("kind", "first", "then"), rows)
    return Section("Unusual sequences", more, (table,), ((_UNUSUAL,),))


def _unusual(one: Unusual, by: str) -> DocumentRow:
    pairs = ", ".join(f"{first} and {then}" for first, then in one.examples)
    whose = [name or _NOBODY[by] for name in one.names]
    cells: tuple[Sentence, ...] = (number(one.times), (one.kind,), (Word(one.first),), (Word(one.then),))
    rare: Sentence = (
        (f": {one.times:,} of {counted(one.of, 'call')} that came next after ", Word(one.first)) if one.of else ()
    )
    return DocumentRow(cells, ((one.why, *rare), (f"records {pairs}; {by}: ", *theirs(whose, 3))))


def usage_json(chain: IntactLog | DamagedLog, found: Usage, by: str) -> dict[str, Any]:
    """Return the report as JSON (`remit schema audit-report` describes the form)."""
    return {
        "version": 1,
        "chain": verdict_json(chain),
        "by": by,
        "records": found.records,
        "uses": [_use_json(use) for use in found.uses],
        "unusual": [one._asdict() | {"examples": list(map(list, one.examples)), "names": list(one.names)} for one in found.unusual],
    }  # fmt: skip


def _use_json(use: Use) -> dict[str, Any]:
    refused = [
        {"capability": capability, "scope": scope, "times": count}
        for (capability, scope), count in sorted(use.refused.items())
    ]
    return {
        "name": use.name, "calls": use.calls, "prompts": use.prompts, "first": use.first, "last": use.last,
        "decisions": _sorted(use.decisions), "ends": _sorted(use.ends),
        "deciding": _times_json(times(use.deciding)), "running": _times_json(times(use.running)),
        "touched": {kind: _sorted(counts) for kind, counts in sorted(use.touched.items())}, "refused": refused,
    }  # fmt: skip


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {str(name): counts[name] for name in sorted(counts)}


def _times_json(took: Times | None) -> dict[str, int] | None:
    return took._asdict() if took else None
