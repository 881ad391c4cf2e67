"""Store operations (`gateway/inbound/stores/operations.py`) as values of a state, so that the explorer can interleave
and crash them at every query.

An operation is its arguments and the answers so far: when replayed, it shows what it asks next. What it wrote since
it began is visible to itself alone, and to all after it commits; only one can have begun at a time, and others wait. An operation that does
not begin reads and writes at once, as if there were no transactions. A crash removes the operation and its uncommitted writes.

Points and memories with the same content are one object, so that the explorer compares them by looking at the object alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

from remit.core.errors import DataError
from remit.gateway.inbound.stores.operations import All, Begin, Commit, Live, Next, Operation, Read, StoreRequest, Write

if TYPE_CHECKING:
    from remit.models.explore.model import Moves


class StoredValue(NamedTuple):
    """A stored value."""

    value: Any
    due: int | None = None
    until: int | None = None


class Memory:
    """The content of a store, which survives crashes. It is immutable, and returned values must not be changed."""

    __slots__ = ("__weakref__", "_due", "_tables", "rows")

    def __init__(self, rows: dict[tuple[str, str], StoredValue]) -> None:
        self.rows = rows  # by table and key, in their order
        self._tables: dict[str, dict[str, Any]] = {}  # it is asked in many states
        self._due: dict[tuple[str, int], tuple[str, Any] | None] = {}

    def get(self, table: str, key: str) -> Any:
        """Return the value of a key, or None."""
        found = self.rows.get((table, key))
        return found and found.value

    def table(self, name: str) -> dict[str, Any]:
        """Return all values of a table, by key."""
        found = self._tables.get(name)
        if found is None:
            found = self._tables[name] = {key: kept.value for (table, key), kept in self.rows.items() if table == name}
        return found

    def first(self, table: str, now: int) -> tuple[str, Any] | None:
        """Return the first value that is due."""
        asked = (table, now)
        if asked not in self._due:
            self._due[asked] = self._first(table, now)
        return self._due[asked]

    def _first(self, table: str, now: int) -> tuple[str, Any] | None:
        due = [
            (kept.due, key, kept.value)
            for (name, key), kept in self.rows.items()
            if name == table and kept.due is not None
        ]
        found = min((one for one in due if one[0] <= now), key=lambda one: one[:2], default=None)
        return found and found[1:]

    def after(self, writes: Iterable[Write]) -> Memory:
        """Return the memory after some writes."""
        rows = dict(self.rows)
        for write in writes:
            rows.pop((write.table, write.key), None)
            if write.value is not None:
                rows[write.table, write.key] = StoredValue(write.value, write.due, write.until)
        return memory_of(rows)

    def swept(self, now: int) -> Memory:
        """Return the memory without expired values."""
        return memory_of({key: kept for key, kept in self.rows.items() if kept.until is None or now < kept.until})

    def told(self) -> dict[str, Any]:
        """Return the form in a story."""
        return {f"{table} {key}": kept.value for (table, key), kept in self.rows.items()}


_MEMORIES: WeakValueDictionary[Hashable, Memory] = WeakValueDictionary()


def memory_of(rows: dict[tuple[str, str], StoredValue] | None = None) -> Memory:
    """Return the memory with this content."""
    content = tuple(sorted((rows or {}).items()))
    found = _MEMORIES.get(content)
    if found is None:
        found = _MEMORIES[content] = Memory(dict(content))
    return found


class OperationCall(NamedTuple):
    """The arguments of an operation."""

    name: str
    args: tuple[Any, ...]


class Point:
    """The progress of an operation."""

    __slots__ = ("answers", "asks", "began", "call", "later", "over", "value", "wrote")

    def __init__(self, call: OperationCall, answers: tuple[Any, ...]) -> None:
        self.call = call
        self.answers = answers
        self.asks: StoreRequest | None = None  # nothing when it is over
        self.began = False
        self.wrote: tuple[Write, ...] = ()  # since it began
        self.over = False
        self.value: Any = None  # what it returned
        self.later: dict[Any, Point] = {}  # by the next answer

    def told(self) -> Any:
        """Return the form in a story."""
        return self.call._replace(args=("over", self.value)) if self.over else (self.call.name, "asks", self.asks)


class Interleaving:
    """Operations by name, for one exploration only, because cached results must not come from a mutant."""

    def __init__(self, **operations: Callable[..., Operation[Any]]) -> None:
        self._make = operations
        self._first: dict[Hashable, Point] = {}
        self._steps: dict[tuple[Memory, Point], tuple[Memory, Point]] = {}

    def start(self, name: str, *args: Any) -> Point:
        """Return an operation that has asked nothing yet."""
        # two events of different kinds that hold the same are equal as tuples
        asked = (name, args, tuple(map(type, args)))
        found = self._first.get(asked)
        if found is None:
            found = self._first[asked] = self._played(OperationCall(name, args), ())
        return found

    def step(self, kept: Memory, doing: Iterable[Point | None], point: Point) -> tuple[Memory, Point] | None:
        """Return memory and operation after its next answer; None while it must wait for another."""
        if type(point.asks) is Begin and any(one is not None and one.began for one in doing):
            return None
        both = (kept, point)
        found = self._steps.get(both)
        if found is None:
            found = self._steps[both] = self._answered(kept, point)
        return found

    def _answered(self, kept: Memory, point: Point) -> tuple[Memory, Point]:
        answer = None
        match point.asks:
            case Read() | Next() | All() | Live():
                answer = _answer(kept.after(point.wrote) if point.wrote else kept, point.asks)
            case Write() if not point.began:
                kept = kept.after((point.asks,))
            case Commit():
                kept = kept.after(point.wrote)
        if answer not in point.later:
            point.later[answer] = self._played(point.call, (*point.answers, answer))
        return kept, point.later[answer]

    def _played(self, call: OperationCall, answers: tuple[Any, ...]) -> Point:
        """Replay an operation up to what it asks after these answers."""
        point = Point(call, answers)
        operation = self._make[call.name](*call.args)
        try:
            asked: StoreRequest = next(operation)
            for answer in answers:
                _note(point, asked)
                asked = operation.send(answer)
            point.asks = asked
        except StopIteration as end:
            if point.began:
                raise DataError(f"the operation `{call.name}` ends without `Commit`", "let it commit") from None
            point.over, point.value = True, end.value
        return point


def at_once(running: Interleaving, kept: Memory, name: str, *args: Any) -> tuple[Memory, Any]:
    """Run an operation without interleaving; return the memory and its result."""
    point = running.start(name, *args)
    while not point.over:
        found = running.step(kept, (), point)
        assert found is not None  # it waits for no other operation
        kept, point = found
    return kept, point.value


def _note(point: Point, asked: StoreRequest) -> None:
    match asked:
        case Begin():
            point.began, point.wrote = True, ()
        case Commit():
            point.began, point.wrote = False, ()
        case Write() if point.began:
            point.wrote = (*point.wrote, asked)


class _Asks:
    """What an operation asks after some answers, and what it has written."""

    __slots__ = ("asks", "later", "value", "wrote")

    def __init__(self, asks: StoreRequest | None, wrote: tuple[Write, ...], value: Any) -> None:
        self.asks = asks  # nothing when it is over
        self.wrote = wrote
        self.value = value  # what it returned
        self.later: dict[Any, _Asks] = {}  # by the next answer


class Course:
    """An operation without interleaving. Answers seen before are not replayed."""

    def __init__(self, make: Callable[[], Operation[Any]]) -> None:
        self._make = make
        self._first = self._after(())

    def alone(self, kept: Memory) -> tuple[Memory, Any]:
        """Return the memory after it, and its result."""
        at, answers = self._first, tuple[Any, ...]()
        while at.asks is not None:
            answer = _answer(kept.after(at.wrote) if at.wrote else kept, at.asks)
            answers = (*answers, answer)
            then = at.later.get(answer)
            if then is None:
                then = at.later[answer] = self._after(answers)
            at = then
        return kept.after(at.wrote) if at.wrote else kept, at.value

    def _after(self, answers: tuple[Any, ...]) -> _Asks:
        operation, given, wrote, answer = self._make(), iter(answers), [], None
        try:
            while True:
                asked = operation.send(answer)
                answer = None
                if isinstance(asked, Write):
                    wrote.append(asked)
                elif not isinstance(asked, Begin | Commit):
                    answer = next(given, _NOTHING)
                    if answer is _NOTHING:
                        return _Asks(asked, tuple(wrote), None)
        except StopIteration as end:
            return _Asks(None, tuple(wrote), end.value)


_NOTHING = object()


def _answer(kept: Memory, asked: StoreRequest | None) -> Any:
    """Return the result of a read."""
    match asked:
        case Read(table, key):
            return kept.get(table, key)
        case Next(table, now):
            return kept.first(table, now)
        case All(table):
            return tuple(kept.table(table).items())
        case Live(table):
            return tuple(
                (key, one.value) for (name, key), one in kept.rows.items() if name == table and one.due is not None
            )
    return None


def put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Return the values with the one at an index replaced."""
    return (*values[:place], value, *values[place + 1 :])


