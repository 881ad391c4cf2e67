"""The slot values of a request, and the facts that are computed from it.

Gateway and executor compute them alike from the same request, so no party has to be believed. A value that is looked
up in a list (`in`) is compared exactly, since a value similar to an allowed one is a different value; `forms` lists
the entries that stand for many. Text that is searched for fragments (`has`) is compared in all of its views
(`core/text_views.py`), ignoring case, combining marks and the width of blanks.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.intents import HOST, LOCAL, Intent, intents
from remit.authority.question.forms import (
    host_entry,
    host_forms,
    is_wide,
    number_entries,
    number_forms,
    path_entry,
    path_forms,
)
from remit.core.errors import AuthorityError
from remit.core.text_views import folded, views

if TYPE_CHECKING:
    from remit.authority.program.compiled import Program
    from remit.authority.values.request import Request

_WITH_HOST = re.compile(rf"(?:https?://|{LOCAL}@)?(?P<host>{HOST})(?::(?P<port>[0-9]{{1,5}}))?(?:[/?#].*)?", re.DOTALL)


class Spoken(NamedTuple):
    """The slot values of a request; a slot that the request does not have is missing."""

    intent: int  # its index in the program; -1: the policy does not name it
    values: dict[str, tuple[str, ...]]  # the forms of what is compared with lists
    texts: dict[str, tuple[str, ...]]  # the views of what fragments are looked for in
    facts: tuple[bool, ...]


def domain_of(value: str) -> str:
    """Return the host of a URL or an address, in lower case; AuthorityError if parsers could disagree about it."""
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


def entries(slot: str, value: str) -> list[str]:
    """Return a list value in the forms in which it is looked up; AuthorityError if no request can have it."""
    if slot == "amount":
        return number_entries(value)
    if slot == "domain":
        return [host_entry(value) if is_wide(slot, value) else domain_of(value)]
    if slot == "token":
        return [path_entry(value)]
    if slot == "recipient" and "@" in value and value != value.lower():
        raise AuthorityError(f"`{value}` has capital letters, and addresses are compared without", "write it small")
    return [unicodedata.normalize("NFC", value)]


def spoken(program: Program, request: Request, classes: Callable[[str], Collection[str]]) -> Spoken:
    """Return the slot values of a request. `classes` finds the classes of secrets that a text shows in any of its views."""
    intent = intents().get(request.intent)
    if intent is None:
        raise AuthorityError(f"`{request.intent}` is not an intent", "see `remit policy intents`")
    if fault := intent.fault(request.inputs):
        raise AuthorityError(fault, "send the inputs that the intent has")
    raw = {slot: intent.said(slot, request.inputs) for slot in intent.slots}
    shown = {slot: classes(raw.get(slot, "")) for slot, relation, _ in program.facts if relation == "shows"}
    place = program.intents.index(request.intent) if request.intent in program.intents else -1
    compared = {slot for slot, name in program.look_ups if not program.kept(name).window}
    searched = {slot for slot, name in program.look_ups if program.kept(name).window}
    return Spoken(
        place,
        {slot: _forms(program, intent, slot, text) for slot, text in raw.items() if slot in compared and text},
        {slot: _views(text) for slot, text in raw.items() if slot in searched},
        tuple(
            operand in shown[slot] if word == "shows" else len(raw.get(slot, "")) > int(operand)
            for slot, word, operand in program.facts
        ),
    )


def _views(text: str) -> tuple[str, ...]:
    """Return the views of a text in which fragments are searched."""
    every = views(text)
    if not every.complete:
        raise AuthorityError("a text has more encodings than can be searched", "send it in parts, or as it is")
    return tuple(dict.fromkeys(map(folded, every.texts)))


def _forms(program: Program, intent: Intent, slot: str, text: str) -> tuple[str, ...]:
    """Return the forms of a value, its own first. Parent forms are included only if a list has entries that stand for
    many.
    """
    types = [intent.types[name] for name in intent.slots[slot]]
    wide = any(program.kept(name).wide for one, name in program.look_ups if one == slot)
    if slot == "domain":
        host = domain_of(text)
        return tuple(host_forms(host)) if wide else (host,)
    if slot == "amount":
        return tuple(number_forms(int(text)))
    if wide and types == ["path"]:
        return tuple(path_forms(text))
    return (text.lower() if types == ["address"] else text,)
