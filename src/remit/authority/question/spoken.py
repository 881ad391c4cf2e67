"""What a request says in the slots that policies speak of, and the facts that follow from it.

Gateway and executor compute this alike from the same request; nobody asserts it. A value that is looked for in a list (`in`) is
compared as it is, since what is like an allowed value is another value. Text in which fragments are looked for (`has`) is compared
in a form in which case, marks, compatible and invisible characters and the width of blanks do not matter.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from remit.authority.intents import HOST, LOCAL, intents
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from remit.authority.intents import Intent
    from remit.authority.program.compiled import Program
    from remit.authority.values.request import Request

_BLANKS = re.compile(r"\s+")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")
_FILLERS = "\u115f\u1160\u2800"  # letters and signs that show nothing
_WITH_HOST = re.compile(rf"(?:https?://|{LOCAL}@)?(?P<host>{HOST})(?::(?P<port>[0-9]{{1,5}}))?(?:[/?#].*)?", re.DOTALL)


class Spoken(NamedTuple):
    """A request in the terms of a program, by slot; a slot that the request does not have is missing."""

    intent: int  # its place in the program; -1: the policy does not name it
    values: dict[str, str]  # as lists have them
    texts: dict[str, str]  # as fragments are looked for
    facts: tuple[bool, ...]


def plain_text(text: str) -> str:
    """The form in which text is searched: without case, marks and what does not show."""
    if text.isascii():
        return _UNSEEN.sub("", _BLANKS.sub(" ", text)).lower().strip()
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    shown = "".join(letter for letter in _BLANKS.sub(" ", apart) if _shows(letter))
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", shown)).strip()


def _shows(letter: str) -> bool:
    """Marks, controls, formats and characters without meaning are passed over: they would break a fragment unseen."""
    kind = unicodedata.category(letter)
    return kind[0] != "C" and kind not in ("Mn", "Me") and letter not in _FILLERS


def domain_of(value: str) -> str:
    """The host of a URL, of an address or alone, in lower case; AuthorityError unless everybody reads it alike."""
    found = _WITH_HOST.fullmatch(value)
    if found is None or int(found["port"] or 0) >= 1 << 16:
        raise AuthorityError("an address has no host in plain form", "write names of other scripts as `xn--…`")
    host = found["host"].lower()
    if not host.startswith("["):
        return host
    try:
        number = ipaddress.IPv6Address(host[1:-1])
    except ValueError:
        raise AuthorityError("an address has no host in plain form", "correct the number in brackets") from None
    return str(number.ipv4_mapped or number)


def normal(slot: str, value: str) -> str:
    """A value of a list in the form in which requests say it; AuthorityError if no request can."""
    if slot == "domain":
        return domain_of(value)
    if slot == "recipient" and "@" in value and value != value.lower():
        raise AuthorityError(f"`{value}` has capital letters, and addresses are compared without", "write it small")
    return unicodedata.normalize("NFC", value)


def spoken(program: Program, request: Request, classes: Callable[[str], Collection[str]]) -> Spoken:
    """What a request says. `classes` finds the kinds of secrets that a text shows in any of its views."""
    intent = intents().get(request.intent)
    if intent is None:
        raise AuthorityError(f"`{request.intent}` is not an intent", "see `remit policy intents`")
    if fault := intent.fault(request.inputs):
        raise AuthorityError(fault, "send the inputs that the intent has")
    given = {slot: [name for name in names if name in request.inputs] for slot, names in intent.slots.items()}
    raw = {slot: "\n".join(request.inputs[name] for name in names) for slot, names in given.items()}
    open_to_view = {slot: "\n".join(_readings(intent, request, names)) for slot, names in given.items()}
    shown = {slot: classes(raw.get(slot, "")) for slot, relation, _ in program.facts if relation == "shows"}
    place = program.intents.index(request.intent) if request.intent in program.intents else -1
    return Spoken(
        place,
        {slot: _value(intent, slot, text) for slot, text in raw.items()},
        {slot: plain_text(text) for slot, text in open_to_view.items()},
        tuple(
            operand in shown[slot] if word == "shows" else len(raw.get(slot, "")) > int(operand)
            for slot, word, operand in program.facts
        ),
    )


def _readings(intent: Intent, request: Request, names: list[str]) -> list[str]:
    """The inputs, and URLs once more without the escapes behind which their text would hide."""
    texts = [request.inputs[name] for name in names]
    return texts + [
        unquote(text) for name, text in zip(names, texts, strict=True) if intent.types[name] == "url" and "%" in text
    ]


def _value(intent: Intent, slot: str, text: str) -> str:
    if slot == "domain":
        return domain_of(text)
    return text.lower() if [intent.types[name] for name in intent.slots[slot]] == ["address"] else text
