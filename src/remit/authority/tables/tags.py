"""Tags of rows: a row that the operator did not build has none, and a server that holds rows and tags cannot make one.

Every row of a table, empty ones too, carries two tags: first one under a key that the executor holds, then one under a key that the
gateway holds. A tag is of program, epoch, table and place of its row and of all that stands before it there, the executor's tag too: no
change of an answer is left for the executor to find, which sees commits alone. It is the chain of AES over these blocks (CBC-MAC),
which is a pseudorandom function for messages of one length; the key of a table, whose rows are equally long, follows from the holder's key.
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


class Bound(NamedTuple):
    """What a tag is of, besides place and content of its row."""

    program: str
    epoch: int
    table: str
    salt: int
    domain: int


def tags(key: bytes, bound: Bound, points: NDArray[np.int64], contents: Words) -> NDArray[np.uint64]:
    """The tag of each row: of its place, and of what stands before the tag (rows, words)."""
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
def _key(key: bytes, bound: Bound) -> bytes:
    return hmac.new(key, b"remit/row/v2\0" + canonical(list(bound)), hashlib.sha256).digest()
