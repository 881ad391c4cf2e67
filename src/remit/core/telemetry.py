"""What goes on now, told to whoever listens: counts, times, spans and events. By default nobody does, and telling costs nanoseconds.

What is told decides nothing, waits for nothing and never fails: a listener that raises is not heard of here. Every name stands in
`data/telemetry.table`, and so does what may be said with it. Who listens is set once, where a process begins (`remit.telemetry`).
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
    """Where a span is: its trace and its own name, as W3C Trace Context has them. They are names, and authority for nothing."""

    trace: str  # 32 hexadecimal digits
    span: str = ""  # 16; empty: the trace itself


class Span(Protocol):
    """Something that takes a while."""

    @property
    def home(self) -> Home | None:
        """Where it is; None if nobody listens."""
        ...

    def note(self, **attributes: str | int) -> None:
        """Say more of it, with attributes of its row in the table."""
        ...

    def belongs(self, home: Home, within: Home | None = None) -> None:
        """It turns out to be this part of another trace, or one in it without a name of its own. The one in which it began is linked."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Listener(Protocol):
    """Who hears it. None of these may wait."""

    def count(self, name: str, labels: tuple[str, ...]) -> None:
        """One more."""
        ...

    def span(self, name: str, within: Home | None) -> Span:
        """Something begins; without `within`, in what is going on here."""
        ...

    def current(self) -> Span | None:
        """What is going on here."""
        ...

    def event(self, code: str, fields: dict[str, str | int]) -> None:
        """Something happened that a person may want to read."""
        ...

    def offer(self, figures: object) -> None:
        """Figures that a part of the process keeps by itself."""
        ...


class _Unheard:
    """A span that nobody hears of."""

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
    """From now on this one hears everything of this process; None: nobody does."""
    global _listener  # noqa: PLW0603  one a process, set where it begins
    _listener = listener


def heard() -> bool:
    """Whether somebody listens: for what would cost something to say."""
    return _listener is not None


def count(name: str, *labels: str) -> None:
    """One more of something, by the labels of its row."""
    if _listener is not None:
        with suppress(Exception):
            _listener.count(name, labels)


def span(name: str, within: Home | None = None) -> Span:
    """Something begins here, and ends with the block."""
    if _listener is None:
        return UNHEARD
    with suppress(Exception):
        return _listener.span(name, within)
    return UNHEARD


def current() -> Span:
    """The innermost span that is open here."""
    if _listener is None:
        return UNHEARD
    with suppress(Exception):
        return _listener.current() or UNHEARD
    return UNHEARD


def event(code: str, /, **fields: str | int) -> None:
    """Something happened: a line for people."""
    if _listener is not None:
        with suppress(Exception):
            _listener.event(code, fields)


def offer(figures: object) -> None:
    """Figures that are kept here anyway, for whoever collects them."""
    if _listener is not None:
        with suppress(Exception):
            _listener.offer(figures)


def part(trace: str, name: str) -> Home:
    """A part of a trace that everybody who knows the trace can name without being told: nothing need be carried between them."""
    return Home(trace, sha256(f"{trace} {name}".encode()).hexdigest()[:16])


def of_names(*names: str) -> Home:
    """The trace of something that is known by names, such as a call of a session."""
    return Home(sha256("\0".join(names).encode("utf-8", "surrogatepass")).hexdigest()[:32])


def read_parent(text: str) -> Home | None:
    """The `traceparent` that somebody sent; None if it is none."""
    found = _PARENT.fullmatch(text)
    return Home(found[1], found[2]) if found else None


def parent_text(home: Home) -> str:
    """A `traceparent` to send."""
    return f"00-{home.trace}-{home.span}-01"
