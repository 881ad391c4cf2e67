"""The choice of windows: which windows of a text are looked up, and which window identifies a fragment.

A window is a run of `window` bytes. Of each `span` consecutive windows the one with the least keyed hash is chosen, in a text and in a
fragment alike (winnowing). Wherever a fragment of at least `window + span - 1` bytes stands in a text, the choice among its first
`span` windows is a choice of the text, too. About `2 / (span + 1)` of the windows of a text are chosen, and one of a fragment.
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
    """Return the largest span for fragments of at least so many bytes."""
    return max(1, min(LARGEST_SPAN, shortest - window + 1))


def expected(size: int, span: int) -> int:
    """Return the room for chosen windows of a text: one and a half times the expected number, at most all windows."""
    return min(size, 3 * size // (span + 1))


def window_of_each(fragments: Sequence[bytes], window: int, span: int, key: bytes) -> list[bytes]:
    """Return the window that identifies each fragment; all fragments have at least `window + span - 1` bytes."""
    known = window + span - 1
    if not fragments:
        return []
    data = np.frombuffer(b"".join([one[:known] for one in fragments]), dtype=np.uint8).reshape(-1, known)
    places = _hashes(data, window, key).argmin(axis=1)
    return [one[at : at + window] for one, at in zip(fragments, places.tolist(), strict=True)]


def windows_of(text: bytes, window: int, span: int, key: bytes) -> list[bytes]:
    """Return the distinct windows of a text that are looked up; none if it is too short to hold a fragment."""
    if len(text) < window + span - 1:
        return []
    hashes = _hashes(np.frombuffer(text, dtype=np.uint8), window, key)
    chosen = np.zeros(len(hashes), dtype=np.bool_)
    chosen[sliding_window_view(hashes, span).argmin(axis=1) + np.arange(len(hashes) - span + 1)] = True
    return list(dict.fromkeys([text[at : at + window] for at in np.flatnonzero(chosen).tolist()]))


def _hashes(data: NDArray[np.uint8], window: int, key: bytes) -> NDArray[np.uint64]:
    """Return a keyed hash of each window along the last axis. It need only be unpredictable in its order."""
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
