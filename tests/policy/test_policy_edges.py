"""Edges of single checks: for each, what is just inside and what is just outside of it."""

import json
import math
import zlib
from base64 import b64encode, urlsafe_b64encode

import pytest
from policy_values import asked, policy, request
from session_values import NOW, granted, session, skill

from each_row import each_row
from remit.core.capability import Change, ScopeKind, vocabulary
from remit.core.errors import DataError
from remit.core.scope import NumberScope, parse_scope
from remit.manifest.model import Constraints, Permission, Verification
from remit.policy import Envelope, Refusal, Situation, judgement_cache, read
from remit.policy.command_permits import program_scope
from remit.policy.decide import Call, decide
from remit.policy.dlp.checks import CHECKS, LENGTHS
from remit.policy.dlp.rows import load, table
from remit.policy.dlp.scan import find
from remit.policy.entry_matches import denies_wholly, may_deny
from remit.policy.judge import _as_file
from remit.policy.limits import Moment
from remit.policy.refusal import read_grounds
from remit.policy.request import RefusedError, _is_concrete, bind, read_text, refuse_unseen
from remit.policy.rules import Authority, Layer
from remit.policy.scope_index import Finder
from remit.policy.words import plain_words, spoken


def holds(name, value):
    return CHECKS[name](value, table())


@each_row(
    ("value", "fine"),
    [
        ("+4930901", False),  # 7 digits
        ("+49 30 9012", True),  # 8 of them, in groups
        ("030-9012", False),
        ("0309012784", True),  # 10 without a group
        ("030901278", False),  # 9
        ("+123456789012345", True),  # 15
        ("+1234567890123456", False),  # 16
        ("+1 212-555-0134", False),  # nobody's
        ("1122112211", False),  # two digits
        ("1231231231", False),  # three
        ("1234123412", True),  # four
    ],
)
def test_numbers_of_telephones(value, fine):
    assert holds("phone", value) is fine


@each_row(
    ("value", "fine"),
    [
        ("123-45-6788", True),
        ("000-45-6788", False),
        ("666-45-6788", False),
        ("900-45-6788", False),
        ("899-45-6788", True),
        ("123-00-6788", False),
        ("123-45-0000", False),
        ("078-05-1120", False),
        ("219-09-9999", False),
        ("123-45-6789", False),
    ],
)
def test_numbers_of_social_security(value, fine):
    assert holds("ssn", value) is fine


@each_row(
    ("value", "fine"),
    [
        ("anna@firm.de", True),
        ("anna@example.org", False),
        ("anna@mail.example", False),
        ("anna@firm.test", False),
        ("anna@firm.invalid", False),
        ("anna@localhost", False),
        ("noreply@firm.de", False),
        ("Git@firm.de", False),
        ("no-reply@firm.de", False),
        ("user@firm.de", False),
        ("username@firm.de", False),
        ("you@firm.de", False),
        ("your-email@firm.de", False),
        ("icon@2x.PNG", False),
        ("icon@2x.jpg", False),
        ("anna@myexample.de", True),
    ],
)
def test_addresses(value, fine):
    assert holds("e-mail", value) is fine


@each_row(
    ("value", "fine"),
    [
        ("4539 1488 0343 6467", True),
        ("4539-1488-0343-6467", True),
        ("4539148803436467", True),
        ("4539 1488-0343 6467", False),
        ("45391488 0343 6467", False),
        ("4539148803436468", False),
        ("0000000000000000", False),
        ("3782 822463 10005", True),
        ("3782822463 10005", False),
        ("3056 930902 5904", True),
        ("3056 9309 025904", False),
        ("9999999999999995", False),
    ],
)
def test_numbers_of_cards(value, fine):
    assert holds("card", value) is fine


def test_lengths_of_accounts_are_those_of_the_country():
    assert holds("iban", "DE89 3704 0044 0532 0130 00")
    assert not holds("iban", "DE89 3704 0044 0532 0130 01")
    assert not holds("iban", "DE89 3704 0044 0532 0130")
    assert not holds("iban", "ZZ89 3704 0044 0532 0130 00")
    assert LENGTHS["iban"]("DE89", table()) == (22,)
    assert LENGTHS["iban"]("ZZ89", table()) == ()
    assert set(LENGTHS["card"]("", table())) >= {15, 16}


def github(body):
    number, out = zlib.crc32(body.encode()), ""
    letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    while number:
        number, digit = divmod(number, 62)
        out = letters[digit] + out
    return f"ghp_{body}{out.rjust(6, '0')}"


def macaroon(data):
    return "pypi-" + urlsafe_b64encode(data).decode().rstrip("=")


def jwt(*parts):
    return ".".join([*(urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts), "sign"])


