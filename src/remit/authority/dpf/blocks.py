"""The pseudorandom generator of the tree: one block of 128 bits becomes two children, or the 128 bits of a leaf.

A block x goes to AES(k, x) ^ x with one fixed, public key k for each of left, right, leaf and stream (Matyas-Meyer-Oseas). As a
generator it rests on AES being an ideal cipher; the keys are digests of their names, so that they could not be chosen with a trapdoor.
"""

from __future__ import annotations

import hashlib
import threading

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes
from numpy.typing import NDArray

Words = NDArray[np.uint64]  # blocks are pairs of 64-bit words in little-endian order: the last axis is 2
BLOCK_BYTES = 16
LEAF_BITS = 128

_KEYS = {
    side: hashlib.sha256(f"remit/dpf/{side}/v1".encode()).digest()[:16] for side in ("left", "right", "leaf", "stream")
}
_thread = threading.local()  # a cipher context may be used by one thread only


_MOST_CONTEXTS = 64  # in a thread


def context(key: bytes) -> CipherContext:
    """Return AES under a key, as a permutation of blocks. Creating one takes longer than using it on a few blocks."""
    contexts: dict[bytes, CipherContext] = _thread.__dict__.setdefault("contexts", {})
    found = contexts.get(key)
    if found is None:
        if len(contexts) >= _MOST_CONTEXTS:
            contexts.clear()
        found = contexts[key] = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305
    return found


def hashed(side: str, blocks: Words) -> Words:
    """Return AES(k, x) ^ x of every block, with the key of `left`, `right`, `leaf` or `stream`."""
    found: Words = _hashed((side,), blocks)[0]
    return found


def children(blocks: Words) -> Words:
    """Return both children of every block: (side, …)."""
    return _hashed(("left", "right"), blocks)


def stream(seed: bytes, count: int) -> Words:
    """Return `count` blocks derived from a 16-byte seed with a counter."""
    blocks = np.frombuffer(seed * count, dtype="<u8").reshape(count, 2).copy()
    blocks[:, 0] ^= np.arange(count, dtype=np.uint64)
    return hashed("stream", blocks)


def _hashed(sides: tuple[str, ...], blocks: Words) -> Words:
    blocks = np.ascontiguousarray(blocks)
    size = blocks.nbytes
    out = np.empty(len(sides) * size + BLOCK_BYTES - 1, dtype=np.uint8)  # the room that update_into asks for
    data, room = blocks.reshape(-1).view(np.uint8).data, out.data
    for number, side in enumerate(sides):
        context(_KEYS[side]).update_into(data, room[number * size : (number + 1) * size + BLOCK_BYTES - 1])
    result: Words = out[: len(sides) * size].view(np.uint64).reshape(len(sides), *blocks.shape)
    result ^= blocks
    return result
