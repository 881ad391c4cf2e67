"""From an envelope to a permit or a refusal: approvals, the size of the image, and what never matters."""

import dataclasses
import math
import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st
from policy_values import envelope, policy, projector
from policy_worlds import COMMANDS, TARGETS, World

from by_day import many
from each_row import each_row
from remit.core.capability import vocabulary
from remit.core.scope import parse_scope
from remit.manifest.model import Verification
from remit.policy import Approval, Envelope, Permit, Projector, Refusal, Situation, judge
from remit.policy.refusal import grounds
from remit.policy.request import Request

DELETE = ("file.delete", "./**", "allow")
ASKED = ("file.delete", "./**", "confirm")


def code(found):
    return "permit" if isinstance(found, Permit) else found.code


def test_a_permit_holds_what_was_asked_for():
    entries = [("file.write", None, "allow"), ("process.create", "git", "allow"), ("secret.read", "./.env", "allow")]
    ready = projector(*entries)
    found = ready.project(envelope("process.create", "git", "git log", {"n": 1}), Situation())
    assert found.request == Request("process.create", parse_scope("program", "git"), "git log", (("n", 1),))
    assert (found.member, found.skill, found.redact) == (1, "demo", False)
    secret = ready.project(envelope("secret.read", "./.env"), Situation(redacts=True))
    assert (secret.member, secret.redact) == (2, True)
    assert code(ready.project(envelope("file.read", "./a"))) == "undeclared"
    assert code(ready.project(envelope("file.read", "*"))) == "not-concrete"


def test_symbols_that_are_bound():
    ready = projector(("file.read", "<arg>", "allow"))
    bound = Situation(bound={"<arg>": (parse_scope("path", "./in.csv"),)})
    assert ready.project(envelope("file.read", "<arg>"), bound).request.scope.render() == "./in.csv"
    assert code(ready.project(envelope("file.read", "./in.csv"), bound)) == "permit"
    assert code(ready.project(envelope("file.read", "./in2.csv"), bound)) == "outside"
    assert code(ready.project(envelope("file.read", "./in.csv"))) == "outside"


# ── a person's word ──


def test_without_a_word_nothing_runs():
    found = projector(ASKED).project(envelope("file.delete", "./a"))
    assert found.code == "must-ask"
    assert found.question.digest == Request("file.delete", parse_scope("path", "./a")).digest("demo")
    assert found.question.key == ""
    assert found.remedy


def test_a_word_is_for_the_very_request():
    ready = projector(ASKED)
    word = Approval(ready.project(envelope("file.delete", "./a")).question.digest)
    assert code(ready.project(envelope("file.delete", "./a"), answer=word)) == "permit"
    for other in (
        envelope("file.delete", "./b"),
        envelope("file.delete", "/home/ann/project/a"),
        envelope("file.delete", "./a", arguments={"force": True}),
    ):
        found = ready.project(other, answer=word)
        assert found.code == "other-answer"
        assert found.question.digest != word.subject


def test_a_word_to_one_skill_is_none_to_another():
    word = Approval(projector(ASKED).project(envelope("file.delete", "./a")).question.digest)
    other = Projector(dataclasses.replace(policy(ASKED), skill="other"))
    assert code(other.project(envelope("file.delete", "./a"), answer=word)) == "other-answer"


def test_once_a_session():
    ready = projector(DELETE, level=Verification.TESTED)
    question = ready.project(envelope("file.delete", "./a")).question
    for word in (Approval(question.key), Approval(question.digest)):
        assert code(ready.project(envelope("file.delete", "./a"), answer=word)) == "permit"
    kind = Approval(question.key)
    assert code(ready.project(envelope("file.delete", "./a", arguments={"n": 1}), answer=kind)) == "permit"
    assert code(ready.project(envelope("file.delete", "./b"), answer=kind)) == "other-answer"
    # where each request is asked about, the word for a kind is not enough
    strict = projector(DELETE, level=Verification.DECLARED)
    assert code(strict.project(envelope("file.delete", "./a"), answer=kind)) == "other-answer"


