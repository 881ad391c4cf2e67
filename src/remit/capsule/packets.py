"""The queried name in a DNS packet (RFC 1035)."""

from __future__ import annotations

from remit.core.scope.hosts import normal_host

_HEADER = 12
_LONGEST = 63  # bytes of a label; more is a pointer, which no question needs


def asked_name(packet: bytes) -> str:
    """Return the host that a packet asks for, or an empty string; over TCP, two bytes of length come first."""
    return _question(packet) or _question(packet[2:]) or ""


def _question(data: bytes) -> str | None:
    if len(data) <= _HEADER or data[2] & 0x80 or data[4:6] != b"\x00\x01":
        return None  # an answer, or not one question
    labels: list[bytes] = []
    at = _HEADER
    while at < len(data) and data[at]:
        size = data[at]
        if size > _LONGEST or at + 1 + size > len(data):
            return None
        labels.append(data[at + 1 : at + 1 + size])
        at += 1 + size
    if at >= len(data) or not labels:
        return None
    return normal_host(b".".join(labels).decode("latin-1"))
