"""Host names in normal form.

Only what every resolver reads the same way is accepted: ASCII labels, dotted-quad IPv4, IPv6. Shortened, octal or
hexadecimal addresses, characters outside ASCII, percent signs, zones and empty labels are refused.
"""

from __future__ import annotations

import re

from remit.core.patterns import lazy_pattern

_LABEL = lazy_pattern(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII)
_NUMBER = lazy_pattern(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_OCTET = lazy_pattern(r"0|[1-9][0-9]{0,2}", re.ASCII)


def normal_host(text: str) -> str | None:
    """Return the host in lower case without a final dot, an IPv6 address without brackets in its short form; None if
    invalid.
    """
    if not text.isascii():
        return None
    host = text.lower()
    if host.startswith("["):
        return _ipv6(host[1:-1]) if host.endswith("]") else None
    host = host.removesuffix(".")
    labels = host.split(".")
    if len(host) > 253 or not all(map(_LABEL.fullmatch, labels)):
        return None
    if _NUMBER.fullmatch(labels[-1]):
        # resolvers differ in how they parse a name whose last label is a number
        good = len(labels) == 4 and all(_OCTET.fullmatch(octet) and int(octet) < 256 for octet in labels)
        return host if good and host == text else None
    return host


def normal_pattern(text: str) -> str | None:
    """Do the same as `normal_host`, and accept `*` and `*.domain` as well."""
    if text == "*":
        return text
    if not text.startswith("*."):
        return normal_host(text)
    domain = normal_host(text[2:])
    if domain is None or ":" in domain or _NUMBER.fullmatch(domain.rpartition(".")[2]):
        return None  # an address has no subdomains
    return f"*.{domain}"


def _ipv6(text: str) -> str | None:
    from ipaddress import AddressValueError, IPv6Address  # noqa: PLC0415  (a slow import for a rare address)

    if "%" in text:
        return None
    try:
        return IPv6Address(text).compressed
    except AddressValueError:
        return None
