"""Which windows of a text are looked up, and by which window a fragment is known, so that both choose the same.

A window is a run of so many bytes. Of each `span` windows in a row the one with the least keyed hash is chosen, in a text and in a
fragment alike (winnowing). Wherever a fragment of at least `window + span - 1` bytes stands in a text, the choice among its first
`span` windows is a choice of the text, too. Of a text about `2 / (span + 1)` of all windows are chosen, of a fragment one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_SPAN = 8
_MIX = np.uint64(0x9E3779B97F4A7C15)


def span_for(shortest: int, window: int) -> int:
    """The largest span for fragments of at least so many bytes."""
    return max(1, min(LARGEST_SPAN, shortest - window + 1))


def expected(size: int, span: int) -> int:
    """For how many chosen windows of a text of so many bytes there is room: half as many again as usual, and never more than there are."""
    return min(size, 3 * size // (span + 1))


def window_of_each(fragments: Sequence[bytes], window: int, span: int, key: bytes) -> list[bytes]:
    """The window by which each fragment is known; all are at least `window + span - 1` bytes long."""
    known = window + span - 1
    if not fragments:
        return []
    data = np.frombuffer(b"".join([one[:known] for one in fragments]), dtype=np.uint8).reshape(-1, known)
    places = _hashes(data, window, key).argmin(axis=1)
    return [one[at : at + window] for one, at in zip(fragments, places.tolist(), strict=True)]


def windows_of(text: bytes, window: int, span: int, key: bytes) -> list[bytes]:
    """The distinct windows of a text that are looked up; none if it is too short to hold a fragment."""
    if len(text) < window + span - 1:
        return []
    hashes = _hashes(np.frombuffer(text, dtype=np.uint8), window, key)
    chosen = np.zeros(len(hashes), dtype=np.bool_)
    chosen[sliding_window_view(hashes, span).argmin(axis=1) + np.arange(len(hashes) - span + 1)] = True
    return list(dict.fromkeys([text[at : at + window] for at in np.flatnonzero(chosen).tolist()]))


def _hashes(data: NDArray[np.uint8], window: int, key: bytes) -> NDArray[np.uint64]:
    """A hash of each window along the last axis: a keyed sum of its bytes, mixed. That its order cannot be foreseen is enough."""
    drawn = hashlib.shake_256(b"remit/windows/v1\0" + key).digest(8 * window)
    factors = np.frombuffer(drawn, dtype="<u8") | np.uint64(1)
    count = data.shape[-1] - window + 1
    out = np.zeros((*data.shape[:-1], count), dtype=np.uint64)
    for place, factor in enumerate(factors):
        out += data[..., place : place + count] * factor
    out ^= out >> np.uint64(32)
    out *= _MIX
    out ^= out >> np.uint64(29)
    return out
