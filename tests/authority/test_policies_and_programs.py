"""The policy file, the program made of it, and that the program means what the file says."""

import json

import pytest
import reference_policy
from hypothesis import given, settings
from hypothesis import strategies as st

from authority_world import KEYS, OFFICE, classes, decided, write_policy
from by_day import many
from each_row import each_row
from remit.authority.database import build_database
from remit.authority.intents import intents
from remit.authority.program.compiled import compile_policy, read_program
from remit.authority.program.decision import decided as decided_on
from remit.authority.program.language import Atom, Condition, List, Policy, read_policy
from remit.authority.question.slots import spoken
from remit.authority.values.outputs import Outputs
from remit.authority.values.request import make_request
from remit.core.errors import DataError


def test_a_policy_is_read(tmp_path, snapshot):
    policy = read_policy(write_policy(tmp_path))
    rules = [
        f"{intent}: {word} {line} ({line.where})"
        for intent, words in policy.rules.items()
        for word, lines in words.items()
        for line in lines
    ]
    assert [policy.name, policy.proxy, *policy.lists.values(), *rules] == snapshot


def test_a_program_is_compiled(tmp_path, snapshot):
    assert compile_policy(read_policy(write_policy(tmp_path))).to_json() == snapshot


FAULTS = [
    ("", "begins with `policy"), ("# nothing\n", "begins with `policy"), ("policy Office\n", ":1"), ("policy a\npolicy b\n", ":2"), ("policy a b\n", ":1"),
    ("policy a\nproxy http://x\n", ":2"), ("policy a\nproxy https://x\nproxy https://y\n", ":3"), ("policy a\nfoo bar\n", ":2: `foo`"), ("policy a\nAllow always\n", ":2"),
    ("policy a\nallow always\n", ":2: `allow` stands before"), ("policy a\nintent Nothing\n", ":2: `Nothing`"), ("policy a\nintent SendMessage\nintent SendMessage\n", ":3"),
    ("policy a\nlist\n", ":2"), ("policy a\nlist X y\n", ":2"), ("policy a\nlist x a\nlist x b\n", ":3"), ("policy a\nlist x windows\n", "wants a number"), ("policy a\nlist x windows y\n", "wants a number"),
    ("policy a\nlist x windows 7 a\n", "8 to 64"), ("policy a\nlist x windows 65 a\n", "8 to 64"), ("policy a\nlist x windows 9999999999 a\n", "wants a number"), ("policy a\nlist x bits 25 a\n", "7 to 24"),
    ("policy a\nlist x bits 6 a\n", "7 to 24"), ("policy a\nlist x bits 1² a\n", "wants a number"), ("policy a\nlist x from nowhere.txt\n", "cannot be read"), ("policy a\nlist x from\n", "in the folder of its policy"), ("policy a\nlist x from ../x.txt\n", "in the folder of its policy"),
    ("policy a\nlist x from bytes.txt\n", "cannot be read"),
    ("policy a\nintent SendMessage\nallow\n", ":3"), ("policy a\nintent SendMessage\nallow recipient in nobody\n", ":3"), ("policy a\nlist x a\nintent SendMessage\nallow recipient has x\n", ":4"),
    ("policy a\nlist x windows 8 abcdefgh\nintent SendMessage\nallow text in x\n", ":4"), ("policy a\nlist x a\nintent SendMessage\nallow sender in x\n", ":4"), ("policy a\nlist x a\nintent SendMessage\nallow token in x\n", "not a condition of `SendMessage`"),
    ("policy a\nintent SendMessage\nallow text shows nothing\n", ":3"), ("policy a\nintent SendMessage\nallow text longer than many\n", ":3"), ("policy a\nintent SendMessage\nallow text longer than -1\n", ":3"),
    ("policy a\nintent SendMessage\nallow text longer than 99999999999\n", ":3"), ("policy a\nintent SendMessage\nallow always and text shows key\n", ":3"), ("policy a\nintent SendMessage\nallow not not text shows key\n", ":3"),
    ("policy a\nintent SendMessage\nallow text shows key or text shows card\n", ":3"), ("policy a\nintent SendMessage\nallow text shows key and\n", ":3"),
    ("policy a\nintent SendMessage\nrewrite always\n", "`rewrite` needs a `proxy`"), ("policy a\nproxy https://x\nintent SendMessage\nrewrite always\n", "no URL to be rewritten"),
    ("policy a\nintent ReadFile\nredact always\n", "no text to be changed"), ("policy a\nintent FetchResource\nredact always\n", "no text to be changed"), ("policy a\nintent SendMessage\nclamp always\n", "from which length"),
    ("policy a\nintent SendMessage\nclamp not text longer than 9\n", "from which length"),
]  # fmt: skip


