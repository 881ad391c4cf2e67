"""From request to decision by two servers: the size of a question tells nothing, and the decision is that of plain values."""

import base64
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from authority_world import BINDING, OFFICE, STORE, answers_of, built, classes, decided, tables, write_policy
from by_day import many
from each_row import each_row
from remit.authority.patch import patched
from remit.authority.program.compiled import compile_policy
from remit.authority.program.language import Atom, Condition, List, Policy, read_policy
from remit.authority.question import questions
from remit.authority.question.answers import RowsForgedError, look_up, members
from remit.authority.question.layout import BUCKETS, EXECUTOR, GATEWAY, answer_size, bucket_for, parts, question_size
from remit.authority.question.questions import ServerQuestion, ask
from remit.authority.question.slots import spoken
from remit.authority.values.opening import LookUp, open_for
from remit.authority.values.outputs import Outputs
from remit.authority.values.request import make_request
from remit.core.errors import AuthorityError, DataError
from remit.core.text_views import cleaned
from remit.policy.dlp.classes import veiled

LAYOUT = built().gateway
HAS = Condition(((Atom("text", "has", "x"), True),), "here:1")
IN = Condition(((Atom("recipient", "in", "x"), True),), "here:1")


def message(text="hello", to="boss@example.org", **more):
    return make_request("SendMessage", "agent", "s", {"to": to, "text": text, **more})


def asked(request, nonce=bytes(32)):
    return whole(request, nonce).questions


def whole(request, nonce=bytes(32)):
    look = LookUp(open_for(request, STORE, nonce), "0" * 32, bytes(32))
    return ask(LAYOUT, spoken(LAYOUT.program, request, classes), BINDING.question_seed(look))


def test_questions_follow_from_request_nonce_and_key():
    assert asked(message()) == asked(message())
    assert asked(message())[0] != asked(message(), b"1" * 32)[0]


@each_row(
    "other",
    [
        message("hallo"),
        message(to="anna@example.org"),
        message(subject="x"),
        make_request("SendMessage", "other", "s", {"to": "boss@example.org", "text": "hello"}),
        make_request("SendMessage", "agent", "t", {"to": "boss@example.org", "text": "hello"}),
        make_request("FetchResource", "agent", "s", {"url": "https://example.org/"}),
    ],
)
def test_whatever_changes_in_a_request_changes_both_questions(other):
    for one, two in zip(asked(message()), asked(other), strict=True):
        assert one.digest() != two.digest()


requests = st.one_of(
    st.builds(message, st.text(max_size=250).filter(lambda text: len(text.encode()) < 150), st.sampled_from(("boss@example.org", "x@y.org"))),
    st.builds(lambda tail: make_request("FetchResource", "agent", "s", {"url": f"https://example.org/{tail}"}), st.from_regex(r"[a-z]{0,99}", fullmatch=True)),
    st.just(make_request("RunProcess", "agent", "s", {"command": "ls"})),
)  # fmt: skip


@given(requests)
def test_the_size_of_a_question_hangs_on_program_and_bucket_alone(request):
    for question in asked(request):
        assert question.bucket == 0
        assert len(question.body) == question_size(LAYOUT.program, 0)


@each_row(("size", "bucket"), [(0, 0), (255, 0), (256, 0), (257, 1), (1024, 1), (1025, 2), (16384, 3), (65536, 4)])
def test_buckets_are_of_the_length_of_the_text(size, bucket):
    assert bucket_for(size) == bucket
    if bucket < 4:
        assert asked(message("x" * size))[0].bucket == bucket
        assert len(asked(message("x" * size))[0].body) == question_size(LAYOUT.program, bucket)


def test_texts_beyond_the_largest_bucket_are_refused():
    with pytest.raises(AuthorityError, match="more than"):
        bucket_for(BUCKETS[-1] + 1)


@each_row("change", [lambda body: body[:-1], lambda body: body + b"\0", lambda _: b""])
@each_row("bucket", [0, 1, 4, -1, 255])
def test_a_question_of_another_shape_is_refused(change, bucket):
    body = asked(message())[0].body
    with pytest.raises(AuthorityError, match="shape"):
        look_up(LAYOUT.program, tables(), 0, ServerQuestion(bucket, change(body)))
    if bucket:
        with pytest.raises(AuthorityError, match="shape"):
            look_up(LAYOUT.program, tables(), 0, ServerQuestion(bucket, body))


