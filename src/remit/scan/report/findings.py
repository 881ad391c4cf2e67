"""A report on the results of scans: the questions of `sql/`, asked one after the other, and their answers as values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from remit.core.capability import vocabulary
from remit.core.scope.forms import ScopeKind
from remit.findings.model import Severity
from remit.scan.report.alike import alike, impostors
from remit.scan.report.changes import changes
from remit.scan.report.query_base import LEVELS, Options, value, values
from remit.scan.report.store import Store
from remit.scan.report.values import (
    CapabilityCount,
    Count,
    ErrorCount,
    Findings,
    OpaqueReason,
    Overview,
    Ranked,
    Reached,
    RuleCount,
    Shown,
)

if TYPE_CHECKING:
    from pathlib import Path

_SHOWN = 3  # findings of a skill in a list
_UNNAMED = 5  # kinds of what is not one host or program that are told


def report(
    files: Sequence[Path],
    against: Sequence[Path] = (),
    options: Options = Options(),  # noqa: B008  a frozen value
    step: Callable[[str], None] = lambda _: None,
) -> Findings:
    """What some results say, and what changed since others. `step` is told what comes next."""
    with Store(options.memory) as store:
        step("reading")
        store.load(files)
        if against:
            store.load_before(against)
        found: dict[str, Any] = {}
        for title, ask in PARTS.items():
            step(title)
            found |= ask(store, options)
        if against:
            step("changes")
        return Findings(**found, changes=changes(store, options) if against else None)


def _counts(store: Store, options: Options) -> Mapping[str, Any]:
    return {
        "overview": value(Overview, store.ask("overview")[0]),
        "levels": values(Count, store.ask("levels", levels=LEVELS)),
        "guarantees": values(Count, store.ask("guarantees")),
        "verdicts": values(Count, store.ask("verdicts")),
        "errors": values(ErrorCount, store.ask("errors", top=options.top)),
        "capabilities": values(CapabilityCount, store.ask("capabilities")),
    }


def _findings(store: Store, options: Options) -> Mapping[str, Any]:
    severities = [str(one) for one in Severity]
    store.do("stage_finding", severities=severities)
    worst = store.ask("worst", levels=LEVELS, shown=_SHOWN, top=options.top)
    return {
        "worst": tuple(value(Ranked, one, findings=tuple(Shown(**item) for item in one["findings"])) for one in worst),
        "rules": values(RuleCount, store.ask("rules")),
    }


def _opaque(store: Store, options: Options) -> Mapping[str, Any]:
    return {
        name: values(OpaqueReason, store.ask("opaque", kinds=kinds, top=options.top))
        for name, kinds in (("opaque_kinds", True), ("opaque_reasons", False))
    }


def _reached(store: Store, options: Options) -> Mapping[str, Any]:
    found = {}
    for name, kind in (("hosts", ScopeKind.HOST), ("programs", ScopeKind.PROGRAM)):
        on = [one.name for one in vocabulary() if one.scope_kind is kind]
        for field, named, top in ((name, True, options.top), (f"unnamed_{name}", False, _UNNAMED)):
            found[field] = values(Reached, store.ask("reach", capabilities=on, named=named, top=top))
    return found


PARTS: Mapping[str, Callable[[Store, Options], Mapping[str, Any]]] = {
    "counts": _counts,
    "findings": _findings,
    "opaque places": _opaque,
    "hosts and programs": _reached,
    "similar skills": lambda store, options: {"alike": alike(store, options)},
    "names": lambda store, options: {"impostors": impostors(store, options)},
}
