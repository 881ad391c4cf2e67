"""Telemetry: counts, times, spans and events for a listener. By default there is none, and a call costs nanoseconds.

Telemetry decides nothing, waits for nothing and never fails: errors of a listener are not seen here. All names are in
`data/telemetry.table`, and so are their attributes. The listener is set once, when a process starts
(`remit.telemetry`).
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from types import TracebackType

_PARENT = lazy_pattern(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}")


class Home(NamedTuple):
    """The position of a span: its trace and its own name, as in W3C Trace Context. They are only names and carry no
    authority.
    """

    trace: str  # 32 hexadecimal digits
    span: str = ""  # 16; empty: the trace itself


class Span(Protocol):
    """An operation with a duration."""

    @property
    def home(self) -> Home | None:
        """The position; None without a listener."""
        ...

    def note(self, **attributes: str | int) -> None:
        """Add attributes, which must be in its row of the table."""
        ...

    def belongs(self, home: Home, within: Home | None = None) -> None:
        """Move the span to this part of another trace, or into that trace without a name of its own. The original trace
        is linked.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Listener(Protocol):
    """A listener. None of these methods may wait."""

    def count(self, name: str, labels: tuple[str, ...]) -> None:
        """Increment a counter."""
        ...

    def span(self, name: str, within: Home | None) -> Span:
        """Begin a span; without `within`, inside the current one."""
        ...

    def current(self) -> Span | None:
        """Return the current span."""
        ...

    def event(self, code: str, fields: dict[str, str | int]) -> None:
        """Report an event that a person may want to read."""
        ...

    def offer(self, figures: object) -> None:
        """Add metrics that a part of the process keeps itself."""
        ...


class _Unheard:
    """A span without a listener."""

    __slots__ = ()
    home = None

    def note(self, **attributes: str | int) -> None:
        pass

    def belongs(self, home: Home, within: Home | None = None) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


UNHEARD = _Unheard()
_listener: Listener | None = None


def listen(listener: Listener | None) -> None:
    """Set the listener for this process; None: there is none."""
    global _listener  # noqa: PLW0603  one a process, set where it begins
    _listener = listener


def heard() -> bool:
    """Whether there is a listener: to avoid the cost of preparing values."""
    return _listener is not None


def count(name: str, *labels: str) -> None:
    """Increment a counter, by the labels of its row."""
    if _listener is not None:
        with suppress(Exception):
            _listener.count(name, labels)


def span(name: str, within: Home | None = None) -> Span:
    """Begin a span that ends with the block."""
    if _listener is None:
        return UNHEARD
    with suppress(Exception):
        return _listener.span(name, within)
    return UNHEARD


def current() -> Span:
    """Return the innermost open span."""
    if _listener is None:
        return UNHEARD
    with suppress(Exception):
        return _listener.current() or UNHEARD
    return UNHEARD


def event(code: str, /, **fields: str | int) -> None:
    """Report an event: a line for people."""
    if _listener is not None:
        with suppress(Exception):
            _listener.event(code, fields)


def offer(figures: object) -> None:
    """Offer metrics that are kept anyway, for the collector."""
    if _listener is not None:
        with suppress(Exception):
            _listener.offer(figures)


def part(trace: str, name: str) -> Home:
    """Return a part of a trace that everyone who knows the trace can name: nothing need be passed between them."""
    return Home(trace, sha256(f"{trace} {name}".encode()).hexdigest()[:16])


def of_names(*names: str) -> Home:
    """Return the trace of something that is known by names, such as a call of a session."""
    return Home(sha256("\0".join(names).encode("utf-8", "surrogatepass")).hexdigest()[:32])


def read_parent(text: str) -> Home | None:
    """Parse a received `traceparent`; None if it is invalid."""
    found = _PARENT.fullmatch(text)
    return Home(found[1], found[2]) if found else None


def parent_text(home: Home) -> str:
    """Return a `traceparent` to send."""
    return f"00-{home.trace}-{home.span}-01"