@given(st.binary(min_size=64, max_size=64))
@settings(max_examples=20)
def test_any_bytes_of_the_right_size_are_answered_without_an_error(noise):
    size = question_size(LAYOUT.program, 0)
    body = (noise * (size // 64 + 1))[:size]
    for server, one in enumerate((ServerQuestion(0, body), ServerQuestion(0, body[::-1]))):
        assert len(look_up(LAYOUT.program, tables(), server, one)) == answer_size(LAYOUT.program, 0)


def wanted(request):
    """The decision, by the words of the policy."""
    inputs = request.inputs
    if request.intent == "SendMessage":
        text = inputs["text"]
        known, own = (
            inputs["to"] in ("boss@example.org", "anna@example.org"),
            inputs["to"].endswith(("@example.org", "@example.com")),
        )
        banned = any(fragment in text.lower() for fragment in ("project nigh", "the merger w"))
        return Outputs(
            (known or (own and "<key>" not in text)) and not banned, not known, "<card>" in text, len(text) > 300, False
        )
    host = inputs["url"].split("/")[2]
    return Outputs(
        host != "evil.example" and "project%20nigh" not in inputs["url"],
        False,
        False,
        False,
        host not in ("example.org", "example.com"),
    )


words = st.sampled_from(
    ("hello ", "<key> ", "<card> ", "Project Nightingale ", "project ", "the merger with Zürich ", "x" * 150)
)
real = st.one_of(
    st.builds(message, st.lists(words, max_size=4).map("".join), st.sampled_from(("boss@example.org", "x@example.com", "x@y.org"))),
    st.builds(
        lambda host, tail: make_request("FetchResource", "agent", "s", {"url": f"https://{host}/{tail}"}),
        st.sampled_from(("example.org", "evil.example", "z.org")), st.sampled_from(("", "project%20nightingale", "a")),
    ),
)  # fmt: skip


@given(real, st.binary(min_size=32, max_size=32))
@settings(max_examples=60)
def test_two_servers_decide_what_the_policy_says(request, seed):
    assert decided(request, seed=seed) == wanted(request)


@each_row(
    "text",
    [
        "policy p\nintent SendMessage\nallow text shows key\n",
        "policy p\nintent SendMessage\nallow always\n",
        "policy p\n",
    ],
)
def test_a_policy_without_lists_decides_too(text):
    assert decided(message("<key>"), text).allow is ("SendMessage" in text)


def test_a_question_is_the_keys_of_look_ups_and_nothing_else():
    """No share of intent, facts or fingerprints: requests that are looked up alike are asked about in words that differ in nothing."""
    one, other = (whole(request) for request in (message(), message("a <key> and a <card>")))
    assert question_size(LAYOUT.program, 0) == len(one.questions[0].body) == len(other.questions[1].body)
    held = one.questions[0].body + one.questions[1].body
    (print_,) = filter(None, one.plans[0].wanted)
    assert not any(held.find(part) >= 0 for part in (print_.tobytes(), b"boss@example"))


# rows that no server can make


def holder_of(place):
    """Whose tag stands at a byte of an answer; None for a slot."""
    for part in parts(LAYOUT.program, 0):
        if place < part.answer_bytes():
            word = place // 8 % part.kept.words - part.kept.slots
            return word if word >= 0 else None
        place -= part.answer_bytes()
    raise AssertionError


@given(st.integers(0, 1), st.data())
@settings(max_examples=many(60))
def test_an_error_in_an_answer_is_found_whatever_was_asked(server, data):
    """The error that a server adds does not depend on the question, and nor does whether it is found: it always is, by the gateway."""
    size = answer_size(LAYOUT.program, 0)
    place, bit = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, 7))
    for request in (message(), message(to="x@y.org"), message("project nightingale")):
        one = whole(request)
        told = [bytearray(each) for each in answers_of(one)]
        told[server][place] ^= 1 << bit
        with pytest.raises(RowsForgedError):
            members(LAYOUT, one, (bytes(told[0]), bytes(told[1])))
        if holder_of(place) != GATEWAY:  # that tag the executor does not check
            with pytest.raises(RowsForgedError):
                members(built().executor, one, (bytes(told[0]), bytes(told[1])))


