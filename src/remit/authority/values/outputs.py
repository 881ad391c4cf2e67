"""The outputs of a decision: whether to allow and to confirm, and what to change before it happens."""

from __future__ import annotations

from typing import NamedTuple

from remit.core.errors import AuthorityError


class Outputs(NamedTuple):
    """The bits of a decision, in the order in which programs give them."""

    allow: bool
    confirm: bool
    redact: bool  # what the local scan found is taken out
    clamp: bool  # the text is cut to the program's length
    rewrite: bool  # an address is replaced by the program's proxy

    @classmethod
    def of(cls, byte: int) -> Outputs:
        """Return the decision in a byte, the first bit highest; AuthorityError if any other bit is set."""
        if byte & (0xFF >> len(cls._fields)):
            raise AuthorityError("a decision has bits that mean nothing", "preview again")
        return cls(*(bool(byte >> (7 - place) & 1) for place in range(len(cls._fields))))

    def __bytes__(self) -> bytes:
        return bytes((sum(bit << (7 - place) for place, bit in enumerate(self)),))