def test_structures_of_tokens():
    for letter in "aQ7":
        assert holds("github", github(letter * 30))
    small = next(body for number in range(10**6) if zlib.crc32((body := f"{number:030}").encode()) < 62**5)
    assert holds("github", github(small))
    assert not holds("github", github("a" * 30)[:-1] + "!")
    assert holds("macaroon", macaroon(b"\x02\x01\x08pypi.orgmore"))
    for data in (
        b"\x01\x01\x08pypi.org",
        b"\x02\x02\x08pypi.org",
        b"\x02\x01\x07pypi.org",
        b"\x02\x01\x08",
        b"\x02",
        b"",
    ):
        assert not holds("macaroon", macaroon(data))
    assert holds("jwt", jwt({"alg": "none"}, {}))
    for parts in (({}, {}), ({"alg": 1}, {}), ([], {}), ({"alg": "a"}, []), ({"alg": "a"}, 1)):
        assert not holds("jwt", jwt(*parts))
    assert not holds("jwt", "!.!.!")
    assert holds("base64", b64encode(b"k" * 64).decode())
    assert not holds("base64", b64encode(b"k" * 63).decode())
    assert not holds("base64", "!" * 88)


def test_texts_that_stand_for_a_value_are_none():
    frame = "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----"
    assert holds("pem", frame.format("a" * 40))
    assert not holds("pem", frame.format("a" * 39))
    assert not holds("pem", frame.format("a" * 40 + "..."))
    assert not holds("pem", "-----BEGIN " + "a" * 60)
    assert [holds("mixed", text) for text in ("aB1", "ab1", "AB1", "aBc")] == [True, False, False, False]
    assert [holds("mixed-case", text) for text in ("SK_aB", "sk_AB", "SK_ab", "aB")] == [True, False, False, False]
    assert holds("password", "correct horse")
    for text in ("<secret>", "$PASS", "...", "xxxx", "Password", "changeme", "your-token", "{x}"):
        assert not holds("password", text)


def kinds(text):
    return [hit.kind for hit in find(text)]


def test_a_number_in_a_longer_number_is_another():
    card = "4539148803436467"
    whole = kinds(f"paid with {card} today")
    assert whole
    for text in (f"1.{card}", f"a-{card}", f"{card}.5", f"{card},5", f"x{card}", f"{card}x", f"_{card}"):
        assert kinds(text) == [], text
    for text in (f".{card}", f"{card}.", f"({card})", f"{card}, 5", f" .{card}"):
        assert kinds(text) == whole, text
    token = github("Qa7" * 10)
    assert kinds(f"a.{token}") == kinds(token) != []  # what is no number may stand after a point


@each_row(
    ("text", "commands"),
    [
        ("a 'b;c' d; e", {("a", "b;c", "d"), ("e",)}),
        ('a "b|c"; e', {("a", "b|c"), ("e",)}),
        ("a b\\;c; e", {("a", "b;c"), ("e",)}),
        ("a 'b; e", {("e",)}),
        ("sh -c 'a b'", {("sh", "-c", "a b"), ("a", "b")}),
        ("sh -xc 'a b'", {("a", "b")}),
        ("su --command='a b'", {("a", "b")}),
        ("su --command 'a b'", {("a", "b")}),
        ("eval a 'b c'", {("a", "b", "c")}),
    ],
)
def test_commands_that_a_text_may_be(text, commands):
    assert commands <= set(spoken(text))


@each_row(
    ("text", "words"),
    [
        ("a b", ("a", "b")),
        ("a\t b ", ("a", "b")),
        ("a '' b", ("a", "", "b")),
        ("a ~", None),
        ("a b~", ("a", "b~")),
        ("a b=~", None),
        ("a b:~", None),
        ("a #b", None),
        ("a b#", ("a", "b#")),
        ("a =b", None),
        ("a=b c", None),
        ("a b=c", ("a", "b=c")),
        ("'' a", None),
        ("", None),
        (' "', None),
        ("a 'b", None),
        ('a "b\\"c\\x"', ("a", 'b"c\\x')),
        ('a "b\\', None),
        ('a "$b"', None),
        ('a "`b"', None),
        ('a "b\\\nc"', None),
        ('a "b\\\rc"', None),
        ("a \\\n", None),
        ("a \\", None),
        ("a \\;", ("a", ";")),
        ("a ü", ("a", "ü")),
        ("a \u00a0b", None),
        ("a\nb", None),
    ],
)
def test_words_that_are_certain(text, words):
    assert plain_words(text) == words


class Text(str):
    __slots__ = ()


@each_row(
    ("op", "args"),
    [
        (Text("file.read"), {"target": "./a"}),
        ("file.read", {Text("target"): "./a"}),
        ("file.read", {"target": Text("./a")}),
        ("file.read", type("Args", (dict,), {})({"target": "./a"})),
    ],
)
def test_what_only_looks_like_a_text_is_none(op, args):
    assert isinstance(read(Envelope(op, args)), Refusal)


