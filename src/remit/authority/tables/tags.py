"""Tags of rows: a row that the operator did not build has none, and a server that holds rows and tags cannot make one.

Every row of a table, empty ones too, carries two tags: one under a key that the gateway holds, one under a key that the executor
holds. A tag is of program, epoch, table, place and content of its row. It is the chain of AES over the blocks of place and content
(CBC-MAC), which is a pseudorandom function for messages of one length; the key of a table, whose rows are equally long, follows from
the holder's key.
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
TAGS = 2  # words of a row after its slots: the tag for the gateway, and the one for the executor


class Bound(NamedTuple):
    """What a tag is of, besides place and content of its row."""

    program: str
    epoch: int
    table: str
    salt: int
    domain: int


def tags(key: bytes, bound: Bound, points: NDArray[np.int64], contents: Words) -> NDArray[np.uint64]:
    """The tag of each row: of its place, and of its content (rows, slots)."""
    told = b"remit/row/v1\0" + canonical(bound._asdict())
    encryptor = Cipher(algorithms.AES(hmac.new(key, told, hashlib.sha256).digest()), modes.ECB()).encryptor()  # noqa: S305  chained by hand
    blocks = np.zeros((len(points), 2), dtype="<u8")
    blocks[:, 0] = points
    for first in range(-2, contents.shape[1], 2):
        if first >= 0:
            part = contents[:, first : first + 2]
            blocks[:, : part.shape[1]] ^= part
        blocks = np.frombuffer(encryptor.update(blocks.tobytes()), dtype="<u8").reshape(-1, 2).copy()
    return blocks[:, 0].copy()