@each_row(("text", "told"), FAULTS)
def test_what_can_not_be_read_is_refused_with_its_line(tmp_path, text, told):
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError) as found:
        read_policy(write_policy(tmp_path, text))
    assert told in str(found.value)
    assert "office.policy" in str(found.value)


def test_a_policy_that_is_not_there_or_not_text_is_refused(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read_policy(tmp_path / "nowhere.policy")
    (tmp_path / "bad.policy").write_bytes(b"policy a\xff")
    with pytest.raises(DataError, match="cannot be read"):
        read_policy(tmp_path / "bad.policy")


def test_a_sign_within_a_value_begins_no_comment(tmp_path):
    found = read_policy(write_policy(tmp_path, "policy a # the first\nlist x a#b c # d\n#all\n"))
    assert found.lists["x"].values == ("a#b", "c")


def test_fragments_that_are_shorter_than_their_windows_are_refused(tmp_path):
    path = write_policy(
        tmp_path, "policy a\nlist x windows 12 from x.txt\nintent SendMessage\ndeny text has x\n", x="short word\n"
    )
    with pytest.raises(DataError, match="shorter than its windows"):
        build_database(read_policy(path), KEYS, 1)


# what a program means

SLOTS = {
    "SendMessage": ("recipient", "domain", "text"),
    "FetchResource": ("domain", "text"),
    "CommitSkillInstall": ("token",),
}
LISTS = {
    "people": List("people", ("a@x.org", "b@y.org")), "hosts": List("hosts", ("x.org", "y.org")), "names": List("names", ("one", "two")),
    "words": List("words", ("forbidden", "disallowed phrase"), window=9),
}  # fmt: skip
BY_SLOT = {"recipient": "people", "domain": "hosts", "token": "names"}
CHANGES = {
    "SendMessage": ("allow", "deny", "confirm", "redact", "clamp"),
    "FetchResource": ("allow", "deny", "confirm", "rewrite"),
}


@st.composite
def atoms(draw, intent):
    slot = draw(st.sampled_from(SLOTS[intent]))
    if slot != "text":
        return Atom(slot, "in", BY_SLOT[slot])
    choices = [Atom("text", "has", "words"), *(Atom("text", "shows", name) for name in ("key", "card"))]
    return draw(st.sampled_from([*choices, *(Atom("text", "longer", str(length)) for length in (3, 12))]))


@st.composite
def policies(draw):
    rules = {}
    for intent in draw(st.lists(st.sampled_from(sorted(SLOTS)), unique=True, min_size=1)):
        words = {}
        for word in CHANGES.get(intent, ("allow", "deny", "confirm")):
            lines = draw(st.lists(st.lists(st.tuples(atoms(intent), st.booleans()), max_size=3), max_size=3))
            if lines:
                words[word] = tuple(Condition(tuple(line), "here:1") for line in lines)
        rules[intent] = words
    return Policy("p", LISTS, rules, "https://proxy")


texts = st.sampled_from(
    ("", "hi", "a forbidden thing", "<key>", "<card> and <key>", "disallowed phrase", "long and harmless")
)
requests = st.one_of(
    st.builds(lambda to, text: ("SendMessage", {"to": to, "text": text}), st.sampled_from(("a@x.org", "c@x.org", "b@y.org", "q@z.org")), texts),
    st.builds(lambda host, tail: ("FetchResource", {"url": f"https://{host}/{tail}"}), st.sampled_from(("x.org", "z.org")), st.sampled_from(("", "forbidden", "%3Ckey%3E"))),
    st.builds(lambda name: ("CommitSkillInstall", {"skill": name, "digest": "d"}), st.sampled_from(("one", "two", "three"))),
    st.just(("RunProcess", {"command": "ls"})),
)  # fmt: skip


@given(policies(), st.lists(requests, min_size=4, max_size=8))
@settings(max_examples=many(500))
def test_programs_decide_as_the_page_of_plain_python(policy, asked):
    """Some 3,000 requests to 500 policies."""
    program = compile_policy(policy)
    for intent, inputs in asked:
        said = spoken(program, make_request(intent, "agent", "s", inputs), classes)
        facts = {Atom(*fact): holds for fact, holds in zip(program.facts, said.facts, strict=True)}
        values = said.values | {"text": said.texts.get("text", "")}
        wanted = reference_policy.decision(policy, intent, values, facts)
        found = {pair: reference_look_up(policy, values, *pair) for pair in program.look_ups}
        assert decided_on(program, said, found) == wanted
        assert decided_on(read_program(json.loads(json.dumps(program.to_json()))), said, found) == wanted


def reference_look_up(policy, values, slot, name):
    one = policy.lists[name]
    said = values.get(slot, "")
    return any(value[: one.window] in said for value in one.values) if one.window else said in one.values


def test_an_intent_that_is_not_named_is_never_allowed():
    for intent, inputs in (
        ("RunProcess", {"command": "ls"}),
        ("PostWebhook", {"url": "https://example.org/", "text": "x"}),
    ):
        assert decided(make_request(intent, "agent", "s", inputs)) == Outputs(*[False] * 5)


def test_an_intent_without_an_allow_is_never_allowed():
    text = "policy p\nintent SendMessage\nconfirm always\nintent FetchResource\nallow always\n"
    assert decided(make_request("SendMessage", "agent", "s", {"to": "a@x.org", "text": "x"}), text) == Outputs(
        False, True, False, False, False
    )
    assert decided(make_request("FetchResource", "agent", "s", {"url": "https://x.org"}), text).allow


@each_row(
    ("old", "new"),
    [("policy  office", "policy other"), ("proxy.example.org", "proxy.example.com"), ("intent  CommitSkillInstall", "intent PostWebhook\nallow always\nintent CommitSkillInstall"),
     ("allow   recipient in", "allow recipient not in"), ("windows 12", "windows 13"), ("recipients  boss", "recipients bits 14 boss"), ("longer than 300", "longer than 301"),
     ("shows card", "shows marking"), ("deny    domain in bad", "deny domain not in bad"), ("skills ", "skills2 "), ("confirm always", "deny always")],
)  # fmt: skip
def test_the_digest_of_a_program_hangs_on_each_of_its_parts(tmp_path, old, new):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    changed = OFFICE.replace(old, new).replace(
        "token in skills\n", "token in skills2\n" if "skills2" in new else "token in skills\n"
    )
    assert changed != OFFICE
    one, two = (
        compile_policy(read_policy(write_policy(tmp_path / name, text)))
        for name, text in (("a", OFFICE), ("b", changed))
    )
    assert one.digest() != two.digest()


def test_lengths_to_cut_to_belong_to_their_intents(tmp_path):
    text = "policy p\nintent SendMessage\nclamp text longer than 300\nintent WriteWorkspaceFile\nclamp text longer than 20\nclamp text longer than 10\nintent FetchResource\nallow always\n"
    program = compile_policy(read_policy(write_policy(tmp_path, text)))
    assert [program.clamp(name) for name in program.intents] == [300, 10, 0]


def test_flaw_13_a_program_shows_no_value_of_a_list(tmp_path):
    """Flaw 13: the lists were served in clear. What is told of a program has the sizes of its lists alone."""
    told = str(compile_policy(read_policy(write_policy(tmp_path))).to_json())
    assert not any(value in told for value in ("boss", "evil", "nightingale", "wanted-skill"))


def test_every_intent_can_have_a_policy(tmp_path):
    text = "policy p\n" + "".join(f"intent {name}\nallow always\n" for name in intents())
    program = compile_policy(read_policy(write_policy(tmp_path, text)))
    assert program.intents == tuple(intents())
