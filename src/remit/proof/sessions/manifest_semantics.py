"""An independent semantics of manifests: by members of scopes instead of inclusion.

The rules that run decide by `policy` and `core.scope.covers`. Here a scope is a set of things, and a thing is matched against it by a
regular expression; an effect on a scope stands for a few of its things. So this says *held* a little too often and never too
seldom, and *denied* only where one unconditional entry denies each of the things. Whatever the rules permit beyond that, they
permit wrongly. Nothing here calls `covers`, `overlaps`, `covering`, `judge` or `standing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from remit.core.capability import Change, Level, vocabulary
from remit.core.scope import (
    ANY_SCOPE,
    DEEP,
    HOME,
    PLACES,
    ROOT,
    WORKSPACE,
    AnyScope,
    HostScope,
    NameScope,
    NumberScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
)
from remit.core.scope.component import STAR, escape, literal, tokens
from remit.core.sensitive import may_touch
from remit.manifest.model import Allowed, Decision, Manifest, Matching, Permission, RateLimit, TimeWindow
from remit.policy.gate import Standing

_SOME = "remit7w"  # what stands for a wildcard
_PORTS = (443, 8443)
# where the places lie in the sessions of a proof: apart, and where no manifest means to look
PLACED = {ROOT: (), **{name: (_SOME, name.replace("~", "home")) for name in sorted(PLACES - {ROOT})}}
_FAR = (
    PathScope(ROOT, ("remit", "outside")),
    PathScope(WORKSPACE, (f"{_SOME}-outside",)),
    PathScope(HOME, (".ssh", "id_rsa")),
)
_ORDER = (
    Standing.DENIED,
    Standing.OUTSIDE,
    Standing.ASK,
    Standing.IRREVERSIBLE,
    Standing.REVERSIBLE,
    Standing.UNCHANGED,
)
_FILES = ("read", "write", "delete")
_DAY = 24 * 3600
_USES = 100  # of an entry with a rate, at most so many are made up
_PLAIN = frozenset(f"file.{action}" for action in _FILES)


class Circumstances(NamedTuple):
    """When something is asked for, with which arguments, when each entry with a rate was used before, and how values are handed out."""

    seconds: int = 0  # since the beginning of 1970, UTC
    arguments: tuple[tuple[str, str | int | bool], ...] = ()
    used: tuple[int, ...] = ()
    redacts: bool = True  # values are handed out masked or as handles
    name: str = ""  # as a trace shows it


class EffectMeaning(NamedTuple):
    """What the manifest says of an effect, and whether a snapshot of the workspace can undo it."""

    standing: Standing
    undoable: bool


def meant(manifest: Manifest, capability: str, scope: Scope, *, placed: bool = False) -> EffectMeaning:
    """Return the most permissive meaning of the manifest for an effect on this scope; `placed` as for `is_member`, for
    denials.
    """
    change = vocabulary()[capability].change
    undoable = change is Change.NONE or (change is Change.REVERSIBLE and in_workspace(scope))
    things = tuple(members(scope))
    if any(_denies(entry, capability, things, placed=placed) for entry in manifest.permissions):
        return EffectMeaning(Standing.DENIED, undoable)
    holding = [entry for entry in manifest.permissions if _grants(entry, capability, things)]
    if not holding:
        return EffectMeaning(Standing.OUTSIDE, undoable)
    allowing = [entry for entry in manifest.permissions if _allows(entry, capability)]
    free = any(_allows(entry, capability) for entry in holding)
    if not free and (placed or not any(_may_meet(entry, capability, things) for entry in allowing)):
        return EffectMeaning(Standing.ASK, undoable)
    if change is Change.NONE:
        return EffectMeaning(Standing.UNCHANGED, undoable)
    return EffectMeaning(Standing.REVERSIBLE if undoable else Standing.IRREVERSIBLE, undoable)


def meant_of_thing(manifest: Manifest, capability: str, thing: Scope) -> EffectMeaning:
    """Return the same for one thing: a sensitive file also has the capability of its place, and the strictest counts."""
    found = [meant(manifest, capability, thing, placed=True)]
    if capability in _PLAIN:
        found += [
            meant(manifest, other, thing, placed=True) for other in may_touch(capability, thing) if other != capability
        ]
    strictest = min(found, key=lambda one: _ORDER.index(one.standing))
    return EffectMeaning(strictest.standing, found[0].undoable)


def under(manifest: Manifest, when: Circumstances) -> Manifest:
    """Return the manifest under some circumstances: without grants whose limits do not hold, and with denials that hold
    as if unlimited.
    """
    kept = []
    for entry in manifest.permissions:
        limits = entry.constraints
        given = dict(when.arguments)
        holds = (
            all(name in given and _is_one(given[name], allowed) for name, allowed in limits.arguments)
            and (limits.time_window is None or _is_open_at(limits.time_window, when.seconds))
            and (entry.effect is Decision.DENY or limits.rate_limit is None or _is_free(limits.rate_limit, when))
            and (when.redacts or not limits.redact)
        )
        if not is_limited(entry) or (entry.effect is not Decision.DENY and holds):
            kept.append(entry)
        elif entry.effect is Decision.DENY and holds:
            kept.append(entry._replace(constraints=limits._replace(arguments=(), time_window=None, rate_limit=None)))
    return manifest._replace(permissions=tuple(kept))


def is_limited(entry: Permission) -> bool:
    """Return whether an entry looks at more than the request."""
    return entry.constraints.varies or entry.constraints.redact


def circumstances(entry: Permission) -> Iterator[Circumstances]:
    """Yield circumstances for an entry with limits: where they hold, and at each of their edges."""
    limits = entry.constraints
    values = tuple(
        (name, allowed[0]) for name, allowed in limits.arguments if not isinstance(allowed, Matching)
    )  # what a pattern matches is not made up
    window, rate = limits.time_window, limits.rate_limit
    opening = 0
    if window is not None:
        edges = {day * _DAY + minute * 60 for day in range(7) for minute in (window.start, window.end)}
        every = sorted({edge + step for edge in edges for step in (-60, 0)})
        opening = next((one for one in every if one >= 0 and _is_open_at(window, one)), 0)
        yield from (Circumstances(one % (7 * _DAY), values, name=f"at {_clock(one)}") for one in every)
    yield Circumstances(opening, values, name="within its limits")
    for name, value in values:
        rest = tuple(one for one in values if one[0] != name)
        yield Circumstances(opening, rest, name=f"without `{name}`")
        yield Circumstances(opening, tuple(sorted((*rest, (name, f"{value}-{_SOME}")))), name=f"with another `{name}`")
    if limits.redact:
        yield Circumstances(opening, values, redacts=False, name="as it is")
    if rate is not None:
        for count in (rate.calls - 1, rate.calls):
            if count <= _USES:
                for ago in (0, rate.seconds - 1):
                    used = (opening - ago,) * count
                    yield Circumstances(opening, values, used, name=f"after {count} uses {ago} s ago")


def _is_one(value: object, allowed: Allowed) -> bool:
    """Return whether a value may be one of those; patterns are left to the pattern engine."""
    return isinstance(allowed, Matching) or any(repr(value) == repr(one) for one in allowed)


def _is_open_at(window: TimeWindow, seconds: int) -> bool:
    """Return whether a window that opened on that day, or the day before, is still open."""
    length = (window.end - window.start) * 60 % _DAY or _DAY
    for day in (seconds // _DAY, seconds // _DAY - 1):
        opened = day * _DAY + window.start * 60
        if (not window.days or _day(day) in window.days) and opened <= seconds < opened + length:
            return True
    return False


def _is_free(limit: RateLimit, when: Circumstances) -> bool:
    """Return whether fewer uses than the limit lie in the preceding period."""
    return len([one for one in when.used if one > when.seconds - limit.seconds]) < limit.calls


def _day(number: int) -> str:
    """Return the weekday, by the number of days since Thursday, 1 January 1970."""
    return ("thu", "fri", "sat", "sun", "mon", "tue", "wed")[number % 7]


def _clock(seconds: int) -> str:
    minutes = seconds // 60
    return f"{_day(seconds // _DAY)} {minutes // 60 % 24:02}:{minutes % 60:02}"


def in_workspace(scope: Scope) -> bool:
    """Return whether snapshots certainly cover a scope."""
    return isinstance(scope, PathScope) and scope.anchor == WORKSPACE


def asked_for(kind: ScopeKind, scope: Scope) -> Iterator[Scope]:
    """Yield things that an agent may request for an entry with this scope: inside it, beside it and far from it."""
    yield from members(scope)
    match scope:
        case PathScope(anchor, parts) if anchor in PLACES:
            last = literal(parts[-1]) if parts else None
            if last:
                yield PathScope(anchor, (*parts[:-1], escape(f"{last}-{_SOME}")))
            yield from _FAR
        case HostScope(host, port):
            if "*" not in host:
                yield HostScope(f"{_SOME}.{host}", port or _PORTS[0])
                yield from (HostScope(host, one) for one in _PORTS)
            yield HostScope("outside.invalid", _PORTS[0])
        case NameScope(pattern):
            text = literal(pattern)
            yield NameScope(escape(f"{text}-{_SOME}") if text else "remit-outside")
        case NumberScope(low, high):
            yield from (NumberScope(one, one) for one in (low and low - 1, high and high + 1) if one is not None)
        case AnyScope() if kind is ScopeKind.PATH:
            yield from _FAR
        case AnyScope() if kind is ScopeKind.HOST:
            yield HostScope("outside.invalid", _PORTS[0])


def members(scope: Scope) -> Iterator[Scope]:
    """Yield a few members of a scope, each a scope of one thing; run-time values stand for themselves."""
    match scope:
        case PathScope(anchor, parts):
            for deep in ((), (_SOME,), (_SOME, _SOME)) if DEEP in parts else ((),):
                yield PathScope(
                    anchor, tuple(one for part in parts for one in (deep if part == DEEP else (_one(part),)))
                )
        case NameScope(pattern):
            yield NameScope(_one(pattern))
        case HostScope(host, port):
            named = host.replace("*", f"{_SOME}.invalid" if host == "*" else _SOME)
            yield from (HostScope(named, one) for one in ((port,) if port is not None else _PORTS))
        case NumberScope(low, high):
            yield from (NumberScope(one, one) for one in _ends(low, high))
        case _:
            yield scope


@lru_cache(65_536)
def is_member(scope: Scope, thing: Scope, *, placed: bool = True) -> bool:
    """Return whether a thing lies in a scope; `placed`: the places are as in `PLACED`, and not anywhere."""
    match scope, thing:
        case AnyScope(), _:
            return True
        case PathScope(anchor, parts), PathScope(other, names):
            if anchor != other:
                if not placed or anchor not in PLACED or other not in PLACED:
                    return False
                parts, names = (*PLACED[anchor], *parts), (*PLACED[other], *names)
            return _path(parts).fullmatch("".join(f"/{_text(name)}" for name in names)) is not None
        case NameScope(pattern), NameScope(name):
            return re.fullmatch(_expression(pattern, "."), _text(name), re.DOTALL) is not None
        case HostScope(host, port), HostScope(name, number):
            below = host in ("*", name) or (host[:2] == "*." and name.endswith(host[1:]))
            return below and port in (None, number)
        case NumberScope(low, high), NumberScope(number, _):
            return number is not None and (low is None or low <= number) and (high is None or number <= high)
    return scope == thing


def _ends(low: float | None, high: float | None) -> Iterator[float]:
    if low is None and high is None:
        yield from (-1.0, 0.0, 1.0)
    elif low is None or high is None:
        end = low if high is None else high
        assert end is not None
        yield from (end, end + 1 if high is None else end - 1)
    else:
        yield from dict.fromkeys((low, high))


def _one(pattern: str) -> str:
    """Return one text that matches a pattern, as a pattern."""
    return escape("".join(_SOME if one == STAR else one if isinstance(one, str) else "w" for one in tokens(pattern)))


def _text(pattern: str) -> str:
    return literal(pattern) or ""


@lru_cache(4096)
def _path(parts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        "".join(r"(?:/[^/]+)*" if part == DEEP else f"/{_expression(part, '[^/]')}" for part in parts), re.DOTALL
    )


def _expression(pattern: str, char: str) -> str:
    return "".join(
        f"{char}*" if one == STAR else re.escape(one) if isinstance(one, str) else char for one in tokens(pattern)
    )


def _names(capability: str) -> frozenset[str]:
    """Return the names by which an entry may cover an effect: code is files, and a credential may be in a variable."""
    kind, _, action = capability.partition(".")
    if kind in ("file", "source") and action in _FILES:
        return frozenset({f"file.{action}", f"source.{action}"})
    return frozenset({capability, "env.read"} if capability == "secret.read" else {capability})


def _speaks(entry: Permission, name: str) -> bool:
    pattern = entry.capability
    return pattern in (name, "*") or (pattern.endswith(".*") and name.startswith(pattern[:-1]))


def _grants(entry: Permission, capability: str, things: tuple[Scope, ...]) -> bool:
    return (
        entry.effect is not Decision.DENY
        and any(_speaks(entry, name) for name in _names(capability))
        and all(_holds(entry, capability, thing) for thing in things)
        and not any(_is_beyond(entry, thing) for thing in things)
    )


def _may_meet(entry: Permission, capability: str, things: tuple[Scope, ...]) -> bool:
    """Return whether a granting entry may cover a part, since symbols and the relation of places are unknown."""
    return (
        entry.effect is not Decision.DENY
        and any(_speaks(entry, name) for name in _names(capability))
        and any(
            _is_open(one, thing) or _is_open(thing, one) or _holds(entry, capability, thing)
            for one in entry.scopes
            for thing in things
        )
    )


def _is_open(scope: Scope, other: Scope) -> bool:
    if isinstance(scope, PathScope):
        return isinstance(other, PathScope | NameScope | SymbolScope) and scope.anchor != getattr(other, "anchor", None)
    return isinstance(scope, SymbolScope | AnyScope)


def _holds(entry: Permission, capability: str, thing: Scope) -> bool:
    in_variable = capability == "secret.read" and not isinstance(thing, PathScope) and _speaks(entry, "env.read")
    return in_variable or any(is_member(one, thing) for one in entry.scopes)


def _is_beyond(entry: Permission, thing: Scope) -> bool:
    """Return whether the resources of an entry, or the workspace, certainly do not contain a thing."""
    limits = entry.constraints
    named = not limits.resource_scope or any(is_member(one, thing) for one in limits.resource_scope)
    return not named or (limits.workspace_only and _is_elsewhere(thing))


def _is_elsewhere(thing: Scope) -> bool:
    """Return whether a path certainly lies outside of the workspace."""
    if not isinstance(thing, PathScope) or thing.anchor not in PLACES - {WORKSPACE}:
        return False
    where = PLACED[WORKSPACE]
    return thing.anchor != ROOT or thing.parts[: len(where)] != where


def _denies(entry: Permission, capability: str, things: tuple[Scope, ...], *, placed: bool) -> bool:
    limits = entry.constraints
    return (
        entry.effect is Decision.DENY
        and _speaks(entry, capability)
        and not (limits.arguments or limits.time_window or limits.workspace_only or limits.resource_scope)
        and ANY_SCOPE not in things
        and all(any(is_member(one, thing, placed=placed) for one in entry.scopes) for thing in things)
    )


def _allows(entry: Permission, capability: str) -> bool:
    if entry.effect is not None:
        return entry.effect is Decision.ALLOW
    words = vocabulary()
    return any(words[name].level is Level.NORMAL for name in _names(capability) if name in words)
