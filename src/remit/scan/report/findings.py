"""A report on the results of scans: the questions of `sql/`, asked one after the other, and their answers as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.core.capability import vocabulary
from remit.core.scope.forms import ScopeKind
from remit.scan.report.alike import alike, impostors
from remit.scan.report.asking import Options, value, values
from remit.scan.report.changes import changes
from remit.scan.report.risk import risk
from remit.scan.report.store import Store
from remit.scan.report.values import CapabilityCount, Count, ErrorCount, Findings, OpaqueReason, Overview, Reached

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

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
        "verdicts": values(Count, store.ask("verdicts")),
        "levels": values(Count, store.ask("levels")),
        "errors": values(ErrorCount, store.ask("errors", top=options.top)),
        "capabilities": values(CapabilityCount, store.ask("capabilities")),
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
    "opaque places": _opaque,
    "hosts and programs": _reached,
    "risk": lambda store, options: {"risk": risk(store, options)},
    "similar skills": lambda store, options: {"alike": alike(store, options)},
    "names": lambda store, options: {"impostors": impostors(store, options)},
}
