"""The description of a capsule before anything runs in it: what is bound, hidden, passed on and allowed, each with its
entry.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.report.screen import visible

if TYPE_CHECKING:
    from remit.capsule.contract import Contract

_SHOWN = 40  # lines of one part


def contract_lines(contract: Contract) -> Iterator[str]:
    """The page."""
    yield f"capsule for: {visible(shlex.join(contract.command))}"
    yield f"workspace:   {visible(contract.workspace)}"
    yield ""
    places = [
        f"{' '.join(place.access.words):<18} {visible(place.path)}{'/' if place.folder else ''}"
        f"{' (made at the start)' if place.missing else ''}  [{visible(place.why)}]"
        for place in contract.places
    ]
    yield from _part("places", places, "none of the machine but its system folders, read-only")
    masks = [f"{mask.how:<18} {visible(mask.path)}  [{visible(mask.what)}]" for mask in contract.masked]
    yield from _part("kept back in them", masks, "nothing")
    if contract.programs is None:
        yield from _part("programs", [], "all of the system")
    else:
        yield from _part(
            "programs", [f"{visible(one.path)}  [{visible(one.why)}]" for one in contract.programs], "none"
        )
    yield from _part("variables", [visible(name) for name, _ in contract.environment], "none")
    hosts = [
        f"{'denied' if rule.denied else rule.access:<18} {visible(rule.host)}{'' if rule.port is None else f':{rule.port}'}"
        for rule in contract.egress
    ]
    yield from _part("hosts, by the egress proxy", hosts, "none: there is no network")
    if contract.sockets:
        yield from _part("sockets", [f"{name} = {visible(path)}" for name, path in contract.sockets], "")
    narrowed = [f"{visible(item.entry)}: {visible(item.why)}" for item in contract.narrowed]
    yield from _part("granted, but not given", narrowed, "nothing")
    limits = contract.limits
    time = f"{limits.seconds} s" if limits.seconds else "no limit of time"
    yield f"limits: {time}, {limits.memory >> 20} MiB of data a process, {limits.processes} processes, {limits.files} open files"
    yield f"enforced by: namespaces, mounts, Landlock (ABI {contract.landlock}), a filter of calls; as user {contract.user}"


def _part(title: str, lines: list[str], empty: str) -> Iterator[str]:
    yield f"{title}:"
    for line in lines[:_SHOWN] or [empty]:
        yield f"  {line}"
    if len(lines) > _SHOWN:
        yield f"  … and {counted(len(lines) - _SHOWN, 'more', 'more')} (--format json has all)"
    yield ""
