"""Tags of rows: proof that the operator built a row. A server that holds rows and tags cannot make one.

Every row of a table, empty ones included, carries two tags: one under a key of the executor, then one under a key of
the gateway. A tag covers program, epoch, table and position of its row, and all words before it, including the
executor's tag: so the gateway detects every change of an answer, and none is left for the executor, which sees only
commits. A tag is CBC-MAC with AES over these blocks, which is a pseudorandom function for messages of one length; the
key of a table, whose rows are equally long, is derived from the holder's key.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf.blocks import Words, context
from remit.core.digest import canonical

if TYPE_CHECKING:
    from numpy.typing import NDArray


TAG_KEY_BYTES = 32
TAGS = 2  # words of a row after its slots: the tag for the executor, and the one for the gateway


class TagContext(NamedTuple):
    """What a tag covers besides position and content of its row."""

    program: str
    epoch: int
    table: str
    salt: int
    domain: int


def tags(key: bytes, bound: TagContext, points: NDArray[np.int64], contents: Words) -> NDArray[np.uint64]:
    """Return the tag of each row, over its position and the words before the tag (rows, words)."""
    encryptor = context(_key(key, bound))  # chained by hand
    blocks = np.zeros((len(points), 2), dtype="<u8")
    blocks[:, 0] = points
    for first in range(-2, contents.shape[1], 2):
        if first >= 0:
            part = contents[:, first : first + 2]
            blocks[:, : part.shape[1]] ^= part
        blocks = np.frombuffer(encryptor.update(blocks.tobytes()), dtype="<u8").reshape(-1, 2).copy()
    return blocks[:, 0].copy()


@lru_cache(maxsize=256)
def _key(key: bytes, bound: TagContext) -> bytes:
    return hmac.new(key, b"remit/row/v2\0" + canonical(list(bound)), hashlib.sha256).digest()
