"""Reasons for refusing a request.

An unsigned request is refused with an error status; a signed one is always acknowledged, even if it is ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from remit.gateway.inbound.channels.interface import Received, Reply

T = TypeVar("T")


class Refusal(StrEnum):
    """Reason codes of refusals."""

    NO_SECRET = "NO_SECRET"  # noqa: S105  no secret or key is configured that could prove the sender
    TOO_LARGE = "TOO_LARGE"  # the body exceeds the limit
    NOT_SIGNED = "NOT_SIGNED"  # a signature header is missing
    SIGNED_TWICE = "SIGNED_TWICE"  # a signature header is duplicated
    OLD = "OLD"  # signed too long ago, or in the future
    SIGNATURE = "SIGNATURE"  # the signature is wrong
    FORM = "FORM"  # signed, but malformed
    ACCOUNT = "ACCOUNT"  # signed, but for another account than the configured one
    KIND = "KIND"  # signed, but of a kind that is ignored
    OTHERS = "OTHERS"  # a command for another bot in the same room
    AUTHOR = "AUTHOR"  # about a message whose author the platform does not name


_STATUS = {
    Refusal.NO_SECRET: 503,
    Refusal.TOO_LARGE: 413,
    Refusal.NOT_SIGNED: 401,
    Refusal.SIGNED_TWICE: 401,
    Refusal.OLD: 401,
    Refusal.SIGNATURE: 401,
}  # what is signed is answered with 200: a platform would send it again and again, and others would wait behind it


class RefusedError(Exception):
    """Ends the handling of a request at the first failed check."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code)
        self.code = code


def judged(read: Callable[[T], Received], given: T) -> Received:
    """Parse incoming data, or return the refusal."""
    try:
        return read(given)
    except RefusedError as error:
        code = error.code
    return Received(reply=Reply(_STATUS.get(code, 200)), refused=code)