def entry(capability, scope, effect="deny", kind="path"):
    found = parse_scope(kind, scope)
    return Permission(capability, (found,), effect)


def test_a_denial_speaks_of_its_own_capability():
    read_a = request("file.read", "./a")
    assert may_deny(entry("file.read", "./a"), read_a)
    assert may_deny(entry("file.*", "./a"), read_a)
    assert may_deny(entry("source.read", "./a"), read_a)
    assert not may_deny(entry("source.write", "./a"), read_a)
    assert not may_deny(entry("file.write", "./a"), read_a)
    assert not may_deny(entry("file.read", "./b"), read_a)
    assert denies_wholly(entry("file.read", "./**"), read_a)
    assert not denies_wholly(entry("file.write", "./**"), read_a)
    assert not denies_wholly(entry("file.read", "./b"), read_a)


def test_a_denial_inside_the_workspace_denies_wholly_what_lies_there():
    inside = entry("file.read", "**")._replace(constraints=Constraints(workspace_only=True))
    assert denies_wholly(inside, request("file.read", "./a"))
    assert not denies_wholly(inside, request("file.read", "/etc/a"))
    assert may_deny(inside, request("file.read", "./a"))
    assert not denies_wholly(
        entry("file.read", "./**")._replace(constraints=Constraints(arguments=(("a", 1),))), request("file.read", "./a")
    )


@each_row(
    ("scope", "concrete"),
    [
        (NumberScope(None, None), False),
        (NumberScope(1, None), False),
        (NumberScope(None, 1), False),
        (NumberScope(1, 1), True),
        (NumberScope(1, 2), False),
        (NumberScope(math.inf, math.inf), False),
        (None, False),
        (parse_scope("path", "./a"), True),
        (parse_scope("path", "./*"), False),
        (parse_scope("path", "<arg>/a"), False),
        (parse_scope("host", "a.test"), True),
        (parse_scope("host", "*.a.test"), False),
        (parse_scope("name", "A"), True),
        (parse_scope("name", "A*"), False),
    ],
)
def test_what_is_one_thing(scope, concrete):
    assert _is_concrete(scope) is concrete


def test_whose_word_it_was_is_said():
    own = session(skill("a", ("file.read", "./**", "allow")))
    (one,) = decide(own, Call((request("file.read", "./a"),)), NOW).judged
    assert one.source == "skill:a"
    given = session(skill("a"), granted=granted("a", ("file.read", "./**", "allow")))
    (one,) = decide(given, Call((request("file.read", "./a"),)), NOW).judged
    assert one.source == granted("a", ("file.read", "./**", "allow"))[0].source
    (one,) = decide(own, Call((request("file.write", "./a"),)), NOW).judged
    assert one.source == ""


def test_a_question_whose_time_is_over_is_not_asked():
    entries = [("file.read", "./**", "allow")]
    asks = policy(("file.read", "./**", "confirm")).manifest.permissions
    for expires, expected in ((None, "confirm"), (101, "confirm"), (100, "allow")):
        layer = Layer("task", Authority.PERSON, asks=tuple(asks), expires=expires)
        found = asked(entries, request("file.read", "./a"), Situation(Moment(100)), layers=(layer,))
        assert found == expected, expires


def test_no_more_is_remembered_than_that(monkeypatch):
    monkeypatch.setattr(judgement_cache, "_MOST", 3)
    one = policy(("file.read", "./**", "allow"))
    for number in range(5):
        judgement_cache.judged(one, request("file.read", f"./{number}"), NOW)
    assert len(one.judgements(NOW.bound)) == 2


@each_row(
    ("text", "fine"),
    [
        ("ä", True), ("a\u0308", False), (chr(0xD800), False), (chr(0xDFFF), False), ("x" + chr(0xDC80), False), ("\ud7ff", True),
        ("a\uff0fb", False), ("\uff0e\uff0e/b", False), ("\u2025/b", False), ("./ä/../b", True), ("a\u202eb", False), ("a\x07", False),
    ],
)  # fmt: skip
def test_texts_that_can_be_read_in_two_ways(text, fine):
    if fine:
        refuse_unseen(text, "target")
        return
    with pytest.raises(RefusedError):
        refuse_unseen(text, "target")


def test_arguments_that_unfold_without_an_end_are_refused_at_once():
    value = ["x"]
    for _ in range(6):
        value = [value] * 60
    found = read(Envelope("file.read", {"target": "./a", "arguments": {"a": value}}))
    assert isinstance(found, Refusal)
    assert found.code == "too-large"


