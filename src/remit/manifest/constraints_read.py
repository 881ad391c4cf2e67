"""Parser of the constraints of an entry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.errors import ManifestError
from remit.core.patterns import lazy_pattern
from remit.manifest import fields as f
from remit.manifest.model import Allowed, Constraints, Decision, Matching, RateLimit, TimeWindow
from remit.manifest.words import listed, meant

if TYPE_CHECKING:
    from remit.core.scope import Scope
    from remit.manifest.jsontext import Node, Reader

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SAFE = 2**53 - 1  # beyond, JSON readers disagree on the value
_CLOCK = lazy_pattern(r"([01][0-9]|2[0-4]):([0-5][0-9])", re.ASCII)
_FIELDS = (
    "workspace_only",
    "resource_scope",
    "denied_command_patterns",
    "arguments",
    "time_window",
    "rate_limit",
    "redact",
)
# Constraints can only narrow a grant. On a denial it would be unclear which requests are *not* denied.
_GRANTS_ONLY = ("denied_command_patterns", "rate_limit", "redact")


def read_constraints(reader: Reader, node: Node, capability: str, effect: Decision | None) -> Constraints:
    """Return the constraints of an entry for `capability` (a word or pattern of ours)."""
    found = f.fields(reader, node, "`constraints`", (), _FIELDS)
    for name in _GRANTS_ONLY:
        if effect is Decision.DENY and name in found:
            message = f"`{name}` is not allowed in an entry that denies"
            raise reader.fail(found[name].at, message, "put it into an entry that allows or confirms, or remove it")
    return Constraints(
        workspace_only="workspace_only" in found and f.flag(reader, found["workspace_only"], "workspace_only"),
        resource_scope=_resource_scope(reader, found.get("resource_scope"), capability),
        denied_command_patterns=_patterns(reader, found.get("denied_command_patterns")),
        arguments=_arguments(reader, found.get("arguments")),
        time_window=_time_window(reader, found["time_window"]) if "time_window" in found else None,
        rate_limit=_rate_limit(reader, found["rate_limit"]) if "rate_limit" in found else None,
        redact="redact" in found and f.flag(reader, found["redact"], "redact"),
    )


def _resource_scope(reader: Reader, node: Node | None, capability: str) -> tuple[Scope, ...]:
    if node is None:
        return ()
    if isinstance(node.value, str):
        raise reader.fail(node.at, "`resource_scope` is text", "write a list in brackets")
    return f.scopes(reader, node, "resource_scope", capability)


def _patterns(reader: Reader, node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    name = "denied_command_patterns"
    return f.distinct(reader, node, name, f.FEW, lambda item: _pattern(reader, item, name))


def _pattern(reader: Reader, node: Node, name: str) -> str:
    from remit.manifest.patterns import check_pattern  # noqa: PLC0415  (the engine is loaded where there is a pattern)

    written = f.text(reader, node, name)
    try:
        check_pattern(written)
    except ManifestError as error:
        raise reader.fail(node.at, error.message, error.remedy) from None
    return written


def _arguments(reader: Reader, node: Node | None) -> tuple[tuple[str, Allowed], ...]:
    if node is None:
        return ()
    if not isinstance(node.value, dict):
        remedy = "write an object: the name of each argument and what it may be"
        raise reader.fail(node.at, f"`arguments` is {node.kind}", remedy)
    if len(node.value) > f.FEW:
        raise reader.fail(node.at, f"`arguments` has more than {f.FEW} names", "shorten it")
    for name, item in node.value.items():
        if not name or len(name) > f.NAME:
            message = "an argument has no name" if not name else f"a name is longer than {f.NAME} characters"
            raise reader.fail(item.at, message, "write the name that the tool uses")
    return tuple((name, _allowed(reader, name, node.value[name])) for name in sorted(node.value))


def _allowed(reader: Reader, name: str, node: Node) -> Allowed:
    if isinstance(node.value, dict):
        found = f.fields(reader, node, f"the argument `{f.shown(name)}`", ("pattern",))
        return Matching(_pattern(reader, found["pattern"], "pattern"))
    if not isinstance(node.value, list):
        remedy = 'write a list of the values that it may have, or {"pattern": …}'
        raise reader.fail(node.at, f"the argument `{f.shown(name)}` is {node.kind}", remedy)
    return f.distinct(reader, node, f.shown(name), f.MANY, lambda item: _value(reader, name, item), empty=False)


def _value(reader: Reader, name: str, node: Node) -> str | int | bool:
    if isinstance(node.value, str):
        return f.text(reader, node, f.shown(name), empty=True)
    if isinstance(node.value, bool):
        return node.value
    if isinstance(node.value, int):
        return f.whole(reader, node, f.shown(name), -SAFE, SAFE)
    remedy = "write a text, a whole number, `true` or `false`"
    raise reader.fail(node.at, f"a value of `{f.shown(name)}` is {node.kind}", remedy)


def _time_window(reader: Reader, node: Node) -> TimeWindow:
    found = f.fields(reader, node, "`time_window`", (), ("days", "from", "to"))
    if not found:
        raise reader.fail(node.at, "`time_window` is empty", "write `days`, `from` or `to`, or leave the window out")
    days = _days(reader, found["days"]) if "days" in found else ()
    start = _clock(reader, found["from"], "from") if "from" in found else 0
    end = _clock(reader, found["to"], "to") if "to" in found else 24 * 60
    if start == 24 * 60:
        raise reader.fail(found["from"].at, "`from` is `24:00`", "write `00:00`")
    if start == end:
        raise reader.fail(node.at, "`from` and `to` are the same time", "leave both out to mean the whole day")
    return TimeWindow(days, start, end)


def _days(reader: Reader, node: Node) -> tuple[str, ...]:
    def one(item: Node) -> str:
        day = f.text(reader, item, "days", empty=True)
        if day not in DAYS:
            raise reader.fail(
                item.at, f"`{f.shown(day)}` is not a day", f"{meant(day, DAYS)}write {listed(DAYS, 'or')}"
            )
        return day

    found = f.distinct(reader, node, "days", len(DAYS), one, empty=False)
    return tuple(day for day in DAYS if day in found)


def _clock(reader: Reader, node: Node, name: str) -> int:
    written = f.text(reader, node, name, empty=True)
    found = _CLOCK.fullmatch(written)
    minutes = int(found[1]) * 60 + int(found[2]) if found else 24 * 60 + 1
    if minutes > 24 * 60:
        raise reader.fail(node.at, f"`{f.shown(written)}` is not a time of the day", "write it as `08:30`, in UTC")
    return minutes


def _rate_limit(reader: Reader, node: Node) -> RateLimit:
    found = f.fields(reader, node, "`rate_limit`", ("calls", "seconds"))
    calls = f.whole(reader, found["calls"], "calls", 1, 1_000_000)
    return RateLimit(calls, f.whole(reader, found["seconds"], "seconds", 1, 366 * 24 * 3600))
