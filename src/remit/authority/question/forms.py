"""The forms of a value: the list entries that match it. A list has exact values, and entries that stand for many.

    slot      entry            stands for
    domain    *.example.org    every host below example.org, at any depth, and not example.org itself
    token     /a/              every path below /a, and not /a itself (also `docs/`, in the workspace)
    amount    <=5000           every number from 0 to 5000

A value is looked up in all of its forms; their number depends on the slot alone: a host with its parent domains, a path
with its parent folders, a number with its binary prefixes. `<=5000` is stored as the few
prefixes that together cover the numbers up to 5000. A value with more parents than there is room for is refused, since a `deny` would
miss it.
"""

from __future__ import annotations

import re
import unicodedata

from remit.authority.intents import HOST, TYPES
from remit.core.errors import AuthorityError

NUMBER_BITS = 31
MOST_PARENTS = {"domain": 8, "token": 16}
_UP_TO = re.compile(r"<=([0-9]{1,10})", re.ASCII)
_EXACT = re.compile(r"[0-9]{1,10}", re.ASCII)


def forms_of(slot: str) -> int:
    """Return the maximum number of forms of a value of a slot; always that many are looked up, so that the count leaks
    nothing.
    """
    return NUMBER_BITS + 1 if slot == "amount" else 1 + MOST_PARENTS.get(slot, 0)


def is_wide(slot: str, entry: str) -> bool:
    """Return whether an entry stands for many values of a slot."""
    match slot:
        case "domain":
            return entry.startswith("*.")
        case "token":
            return entry.endswith("/")
        case _:
            return slot == "amount"


def host_forms(host: str) -> list[str]:
    """Return a host, and each parent domain with `*.` before it. IP addresses have no parents."""
    if _is_number(host):
        return [host]
    labels = host.split(".")
    return _bounded("domain", [host, *(f"*.{'.'.join(labels[at:])}" for at in range(1, len(labels)))])


def path_forms(path: str) -> list[str]:
    """Return a path, and each parent folder with a trailing `/`."""
    ends = [at + 1 for at, char in enumerate(path) if char == "/"]
    return _bounded("token", [path, *(path[:end] for end in ends)])


def number_forms(number: int) -> list[str]:
    """Return a number and its binary prefixes."""
    if not 0 <= number < 1 << NUMBER_BITS:
        raise AuthorityError(f"a number is not between 0 and {(1 << NUMBER_BITS) - 1}", "send a smaller one")
    return [_prefix(number, cut) for cut in range(NUMBER_BITS + 1)]


def number_entries(entry: str) -> list[str]:
    """Return the table prefixes for a number, or for all numbers up to one; AuthorityError if no request can have it."""
    if _EXACT.fullmatch(entry) and int(entry) < 1 << NUMBER_BITS:
        return [_prefix(int(entry), 0)]
    found = _UP_TO.fullmatch(entry)
    end = int(found[1]) + 1 if found else 0
    if not 0 < end <= 1 << NUMBER_BITS:
        raise AuthorityError(f"`{entry}` is no number up to {(1 << NUMBER_BITS) - 1}", "write `5000` or `<=5000`")
    return [_prefix((end >> cut << cut) - (1 << cut), cut) for cut in range(NUMBER_BITS + 1) if end >> cut & 1]


def host_entry(entry: str) -> str:
    """Return the entry for all hosts below one; AuthorityError if no request can have it."""
    above = entry.removeprefix("*.")
    if re.fullmatch(HOST, above, re.ASCII) is None or _is_number(above):
        raise AuthorityError(f"`{entry}` names no hosts", "write it like `*.example.org`")
    return entry.lower()


def path_entry(entry: str) -> str:
    """Return the entry for a path, or for all paths below a folder; AuthorityError if no request can have it."""
    folder = entry.removesuffix("/")
    if entry.endswith("/") and folder and TYPES["path"].fault(folder, "path"):
        raise AuthorityError(
            f"`{entry}` is no folder in its one spelling", "write it without `.`, `..` and empty parts"
        )
    return unicodedata.normalize("NFC", entry)


def _is_number(host: str) -> bool:
    return ":" in host or host.rpartition(".")[2].isdigit()


def _prefix(number: int, cut: int) -> str:
    return f"\x1f{number >> cut}\x1f{cut}"  # a prefix that no other slot can produce


def _bounded(slot: str, forms: list[str]) -> list[str]:
    if len(forms) > forms_of(slot):
        raise AuthorityError(
            f"`{forms[0][:60]}` has more than {MOST_PARENTS[slot]} parents, which lists cannot compare",
            "use a shorter one",
        )
    return forms