def test_rows_of_another_place_table_epoch_or_policy_are_forged():
    """Whatever a server has seen of rows, it cannot give one out for another."""
    one, other = whole(message()), whole(message(to="x@y.org"))
    answers = answers_of(one)
    assert members(LAYOUT, one, answers)["recipient", "recipients"]
    with pytest.raises(RowsForgedError):
        members(LAYOUT, other, answers)
    for changed in (
        LAYOUT._replace(epoch=4),
        LAYOUT._replace(digest="sha256:" + "0" * 64),
        LAYOUT._replace(tag_key=b"x" * 32),
        LAYOUT._replace(holder=EXECUTOR),
        LAYOUT._replace(salts={**LAYOUT.salts, "recipients": 9}),
    ):
        with pytest.raises(RowsForgedError):
            members(changed, one, answers)
    for short in ((b"", b""), (answers[0], answers[1][:-1]), (answers[0] + b"x", answers[1])):
        with pytest.raises(RowsForgedError):
            members(LAYOUT, one, short)


def test_a_server_holds_neither_tag_nor_table_keys():
    held = built().holdings
    assert set(held._fields) == {"program", "digest", "database", "epoch", "tables"}


# flaw 14: the work and the messages are the same for every question of a bucket


class Counted:
    """Wraps a function and writes down the sizes of what it works on."""

    def __init__(self, inner):
        self.inner, self.sizes = inner, []

    def __call__(self, *given):
        self.sizes.append([one.shape for one in given if isinstance(one, np.ndarray)])
        return self.inner(*given)


def test_flaw_14_the_work_is_the_same_for_every_question(monkeypatch):
    """Flaw 14: sparse evaluation told the density of a query by its time. Sizes and number of operations are counted here."""
    from remit.authority.dpf import expand

    counted = []
    for request in (
        message(),
        message("x" * 256, to="x@y.org"),
        make_request("RunProcess", "agent", "s", {"command": "ls"}),
    ):
        spy = Counted(expand.hashed)
        monkeypatch.setattr(expand, "hashed", spy)
        answers_of(whole(request))
        monkeypatch.undo()
        counted.append(spy.sizes)
    assert counted[0] == counted[1] == counted[2]


# windows of a text


@each_row(("length", "span"), [(12, 1), (13, 2), (14, 3), (19, 8), (60, 8)])
def test_the_longer_the_shortest_fragment_the_fewer_windows_are_looked_up(length, span):
    policy = Policy("p", {"x": List("x", ("y" * 70, "z" * length), 12)}, {"SendMessage": {"deny": (HAS,)}})
    assert compile_policy(policy).kept("x").span == span


def test_a_table_that_is_too_small_for_its_list_or_for_the_windows_of_texts_is_refused():
    for count, bits in ((1, 12), (20_000, 13)):
        values = tuple(f"a fragment with number {n}" for n in range(count))
        policy = Policy("p", {"x": List("x", values, 12, bits)}, {"SendMessage": {"deny": (HAS,)}})
        with pytest.raises(DataError, match="needs a table"):
            compile_policy(policy)


def test_a_list_may_grow_in_a_table_that_was_given_its_size():
    few, many_ = (
        Policy("p", {"x": List("x", tuple(f"v{n}" for n in range(count)), 0, 12)}, {"SendMessage": {"allow": (IN,)}})
        for count in (1, 5000)
    )
    assert compile_policy(few).digest() == compile_policy(many_).digest()


def test_a_text_whose_windows_do_not_fit_is_asked_about_in_the_next_size_class_and_never_cut(monkeypatch):
    """No window is left out: what decodes to more than its size class holds goes into a larger one, and at last it is refused."""
    plain = "".join(random.Random(0).choices("abcdefghijklmnop ", k=700))
    assert asked(message(plain))[0].bucket == 1
    encoded = base64.b64encode(
        ("".join(random.Random(1).choices("abcdefghijklmnop ", k=690)) + "project nightingale").encode()
    )
    assert asked(message(encoded.decode()))[0].bucket == 2
    assert not decided(message(encoded.decode())).allow
    monkeypatch.setattr(questions, "plan", lambda *_: None)
    with pytest.raises(AuthorityError, match="decodes to more"):
        asked(message(plain))


# what is changed before it happens


