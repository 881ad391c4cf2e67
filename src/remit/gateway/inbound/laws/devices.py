"""Laws of requests to devices."""

from __future__ import annotations

from collections.abc import Iterator

from remit.gateway.inbound.laws.law import Law
from remit.gateway.inbound.nodes.commands import known
from remit.gateway.inbound.nodes.runs import Phase, Request

APPROVED = Law("node-runs.nothing-runs-while-it-waits", "what a person must approve runs only after that")
NEVER_TWICE = Law("node-runs.never-twice", "a request runs once, whoever tries again and after whatever crash")
NEVER_REPLACED = Law("node-runs.never-replaced", "what was asked under a name stays")
IN_TIME = Law("node-runs.in-time", "nothing runs after the request's time")
NO_IS_FINAL = Law("node-runs.a-no-is-final", "what a person denied before it ran does not run")
KEPT_FIRST = Law("node-runs.running-is-kept-first", "that a request runs is on the disk before the device is asked")
WANTS = Law("node-commands.what-changes-something-wants-approval", "commands that change something want an approval")
RAN = (Phase.RUNNING, Phase.DONE, Phase.UNKNOWN)


def same_request(before: Request, after: Request) -> bool:
    """Return whether device, command, digest, time and shown arguments are unchanged."""
    return (before[:4], before.shown) == (after[:4], after.shown)


def waits_for_a_person(before: Request | None, after: Request) -> bool:
    """Return whether a request becomes ready only if it needs no approval or was approved, and runs only when ready."""
    if before is None:
        return after.phase in (Phase.WAITING, Phase.READY)
    if before.phase is Phase.WAITING:
        return after.phase in (Phase.WAITING, Phase.DENIED) or (after.phase is Phase.READY and bool(after.approver))
    return True


def never_again(before: Request, after: Request) -> bool:
    """Return whether a request that ran, or may have run, neither runs nor waits again."""
    return before.phase not in RAN or (after.phase in RAN and (after.phase is not Phase.RUNNING or after == before))


def no_is_final(before: Request, after: Request) -> bool:
    """Return whether a denied request stays denied."""
    return before.phase is not Phase.DENIED or after.phase is Phase.DENIED


def in_time(request: Request, now: int) -> bool:
    """Return whether a request that begins to run is in time."""
    return now < request.until


def kept_first(kept: Request | None) -> bool:
    """Return whether a device is asked only for a request that is stored as running; it may be gone once it is over."""
    return kept is None or kept.phase in RAN


def broken(before: Request | None, after: Request, now: int) -> Iterator[Law]:
    """Yield the laws that a change of a request breaks."""
    if not waits_for_a_person(before, after):
        yield APPROVED
    if before is None:
        if after.phase is Phase.READY and after.command in known().asks:
            yield WANTS
        return
    if not same_request(before, after):
        yield NEVER_REPLACED
    if not never_again(before, after):
        yield NEVER_TWICE
    if not no_is_final(before, after):
        yield NO_IS_FINAL
    if after.phase is Phase.RUNNING and not in_time(after, now):
        yield IN_TIME
