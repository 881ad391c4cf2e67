"""Checks of a value beyond its pattern: checksums and structure, by the names of data/dlp.table."""

from __future__ import annotations

import base64
import binascii
import json
import re
import string
import zlib
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.policy.dlp.rows import Table

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM = 30  # characters of a token of GitHub before its checksum
_PEM_BODY = 40  # characters: less is an ellipsis in a document
_RESERVED = re.compile(r"(?:\A|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)\Z", re.IGNORECASE)
_NO_PERSON = frozenset({"git", "noreply", "no-reply", "user", "username", "you", "your-email"})
_BLANK = re.compile(
    r"[<$%{*\u2039]|(?:\.{3}|x{3,}|pass(?:word|wd)?|secret|pwd|changeme|token|your[\w-]*)\Z", re.IGNORECASE
)
_GROUPS = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)})
_DOUBLED = {str(digit): sum(divmod(2 * digit, 10)) for digit in range(10)}  # what Luhn's sum has of every second digit
_NEVER_ISSUED = frozenset({"078-05-1120", "219-09-9999", "123-45-6789"})  # known from advertisements and documents


def _github(value: str, _: Table) -> bool:
    """Return whether the last six characters are the CRC32 of the thirty before them, in base 62."""
    body = value.rpartition("_")[2]
    number, written = zlib.crc32(body[:_RANDOM].encode()), ""
    while number:
        number, digit = divmod(number, 62)
        written = _BASE62[digit] + written
    return written.rjust(6, "0") == body[_RANDOM:]


def _mixed(value: str, _: Table) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isupper, value)) and any(map(str.islower, value))


def _mixed_case(value: str, _: Table) -> bool:
    body = value.partition("_")[2]
    return any(map(str.isupper, body)) and any(map(str.islower, body))


def _base64(value: str, _: Table) -> bool:
    try:
        return len(base64.b64decode(value, validate=True)) == 64
    except binascii.Error:
        return False


def _macaroon(value: str, _: Table) -> bool:
    """Return whether it is version 2 and starts with the location field."""
    data = _urlsafe(value.partition("-")[2])
    return data[:2] == b"\x02\x01" and data[3 : 3 + int.from_bytes(data[2:3])].endswith(b"pypi.org")


def _jwt(value: str, _: Table) -> bool:
    """Return whether it has a header that names an algorithm, and claims."""
    head, claims = (_json(_urlsafe(part)) for part in value.split(".")[:2])
    return isinstance(head, dict) and isinstance(head.get("alg"), str) and isinstance(claims, dict)


def _urlsafe(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        return b""


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _pem(value: str, _: Table) -> bool:
    body = "".join(value.split("-----")[2].split()) if value.count("-----") >= 4 else ""
    return len(body) >= _PEM_BODY and "..." not in body


def _password(value: str, _: Table) -> bool:
    return not _BLANK.match(value)


def _card(value: str, table: Table) -> bool:
    """Return whether it is grouped as on a card, has an issuer's prefix and length, and passes Luhn's check."""
    digits = value.replace(" ", "").replace("-", "")
    if (sum(map(int, digits[-1::-2])) + sum(map(_DOUBLED.__getitem__, digits[-2::-2]))) % 10:
        return False
    groups = value.replace("-", " ").split(" ")
    if len(groups) > 1 and ((" " in value and "-" in value) or tuple(map(len, groups)) not in _GROUPS):
        return False
    return len(set(digits)) > 1 and table.issued(digits)


def _card_lengths(_: str, table: Table) -> Collection[int]:
    return table.card_lengths


def _iban_lengths(value: str, table: Table) -> Collection[int]:
    length = table.iban.get(value[:2])
    return () if length is None else (length,)


def _iban(value: str, table: Table) -> bool:
    """Return whether it has the length of its country, and is 1 modulo 97."""
    plain = value.replace(" ", "")
    if table.iban.get(plain[:2]) != len(plain):
        return False
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def _ssn(value: str, _: Table) -> bool:
    area, group, serial = value.split("-")
    return (
        area not in ("000", "666")
        and area[0] != "9"
        and group != "00"
        and serial != "0000"
        and value not in _NEVER_ISSUED
    )


def _phone(value: str, _: Table) -> bool:
    digits = [char for char in value if char.isdigit()]
    return (
        (8 if len(digits) < len(value) - 1 else 10) <= len(digits) <= 15
        and "555-01" not in value
        and len(set(digits)) > 3
    )


def _mail(value: str, _: Table) -> bool:
    name, _at, host = value.rpartition("@")
    return not _RESERVED.search(host) and name.lower() not in _NO_PERSON and not host.lower().endswith((".png", ".jpg"))


CHECKS: Mapping[str, Callable[[str, Table], bool]] = {
    "github": _github,
    "mixed": _mixed,
    "mixed-case": _mixed_case,
    "base64": _base64,
    "macaroon": _macaroon,
    "jwt": _jwt,
    "pem": _pem,
    "password": _password,
    "card": _card,
    "iban": _iban,
    "ssn": _ssn,
    "phone": _phone,
    "e-mail": _mail,
}

# For values of which most are ruled out by their length: how many characters they can have besides blanks and hyphens.
LENGTHS: Mapping[str, Callable[[str, Table], Collection[int]]] = {"card": _card_lengths, "iban": _iban_lengths}
