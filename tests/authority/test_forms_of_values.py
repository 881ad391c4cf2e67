"""Entries that stand for many values: hosts below a domain, paths below a folder, numbers up to a limit, and what only looks like them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from authority_world import answers_of, built, classes, decided, write_policy
from by_day import many
from each_row import each_row
from remit.authority.database import build_database, new_keys
from remit.authority.intents import intents
from remit.authority.program.language import read_policy
from remit.authority.question.forms import NUMBER_BITS, forms_of, host_forms, number_entries, number_forms, path_forms
from remit.authority.question.layout import parts
from remit.authority.question.questions import ask
from remit.authority.question.slots import entries, spoken
from remit.authority.values.request import make_request
from remit.core.errors import AuthorityError, DataError

POLICY = """
policy  wide
list    hosts    example.net *.example.org
list    folders  /a/ docs/ /etc/hosts
list    secret   /a/secret/
list    limit    <=5000 7000
list    keys     /a/

intent  FetchResource
allow   domain in hosts

intent  ReadFile
allow   token in folders
deny    token in secret

intent  MemoryWrite
allow   token in keys

intent  Pay
allow   domain in hosts and amount in limit
"""


def allowed(intent, **inputs):
    return decided(make_request(intent, "agent", "s", inputs), POLICY).allow


HOSTS = {
    "example.net": True, "www.example.org": True, "a.b.c.example.org": True, "WWW.Example.ORG": True,
    "example.org": False, "evil-example.org": False, "example.org.evil.net": False, "wwwexample.org": False, "org": False,
    "www.example.net": False, "xexample.net": False, "192.0.2.7": False, "xn--example-x.org": False,
}  # fmt: skip


@each_row("host", HOSTS)
def test_hosts_below_a_domain(host):
    assert allowed("FetchResource", url=f"https://{host}/x") is HOSTS[host]


PATHS = {
    "/a/b": True, "/a/b/c.txt": True, "docs/x": True, "docs/x/y": True, "/etc/hosts": True, "/a/..b": True,
    "/a": False, "/ab": False, "/ab/c": False, "a/b": False, "/docs/x": False, "docs": False, "/etc/hosts/x": False, "/etc/passwd": False,
    "/b/a/x": False, "/a/secret/x": False, "/a/secret/x/y": False, "/A/b": False,
}  # fmt: skip


@each_row("path", PATHS)
def test_paths_below_a_folder(path):
    assert allowed("ReadFile", path=path) is PATHS[path]


@each_row("path", ["/a/../b", "/a/./b", "/a//b", "/a/b/", "/a/b/..", "docs/../x", "/a/\x00", ""])
def test_a_path_that_steps_out_of_a_folder_is_no_path(path):
    with pytest.raises(AuthorityError):
        allowed("ReadFile", path=path)


def test_only_a_path_has_folders_above_it():
    assert not allowed("MemoryWrite", key="a/b", text="x")


def pay(amount):
    return allowed("Pay", url="https://pay.example.org/", to="shop-1", amount=amount)


@each_row(
    ("amount", "right"),
    [
        (0, True),
        (1, True),
        (4999, True),
        (5000, True),
        (5001, False),
        (6999, False),
        (7000, True),
        (7001, False),
        (2**31 - 1, False),
    ],
)
def test_numbers_up_to_a_limit(amount, right):
    assert pay(amount) is right


@each_row("amount", [-1, -5000, 2**31, 2**32 + 5, 10**30, "5", 5.0, True, None, "<=5000"])
def test_negative_and_huge_numbers_and_what_is_no_number_are_refused(amount):
    with pytest.raises(AuthorityError):
        pay(amount)


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
@settings(max_examples=many(500))
def test_a_number_has_a_prefix_in_common_with_a_limit_exactly_if_it_is_not_above_it(number, limit):
    common = set(number_forms(number)) & set(number_entries(f"<={limit}"))
    assert len(common) == (number <= limit)


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
def test_a_number_alone_is_itself(number, other):
    assert bool(set(number_forms(number)) & set(number_entries(str(other)))) is (number == other)


def test_limits_at_the_ends():
    assert len(number_forms(0)) == len(number_forms(2**31 - 1)) == forms_of("amount") == NUMBER_BITS + 1
    assert set(number_forms(2**31 - 1)) & set(number_entries(f"<={2**31 - 1}"))
    assert len(number_entries("<=0")) == 1
    assert max(len(number_entries(f"<={limit}")) for limit in (2**31 - 2, 2**30, 5000)) <= NUMBER_BITS


SLOTS = {
    "domain": ["*.", "*", "*.*.example.org", "*.192.0.2.7", "*.[::1]", "*.exämple.org", "*.example.org/x", "*.a@example.org", "*.https://example.org", "a.*.example.org", "**.example.org"],
    "token": ["/a//", "//", "/a/../", "../", "./", "/a/./b/"],
    "amount": ["<=", "<=-1", "-1", "<=2147483648", "2147483648", "<5", ">=5", "5..7", "<= 5", "five", "0x10", "<=99999999999", "\u0665"],
}  # fmt: skip


@each_row(("slot", "entry"), [(slot, entry) for slot, found in SLOTS.items() for entry in found])
def test_an_entry_that_no_request_can_meet_is_refused(slot, entry):
    with pytest.raises(AuthorityError):
        entries(slot, entry)


def test_forms():
    assert host_forms("a.b.org") == ["a.b.org", "*.b.org", "*.org"]
    assert host_forms("192.0.2.7") == ["192.0.2.7"]
    assert host_forms("2001:db8::1") == ["2001:db8::1"]
    assert path_forms("/a/b") == ["/a/b", "/", "/a/"]
    assert path_forms("a/b/c") == ["a/b/c", "a/", "a/b/"]
    assert path_forms("a") == ["a"]


def test_what_has_more_parents_than_are_looked_up_is_refused_and_never_passed():
    """A `deny` would miss it."""
    assert allowed("ReadFile", path="/a/" + "x/" * 14 + "y")
    with pytest.raises(AuthorityError, match="parents"):
        allowed("ReadFile", path="/a/" + "x/" * 15 + "y")
    with pytest.raises(AuthorityError, match="parents"):
        allowed("FetchResource", url=f"https://{'a.' * 8}example.org/")
    deep = make_request("ReadFile", "agent", "s", {"path": "x/" * 40 + "y"})
    assert not decided(deep, "policy p\nlist files /b\nintent ReadFile\nallow token in files\n").allow


@given(
    st.from_regex(r"/[a-z]{1,3}(?:/[a-z]{1,3}){0,9}", fullmatch=True),
    st.from_regex(r"(?:[a-z]{1,3}\.){0,6}[a-z]{2}", fullmatch=True),
    st.integers(0, 2**31 - 1),
)
@settings(max_examples=many(40))
def test_what_is_asked_has_one_size_whatever_the_value_is(path, host, amount):
    layout = built(POLICY).gateway
    sizes = set()
    for request in (
        make_request("ReadFile", "agent", "s", {"path": path}),
        make_request("FetchResource", "agent", "s", {"url": f"https://{host}/"}),
        make_request("Pay", "agent", "s", {"url": f"https://{host}/", "to": "x", "amount": amount}),
    ):
        asked = ask(layout, spoken(layout.program, request, classes), bytes(32))
        sizes.add(
            (
                asked.bucket,
                *(len(one.body) for one in asked.questions),
                *(len(one) for one in answers_of(asked, POLICY)),
            )
        )
    assert len(sizes) == 1


SPENDING = """policy p
list rogues mallory@example.org acct-9
list marks windows 12 project-nightingale
intent Pay
allow always
deny recipient in rogues
deny text has marks
intent UseCredential
allow always
deny text has marks
"""
HANDLE = "0" * 32


@each_row(
    ("intent", "inputs"),
    [
        ("Pay", {"url": "https://pay.example.org/", "to": "mallory@example.org", "amount": 5}),
        ("Pay", {"url": "https://pay.example.org/?for=project-nightingale", "to": "shop-1", "amount": 5}),
        ("Pay", {"url": "https://pay.example.org/", "to": "project-nightingale", "amount": 5}),
        ("UseCredential", {"url": "https://api.example.org/project%2dnightingale", "handle": HANDLE}),
        ("UseCredential", {"url": "https://api.example.org/", "text": "project-nightingale", "handle": HANDLE}),
    ],
)  # fmt: skip
def test_a_policy_sees_all_that_a_payment_or_a_credential_takes_along(intent, inputs):
    assert not decided(make_request(intent, "agent", "s", inputs), SPENDING).allow
    plain = inputs | {"url": "https://pay.example.org/", "text": "x"} | ({"to": "shop-1"} if "to" in inputs else {})
    assert decided(make_request(intent, "agent", "s", {name: plain[name] for name in inputs}), SPENDING).allow


def test_a_recipient_of_a_payment_has_one_spelling():
    """What is posted is what a list was compared with: no capital letter leads past a `deny`."""
    fault = intents()["Pay"].fault
    for to in ("Mallory@example.org", "mallory@Example.org", "a b", ""):
        assert "in small letters" in fault({"url": "https://x.org/", "to": to, "amount": 1}) or not to
    for to in ("mallory@example.org", "Shop-1", "DE89370400440532013000"):
        assert not fault({"url": "https://x.org/", "to": to, "amount": 1})


def test_lists_without_such_entries_cost_one_look_up():
    rooms = {part.kept.name: part.values for part in parts(built(POLICY).gateway.program, 0)}
    assert rooms == {"hosts": 9, "folders": 17, "secret": 17, "keys": 17, "limit": 32}
    assert [part.values for part in parts(built().gateway.program, 0)][:2] == [1, 1]


@each_row(
    "line",
    ["amount shows key", "amount longer than 3", "amount has limit", "recipient in limit and amount not has limit"],
)
def test_a_number_is_compared_with_lists_alone(line, tmp_path):
    path = write_policy(tmp_path, f"policy p\nlist limit <=5\nintent Pay\nallow {line}\n")
    with pytest.raises(DataError, match="not a condition"):
        read_policy(path)


def test_an_amount_of_an_intent_that_has_none_is_an_error(tmp_path):
    path = write_policy(tmp_path, "policy p\nlist limit <=5\nintent SendMessage\nallow amount in limit\n")
    with pytest.raises(DataError, match="not a condition"):
        read_policy(path)


def test_a_list_of_limits_with_something_else_is_refused(tmp_path):
    path = write_policy(tmp_path, "policy p\nlist limit <=5 many\nintent Pay\nallow amount in limit\n")
    with pytest.raises(AuthorityError, match="`many`"):
        build_database(read_policy(path), new_keys(), 1)
