"""The generator under the tree: one block of 128 bits becomes two children, or the 128 bits of a leaf.

A block x goes to AES(k, x) ^ x with one fixed, public key k for each of left, right and leaf (Matyas-Meyer-Oseas). As a
generator it rests on AES being an ideal cipher; the keys are digests of their names, so that nobody chose them.
"""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext

Words = NDArray[np.uint64]  # blocks are pairs of 64-bit words in little-endian order: the last axis is 2
BLOCK_BYTES = 16
LEAF_BITS = 128

_KEYS = {side: hashlib.sha256(f"remit/dpf/{side}/v1".encode()).digest()[:16] for side in ("left", "right", "leaf")}
_thread = threading.local()  # a cipher context may be used by one thread only


def _context(side: str) -> CipherContext:
    contexts: dict[str, CipherContext] = _thread.__dict__.setdefault("contexts", {})
    if side not in contexts:
        contexts[side] = Cipher(algorithms.AES(_KEYS[side]), modes.ECB()).encryptor()  # noqa: S305 - a permutation, not a mode
    return contexts[side]


def hashed(side: str, blocks: Words) -> Words:
    """AES(k, x) ^ x of every block, with the key of `left`, `right` or `leaf`."""
    blocks = np.ascontiguousarray(blocks)
    out = np.empty(blocks.nbytes + BLOCK_BYTES - 1, dtype=np.uint8)  # the room that update_into asks for
    _context(side).update_into(blocks.reshape(-1).view(np.uint8).data, out.data)
    result = out[: blocks.nbytes].view(np.uint64).reshape(blocks.shape)
    result ^= blocks
    return result


def stream(seed: bytes, count: int) -> Words:
    """`count` blocks that follow from a seed of 16 bytes: AES in counter mode."""
    encryptor = Cipher(algorithms.AES(seed), modes.CTR(bytes(BLOCK_BYTES))).encryptor()
    data = encryptor.update(bytes(count * BLOCK_BYTES))
    return np.frombuffer(data, dtype="<u8").reshape(count, 2)