@each_row("word", [True, "yes", "", (), ("",), object(), Approval(""), Approval("sha256:"), Approval(None)])
def test_only_an_approval_is_a_word(word):
    for level in Verification:
        ready = projector(ASKED, level=level)
        assert code(ready.project(envelope("file.delete", "./a"), answer=word)) == "other-answer"


def test_a_tuple_that_looks_like_an_approval_is_none():
    ready = projector(ASKED)
    digest = ready.project(envelope("file.delete", "./a")).question.digest
    assert code(ready.project(envelope("file.delete", "./a"), answer=(digest,))) == "other-answer"


@each_row("entry", [("file.delete", None, "deny"), ("file.delete", "./b", "allow"), ("file.read", None, "allow")])
def test_no_word_outweighs_a_denial(entry):
    ready = projector(entry)
    word = Approval(Request("file.delete", parse_scope("path", "./a")).digest("demo"))
    assert code(ready.project(envelope("file.delete", "./a"), answer=word)) in ("denied", "outside", "undeclared")


def test_an_answer_is_not_needed_where_nobody_is_asked():
    ready = projector(DELETE)
    assert code(ready.project(envelope("file.delete", "./a"), answer=Approval("other"))) == "permit"


# ── how much an envelope can say ──

CAPABILITIES = [found.name for found in vocabulary()]
ALL_TARGETS = sorted({text for texts in TARGETS.values() for text in texts})
envelopes = st.builds(
    Envelope,
    st.sampled_from(CAPABILITIES) | st.text(max_size=5),
    st.fixed_dictionaries(
        {"target": st.sampled_from(ALL_TARGETS) | st.text(max_size=8)},
        optional={
            "command": st.sampled_from(COMMANDS),
            "arguments": st.dictionaries(st.text(max_size=2), st.integers()),
        },
    ),
    st.text(max_size=5),
)


def test_bits():
    assert (projector().members, projector().bits) == (0, 0)
    entries = [DELETE, ("file.read", None, "allow"), ("pay", None, "confirm"), ("secret.*", None, "deny")]
    assert projector(*entries).members == 3
    assert projector(*entries).bits == 2
    assert projector(DELETE).bits == math.log2(2)


@settings(max_examples=many(60, least=20))
@given(st.integers(0, 10**9), st.lists(envelopes, min_size=50, max_size=50))
def test_the_image_is_no_larger_than_the_manifest(seed, sent):
    world = World(seed)
    ready = Projector(world.policy)
    image = set()
    for one in sent:
        found = ready.project(one, world.situation)
        if isinstance(found, Permit):
            image.add(found.member)
            assert found.request.capability == one.op
            again = judge(world.policy, found.request, world.situation)
            assert again.member == found.member
        else:
            assert found.code in grounds()
    assert image <= set(range(ready.members))
    assert len(image | {None}) <= ready.members + 1 == round(2**ready.bits)


@settings(max_examples=many(200, least=30))
@given(st.integers(0, 10**9), envelopes, st.text() | st.integers() | st.none())
def test_reasoning_never_matters(seed, sent, reasoning):
    world = World(seed)
    ready = Projector(world.policy)
    outcomes = [ready.project(one, world.situation) for one in (sent, sent._replace(reasoning=reasoning))]
    said = [(one.member, one.request, one.digest, one.uses) if isinstance(one, Permit) else one for one in outcomes]
    assert said[0] == said[1]


def test_the_same_twice_is_two_permits():
    ready = projector(DELETE)
    one, other = (ready.project(envelope("file.delete", "./a")) for _ in range(2))
    assert one is not other
    assert one.digest == other.digest


def test_a_refusal_is_a_value():
    found = projector().project(envelope("pay", "3"))
    assert found == Refusal("undeclared", "no entry holds `pay 3`")
    assert found.remedy == grounds()["undeclared"].remedy


def test_the_room_is_light():
    heavy = ("re2", "yaml", "cryptography", "z3", "cvc5", "tree_sitter", "difflib", "mypy", "pysat")
    script = f"import remit.policy, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
