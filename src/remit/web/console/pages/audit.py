"""Pages of the audit log: filters, single records, alarms, and the verification of the chain."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response

from remit.audit.biconditional import Comparison, ObservedChanges, compare
from remit.audit.entry import Outcome
from remit.audit.head import Places
from remit.audit.queries import Filter, read_moment, records
from remit.audit.store import connect
from remit.audit.timeline import Unreadable
from remit.core.errors import RemitError
from remit.report.audit_view import (
    NOT_SEEN,
    comparison_sum,
    moment,
    outcome_style,
    record_fields,
    record_words,
    worst_first,
)
from remit.web.console.page import Form, WrongPageError
from remit.web.console.rendering import page
from remit.web.console.request_context import console_of, link

if TYPE_CHECKING:
    from starlette.requests import Request

    from remit.audit import Record
    from remit.web.console.logs import Logs, Source

_LONGEST = 300  # characters of a filter
_FIELDS = ("session", "skill", "tool", "decision", "since", "until", "text", "call")
_COMPARED = 20_000  # records of a session that a page compares; for more there is the command


class AuditLine(NamedTuple):
    """A record in the timeline; `fault`: why it cannot be read."""

    number: int
    when: str = ""
    outcome: str = ""
    style: str = ""
    words: tuple[str, ...] = ()
    session: str = ""
    fault: str = ""


async def timeline(request: Request) -> Response:
    """Return records, the newest first."""
    return await _listed(request, alarms=False)


async def alarms(request: Request) -> Response:
    """Return records that are alarms."""
    return await _listed(request, alarms=True)


async def record(request: Request) -> Response:
    """Return one record in full."""
    logs, source = _asked(request)
    number = request.path_params["number"]
    found = await run_in_threadpool(logs.timeline(source).record, number)
    if found is None:
        raise WrongPageError(404, f"there is no record {number}", "choose one of the list")
    if isinstance(found, Unreadable):
        about: dict[str, Any] = {"fault": found.reason, "fields": (), "entry": None, "when": ""}
    else:
        about = {"fault": "", "fields": list(record_fields(found)), "entry": found.entry, "when": moment(found.time)}
    return page(request, "record.html", number=number, **about, **await _around(logs, source))


async def compared(request: Request) -> Response:
    """Return whether exactly what was admitted in a session happened, according to the log."""
    logs, source = _asked(request)
    session = request.query_params.get("session", "")[:_LONGEST]
    found = await run_in_threadpool(_compare, source, session) if session else None
    around = await _around(logs, source)
    if found is None:
        return page(request, "compared.html", session=session, found=None, sum="", not_seen=NOT_SEEN, **around)
    rows = list(islice(worst_first(found, verbose=True), 500))
    return page(
        request, "compared.html", session=session, found=found, sum=comparison_sum(found), rows=rows, not_seen=NOT_SEEN, **around
    )  # fmt: skip


async def verify(request: Request, _: Form) -> Response:
    """Start a verification of the chain."""
    logs, source = _asked(request)
    logs.verify(source)
    return RedirectResponse(link(request, "/audit", log=source.name), 303)


async def standing(request: Request) -> Response:
    """Return the progress of a verification."""
    logs, source = _asked(request)
    found = await run_in_threadpool(logs.standing, source)
    return JSONResponse({"running": found.running, "reached": found.reached, "newest": found.newest})


def read_filter(query: Mapping[str, str]) -> Filter:
    """Return the filter in a URL. Unknown values are refused: ignoring a filter would show wrong results."""
    given = {name: query.get(name, "").strip()[:_LONGEST] for name in _FIELDS}
    try:
        outcome = Outcome(given["decision"]) if given["decision"] else ""
    except ValueError:
        raise WrongPageError(400, f"`{given['decision']}` is not how a record ends", "choose one of the list") from None
    return Filter(
        session=given["session"],
        principal=given["skill"],
        tool=given["tool"],
        outcome=str(outcome),
        call=given["call"],
        since=read_moment(given["since"]) if given["since"] else 0,
        until=read_moment(given["until"]) if given["until"] else 0,
        text=given["text"],
    )


async def _listed(request: Request, *, alarms: bool) -> Response:
    logs, source = _asked(request)
    query = request.query_params
    around = await _around(logs, source)
    if not source.there:
        return page(request, "nolog.html", **around)
    looked = logs.timeline(source)
    before = _number(query.get("before", ""))
    found = await run_in_threadpool(looked.page, read_filter(query), before=before, alarms=alarms)
    kept = {name: query[name] for name in _FIELDS if query.get(name)}
    return page(
        request, "audit.html", lines=[_line(one) for one in found.records], found=found, alarms=alarms, given=kept,
        values={name: await run_in_threadpool(looked.values, field) for name, field in _OFFERED.items()},
        outcomes=[str(one) for one in Outcome], counted=await run_in_threadpool(looked.count_alarms),
        older={**kept, "log": source.name, "before": str(found.before)} if found.before else None, first=not before, **around,
    )  # fmt: skip


_OFFERED = {"session": "session", "skill": "principal", "tool": "tool"}


def _asked(request: Request) -> tuple[Logs, Source]:
    logs = console_of(request).logs
    return logs, logs.source(request.query_params.get("log", ""))


async def _around(logs: Logs, source: Source) -> dict[str, Any]:
    """Return what every page of a log shows: the log and the state of its chain."""
    try:
        known = await run_in_threadpool(logs.standing, source) if source.there else None
        trouble = None
    except RemitError as error:  # not a log: must not look like an empty one
        known, trouble = None, error
    there = [one for one in logs.sources if one.there or one is logs.sources[0]]
    return {"source": source, "sources": there, "standing": known, "trouble": trouble, "moment": moment}


def _line(one: Record | Unreadable) -> AuditLine:
    if isinstance(one, Unreadable):
        return AuditLine(one.number, fault=one.reason)
    outcome, words = record_words(one)
    return AuditLine(one.number, moment(one.time), outcome, outcome_style(outcome), words, one.entry.session)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _compare(source: Source, session: str) -> Comparison:
    store = connect(Places(source.folder), write=False)
    try:
        found = list(islice(records(store, Filter(session=session)), _COMPARED + 1))
    finally:
        store.close()
    if len(found) > _COMPARED:
        words = f"remit audit biconditional --session {session}"
        raise WrongPageError(422, f"this session has more than {_COMPARED:,} records", f"say `{words}` in a terminal")
    return compare(found, ObservedChanges())
