"""Tags of rows: a row that the operator did not build has none, and a server that holds rows and tags cannot make one.

Every row of a table, empty ones too, carries two tags: one under a key that the gateway holds, one under a key that the executor
holds. A tag is of program, epoch, table, place and content of its row. It is AES over two blocks (place, then place's block and
content), which is a pseudorandom function for messages of this one length; the key of a table follows from the holder's key.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from remit.core.digest import canonical

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from remit.authority.dpf.blocks import Words

TAG_KEY_BYTES = 32


class Bound(NamedTuple):
    """What a tag is of, besides place and content of its row."""

    program: str
    epoch: int
    table: str
    salt: int
    domain: int


def tags(key: bytes, bound: Bound, points: NDArray[np.int64], contents: Words) -> NDArray[np.uint64]:
    """The tag of each row: of its place, and of its content (rows, 2)."""
    told = b"remit/row/v1\0" + canonical(bound._asdict())
    encryptor = Cipher(algorithms.AES(hmac.new(key, told, hashlib.sha256).digest()), modes.ECB()).encryptor()  # noqa: S305  chained by hand
    blocks = np.zeros((len(points), 2), dtype="<u8")
    blocks[:, 0] = points
    placed = np.frombuffer(encryptor.update(blocks.tobytes()), dtype="<u8").reshape(-1, 2)
    found = np.frombuffer(encryptor.update((placed ^ contents).tobytes()), dtype="<u8").reshape(-1, 2)
    return found[:, 0].copy()
