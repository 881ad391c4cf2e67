"""Why a request is not heard. A request that nobody signed is told nothing but that; one that is signed is taken from the platform, whatever it is."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from remit.gateway.inbound.channels.form import Received, Reply

T = TypeVar("T")


class Refusal(StrEnum):
    """The codes, each with what it says."""

    NO_SECRET = "NO_SECRET"  # noqa: S105  nothing is set that could prove who sent it
    TOO_LARGE = "TOO_LARGE"  # the body is larger than any that a platform sends
    NOT_SIGNED = "NOT_SIGNED"  # a header of the signature is missing
    SIGNED_TWICE = "SIGNED_TWICE"  # a header of the signature stands there more than once
    OLD = "OLD"  # signed too long ago, or in the future
    SIGNATURE = "SIGNATURE"  # the signature does not hold
    FORM = "FORM"  # signed, and not of the platform's form
    ACCOUNT = "ACCOUNT"  # signed, and for another account than the one that is set
    KIND = "KIND"  # signed, and nothing that we hear
    OTHERS = "OTHERS"  # a command for another program in the same room
    AUTHOR = "AUTHOR"  # about a message of which the platform does not say who wrote it


_STATUS = {
    Refusal.NO_SECRET: 503,
    Refusal.TOO_LARGE: 413,
    Refusal.NOT_SIGNED: 401,
    Refusal.SIGNED_TWICE: 401,
    Refusal.OLD: 401,
    Refusal.SIGNATURE: 401,
}  # what is signed is answered with 200: a platform would send it again and again, and others would wait behind it


class RefusedError(Exception):
    """Leaves the way of a request at the first step that does not hold."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code)
        self.code = code


def judged(read: Callable[[T], Received], given: T) -> Received:
    """What something was that came in, or why it is not heard."""
    try:
        return read(given)
    except RefusedError as error:
        code = error.code
    return Received(reply=Reply(_STATUS.get(code, 200)), refused=code)
