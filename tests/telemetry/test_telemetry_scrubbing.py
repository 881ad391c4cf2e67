"""What must not be read in a log is not there, wherever it stood."""

import json
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from remit.policy.dlp.rows import table
from remit.policy.dlp.scan import find
from remit.telemetry.event_log import LoggedEvent, line_text
from remit.telemetry.scrubbing import HIDDEN, scrub

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
# Kinds that are known by their form alone, generated from the very patterns of the table.
PLAIN = [
    pattern.words.pattern
    for pattern in table().patterns
    if pattern.check is None and pattern.severity == "high" and pattern.shown != "kept" and "(" not in pattern.words.pattern.replace("(?:", "")
]  # fmt: skip
KEYS = st.sampled_from(PLAIN).flatmap(lambda text: st.from_regex(re.compile(text, re.ASCII), fullmatch=True))
TOKENS = st.text(LETTERS, min_size=20, max_size=64)
WORDS = st.text(st.characters(codec="utf-8"), max_size=30)
APART = st.sampled_from([" ", "\n", "\t", '"', "'", "=", ": ", "(", ",", "\x00", "\x1b[31m", "\u200b", "`"])


def written(text):
    return line_text(LoggedEvent(0.0, "GUARD_FAULT", {"detail": text}, None), "guard-0")


def shows(secret, text):
    """Whether a text shows it, or more of it than the four characters by which it may be known."""
    return any(secret[at : at + 9] in text for at in range(len(secret) - 8))


@given(WORDS, APART, KEYS | TOKENS, APART, WORDS)
def test_a_planted_key_is_not_written(before, left, secret, right, after):
    assume(secret not in before + after)
    assert not shows(secret, written(before + left + secret + right + after))


@given(st.text(LETTERS, max_size=8), TOKENS, st.text(LETTERS, max_size=8))
def test_a_key_that_touches_other_letters_is_not_written(before, secret, after):
    assert not shows(secret, written(before + secret + after))


@given(st.sampled_from(["password", "api_key", "Access-Key", "token", "client_secret", "passphrase", "TOKEN"]),
       st.sampled_from(["=", ": ", " = ", '": "', "':'"]), st.text(LETTERS + "!$%&*", min_size=4, max_size=12))  # fmt: skip
def test_what_a_word_announces_is_not_written(name, sign, secret):
    assume(secret not in written(f"the store said: {name}{sign} no"))
    assert secret not in written(f"the store said: {name}{sign}{secret} no")


@given(st.sampled_from(["Bearer", "basic", "Digest"]), st.text(LETTERS, min_size=5, max_size=40))
def test_headers_of_authorisation_are_not_written(scheme, secret):
    assume(secret not in written(f"failed with Authorization: {scheme} ; x"))
    assert secret not in written(f"failed with Authorization: {scheme} {secret}; x")
    assert secret not in written(f"failed with {scheme} {secret}")


@given(st.text(LETTERS, min_size=6, max_size=20), st.text(LETTERS, min_size=6, max_size=20))
def test_query_strings_and_passwords_in_addresses_are_not_written(first, second):
    first, second = f"zq{first}", f"zq{second}"  # no word of the line itself
    text = written(f"GET https://user:{first}@example.org/path?key={second}&a=b#c failed")
    assert first not in text
    assert second not in text
    assert "example.org/path" in text


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_a_line_is_one_line_of_plain_characters(text):
    line = written(text)
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    assert line[:-1].isascii()
    assert line[:-1].isprintable()
    assert json.loads(line)["event"] == "GUARD_FAULT"


@given(st.text(st.characters(codec="utf-8"), max_size=400))
def test_nothing_that_the_table_knows_is_left(text):
    assert [hit for hit in find(scrub(text)) if hit.kind not in ("marking", "phone", "e-mail")] == []


def test_a_key_that_is_cut_in_two_is_not_half_written():
    secret = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dE4fG6"
    assert not shows(secret, scrub("key " * 2040 + "x" * 20 + secret))


@pytest.mark.parametrize(
    "text", ["the store cannot be read: no such file or directory", "worker 1: GuardError: nobody waits"]
)
def test_plain_words_stay(text):
    assert scrub(text) == text
    assert HIDDEN not in text


def test_fields_that_an_event_does_not_have_are_not_written():
    line = line_text(
        LoggedEvent(0.0, "GUARD_DENIED", {"host": "claude-code", "detail": "x", "arguments": "y"}, None), "guard-0"
    )
    assert set(json.loads(line)) == {"time", "level", "event", "process", "host", "says"}
