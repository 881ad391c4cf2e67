"""How the analysis does on the cases: which flows it misses, and which it reports although they do not happen."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.flow_cases import FOLDER
from harness.flow_match import analysed, is_checked, is_reported, speaks

if TYPE_CHECKING:
    from harness.flow_cases import Expected, FlowCase
    from remit.analysis.result import Effects


class Score(NamedTuple):
    """One case: expected flows that are not reported, flows that do not happen and are reported, and how many reports say only that."""

    missed: tuple[Expected, ...]
    false: tuple[Expected, ...]
    wrong: int
    reported: int
    opaque: bool


def score(case: FlowCase) -> Score:
    """Analyse one case and compare."""
    with tempfile.TemporaryDirectory(prefix="flows-") as folder:
        return compare(case, analysed(case, Path(folder)))


def compare(case: FlowCase, effects: Effects) -> Score:
    """Compare what was reported with what happens."""
    flows = effects.flows
    missed = tuple(flow for flow in case.flows if is_checked(flow) and not is_reported(flow, flows, case))
    # that another part of the same source flows there says nothing about a report, which knows sources only as a whole
    never = [flow for flow in case.never if is_checked(flow) and not flow.source.part]
    true = [*case.flows, *case.also]
    wrong = sum(
        any(speaks(flow, one, case) for one in never) and not any(speaks(flow, one, case) for one in true)
        for flow in flows
    )
    false = tuple(flow for flow in never if is_reported(flow, flows, case))
    return Score(missed, false, wrong, len(flows), bool(effects.opaque))


def known_misses() -> dict[tuple[str, str], str]:
    """The reason for each miss that is known, by case and flow."""
    rows = (
        line.split(" | ")
        for line in (FOLDER / "known_misses.table").read_text("utf-8").splitlines()
        if line[:1] not in ("#", "")
    )
    return {(case, flow): reason for case, flow, reason in rows}


def excused(case: FlowCase, found: Score) -> str:
    """Why a miss of this case is no mistake, if that holds for all of them."""
    if case.implicit:
        return "implicit"
    return "opaque" if found.opaque else ""
