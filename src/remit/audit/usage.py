"""Usage report: the records of a log, summed up by skill, tool, session or host. Pure, in one pass over records in
order.

A *call* is a decision, except a person's decision by itself (that one has records of its own). What a call was admitted
for counts as touched; refusals are counted separately.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import ADMITTED, ANSWER, Entry, Kind, Outcome
from remit.audit.sequences import Sequences, Unusual, touches
from remit.core.capability import vocabulary

if TYPE_CHECKING:
    from remit.audit.chain import Record

# the groupings of records
BY: Mapping[str, Callable[[Entry], str]] = {
    "skill": lambda entry: entry.principal,
    "tool": lambda entry: entry.tool,
    "session": lambda entry: entry.session,
    "host": lambda entry: entry.host,
}
_ASKED = frozenset({Outcome.ASKED, Outcome.PERSON_APPROVED, Outcome.PERSON_DENIED})
_OPEN = 100_000  # calls that are tracked until their end; beyond that the oldest are dropped


class Times(NamedTuple):
    """Durations in microseconds, and the number of calls for which they are known."""

    calls: int
    median: int
    slow: int  # the 95th percentile
    longest: int


@dataclass(slots=True)
class Use:
    """What one skill, tool, session or host did."""

    name: str
    calls: int = 0
    prompts: int = 0  # calls about which a person was asked
    first: int = 0  # the numbers of records
    last: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    touched: dict[str, Counter[str]] = field(default_factory=dict)  # by the kind of scope: path, host, program …
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    deciding: array[int] = field(default_factory=lambda: array("q"))
    running: array[int] = field(default_factory=lambda: array("q"))


class Usage(NamedTuple):
    """All uses, those with most calls first; and unusual sequences of calls."""

    records: int
    uses: tuple[Use, ...]
    unusual: tuple[Unusual, ...]


class _Open(NamedTuple):
    """A call that has not ended."""

    told: int | None
    decided: int | None


def usage(records: Iterable[Record], by: str) -> Usage:
    """Sum up records."""
    whose = BY[by]
    uses: dict[str, Use] = {}
    open_calls: dict[tuple[str, str], _Open] = {}
    sequences = Sequences()
    count = 0
    for record in records:
        count += 1
        entry = record.entry
        name = whose(entry)
        if entry.kind is Kind.ENVELOPE:
            _await(open_calls, entry, _Open(record.time, None))
            continue
        use = uses.get(name) or uses.setdefault(name, Use(name, first=record.number))
        use.last = record.number
        if entry.kind is Kind.EFFECT:
            _ended(use, record, open_calls)
        elif entry.op != ANSWER:
            _decided(use, record, open_calls)
            sequences.add(record, name)
    order = sorted(uses.values(), key=lambda use: (-use.calls, use.name))
    return Usage(count, tuple(order), sequences.unusual())


def times(found: array[int]) -> Times | None:
    """Summarise durations; None if none is known."""
    if not found:
        return None
    order = sorted(found)
    last = len(order) - 1
    return Times(len(order), order[last // 2], order[-(-last * 95 // 100)], order[last])


def _decided(use: Use, record: Record, open_calls: dict[tuple[str, str], _Open]) -> None:
    entry = record.entry
    assert entry.outcome is not None  # a decision has one
    use.calls += 1
    use.decisions[entry.outcome] += 1
    use.prompts += entry.outcome in _ASKED
    begun = open_calls.get((entry.session, entry.call)) if entry.call else None
    # if both were written at once, the duration of the decision is unknown
    if begun is not None and begun.told is not None and record.time > begun.told:
        use.deciding.append(record.time - begun.told)
    _await(open_calls, entry, _Open(None, record.time))
    admitted = entry.outcome in ADMITTED
    for capability, scope, verdict in touches(entry):
        if admitted:
            kind = str(vocabulary()[capability].scope_kind) if capability in vocabulary() else "other"
            use.touched.setdefault(kind, Counter())[scope] += 1
        elif verdict not in ADMITTED:
            use.refused[capability, scope] += 1


def _ended(use: Use, record: Record, open_calls: dict[tuple[str, str], _Open]) -> None:
    entry = record.entry
    use.ends[str(entry.outcome)] += 1
    begun = open_calls.pop((entry.session, entry.call), None) if entry.call else None
    if begun is not None and begun.decided is not None and record.time >= begun.decided:
        use.running.append(record.time - begun.decided)


def _await(open_calls: dict[tuple[str, str], _Open], entry: Entry, begun: _Open) -> None:
    if entry.call:
        open_calls[entry.session, entry.call] = begun
        if len(open_calls) > _OPEN:
            del open_calls[next(iter(open_calls))]