def change(request, **bits):
    outputs = Outputs(*(bits.get(name, name == "allow") for name in Outputs._fields))
    return patched(
        LAYOUT.program, request, outputs, lambda text: cleaned(text, lambda view: view.replace("<key>", "[-]"), "[-]")
    )


def test_changes():
    assert change(message("<key>")) == message("<key>").inputs
    assert change(message("<key>", subject="<key>"), redact=True) == {
        "to": "boss@example.org",
        "text": "[-]",
        "subject": "[-]",
    }
    assert change(message("x" * 400), clamp=True)["text"] == "x" * 300
    url = make_request("FetchResource", "agent", "s", {"url": "https://z.org/?a=b&c"})
    assert change(url, rewrite=True) == {
        "url": "https://proxy.example.org/through?to=https%3A%2F%2Fz.org%2F%3Fa%3Db%26c"
    }


@each_row("start", ["https://", "http://", ""])
def test_a_text_that_begins_like_an_address_is_changed_as_well(start):
    """The type of an input says what it is, and not how it begins."""
    assert change(message(f"{start}<key>"), redact=True)["text"] == f"{start}[-]"
    assert len(change(message(start + "x" * 400), clamp=True)["text"]) == 300
    assert change(message(start), rewrite=True) == message(start).inputs


HIDDEN = ["<k\u200bey>", "<k\u00ade\u2060y>", "<k\0ey>", "\uff1ckey\uff1e", "<\uff4bey>", "<key\U000e0041>"]


@each_row("secret", HIDDEN)
def test_a_secret_with_characters_that_do_not_show_is_seen_and_taken_out(secret):
    said = spoken(LAYOUT.program, message(secret), classes)
    shows = LAYOUT.program.facts.index(("text", "shows", "key"))
    assert said.facts[shows]
    assert change(message(f"a {secret} b"), redact=True)["text"] == "a [-] b"
    assert not decided(message(secret, to="x@example.com")).allow


def test_redaction_leaves_other_characters_as_they_are():
    text = "e\u0301\u200d \uff21 \u00bd"
    assert change(message(text), redact=True) == message(text).inputs


@pytest.mark.parametrize("url", ["https://example.org/?q=<key>", "https://example.org/?q=%3Ckey%3E"])
def test_a_secret_in_an_address_can_not_be_taken_out_and_does_not_leave(url):
    request = make_request("PostWebhook", "agent", "s", {"url": url, "text": "x"})
    with pytest.raises(AuthorityError, match="`url` and `text`"):
        change(request, redact=True)


def test_a_secret_in_pieces_over_two_inputs_does_not_leave():
    """The policy looks at both inputs together: what it finds there has to be gone from them together."""
    told = base64.b64encode(b"charge it to 4111 1111 1111 1111 as before").decode()
    for request in (
        message(told[26:], subject=told[:26]),
        make_request("PostWebhook", "agent", "s", {"url": f"https://example.org/{told[:26]}", "text": told[26:]}),
    ):
        assert all(veiled(value) == value for value in request.inputs.values())
        with pytest.raises(AuthorityError, match="and `text`, where it cannot be taken out"):
            patched(LAYOUT.program, request, Outputs.of(0b10100000), veiled)


def test_what_cutting_makes_whole_does_not_leave():
    """A number within a longer one is none; cut to its length, it is."""
    number = "4111111111111111"
    request = message(number + "0" * 300)
    outputs = Outputs(allow=True, confirm=False, redact=True, clamp=True, rewrite=False)
    program = LAYOUT.program._replace(lengths=(16,) * len(LAYOUT.program.lengths))
    with pytest.raises(AuthorityError, match="`text`"):
        patched(program, request, outputs, veiled)


def test_flaw_01_a_question_brings_no_program(tmp_path):
    """Flaw 1: servers signed any circuit that a client sent. A question has no room for one: its size is that of the server's own program."""
    other = OFFICE.replace("deny    domain in bad\n", "")
    foreign = built(other).gateway
    question = ask(foreign, spoken(foreign.program, message(), classes), bytes(32)).questions[0]
    with pytest.raises(AuthorityError, match="shape"):
        look_up(LAYOUT.program, tables(), 0, question)
    assert ServerQuestion._fields == ("bucket", "body")
    assert read_policy(write_policy(tmp_path)).rules.keys() == set(LAYOUT.program.intents)
