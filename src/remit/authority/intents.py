r"""The intents that an agent may ask for, with their inputs and the slots that policies use. Data: `data/intents.table`.

Addresses have a form that every parser reads alike: hosts in ASCII, no user part, no `\`, no trailing dot, IPv4 of four
parts; paths have one spelling. So the policy judges the same address that an executor, a library or a mail server uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.core.shape import Record, Shape, Text, Whole
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "intents.table"
SLOTS = ("recipient", "domain", "token", "amount", "text")  # what policies can refer to
CHANGEABLE = (
    "text",
    "line",
)  # types of inputs that a policy can redact and cut; a changed address or name would be a different one
EFFECTS = ("none", "message", "fetch", "webhook", "install", "write", "run", "reveal", "show", "memory", "agent")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_NAMED = rf"(?:{_LABEL}\.)*[A-Za-z](?:[A-Za-z0-9-]{{0,61}}[A-Za-z0-9])?"  # the last part is no number
_NUMBER = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
HOST = rf"(?:{_NAMED}|{_NUMBER}(?:\.{_NUMBER}){{3}}|\[[0-9A-Fa-f:.]{{2,45}}\])"
LOCAL = r"[A-Za-z0-9_][A-Za-z0-9_+=&'~-]*(?:\.[A-Za-z0-9_+=&'~-]+)*"
_PART = r"(?!\.{1,2}(?:/|$))[^/\x00-\x1f\x7f]+"
TYPES: Mapping[str, Shape] = {
    "word": Text(200, r"[A-Za-z0-9][A-Za-z0-9._:@/+-]*", words="a name of letters, digits and ._:@/+- without blanks"),
    "payee": Text(  # what is posted is compared with lists: an address has one spelling
        200,
        r"[A-Za-z0-9][A-Za-z0-9._:/+-]*|[a-z0-9][a-z0-9._:@/+-]*",
        words="a name of letters, digits and ._:/+- without blanks, or a mail address in small letters",
    ),
    "line": Text(
        1_000, r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]*", empty=True, words="one line without tabs and control characters"
    ),
    "text": Text(65_536, empty=True),
    "address": Text(
        320, rf"{LOCAL}@{HOST}", words="one mail address in ASCII without a display name, as in anna@example.org"
    ),
    "url": Text(
        2_000,
        rf"https?://{HOST}(?::[0-9]{{1,5}})?(?:[/?#][!-\[\]-~]*)?",
        words="an http or https URL in ASCII without a user, as in https://example.org/page; hosts in other scripts are written xn--…",
    ),
    "path": Text(
        4_096, rf"/?{_PART}(?:/{_PART})*", words="a path without `.`, `..`, empty parts and control characters"
    ),
    "handle": Text(32, r"[0-9a-f]{32}", words="a handle: the 32 hexadecimal digits that an answer gave"),
    "number": Whole(0, 2**31 - 1),
}


class Intent(NamedTuple):
    """One intent: the form of its inputs, the kind of effect it has, and the inputs that make up each slot."""

    name: str
    effect: str
    form: Record
    slots: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]  # of its inputs

    def of_types(self, slot: str, *kinds: str) -> tuple[str, ...]:
        """The inputs of a slot that have one of these types."""
        return tuple(name for name in self.slots.get(slot, ()) if self.types[name] in kinds)

    def said(self, slot: str, inputs: Mapping[str, Any]) -> str:
        """Return what the inputs contribute to a slot."""
        return "\n".join(str(inputs[name]) for name in self.slots.get(slot, ()) if name in inputs)

    def fault(self, inputs: dict[str, Any]) -> str:
        """Return what is wrong with the inputs, or an empty string."""
        return self.form.fault(inputs, "inputs")


@cache
def intents() -> Mapping[str, Intent]:
    """All intents, by name."""
    return load(_FILE)


def load(path: Path) -> Mapping[str, Intent]:
    """Read a table; an unknown type, slot or effect, or a slot of a missing input, is refused with its line."""
    out: dict[str, Intent] = {}
    for row in read_table(path, 4):
        name, effect, told, spoken = row.cells
        fields = dict(word.rpartition(":")[::2] for word in told.split())
        types = {field.removesuffix("?"): kind for field, kind in fields.items()}
        slots = {slot: tuple(names.split("+")) for slot, _, names in (word.partition("=") for word in spoken.split())}
        forms = {field: TYPES.get(kind) for field, kind in types.items()}
        used = {name for names in slots.values() for name in names}
        problem = (
            f"`{name}` occurs twice" if name in out
            else f"`{effect}` is not an effect" if effect not in EFFECTS
            else "an input has no known type" if None in forms.values()
            else "a slot is not known" if not set(slots) <= set(SLOTS)
            else "a slot names an input that is not there" if not used <= set(forms)
            else ""
        )  # fmt: skip
        if problem:
            raise DataError(f"{row.where}: {problem}", "the head of the file says what its cells mean")
        optional = frozenset(field[:-1] for field in fields if field.endswith("?"))
        form = Record({field: shape for field, shape in forms.items() if shape is not None}, optional)
        out[name] = Intent(name, effect, form, slots, types)
    return out