def going_on(
    running: Interleaving, done: Callable[[Any, int, OperationCall, Any], Any], places: Iterable[int]
) -> Moves:
    """Advance operations at some places of `world.doing` by one answer; `done` returns the world after one has returned."""
    chosen = tuple(places)

    def moves(world: Any) -> Iterator[tuple[Hashable, Any]]:
        doing = world.doing
        for place in chosen:
            point = doing[place]
            if point is None:
                continue
            if point.over:
                yield (
                    (place, "returns"),
                    done(world._replace(doing=put(doing, place, None)), place, point.call, point.value),
                )
                continue
            found = running.step(world.memory, doing, point)
            if found is not None:
                yield (place, point.asks), world._replace(memory=found[0], doing=put(doing, place, found[1]))

    return moves


def without_transaction(real: Callable[..., Operation[Any]]) -> Callable[..., Operation[Any]]:
    """Make a mutant: an operation that neither begins nor commits."""
    return _asking(real, lambda asked: not isinstance(asked, Begin | Commit))


def without_writing(table: str) -> Callable[..., Any]:
    """Make a mutant: an operation that writes nothing to a table."""
    return lambda real: _asking(real, lambda asked: not (isinstance(asked, Write) and asked.table == table))


def _asking(
    real: Callable[..., Operation[Any]], wanted: Callable[[StoreRequest], bool]
) -> Callable[..., Operation[Any]]:
    """Return an operation that skips some of its queries, and gets no answer to them."""

    def operation(*args: Any, **named: Any) -> Operation[Any]:
        inner = real(*args, **named)
        answer = None
        while True:
            try:
                asked = inner.send(answer)
            except StopIteration as end:
                return end.value
            answer = (yield asked) if wanted(asked) else None

    return operation
