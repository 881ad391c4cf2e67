"""Usage report: the records of a log, summed up by skill, tool, session or host, with unusual sequences of calls. Pure.

A *call* is a decision, except a person's decision by itself (that one has records of its own). What a call was admitted
for counts as touched; refusals are counted separately. Each unusual sequence has its reason:

    (1) known: a pair of `data/sequences.table`, the second at most eight calls after the first, both admitted
    (2) rare: after a frequent capability, one that hardly ever follows it (and whose level is not `normal`)
    (3) around: something was denied, and at most eight calls later the same scope was admitted under another capability or tool
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import ADMITTED, ANSWER, Entry, Outcome, RecordKind
from remit.core.capability import Level, vocabulary
from remit.core.errors import DataError
from remit.core.table import read_table

if TYPE_CHECKING:
    from remit.audit.entry import Record


WINDOW = 8  # maximum number of calls between the two of a pair
OFTEN = 20  # steps from a capability before one of them can be rare
RARE = 0.02  # of them
_FILE = Path(__file__).with_name("data") / "sequences.table"
_EXAMPLES = 3
_AROUND = "it was denied, and soon after the same was reached in another way"


class NotablePair(NamedTuple):
    """A pair that deserves a look."""

    first: frozenset[str]
    then: frozenset[str]
    why: str


class Unusual(NamedTuple):
    """Two calls in sequence: how often, why that is unusual, and the first records of them."""

    kind: str  # known, rare, around
    first: str
    then: str
    why: str
    times: int
    of: int  # calls that followed the first, if the step is rare; else 0
    weight: int  # the higher one of their levels
    examples: tuple[tuple[int, int], ...]
    names: tuple[str, ...]  # whose, as the report groups


class _Step(NamedTuple):
    number: int
    capability: str
    touches: frozenset[tuple[str, str]]
    tool: str
    admitted: bool


class _CallPair:
    """A pair of calls, with its count."""

    def __init__(self) -> None:
        self.times = 0
        self.examples: list[tuple[int, int]] = []
        self.names: Counter[str] = Counter()

    def add(self, first: int, then: int, name: str) -> None:
        self.times += 1
        self.names[name] += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append((first, then))


@cache
def known() -> tuple[NotablePair, ...]:
    """Return the table of this version."""
    return read_known(_FILE)


def read_known(path: Path) -> tuple[NotablePair, ...]:
    """Parse a table of pairs; an unknown capability is refused."""
    found = []
    for row in read_table(path, 3):
        first, then = (frozenset(cell.split()) for cell in row.cells[:2])
        for word in sorted(first | then):
            if word not in vocabulary():
                raise DataError(f"{row.where}: `{word}` is no capability", "docs/capabilities.md lists them")
        found.append(NotablePair(first, then, row.cells[2]))
    return tuple(found)


class Sequences:
    """Collects calls, and returns what is unusual about them."""

    def __init__(self) -> None:
        self._sessions: dict[str, deque[_Step]] = {}
        self._pairs: dict[tuple[str, str, str, str], _CallPair] = {}
        self._steps: dict[tuple[str, str], _CallPair] = {}
        self._from: Counter[str] = Counter()

    def add(self, record: Record, name: str) -> None:
        """Add one more call."""
        entry = record.entry
        if not entry.capability:
            return
        done = frozenset((capability, scope) for capability, scope, _ in touches(entry))
        step = _Step(record.number, entry.capability, done, entry.tool, entry.outcome in ADMITTED)
        before = self._sessions.setdefault(entry.session, deque(maxlen=WINDOW))
        if before:
            last = before[-1]
            self._from[last.capability] += 1
            self._steps.setdefault((last.capability, step.capability), _CallPair()).add(last.number, step.number, name)
        for earlier in before if step.admitted else ():
            for key in set(_reasons(earlier, step)):
                self._pairs.setdefault(key, _CallPair()).add(earlier.number, step.number, name)
        before.append(step)

    def unusual(self) -> tuple[Unusual, ...]:
        """Return the unusual pairs, the highest level first."""
        found = [*self._known(), *self._rare()]
        return tuple(sorted(found, key=lambda one: (-one.weight, -one.times, one.kind, one.first, one.then)))

    def _known(self) -> Iterator[Unusual]:
        for (kind, first, then, why), seen in self._pairs.items():
            yield _unusual(kind, (first, then), why, seen, max(_weight(first), _weight(then)))

    def _rare(self) -> Iterator[Unusual]:
        for (first, then), seen in self._steps.items():
            often = self._from[first]
            weight = _weight(then)
            if often >= OFTEN and seen.times <= RARE * often and weight and first != then:
                yield _unusual("rare", (first, then), "it hardly ever comes next", seen, weight, often)


def touches(entry: Entry) -> list[tuple[str, str, Outcome]]:
    """Return the effects of a call: everything that was inferred from it, else its main effect."""
    if entry.inferred:
        return [(one.capability, one.scope, one.verdict) for one in entry.inferred]
    return [(entry.capability, entry.scope, entry.outcome)] if entry.capability and entry.outcome else []


def _reasons(earlier: _Step, step: _Step) -> Iterator[tuple[str, str, str, str]]:
    """Return kind, first and second capability, and reason."""
    for first, on in sorted(earlier.touches):
        for then, what in sorted(step.touches):
            if earlier.admitted:
                yield from (
                    ("known", first, then, one.why) for one in known() if first in one.first and then in one.then
                )
            elif on and on == what and (first, earlier.tool) != (then, step.tool):
                yield "around", first, then, _AROUND


def _unusual(kind: str, pair: tuple[str, str], why: str, seen: _CallPair, weight: int, of: int = 0) -> Unusual:
    names = tuple(name for name, _ in sorted(seen.names.items(), key=lambda item: (-item[1], item[0])))
    return Unusual(kind, *pair, why, seen.times, of, weight, tuple(seen.examples), names)


def _weight(capability: str) -> int:
    return list(Level).index(vocabulary()[capability].level) if capability in vocabulary() else 0


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


class _OpenCall(NamedTuple):
    """A call that has not ended."""

    told: int | None
    decided: int | None


def usage(records: Iterable[Record], by: str) -> Usage:
    """Sum up records."""
    whose = BY[by]
    uses: dict[str, Use] = {}
    open_calls: dict[tuple[str, str], _OpenCall] = {}
    sequences = Sequences()
    count = 0
    for record in records:
        count += 1
        entry = record.entry
        name = whose(entry)
        if entry.kind is RecordKind.ENVELOPE:
            _await(open_calls, entry, _OpenCall(record.time, None))
            continue
        use = uses.get(name) or uses.setdefault(name, Use(name, first=record.number))
        use.last = record.number
        if entry.kind is RecordKind.EFFECT:
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


def _decided(use: Use, record: Record, open_calls: dict[tuple[str, str], _OpenCall]) -> None:
    entry = record.entry
    assert entry.outcome is not None  # a decision has one
    use.calls += 1
    use.decisions[entry.outcome] += 1
    use.prompts += entry.outcome in _ASKED
    begun = open_calls.get((entry.session, entry.call)) if entry.call else None
    # if both were written at once, the duration of the decision is unknown
    if begun is not None and begun.told is not None and record.time > begun.told:
        use.deciding.append(record.time - begun.told)
    _await(open_calls, entry, _OpenCall(None, record.time))
    admitted = entry.outcome in ADMITTED
    for capability, scope, verdict in touches(entry):
        if admitted:
            kind = str(vocabulary()[capability].scope_kind) if capability in vocabulary() else "other"
            use.touched.setdefault(kind, Counter())[scope] += 1
        elif verdict not in ADMITTED:
            use.refused[capability, scope] += 1


def _ended(use: Use, record: Record, open_calls: dict[tuple[str, str], _OpenCall]) -> None:
    entry = record.entry
    use.ends[str(entry.outcome)] += 1
    begun = open_calls.pop((entry.session, entry.call), None) if entry.call else None
    if begun is not None and begun.decided is not None and record.time >= begun.decided:
        use.running.append(record.time - begun.decided)


def _await(open_calls: dict[tuple[str, str], _OpenCall], entry: Entry, begun: _OpenCall) -> None:
    if entry.call:
        open_calls[entry.session, entry.call] = begun
        if len(open_calls) > _OPEN:
            del open_calls[next(iter(open_calls))]
