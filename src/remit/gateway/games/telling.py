"""Telling two worlds apart: numbers of a transcript, what each of them says, and how sure the score is.

Half of the transcripts teach: each number is put into one of six bins of equal weight, and how often real and simulated ones fall into
a bin says how much it speaks for either. The three numbers that say most are believed, and the other half is told apart by them. The
score is the area under the curve: the chance that a real one is ranked above a simulated one. 0.5 is a guess.
"""

from __future__ import annotations

import math
import struct
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.gateway.games.relays import ANSWERS, HEARD, QUESTIONS, SAID
from remit.gateway.parties.shaping import Shaping

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from remit.gateway.games.relays import Passed

    Numbers = npt.NDArray[np.float64]

_SURE = 2.576  # standard errors on each side: 99 %
_FRAME = struct.Struct(">B16sHI")
_EVALUATE = 1
_SLOT = Shaping().slot
_BINS, _BELIEVED = 6, 3


class Told(NamedTuple):
    """The score, and the interval in which it lies with 99 %."""

    score: float
    low: float
    high: float
    transcripts: int  # that were told apart

    def __str__(self) -> str:
        return f"AUC {self.score:.3f} [{self.low:.3f}, {self.high:.3f}], {self.transcripts} transcripts"


def numbers_of(passed: Sequence[Passed], *, committed: bool, slot: float = _SLOT) -> list[float] | None:
    """What shows of one action; None if something else passed meanwhile, a question that nobody asked for instance."""
    asked = [one for one in passed if one.way == QUESTIONS]
    starts = [number for number, one in enumerate(asked) if one.data.startswith(b"POST ")]
    paths = [asked[number].data.split(b" ", 2)[1] for number in starts]
    if paths != [b"/evaluate", b"/commit"][: 1 + committed]:
        return None
    groups = [asked[at:end] for at, end in zip(starts, [*starts[1:], len(asked)], strict=True)]
    answers = [one for one in passed if one.way == ANSWERS]
    out: list[float] = []
    for number, group in enumerate(groups):
        until = groups[number + 1][0].at if number + 1 < len(groups) else math.inf
        back = [one for one in answers if group[0].at <= one.at < until]
        if not back:
            return None
        out += _exchange(group, back, slot)
    if not committed:
        out += [0.0] * len(out)
    return (
        out + _frames([one for one in passed if one.way == SAID]) + _frames([one for one in passed if one.way == HEARD])
    )


def _exchange(group: Sequence[Passed], back: Sequence[Passed], slot: float) -> list[float]:
    """A question or a commitment with its answer: sizes, the moment within its slot, how long it took, and its bytes."""
    sent, told = b"".join(one.data for one in group), b"".join(one.data for one in back)
    body = sent.partition(b"\r\n\r\n")[2]
    hidden = body[16:]  # the name of an action begins with the time
    answer = told.partition(b"\r\n\r\n")[2]
    share = answer[12:14] if answer.startswith(b'{"outputs":') else b"00"
    timing = [group[0].at % slot, back[-1].at - group[0].at]
    return [float(len(sent)), float(len(told)), *timing, *_bytes(hidden), *_bits(share)]


def _bytes(data: bytes) -> list[float]:
    if not data:
        return [0.0] * 12
    found = np.frombuffer(data, np.uint8).astype(np.float64)
    spread = np.histogram(found, bins=8, range=(0, 256))[0] / len(found)
    ones = np.unpackbits(np.frombuffer(data, np.uint8)).mean()
    follow = float(np.mean(found[1:] * found[:-1])) if len(found) > 1 else 0.0
    return [float(found.mean()), float(found.std()), float(ones), follow, *map(float, spread)]


def _bits(share: bytes) -> list[float]:
    try:
        value = int(share, 16)
    except ValueError:
        value = 0
    return [float(value >> place & 1) for place in range(8)]


def _frames(passed: Sequence[Passed]) -> list[float]:
    """The messages of one side of a computation: how many, how large, how far apart, and their bytes."""
    rest, times, sizes, payloads = b"", [], [], []
    for one in passed:
        rest += one.data
        while len(rest) >= _FRAME.size:
            kind, _, _, length = _FRAME.unpack(rest[: _FRAME.size])
            if len(rest) < _FRAME.size + length:
                break
            if kind == _EVALUATE:
                times.append(one.at)
                sizes.append(length)
                payloads.append(rest[_FRAME.size : _FRAME.size + length])
            rest = rest[_FRAME.size + length :]
    gaps = [later - sooner for sooner, later in pairwise(times)] or [0.0]
    said = b"".join(payloads[1:])  # the first one has a digest of what both agree about
    counts = [float(len(sizes)), float(sum(sizes)), float(max(sizes, default=0))]
    return [*counts, max(gaps), sum(gaps), *_bytes(said)]


def tell(rows: Sequence[Sequence[float]], real: Sequence[bool]) -> Told:
    """How well a distinguisher does on the half that it was not taught with."""
    values, labels = np.array(rows, np.float64), np.array(real, np.float64)
    half = len(rows) // 2
    bins = _binned(values[:half], values)
    odds = np.array([_odds(column[:half], labels[:half] > 0) for column in bins.T])
    spoken = np.abs(odds[:, :, 0]).sum(axis=1)
    believed = np.argsort(-spoken, kind="stable")[:_BELIEVED]
    scores: Numbers = sum((odds[one, bins[half:, one], 1] for one in believed), np.zeros(len(values) - half))
    return _scored(scores, labels[half:] > 0)


def _binned(known: Numbers, values: Numbers) -> npt.NDArray[np.int64]:
    """Each number by its place among those that teach."""
    edges = np.quantile(known, np.linspace(0, 1, _BINS + 1)[1:-1], axis=0)
    columns = [np.searchsorted(edges[:, one], values[:, one], "right") for one in range(values.shape[1])]
    return np.stack(columns, axis=1).astype(np.int64)


def _odds(bins: npt.NDArray[np.int64], real: npt.NDArray[np.bool_]) -> Numbers:
    """For each bin: what it contributes to telling apart, and how much it speaks for real."""
    mine, others = (np.bincount(bins[which], minlength=_BINS) + 1.0 for which in (real, ~real))
    first, second = mine / mine.sum(), others / others.sum()
    speaks = np.log(first / second)
    return np.stack(((first - second) * speaks, speaks), axis=1)


def _scored(scores: Numbers, real: npt.NDArray[np.bool_]) -> Told:
    """The area with its standard error (Hanley and McNeil); ties count half."""
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
