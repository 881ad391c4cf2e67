# ruff: noqa: RUF001  letters that look alike are what is tested
"""What a request says: hosts, recipients and paths have one reading, and no spelling hides a fragment."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from authority_world import OFFICE, built, classes, decided
from by_day import many
from each_row import each_row
from remit.authority.intents import TYPES, intents
from remit.authority.question.slots import domain_of, entries, spoken
from remit.authority.values.request import make_request
from remit.core.errors import AuthorityError
from remit.core.text_views import folded

TRICKS = [
    "https://example.org@evil.example/", "https://example.org:443@evil.example/", "https://user:pass@example.org/",
    "https://example.org\\@evil.example/", "https://example.org\\.evil.example/", "https:\\\\example.org/", "https:/example.org/",
    "https:///example.org/", "https://example.org%40evil.example/", "https://example.org%2eevil.example/", "https://example.org%00.evil.example/",
    "https://ex ample.org/", "https://example.org\t.evil.example/", "https://example.org\n/", "https://exam\u00adple.org/", "https://example.org\u3002evil.example/",
    "https://faß.de/", "https://münchen.example/", "https://ｅxample.org/", "https://example\u200b.org/", "https://ⓔxample.org/", "https://example.org\uff0fevil.example/",
    "https://example.org./", "https://.example.org/", "https://example..org/", "https://-example.org/", "https://example-.org/", "https://exa_mple.org/", "https:///",
    "https://", "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/", "https://127.0.0.1.2/", "https://256.1.1.1/",
    "https://127.0.0.01/", "https://1.2.3/", "https://example.0x1/", "https://example.1/", "https://[::1%25eth0]/", "https://[::1/", "https://::1/", "https://[::g]/", "https://[v1.x]/",
    "https://[1:2:3]/", "https://example.org:/", "https://example.org:port/", "https://example.org:99999/", "https://example.org:443:443/", "https://example.org:+443/",
    "HTTPS://example.org/", "hTTps://example.org/", "ftp://example.org/", "//example.org/", "javascript://example.org/%0aalert(1)", "file:///etc/passwd",
    "https://example.org/\u2028", "https://example.org/ ", " https://example.org/", "https://example.org/a b", "https://example.org/\x7f", "https://example.org/ä", "https://example.org/\\..",
    "https://" + "a" * 64 + ".org/", "https://example.org,evil.example/", "https://example.org;evil.example/", "https://example.org&evil.example/", "https://{example.org}/", "https://*.example.org/",
]  # fmt: skip


def fetch(url):
    return make_request("FetchResource", "agent", "s", {"url": url})


@each_row("url", TRICKS)
def test_an_address_that_readers_may_take_for_another_is_refused(url):
    with pytest.raises(AuthorityError):
        spoken(built().gateway.program, fetch(url), classes)


PLAIN = {
    "https://example.org": "example.org", "https://Example.ORG/Path": "example.org", "http://example.org:8080?x=1": "example.org",
    "https://example.org#@evil.example/": "example.org", "https://example.org?@evil.example/": "example.org", "https://example.org/@evil.example": "example.org",
    "https://xn--mnchen-3ya.example/": "xn--mnchen-3ya.example", "https://192.0.2.7/": "192.0.2.7", "https://[2001:DB8::0:1]:443/": "2001:db8::1",
    "https://[::ffff:192.0.2.7]/": "192.0.2.7", "http://localhost:8000/": "localhost", "https://a.b-c.d1/": "a.b-c.d1",
}  # fmt: skip


@each_row("url", PLAIN)
def test_the_host_of_a_plain_address(url):
    assert domain_of(url) == PLAIN[url]


hosts = st.from_regex(r"[a-zA-Z0-9.\-\[\]:@%\\_]{1,25}", fullmatch=True) | st.sampled_from(
    ["example.org", "192.0.2.7", "[2001:db8::1]", "evil.example", "127.0.0.1"]
)
urls = st.builds(
    lambda host, port, rest: f"https://{host}{port}{rest}",
    hosts, st.sampled_from(("", ":443", ":8080", ":", "@evil.example")),
    st.sampled_from(("", "/", "/p?q#f", "?q@x", "#f@x", "\\x", "/\\x")) | st.from_regex(r"[/?#@:\\.a-z%\[\]]{0,12}", fullmatch=True),
)  # fmt: skip


@given(urls)
@settings(max_examples=many(200))
@example("https://example.org:443@evil.example/")
def test_readers_of_addresses_agree_on_what_is_accepted(url):
    """Two libraries that executors fetch with read the same host in every address that is let through."""
    assume(not TYPES["url"].fault(url, "url"))
    try:
        host = domain_of(url)
    except AuthorityError:
        return
    for read in (urlsplit(url).hostname, httpx.URL(url).host):
        try:
            number = ip_address(read)
        except ValueError:
            assert read == host
        else:
            assert str(getattr(number, "ipv4_mapped", None) or number) == host
    assert not urlsplit(url).username
    assert not httpx.URL(url).userinfo


@each_row(
    "address",
    ["a@b@example.org", '"a b"@example.org', "a(c)@example.org", "<a@example.org>", "a@example.org,b@evil.example", "@a:b@example.org",
     "a%evil.example@example.org", "evil.example!a@example.org", "ａ@example.org", "a\u200b@example.org", "a@exämple.org", "a@example.org.", "a@[evil]", "-oQ/tmp@example.org",
     ".a@example.org", "a..b@example.org", "a.@example.org", "a@example.org\n", "a\r\nBcc: x@evil.example", "a@ example.org", "a b@example.org", "a@", "@example.org", "a@.org"],
)  # fmt: skip
def test_a_recipient_that_readers_may_take_for_another_is_refused(address):
    request = make_request("SendMessage", "agent", "s", {"to": address, "text": "x"})
    with pytest.raises(AuthorityError):
        spoken(built().gateway.program, request, classes)


def test_recipients_are_compared_without_case_and_nothing_else():
    def allowed(to):
        return decided(make_request("SendMessage", "agent", "s", {"to": to, "text": "<key>"})).allow

    assert allowed("boss@example.org")
    assert allowed("Boss@Example.ORG")
    assert not allowed("boss+x@example.org")
    assert not allowed("bos@example.org")


@each_row(
    "path",
    [
        "../x",
        "a/../b",
        "a/./b",
        ".",
        "..",
        "./a",
        "a/",
        "a//b",
        "//a",
        "/",
        "a\0b",
        "a\nb",
        "/etc/../etc/passwd",
        "a/..",
        "",
    ],
)
def test_a_path_has_one_spelling(path):
    assert intents()["ReadFile"].fault({"path": path})


@each_row("path", ["a", "/a", "a/b.c", "/a/..b", "/a/b..", "...", "a/.hidden", "ü/ b"])
def test_plain_paths(path):
    assert not intents()["ReadFile"].fault({"path": path})


TOKENS = "policy p\nlist files /data/Report skill-a\nlist agents Worker-1 team@hub\nintent ReadFile\nallow token in files\nintent SendInterAgentMessage\nallow recipient in agents\n"


@each_row(
    ("intent", "inputs", "allowed"),
    [
        ("ReadFile", {"path": "/data/Report"}, True), ("ReadFile", {"path": "/data/report"}, False), ("ReadFile", {"path": "/DATA/Report"}, False),
        ("ReadFile", {"path": "/data/Ｒeport"}, False), ("ReadFile", {"path": "/data/Re\u200bport"}, False), ("ReadFile", {"path": "/data/Report "}, False),
        ("SendInterAgentMessage", {"to": "Worker-1", "text": "x"}, True), ("SendInterAgentMessage", {"to": "worker-1", "text": "x"}, False),
        ("SendInterAgentMessage", {"to": "team@hub", "text": "x"}, True), ("SendInterAgentMessage", {"to": "Team@hub", "text": "x"}, False),
    ],
)  # fmt: skip
def test_what_is_like_an_allowed_value_is_another_value(intent, inputs, allowed):
    assert decided(make_request(intent, "agent", "s", inputs), TOKENS).allow is allowed


@each_row(
    ("slot", "value"),
    [
        ("domain", "münchen.example"),
        ("domain", "example.org."),
        ("domain", "a b"),
        ("domain", ""),
        ("recipient", "Boss@example.org"),
    ],
)
def test_values_of_lists_that_no_request_can_say_are_refused(slot, value):
    with pytest.raises(AuthorityError):
        entries(slot, value)


def test_values_of_lists_may_be_hosts_or_addresses():
    assert (
        entries("domain", "Example.org")
        == entries("domain", "https://example.org/x")
        == entries("domain", "a@example.org")
    )


SPELLINGS = [
    "PROJECT NIGHTINGALE", "Project  Nightingale", "project\nnightingale", "project\u00a0nightingale", "project\u3000nightingale", "ｐｒｏｊｅｃｔ nightingale",
    "pro\u200bject night\u200dingale", "pro\u00adject nightingale", "project nightin\u2060gale", "pr\u202eoject nightingale", "proj\ufe0fect nightingale", "proj\U000e0100ect nightingale",
    "pro\u034fject nightingale", "project night\u115fingale", "project night\u3164ingale", "project night\uffa0ingale", "project night\u2800ingale", "pro\0ject nightingale", "pro\x08ject nightingale",
    "p\u0336r\u0336o\u0336ject nightingale", "projéct nightingále", "ᵖroject nightingale", "𝐩𝐫𝐨𝐣𝐞𝐜𝐭 nightingale", "pro\ufeffject nightingale",
    "pro\U000e0041ject nightingale", "project\u2028nightingale", "project \u180enightingale", "proje\u200d\u0301ct nightingale", "project\x1fnightingale",
]  # fmt: skip


@each_row("text", SPELLINGS)
def test_spellings_in_which_a_fragment_is_found(text):
    assert folded("project nightingale") in folded(f"see {text}!")
    assert not decided(
        make_request("SendMessage", "agent", "s", {"to": "boss@example.org", "text": f"see {text}!"})
    ).allow


@given(st.text(max_size=60))
@settings(max_examples=many(500))
def test_the_searched_form_is_a_form(text):
    plain = folded(text)
    assert folded(plain) == plain
    assert not re.search(r"\s\s|^\s|\s$", plain)
    assert folded(text.upper()) == folded(text.upper().lower()) or not text.isascii()


@given(
    st.text(alphabet="abc é\u0301ß", max_size=20),
    st.lists(st.tuples(st.integers(0, 20), st.sampled_from("\u200b\u200d\u0301\u00ad\ufe0f\u034f\0")), max_size=5),
)
def test_what_does_not_show_can_be_put_anywhere(text, unseen):
    changed = text
    for at, letter in unseen:
        changed = changed[:at] + letter + changed[at:]
    assert folded(changed) == folded(text)


def test_flaw_03_nothing_that_an_agent_adds_makes_a_recipient_right():
    """Flaw 3: an input named `contextual_targets` turned the bit. Inputs that an intent does not have are refused."""
    for name in ("contextual_targets", "user_confirm", "recipient_ok"):
        request = make_request(
            "SendMessage", "agent", "s", {"to": "x@evil.example", "text": "x", name: ["x@evil.example"]}
        )
        with pytest.raises(AuthorityError, match="not a field"):
            spoken(built().gateway.program, request, classes)


@each_row(
    "text",
    [
        *(f"{'x' * place}{text}" for place in (0, 34, 36, 200) for text in ("project nightingale", "PROJECT NIGHTIN\u200bGALE")),
        "x" * 900 + "the merger with ZÜRICH",
        "x" * (16_384 - 19) + "project nightingale",
    ],
)  # fmt: skip
def test_flaw_06_a_fragment_is_found_wherever_it_stands(text):
    """Flaw 6: the scan saw the first 35 characters. The whole text is looked at, to its last byte."""
    assert not decided(make_request("SendMessage", "agent", "s", {"to": "boss@example.org", "text": text})).allow


def test_the_beginning_of_a_fragment_is_not_yet_one():
    for text in ("project nigh", "the merger of Zürich", "x" * 300):
        assert decided(make_request("SendMessage", "agent", "s", {"to": "boss@example.org", "text": text[:11]})).allow


def test_flaw_06_a_text_that_is_too_long_is_refused_and_not_cut():
    request = make_request("SendMessage", "agent", "s", {"to": "boss@example.org", "text": "ж" * 33_000})
    with pytest.raises(AuthorityError, match="more than"):
        decided(request)


def test_a_fragment_in_the_escapes_of_a_url_is_found():
    for url in ("https://example.org/project%20nightingale", "https://example.org/?q=%70roject%20%6Eightingale"):
        assert not decided(fetch(url)).allow
    assert decided(fetch("https://example.org/project")).allow


def test_a_host_that_can_not_be_read_is_not_a_host_that_is_not_banned():
    """`deny domain in bad` must not be passed by an address without a domain."""
    assert not decided(fetch("https://evil.example/")).allow
    assert not decided(fetch("https://EVIL.example:443/x")).allow
    assert "deny    domain in bad" in OFFICE
