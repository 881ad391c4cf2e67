"""Records of the log, results of its verification, and comparisons with the world, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from remit.audit.biconditional import Comparison, Finding, Verdict
from remit.audit.verify import DamagedLog, IntactLog
from remit.core.counting import counted
from remit.report.screen import Screen, visible, width_of

if TYPE_CHECKING:
    from remit.audit import Record

_STYLE = {
    "admit": "green", "executed": "green", "person-approved": "green", "deny": "red", "person-denied": "red",
    "asked": "yellow", "failed": "yellow", "undone": "cyan", "unknown": "yellow",
}  # fmt: skip
_ALARMS = (Verdict.BYPASS, Verdict.FORGERY, Verdict.REWRITTEN)
_START = datetime(1970, 1, 1, tzinfo=UTC)
NOT_SEEN = "a picture of a workspace does not show reads, the network, other folders, messages, and files that were created and removed in between"


def moment(time: int) -> str:
    """Return a time of the log, in UTC."""
    return (_START + timedelta(microseconds=time)).strftime("%Y-%m-%d %H:%M:%SZ")


def record_json(record: Record) -> dict[str, Any]:
    """Return a record, with its hash."""
    head = {"number": record.number, "time": record.time, "kind": str(record.entry.kind)}
    return {**head, **record.entry.body(), "hash": record.hash.hex()}


def record_words(record: Record) -> tuple[str, tuple[str, str, str, str]]:
    """Return how it ended; and whose it was, by which tool, what, and why, unescaped."""
    entry = record.entry
    what = f"{entry.capability}({entry.scope})" if entry.scope else entry.capability
    return str(entry.outcome or entry.kind), (entry.principal or "-", entry.tool or entry.event, what, entry.reason)


def outcome_style(outcome: str) -> str:
    """Return the colour of an outcome."""
    return _STYLE.get(outcome, "dim")


def record_line(screen: Screen, record: Record) -> str:
    """Return a record in one line that fits the screen."""
    outcome, words = record_words(record)
    rest = "  ".join(visible(word) for word in words if word)
    start = f"{record.number:>6}  {moment(record.time)}  "
    room = screen.width - len(start) - 17
    if width_of(rest) > room:
        while rest and width_of(rest) > room - 1:
            rest = rest[:-1]
        rest += "…"
    return f"{start}{screen.style(f'{outcome:<15}', outcome_style(outcome))}  {rest}".rstrip()


def record_fields(record: Record) -> Iterator[tuple[str, str | list[tuple[str, str]]]]:
    """Return everything about a record: names, with a text or several named texts; escaped."""
    fields: dict[str, Any] = {"kind": str(record.entry.kind), **record.entry.body(), "hash": record.hash.hex()}
    for name, value in fields.items():
        if name == "arguments":
            yield name, [(visible(str(key)), visible(_plain(item))) for key, item in value.items()]
        elif name == "inferred":
            yield name, [(visible(f"{item[0]}({item[1]})"), item[2]) for item in value]
        else:
            yield name, visible(str(value))


def record_lines(record: Record) -> Iterator[str]:
    """Return everything about a record, as text."""
    yield f"record {record.number}, {moment(record.time)}"
    for name, value in record_fields(record):
        if isinstance(value, str):
            yield f"  {name:<10}  {value}"
        else:
            yield f"  {name}"
            yield from (f"    {key}  {item}" for key, item in value)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def verdict_json(found: IntactLog | DamagedLog) -> dict[str, Any]:
    """Return the result of `verify` as JSON."""
    return {"whole": isinstance(found, IntactLog), **found._asdict()}


def verdict_lines(found: IntactLog | DamagedLog) -> Iterator[str]:
    """Return the result of `verify`, and what to do."""
    if not isinstance(found, IntactLog):
        yield f"the log is broken at record {found.number}: {visible(found.reason)}"
        yield f"  {found.remedy}"
        return
    yield f"the log is complete and unchanged: {counted(found.records, 'record')}, {counted(found.heads, 'signed head')}"
    if found.signed < found.records:
        yield f"  records after {found.signed} are not signed yet and could be cut off unseen; `remit audit head` signs them"
    if found.local:
        yield "  heads are signed with a key of this machine: only it can check them (pip install 'remit[prove]' for other keys)"


def comparison_json(found: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON."""
    findings = [
        {**item._asdict(), "verdict": str(item.verdict), "records": list(item.records)} for item in found.findings
    ]
    return {"holds": found.holds, "findings": findings, "unobserved": dict(found.unobserved), "not_seen": NOT_SEEN}


def worst_first(found: Comparison, *, verbose: bool) -> Iterator[Finding]:
    """Return what is wrong, then what is unknown, then, if requested, what matched."""
    for verdict in (*_ALARMS, Verdict.UNKNOWN, *((Verdict.MATCHED,) if verbose else ())):
        yield from (item for item in found.findings if item.verdict is verdict)


def comparison_sum(found: Comparison) -> str:
    """Return whether it holds, and the number of each verdict."""
    counts = [(verdict, sum(item.verdict is verdict for item in found.findings)) for verdict in Verdict]
    return (
        ("holds" if found.holds else "DOES NOT HOLD") + ": " + ", ".join(f"{n} {verdict}" for verdict, n in counts if n)
    )


def comparison_lines(found: Comparison, *, verbose: bool) -> Iterator[str]:
    """Return a comparison: what is wrong first, then what is unknown, then the sum."""
    for item in worst_first(found, verbose=verbose):
        numbers = f" (record {', '.join(map(str, item.records))})" if item.records else ""
        yield f"{item.verdict:<9}  {item.op:<7}  {visible(item.target)}: {item.reason}{numbers}"
    yield comparison_sum(found)
    if found.unobserved:
        used = ", ".join(f"{visible(name)} ({count})" for name, count in found.unobserved.items())
        yield f"  used, and not to be seen here: {used}"
    yield f"  {NOT_SEEN}"
