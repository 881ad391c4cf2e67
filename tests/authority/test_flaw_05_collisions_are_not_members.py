"""Flaw 5: an allow-list of hash buckets lets through whoever meets a member's bucket. Here a member is known by 64 bits of a keyed digest."""

from authority_world import built, decided
from remit.authority.tables.batch import _rows
from remit.authority.values.request import make_request


def colliding():
    """A recipient who shares a row with a member, found by somebody who even has the key."""
    at = built().gateway.whereabouts("recipients")
    sought = set(_rows(at, [b"boss@example.org"])[0][0].tolist())
    for number in range(1_000_000):
        name = f"x{number}@elsewhere.example"
        if sought & set(_rows(at, [name.encode()])[0][0].tolist()):
            return name
    raise AssertionError


def test_a_recipient_in_a_members_bucket_is_not_allowed():
    for address, allowed in (("boss@example.org", True), (colliding(), False)):
        request = make_request("SendMessage", "agent", "s", {"to": address, "text": "hello"})
        assert decided(request).allow is allowed