@each_row("line", ["- | a | b", "a | - | b", "a | b | -", "a | b | c\na | b | c"])
def test_a_code_has_a_name_a_meaning_and_a_remedy(line, tmp_path):
    (tmp_path / "grounds.table").write_text(f"[x]\n{line}\n")
    with pytest.raises(DataError, match=r"grounds\.table:"):
        read_grounds(tmp_path / "grounds.table")


def near(patterns, name):
    found = Finder([(pattern, [parse_scope("name", pattern)]) for pattern in patterns]).near(parse_scope("name", name))
    return set(found)


def test_rules_are_found_by_how_they_begin():
    every = ["*_TOKEN", "?Y_TOKEN", "MY_*", "MY_TOKEN", "OTHER", "M*N"]
    assert near(every, "MY_TOKEN") == set(every) - {"OTHER"}
    assert near(every, "M*") == set(every)
    assert near([], "A") == set()
    paths = ["./a/b", "./a/*", "./*/b", "./c", "~/a/b", "<arg>/b"]
    finder = Finder([(text, [parse_scope("path", text)]) for text in paths])
    assert set(finder.near(parse_scope("path", "./a/b"))) == {"./a/b", "./a/*", "./*/b", "~/a/b", "<arg>/b"}
    for wide in ("./*", "./?/b"):
        assert set(finder.near(parse_scope("path", wide))) == set(paths)


def test_what_is_not_understood_counts_as_it_may_end():
    entries = [("process.create", "git", "allow")]
    run = request("process.create", "git", "git status")
    for level, word in ((Verification.DECLARED, "confirm"), (Verification.FORMAL, "allow")):
        assert asked(entries, run, Situation(Moment(1)), level=level) == word
        assert asked(entries, run, Situation(Moment(1), understood=True), level=level) == "allow"


def test_a_symbol_is_what_it_is_bound_to():
    git, below, alone = parse_scope("name", "git"), parse_scope("path", "<arg>/x"), parse_scope("path", "<arg>")
    folder = parse_scope("path", "./a")
    assert tuple(bind(below, {"<arg>": (git,)})) == (
        below,
    )  # a program that is called by its name has nothing below it
    assert tuple(bind(alone, {"<arg>": (git,)})) == (git,)
    assert tuple(bind(below, {"<arg>": (folder,)})) == (parse_scope("path", "./a/x"),)
    assert tuple(bind(folder, {"<arg>": (git,)})) == (folder,)
    assert tuple(bind(below, {})) == (below,)


def test_what_a_capability_on_paths_does_to_the_file():
    found = {one.name: _as_file(one.name) for one in vocabulary() if one.scope_kind is ScopeKind.PATH}
    assert _as_file("no.such") == _as_file("process.create") == ""
    assert found["source.execute"] == "file.read"
    for name, means in found.items():
        if name.startswith(("file.", "source.")) and name != "source.execute":
            assert means == name
        elif name != "source.execute":
            reads = vocabulary()[name].change is Change.NONE
            assert means == ("file.read" if reads else "file.delete" if name.endswith(".delete") else "file.write"), (
                name
            )
    assert {"file.read", "file.write"} <= {
        means for name, means in found.items() if not name.startswith(("file.", "source."))
    }


def test_texts_are_bounded():
    assert read_text("x" * 5, "target", 5) == "x" * 5
    with pytest.raises(RefusedError):
        read_text("x" * 6, "target", 5)


@each_row(
    "line",
    [
        "[values]\na | high | none | - | - | ",
        "[values]\na |  | none | - | - | x",
        "[values]\na | high | none |  | - | x",
        "[values]\na | high | none | - |  | x",
        "[values]\na | high | none | - | x",
        "[iban]\nDE",
        "[iban]\n1E22",
        "[card]\n5a 16",
        "[card]\n51-55 1x",
        "[card]\n51 ",
    ],
)
def test_a_table_with_something_missing_is_refused(line, tmp_path):
    (tmp_path / "dlp.table").write_text(line + "\n")
    with pytest.raises(DataError, match=r"dlp\.table:2"):
        load(tmp_path / "dlp.table")


@pytest.mark.parametrize("text", ["(S//NF)x", "x(S//NF)"])
def test_what_ends_in_no_letter_stands_alone_beside_one(text):
    assert [hit.kind for hit in find(text)] == ["marking"]


@each_row(
    ("word", "scope"),
    [
        ("rm", "rm"),
        ("/bin/rm", "rm"),
        ("/opt/bin/rm", "/opt/bin/rm"),
        ("./run", "./run"),
        ("r*m", r"r\*m"),
        ("", None),
        ("a\0b", None),
        ("~/run", None),
        ("$SKILL/run", None),
    ],
)
def test_the_program_that_a_word_names(word, scope):
    found = program_scope(word)
    assert (found and found.render()) == scope
