# ruff: noqa: RUF001  the marks of redacted values
"""What must not leave unseen: each kind with values that count and near misses that do not. The values are made up here."""

import base64
import json
import random
import string
import uuid
import zlib
from itertools import pairwise
from pathlib import Path

import pytest
import reference_dlp
from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.core.errors import DataError
from remit.policy.dlp import scan
from remit.policy.dlp.checks import CHECKS, LENGTHS
from remit.policy.dlp.rows import load, table
from remit.policy.dlp.scan import find, redact
from remit.policy.dlp.severity import Severity

RANDOM = random.Random(7)
WORD = string.ascii_letters + string.digits
B62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def some(length, alphabet=WORD):
    return "".join(RANDOM.choices(alphabet, k=length - 3)) + "aB1"[:3]


def with_crc(prefix, body=None):
    body = body or some(30)
    number, out = zlib.crc32(body.encode()), ""
    while number:
        number, digit = divmod(number, 62)
        out = B62[digit] + out
    return prefix + body + out.rjust(6, "0")


def urlsafe(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def jwt(head, claims):
    return ".".join([urlsafe(json.dumps(head).encode()), urlsafe(json.dumps(claims).encode()), some(43)])


def luhn(body):
    for last in "0123456789":
        digits = body + last
        doubled = [int(char) * (1 + at % 2) for at, char in enumerate(reversed(digits))]
        if sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0:
            return digits
    raise AssertionError


def iban(country, body):
    turned = "".join(str(int(char, 36)) for char in body + country + "00")
    return f"{country}{98 - int(turned) % 97:02}{body}"


def pem(kind, body):
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


BODY = "\n".join(some(64) for _ in range(4))
GITHUB = with_crc("ghp_")
MACAROON = "pypi-" + urlsafe(b"\x02\x01\x08pypi.org" + some(80).encode())
CARD = luhn("411111111111111")
GROUPED = " ".join(CARD[at : at + 4] for at in range(0, 16, 4))
AMEX = luhn("37828224631000")
GERMAN = iban("DE", "370400440532013000")
HIT = [
    ("aws-access-key", "AKIA" + some(16, "ABCDEFGHIJKLMNOP234567").upper().replace("1", "2")),
    ("aws-secret-key", f'aws_secret_access_key = "{some(40)}"'),
    ("github-token", GITHUB),
    ("github-token", with_crc("ghs_")),
    ("github-token", f"github_pat_{some(22)}_{some(59)}"),
    ("gitlab-token", "glpat-" + some(20)),
    ("slack-token", f"xoxb-123456789012-1234567890123-{some(24)}"),
    ("slack-token", f"xapp-1-A0123456789-1234567890123-{'0123456789abcdef' * 4}"),
    ("slack-webhook", f"https://hooks.slack.com/services/T01234567/B01234567/{some(24)}"),
    ("stripe-key", "sk_live_" + some(24)),
    ("stripe-key", "rk_test_" + some(24)),
    ("stripe-webhook", "whsec_" + some(32)),
    ("google-api-key", "AIza" + some(35)),
    ("google-oauth", "ya29." + some(60)),
    ("google-oauth", "GOCSPX-" + some(28)),
    ("npm-token", "npm_" + some(36)),
    ("pypi-token", MACAROON),
    ("openai-key", f"sk-{some(20)}T3BlbkFJ{some(20)}"),
    ("openai-key", f"sk-proj-{some(74)}T3BlbkFJ{some(74)}"),
    ("anthropic-key", "sk-ant-api03-" + some(95)),
    ("huggingface-token", "hf_" + some(34, string.ascii_letters).replace("1", "c")),
    ("azure-storage-key", "AccountKey=" + base64.b64encode(bytes(range(64))).decode()),
    ("azure-shared-signature", f"?sv=2022-11-02&ss=b&se=2030&sig={some(43)}%3D"),
    ("azure-client-secret", f"abc8Q~{some(34)}"),
    ("sendgrid-key", f"SG.{some(22)}.{some(43)}"),
    ("telegram-token", f"123456789:AA{some(33)}"),
    ("digitalocean-token", "dop_v1_" + "0123456789abcdef" * 4),
    ("jwt", jwt({"alg": "HS256", "typ": "JWT"}, {"sub": "1"})),
    ("ssh-private-key", pem("OPENSSH PRIVATE KEY", BODY)),
    ("ssh-private-key", f"PuTTY-User-Key-File-3: ssh-ed25519\n{BODY}\nPrivate-MAC: {'ab' * 32}"),
    ("private-key", pem("RSA PRIVATE KEY", BODY)),
    ("private-key", pem("PRIVATE KEY", BODY)),
    ("private-key", pem("PGP PRIVATE KEY BLOCK", BODY)),
    ("private-key", f"-----BEGIN PRIVATE KEY-----\n{BODY}"),  # cut off
    ("password-in-address", "postgres://app:h4rdToGuess@db.internal/app"),
    ("card", CARD),  # the one of every document is still a card
    ("card", GROUPED),
    ("card", f"{GROUPED} 12/29"),
    ("card", f"{AMEX[:4]}-{AMEX[4:10]}-{AMEX[10:]}"),
    ("card", luhn("510510510510510")),
    ("iban", GERMAN),
    ("iban", " ".join(GERMAN[at : at + 4] for at in range(0, 22, 4)) + " OK"),
    ("iban", iban("BE", "539007547034")),
    ("ssn", "536-22-8726"),
    ("phone", "+49 30 901820 33"),
    ("phone", "(212) 736-5000"),
    ("e-mail", "ann.lee@acme-corp.com"),
    ("marking", "TOP SECRET//SI//NOFORN"),
    ("marking", "(TS//SI//NF)"),
    ("marking", "NATO SECRET"),
    ("marking", "**TOP SECRET**"),
    ("marking", "TLP:AMBER+STRICT"),
    ("marking", "VS-NfD"),
    ("marking", "NATO RESTRICTED"),
    ("marking", "OFFICIAL-SENSITIVE"),
    ("marking", "STRICTLY CONFIDENTIAL"),
]
MISSES = [
    "AKIA" + some(17, "ABCDEFGHIJKLMNOP").upper(),
    "akia" + "abcdefghijklmnop",
    f"sha256 of the secret: {'a' * 40}",
    GITHUB[:-1] + ("0" if GITHUB[-1] != "0" else "1"),  # the checksum is wrong
    GITHUB + "a",
    "x" + GITHUB,
    "ghp_" + "x" * 36,
    "npm_" + "x" * 36,
    "npm_config_registry_and_other_long_names_here",
    "pypi-" + some(100),
    "sk-" + "a" * 48,
    "sk_live_short",
    "sk-ant-your-key-here",
    "hf_" + "a" * 34,
    "AIza" + "X" * 35,
    "+20231231",
    "eyJhbGciOi.eyJub3Bl.notatoken",
    f"eyJ{some(30)}.eyJ{some(30)}.{some(43)}",  # no JSON in it
    jwt({"typ": "JWT"}, {"sub": "1"}),  # no algorithm
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN PUBLIC KEY-----\n" + BODY,
    "-----BEGIN CERTIFICATE-----\n" + BODY,
    "postgres://user:password@localhost/db",
    "https://user:$TOKEN@host/",
    "https://user:<password>@host/",
    CARD[:-1] + "2",  # Luhn
    "4" + CARD,
    CARD + "0",
    "0." + CARD,
    CARD + ".5",
    "4111 1111-1111 1111",
    "1234567890123456",
    "0000000000000000",
    "4444444444444444",
    "9111111111111111",
    str(uuid.UUID(int=0x41111111111111111111111111111111)),
    "536-00-8726",
    "000-22-8726",
    "666-22-8726",
    "900-22-8726",
    "536-22-0000",
    "078-05-1120",
    "2026-11-15",
    "1-536-22-8726",
    GERMAN[:-1] + str((int(GERMAN[-1]) + 1) % 10),
    GERMAN[:-2],
    "XX" + GERMAN[2:],
    "DE00 AND SOME WORDS",
    "555-0123",
    "(212) 555-0123",
    "ann@example.com",
    "git@github.com:acme/app.git",
    "icon@2x.png",
    "the secret sauce",
    "keep it confidential",
    "SECRET_KEY=1",
    "A TOP SECRET recipe",
    "// TODO",
]


@each_row(("kind", "text"), HIT)
@each_row("around", ["{}", "before\n{}\nafter", "({})"])
def test_it_is_found(kind, text, around):
    if "**" in text and "(" in around:
        return  # a marking stands on a line of its own
    assert [hit.kind for hit in find(around.format(text))] == [kind]


@each_row("text", MISSES)
def test_a_near_miss_is_not_found(text):
    assert [hit.kind for hit in find(f"see {text} here") if hit.kind not in ("e-mail", "phone")] == []
    if "@" in text or "555" in text or text.startswith("+"):
        assert find(f"see {text} here") == ()


def test_every_row_has_a_value_that_counts():
    texts = [text for _, text in HIT]
    for row in table().patterns:
        assert any(row.words.search(text) for text in texts), row.where


def test_lookalikes_in_bulk():
    dice = random.Random(11)
    lines = [str(uuid.UUID(int=dice.getrandbits(128))) for _ in range(2000)]
    lines += [f"{dice.getrandbits(160):040x}" for _ in range(2000)]
    lines += [f"sha256:{dice.getrandbits(256):064x}" for _ in range(500)]
    lines += [f"data:image/png;base64,{base64.b64encode(dice.randbytes(3000)).decode()}" for _ in range(50)]
    assert find("\n".join(lines)) == ()


def test_redacted():
    assert redact(f"token {GITHUB}, card {GROUPED}.") == f"token ‹github-token…{GITHUB[-4:]}›, card ‹card…1111›."
    assert redact(pem("RSA PRIVATE KEY", BODY)) == "‹private-key…›"
    assert redact("mail ann.lee@acme-corp.com") == "mail ‹e-mail…›"
    assert redact("TOP SECRET//SI//NOFORN\ntext") == "TOP SECRET//SI//NOFORN\ntext"  # a marking is not taken off
    assert redact("nothing") == "nothing"


def test_numbers_side_by_side():
    text = f"{GROUPED} {GROUPED} {GERMAN} {GERMAN} 4000 {GROUPED} {AMEX}"
    assert [hit.kind for hit in find(text)] == ["card", "card", "iban", "iban", "card", "card"]


def test_a_number_far_behind_a_failed_one_is_found():
    text = f"3704 0044 0532 0130 00 OK {'x' * 45} {CARD}"
    assert [hit.kind for hit in find(text)] == ["card"]


def test_long_lists_of_groups_take_linear_time():
    find("4111 " * 8_000 + "1111-" * 8_000 + "DE11 " * 8_000)


def test_the_graver_one_counts_where_two_overlap():
    (hit,) = find(f"https://ann:{GITHUB}@git.internal.net/x")
    assert (hit.kind, hit.severity) == ("github-token", Severity.HIGH)


def test_a_value_that_begins_within_what_was_passed_over():
    found = find("3782-822463-10005 5105105105105100 536-22-8726 4111111111111111")
    assert [hit.kind for hit in found] == ["card", "card", "ssn", "card"]


@settings(max_examples=many(300))
@given(st.lists(st.one_of(st.sampled_from([text for _, text in HIT]), st.text(max_size=12)), max_size=6).map(" ".join))
def test_what_is_redacted_has_no_value_left(text):
    hidden = redact(text)
    assert all(hit.kind == "marking" for hit in find(hidden))
    assert redact(hidden) == hidden


def _close(number):
    """A number that is right, or wrong in one digit."""
    return st.one_of(
        st.just(number), st.integers(0, len(number) - 1).map(lambda at: f"{number[:at]}7{number[at + 1 :]}")
    )


_groups = st.text("0123456789", min_size=1, max_size=6)
_numbers = st.one_of(
    _close(GROUPED), _close(CARD), _close(AMEX), _close(GERMAN), st.sampled_from(["DE11", "BE68", "+49"])
)
_pieces = st.one_of(
    _groups, _groups, _numbers, st.sampled_from([text for _, text in HIT] + MISSES), st.text(max_size=5)
)
_joints = st.sampled_from([" ", " ", " ", "-", "-", "", ".", "\n", ",", "  ", " -"])


@settings(max_examples=many(1_000))
@given(st.lists(st.tuples(_pieces, _joints), max_size=40).map(lambda parts: "".join(map("".join, parts))))
def test_what_is_found_is_what_the_plain_way_finds(text):
    assert find(text) == reference_dlp.find(text)
    assert find(text) == reference_dlp.find(text)  # and once more, from memory


def test_nothing_of_a_text_stays_in_memory():
    find(f"{GITHUB} and {'more words ' * 10}")
    kept = str(scan._lately)
    assert "more words" not in kept
    assert GITHUB not in kept
    for number in range(2 * scan._MOST_LATELY):
        find(f"{number} is another text " * 5)
    assert len(scan._lately) == scan._MOST_LATELY


@given(st.text(max_size=300))
def test_hits_are_in_order_and_apart(text):
    hits = find(text)
    assert all(one.end <= other.start for one, other in pairwise(hits))


@each_row(
    "line",
    [
        "[values]\na | high | last4 | - | -",
        "[values]\na | grave | last4 | - | - | x",
        "[values]\na | high | all | - | - | x",
        "[values]\na | high | none | - | moon | x",
        "[values]\na | high | none | - | - | (x",
        "[values]\na | high | none | - | - | (x)(y)",
        "[iban]\nDEXX",
        "[card]\n51-5 16",
        "[moon]\nx",
    ],
)
def test_a_wrong_table_is_refused_with_its_line(tmp_path: Path, line):
    path = tmp_path / "dlp.table"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=r"dlp\.table:2"):
        load(path)


@each_row(
    ("pattern", "alike"),
    [("a[0-9]{2,4}(?:x|y)?", True), (r"a\w", False), (r"a\sb", False), ("(?s)a.b", False), ("[^a]", False)],
)
def test_a_row_is_read_as_it_is_written(tmp_path: Path, pattern, alike):
    """What Python may read otherwise than RE2 is left to RE2 alone."""
    path = tmp_path / "dlp.table"
    path.write_text(f"[values]\nthing | high | last4 | sign | card | {pattern}\n")
    (row,) = load(path).patterns
    assert row[:4] == ("thing", Severity.HIGH, "last4", "sign")
    assert (row.check, row.lengths) == (CHECKS["card"], LENGTHS["card"])
    assert (row.again is not None) is alike
