"""Which skills have a combination of capabilities that few have? The measure is explained in docs/scan-report.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.scan.report.asking import value, values, weights
from remit.scan.report.lines import places
from remit.scan.report.values import Cause, Outlier, Risk, Spread

if TYPE_CHECKING:
    from remit.scan.report.asking import Options
    from remit.scan.report.store import Store

_STEP = 4.0  # bits of one bar in the picture of scores
_CAUSES = 3  # that are told of an outlier


def risk(store: Store, options: Options) -> Risk:
    """How scores are spread, and the highest of them with their causes."""
    store.do("stage_content")
    store.do("stage_risk", weights=weights())
    (fence,) = store.ask("fence")
    limits = {name: round(number or 0.0, 2) for name, number in fence.items()}
    found = store.ask("outliers", top=options.top)
    shown = places(store, [one["number"] for one in found])
    outliers = []
    for one in found:
        causes = [
            Cause(**cause, place=shown.get((one["number"], cause["capability"]))) for cause in one["causes"][:_CAUSES]
        ]
        outliers.append(value(Outlier, one, causes=tuple(causes)))
    return Risk(
        **limits,
        above=store.ask("above", fence=limits["fence"])[0]["contents"],
        step=_STEP,
        spread=values(Spread, store.ask("scores", step=_STEP)),
        outliers=tuple(outliers),
    )
