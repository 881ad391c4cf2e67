"""Distinguisher between two worlds: features of a transcript, a naive Bayes classifier, and the score with its
confidence.

Half of the transcripts are for training: each feature is put into one of six bins of equal weight, whose log odds come
from the counts of real and simulated ones. The three most informative features classify the other half. The score is
the area under the ROC curve: the chance that a real transcript ranks above a simulated one. 0.5 is a guess.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.gateway.games.relays import ANSWERS, QUESTIONS, Passed
from remit.gateway.parties.traffic_shaping import Shaping

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

_SURE = 2.576  # standard errors on each side: 99 %
_SLOT = Shaping().slot
_BINS, _BELIEVED = 6, 3


class Told(NamedTuple):
    """The score with its 99 % interval."""

    score: float
    low: float
    high: float
    transcripts: int  # classified transcripts

    def __str__(self) -> str:
        return f"AUC {self.score:.3f} [{self.low:.3f}, {self.high:.3f}], {self.transcripts} transcripts"


def numbers_of(passed: Sequence[Passed], server: str, slot: float = _SLOT) -> list[float] | None:
    """Return the features of one server's traffic, including cover questions; None without any question or answer."""
    asked = [one for one in passed if (one.server, one.way) == (server, QUESTIONS)]
    back = [one for one in passed if (one.server, one.way) == (server, ANSWERS)]
    starts = [one.at for one in asked if one.data.startswith(b"POST ")]
    if not starts or not back:
        return None
    sent, told = b"".join(one.data for one in asked), b"".join(one.data for one in back)
    gaps = [later - sooner for sooner, later in pairwise(starts)] or [0.0]
    counts = [float(len(starts)), float(len(sent)), float(len(told))]
    timing = [starts[0] % slot, max(gaps), sum(gaps), back[-1].at - starts[-1]]
    return [*counts, *timing, *_bytes(_bodies(sent, b"POST ")), *_bytes(_bodies(told, b"HTTP/"))]


def _bodies(data: bytes, begin: bytes) -> bytes:
    """Return the bodies without HTTP headers."""
    return b"".join(part.partition(b"\r\n\r\n")[2] for part in data.split(begin) if part)


def _bytes(data: bytes) -> list[float]:
    if not data:
        return [0.0] * 12
    found = np.frombuffer(data, np.uint8).astype(np.float64)
    spread = np.histogram(found, bins=8, range=(0, 256))[0] / len(found)
    ones = np.unpackbits(np.frombuffer(data, np.uint8)).mean()
    follow = float(np.mean(found[1:] * found[:-1])) if len(found) > 1 else 0.0
    return [float(found.mean()), float(found.std()), float(ones), follow, *map(float, spread)]


def tell(rows: Sequence[Sequence[float]], real: Sequence[bool]) -> Told:
    """Return how well the distinguisher classifies the half that it was not trained with."""
    values, labels = np.array(rows, np.float64), np.array(real, np.float64)
    half = len(rows) // 2
    bins = _binned(values[:half], values)
    odds = np.array([_odds(column[:half], labels[:half] > 0) for column in bins.T])
    spoken = np.abs(odds[:, :, 0]).sum(axis=1)
    believed = np.argsort(-spoken, kind="stable")[:_BELIEVED]
    scores: Numbers = sum((odds[one, bins[half:, one], 1] for one in believed), np.zeros(len(values) - half))
    return _scored(scores, labels[half:] > 0)


def _binned(known: Numbers, values: Numbers) -> npt.NDArray[np.int64]:
    """Return the bin of each feature, by the quantiles of the training half."""
    edges = np.quantile(known, np.linspace(0, 1, _BINS + 1)[1:-1], axis=0)
    columns = [np.searchsorted(edges[:, one], values[:, one], "right") for one in range(values.shape[1])]
    return np.stack(columns, axis=1).astype(np.int64)


def _odds(bins: npt.NDArray[np.int64], real: npt.NDArray[np.bool_]) -> Numbers:
    """Return for each bin its contribution to the distinction, and its log odds for real."""
    mine, others = (np.bincount(bins[which], minlength=_BINS) + 1.0 for which in (real, ~real))
    first, second = mine / mine.sum(), others / others.sum()
    speaks = np.log(first / second)
    return np.stack(((first - second) * speaks, speaks), axis=1)


def _scored(scores: Numbers, real: npt.NDArray[np.bool_]) -> Told:
    """Return the area with its standard error (Hanley and McNeil); ties count half."""
    mine, others = scores[real], np.sort(scores[~real])
    first, second = len(mine), len(others)
    if not first or not second:
        return Told(0.5, 0.0, 1.0, len(scores))
    below = (np.searchsorted(others, mine, "left") + np.searchsorted(others, mine, "right")) / 2
    area = float(below.mean() / second)
    one, two = area / (2 - area), 2 * area * area / (1 + area)
    spread = area * (1 - area) + (first - 1) * (one - area**2) + (second - 1) * (two - area**2)
    error = _SURE * math.sqrt(max(spread, 1e-9) / (first * second))
    return Told(area, max(0.0, area - error), min(1.0, area + error), len(scores))
