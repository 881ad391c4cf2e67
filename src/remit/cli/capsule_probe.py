"""`remit capsule probe`: shows which confinement works on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remit.capsule.helper.build import helper
from remit.capsule.probes import COMMAND, Probed, ProbeOutcome, probe_all, probed_value
from remit.policy.command_permits import permit_for
from remit.report.as_json import pretty
from remit.report.screen import visible

if TYPE_CHECKING:
    from pathlib import Path

_MARKS = {ProbeOutcome.HELD: "✓", ProbeOutcome.GOT_OUT: "✗", ProbeOutcome.NOT_SHOWN: "-", ProbeOutcome.UNCLEAR: "?"}


def probe(names: Sequence[str], form: str, folder: Path) -> int:
    """Make the attempts, and print what each shows."""
    permit = permit_for("probe", COMMAND)

    def done(probed: Probed) -> None:
        if form == "text":
            print(f"{_MARKS[probed.standing]} {probed.standing:<9}  {probed.name:<22} {probed.what}", flush=True)
            if probed.standing is not ProbeOutcome.HELD:
                print(f"    outside: {visible(probed.outside)}\n    inside:  {visible(probed.inside)}", flush=True)

    found = probe_all(permit, names, helper(permit, folder), done)
    if form == "json":
        print(pretty(probed_value(found)))
    else:
        counts = {standing: sum(item.standing is standing for item in found) for standing in ProbeOutcome}
        print(", ".join(f"{count} {standing}" for standing, count in counts.items() if count))
    return 0 if all(item.standing in (ProbeOutcome.HELD, ProbeOutcome.NOT_SHOWN) for item in found) else 1
