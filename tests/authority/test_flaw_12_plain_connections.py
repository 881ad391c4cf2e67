"""Flaw 12: plain HTTP between the parties, and nobody showed who he is. There is no address without TLS or the kernel's word."""

import ssl

import pytest

from each_row import each_row
from remit.authority.wire.address import Address, Peers, peer_fault, read_address
from remit.authority.wire.client import Client
from remit.authority.wire.server import Served, _server
from remit.core.errors import AuthorityError, UsageError


@each_row(
    "text", ["tcp:127.0.0.1:80", "http://127.0.0.1:80", "127.0.0.1:80", "http:127.0.0.1:80", "unix:relative.sock"]
)
def test_no_address_is_plain(text):
    with pytest.raises(UsageError, match="not an address"):
        read_address(text)


def test_nobody_asks_or_listens_without_certificates():
    there = Address(host="127.0.0.1", port=7443)
    with pytest.raises(AuthorityError, match="no certificates"):
        Client("p0", there, None)
    with pytest.raises(AuthorityError, match="no certificates"):
        _server(Served(None, there, Peers(), None))


def test_a_peer_without_a_name_may_not_speak():
    class Tcp:
        family = 2

    assert peer_fault(Peers(names=frozenset({"p0"})), Tcp, None)
    assert peer_fault(Peers(names=frozenset({"p0"})), Tcp, {"subjectAltName": (("DNS", "p1"),)})
    assert not peer_fault(Peers(names=frozenset({"p0"})), Tcp, {"subjectAltName": (("DNS", "p0"),)})
    assert ssl.HAS_TLSv1_3
