"""Flaw 5: an allow-list of hash buckets lets through whoever meets a member's bucket. Here a member is known by 128 bits."""

from authority_world import TABLE_KEY, built, decided
from remit.authority.question.asking import member
from remit.authority.tables.cuckoo import place
from remit.authority.values.request import make_request


def colliding():
    """A recipient who shares both places with a member, found by somebody who even has the key."""
    bound = built().gateway.bound("recipients")
    wanted = place(TABLE_KEY, "recipients", bound.salt, bound.domain, member("boss@example.org"))
    sought = {wanted.first, wanted.second}
    for number in range(1_000_000):
        name = f"x{number}@elsewhere.example"
        if place(TABLE_KEY, "recipients", bound.salt, bound.domain, member(name)).first in sought:
            return name
    raise AssertionError


def test_a_recipient_in_a_members_bucket_is_not_allowed():
    for address, allowed in (("boss@example.org", True), (colliding(), False)):
        request = make_request("SendMessage", "agent", "s", {"to": address, "text": "hello"})
        assert decided(request).allow is allowed
