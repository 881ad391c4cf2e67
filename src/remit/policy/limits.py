"""The constraints of an entry, checked at run time. Pure: time and earlier calls are arguments.

For an entry that grants, a limit must certainly hold: missing information means that it does not. For an entry that denies it is the
other way round: a condition that cannot be judged counts as met, and values are compared forgivingly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from remit.manifest.constraints_read import DAYS
from remit.manifest.model import Allowed, Constraints, Matching, RateLimit, TimeWindow
from remit.policy.request import NOTHING_BOUND, Bindings, Nested, Request, Value
from remit.policy.words import spoken

_DAY = 24 * 3600
_EPOCH = DAYS.index("thu")  # the day on which seconds begin to count


class Moment(NamedTuple):
    """A time: seconds since the beginning of 1970, UTC."""

    seconds: int

    @property
    def day(self) -> int:
        """The index of the weekday in `DAYS`."""
        return (self.seconds // _DAY + _EPOCH) % len(DAYS)

    @property
    def minute(self) -> int:
        """Minutes since midnight."""
        return self.seconds % _DAY // 60


class Situation(NamedTuple):
    """What the caller knows about the moment of a request. Omitted fields are unknown."""

    moment: Moment | None = None
    history: Mapping[int, Sequence[float]] | None = None  # for each member, when it was used, in seconds as in `Moment`
    bound: Bindings = NOTHING_BOUND  # what the symbols of scopes stand for: lies in the workspace, or a user named it
    redacts: bool = False  # the host hands values out masked or as handles
    understood: bool = False  # what a command or script does is known, and each of its effects is judged by itself


UNKNOWN = Situation()


def first_unmet(limits: Constraints, member: int, request: Request, situation: Situation) -> str:
    """Return the code of the first limit of a granting entry that does not certainly hold; empty if all hold."""
    moment = situation.moment
    if limits.arguments and not all(_has(request, name, allowed) for name, allowed in limits.arguments):
        return "argument"
    if limits.time_window is not None:
        if moment is None:
            return "moment-missing"
        if not in_window(limits.time_window, moment):
            return "outside-hours"
    if limits.rate_limit is not None:
        if moment is None:
            return "moment-missing"
        if situation.history is None:
            return "history-missing"
        if not _within(limits.rate_limit, moment, situation.history.get(member, ())):
            return "too-often"
    return "not-redacted" if limits.redact and not situation.redacts else ""


def may_be_met(limits: Constraints, request: Request, situation: Situation) -> bool:
    """Return whether the conditions of a denial may hold. Limits that only narrow a grant are ignored."""
    window = limits.time_window
    return all(_may_have(request, name, allowed) for name, allowed in limits.arguments) and (
        window is None or situation.moment is None or in_window(window, situation.moment)
    )


def denied_pattern(patterns: Sequence[str], request: Request) -> str | None:
    """Return the first pattern that denies the command of a request. A command too complex to parse is denied by every
    pattern.
    """
    return _denied(tuple(patterns), request.command)


@lru_cache(1024)  # one call asks about one command several times, and sessions repeat themselves
def _denied(patterns: tuple[str, ...], command: str) -> str | None:
    from remit.manifest.patterns import denied  # noqa: PLC0415  (the engine is loaded where there is a pattern)

    commands = spoken(command)
    return patterns[0] if commands is None else denied(patterns, command, commands)


def in_window(window: TimeWindow, moment: Moment) -> bool:
    """Return whether a moment lies in a window. One that spans midnight belongs to the day on which it begins."""
    minute, today = moment.minute, moment.day
    if window.start < window.end:
        return window.start <= minute < window.end and _on(window, today)
    return (minute >= window.start and _on(window, today)) or (minute < window.end and _on(window, today - 1))


def _on(window: TimeWindow, day: int) -> bool:
    return not window.days or DAYS[day % len(DAYS)] in window.days


def _within(limit: RateLimit, moment: Moment, earlier: Sequence[float]) -> bool:
    """Return whether one more call stays within the limit. Later times than now, or no times at all, count as just now."""
    begin = moment.seconds - limit.seconds
    return sum(1 for time in earlier if not time < begin) < limit.calls


def _has(request: Request, name: str, allowed: Allowed) -> bool:
    """Return whether a request certainly has an argument with one of the values. 1 is neither true nor `1`."""
    for found, value in request.arguments:
        if found == name:
            if isinstance(allowed, Matching):
                return isinstance(value, str) and _matches(allowed.pattern, value)
            return any(type(value) is type(one) and value == one for one in allowed)
    return False


def _may_have(request: Request, name: str, allowed: Allowed) -> bool:
    """Return whether a request may have an argument with one of the values; a missing one may be anything."""
    for found, value in request.arguments:
        if found == name:
            if isinstance(value, Nested):
                return True
            if isinstance(allowed, Matching):
                return any(_matches(allowed.pattern, form) for form in _forms(value))
            return any(not _forms(value).isdisjoint(_forms(one)) for one in allowed)
    return True


def _matches(pattern: str, text: str) -> bool:
    from remit.manifest.patterns import matches_whole  # noqa: PLC0415  (as above)

    return matches_whole(pattern, text)


def _forms(value: Value) -> frozenset[str]:
    """Return the texts for which a program may take a value: `1`, `1.0`, ` 1 ` and true are one to some."""
    from unicodedata import normalize  # noqa: PLC0415  (only denials by argument need it)

    text = str(value)
    numbers = {str(int(value))} if isinstance(value, int | float) and value % 1 == 0 else set[str]()
    return frozenset({text, normalize("NFKC", text).casefold().strip(), text.casefold(), *numbers})
