"""What a request says in the slots that policies speak of, and the facts that follow from it.

Gateway and executor compute this alike from the same request; nobody asserts it. Text is compared in a form in which letters of
either case, compatible characters, invisible characters and the width of blanks do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from remit.authority.intents import intents
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from remit.authority.program.compiled import Program
    from remit.authority.values.request import Request

_BLANKS = re.compile(r"\s+")


class Spoken(NamedTuple):
    """A request in the terms of a program. `slots`: plain text by slot, empty where the request has none."""

    intent: int  # its place in the program; -1: the policy does not name it
    slots: dict[str, str]
    facts: tuple[bool, ...]


def plain_text(text: str) -> str:
    """The form in which text is compared."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    visible = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")
    return _BLANKS.sub(" ", visible).strip()


def domain_of(value: str) -> str:
    """The host of an address or of a URL, in lower case and ASCII; empty if it has none."""
    try:
        host = (urlsplit(value).hostname or "") if "://" in value else value.rpartition("@")[2]
        return host.rstrip(".").encode("idna").decode("ascii").lower()
    except (UnicodeError, ValueError):
        return ""


def normal(slot: str, value: str) -> str:
    """A value of a slot in the form in which it is looked up."""
    return domain_of(value) if slot == "domain" else plain_text(value)


def spoken(program: Program, request: Request, classes: Callable[[str], Collection[str]]) -> Spoken:
    """What a request says. `classes` finds the kinds of secrets that a text shows."""
    intent = intents().get(request.intent)
    if intent is None:
        raise AuthorityError(f"`{request.intent}` is not an intent", "see `remit policy intents`")
    if fault := intent.fault(request.inputs):
        raise AuthorityError(fault, "send the inputs that the intent has")
    raw = {
        slot: "\n".join(str(request.inputs[name]) for name in names if name in request.inputs)
        for slot, names in intent.slots.items()
    }
    slots = {slot: normal(slot, value) for slot, value in raw.items()}
    place = program.intents.index(request.intent) if request.intent in program.intents else -1
    return Spoken(
        place,
        slots,
        tuple(_holds(raw.get(slot, ""), relation, operand, classes) for slot, relation, operand in program.facts),
    )


def _holds(text: str, relation: str, operand: str, classes: Callable[[str], Collection[str]]) -> bool:
    return len(text) > int(operand) if relation == "longer" else operand in classes(text)
