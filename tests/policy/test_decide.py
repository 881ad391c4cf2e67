"""Decisions on calls of a session, case by case: each was once decided wrongly, or easily could be."""

import pytest
from policy_values import request
from session_values import NOW, gate, granted, session, skill

from each_row import each_row
from remit.core.errors import ManifestError
from remit.manifest.model import Verification
from remit.policy.decide import TASK, Call, decide, session_grants
from remit.policy.gate import Gate
from remit.policy.limits import Moment

READ = request("file.read", "./a.txt")
WRITE = request("file.write", "./a.txt")
WIDE = request("file.read", "./**")
PUSH = request("commit.push", "origin")


def agreed(policy, *requests, expires=None, **more):
    """The session after a person agreed to a call for the session."""
    decided = decide(policy, Call(requests, **more), NOW)
    assert decided.gate is Gate.CONFIRM
    return policy.with_grants(session_grants(policy, decided, NOW.moment.seconds, expires))


def approved(policy, *requests, **more):
    """The session after a person agreed to this very call."""
    subject = decide(policy, Call(requests, **more), NOW).subject
    assert subject
    return policy.__class__(**{**_fields(policy), "approved": policy.approved | {subject}})


def _fields(policy):
    return {name: value for name, value in vars(policy).items() if not name.startswith("_")}


# --- whose word counts ---


def test_a_denial_by_a_person_denies():
    allowed = session(skill("a", ("file.read", "./**", "allow")))
    assert gate(allowed, READ) == "allow"
    denied = granted("a", ("file.read", "./a.txt", "deny"))
    assert gate(allowed.with_grants(denied), READ) == "deny"
    ended = tuple(one._replace(expires=NOW.moment.seconds) for one in denied)
    assert gate(allowed.with_grants(ended), READ) == "allow"
    assert gate(allowed.with_grants(ended), READ, now=NOW._replace(moment=None)) == "deny"


def test_a_person_who_agrees_for_the_session_is_not_asked_again_by_their_own_entry():
    asking = session(granted=granted("", ("file.read", "./**", "confirm")))
    assert gate(agreed(asking, READ), READ) == "allow"


def test_what_is_agreed_to_ends_with_the_entry_that_it_copies():
    ends = NOW.moment.seconds + 60
    asking = session(granted=granted("", ("file.read", "./**", "confirm"), expires=ends))
    after = agreed(asking, READ, expires=ends + 1000)
    late = NOW._replace(moment=Moment(ends))
    assert (gate(after, READ), gate(after, READ, now=late)) == ("allow", "deny")


def test_entries_that_differ_by_the_type_of_a_value_are_kept_apart():
    number = session(skill("a", ("file.read", "./**", "allow", {"arguments": {"n": [1]}})))
    truth = session(skill("a", ("file.read", "./**", "allow", {"arguments": {"n": [True]}})))
    asked = request("file.read", "./a.txt", n=1)
    assert (gate(number, asked), gate(truth, asked)) == ("allow", "deny")


def test_a_named_kind_of_place_is_not_given_by_a_pattern_that_holds_one_among_others():
    asking = session(skill("a", ("memory.read", None, "confirm")))
    assert gate(asking, request("memory.read", "./CLAUDE.md")) == "confirm"
    assert gate(asking, request("memory.read", "./**")) == "deny"


def test_a_pattern_that_is_read_meets_what_is_denied_inside():
    inside = session(
        skill("a", ("file.*", "./**", "allow"), ("file.*", "./private/**", "deny")), snapshotted=(WIDE.scope,)
    )
    assert gate(inside, WIDE._replace(spared=True)) == "deny"
    assert gate(inside, WIDE._replace(capability="file.write", spared=True)) == "allow"


# --- who is who ---


@each_row("name", ["", "a/b", "/task"])
def test_a_name_that_is_another_principals_is_refused(name):
    with pytest.raises(ManifestError, match="cannot be the name"):
        session().with_skill(skill("a")._replace(name=name))


def test_two_skills_with_one_name_are_refused():
    with pytest.raises(ManifestError, match="that of two"):
        session(skill("a"), skill("a"))


def test_a_skill_named_as_the_task_is_not_the_task():
    rate = {"rate_limit": {"calls": 1, "seconds": 60}}
    both = session(skill("task", ("file.read", "./**", "allow")), task=[("file.read", "./**", "allow", rate)])
    decided = decide(both, Call((READ,)), NOW)
    assert [one.principal for one in decided.judged] == ["task", TASK]
    assert [use.principal for use in decided.uses] == [TASK]


def test_what_a_person_gave_to_a_skill_is_not_given_to_another_of_its_name():
    asking = session(skill("a", ("file.read", "./**", "confirm")))
    after = agreed(asking, READ)
    assert gate(after, READ) == "allow"
    changed = after.with_skill(skill("a", ("file.read", "./**", "confirm"), digest="sha256:other"))
    assert gate(changed, READ) == "confirm"
    given = granted("a", ("file.read", "./**", "allow"))  # to the skill, whatever it becomes
    assert gate(changed.with_grants(given), READ) == "allow"


def test_a_script_of_a_skill_that_is_not_loaded_has_what_everybody_has():
    known = session(
        skill("a", ("file.read", "./**", "allow")),
        baseline=[("file.write", "./**", "allow"), ("file.delete", "./**", "confirm")],
    )
    assert gate(known, READ, runs=("stranger",)) == "deny"
    assert gate(known, WRITE, runs=("stranger",)) == "allow"
    assert gate(known, request("file.delete", "./a.txt"), runs=("stranger",)) == "deny"
    assert gate(known, WRITE, runs=("a", "stranger")) == "allow"
    assert gate(known, READ, runs=("a", "stranger")) == "deny"


# --- delegation ---


def test_who_sent_a_sender_must_permit_it_too():
    may = ("file.read", "./**", "allow")
    chain = session(skill("c", may, sent_by=("b",)), skill("b", may, sent_by=("a",)), skill("a"))
    assert chain.chain("c") == ("c", "b", "a")
    assert gate(chain, READ, runs=("c",)) == "deny"
    assert gate(chain.with_skill(skill("a", may)), READ, runs=("c",)) == "allow"


def test_a_loop_of_senders_ends():
    may = ("file.read", "./**", "allow")
    loop = session(skill("a", may, sent_by=("b", "a")), skill("b", may, sent_by=("a",)))
    assert loop.chain("a") == ("a", "b")
    assert gate(loop, READ) == "allow"


# --- the task ---


def test_a_denial_of_the_task_denies():
    narrow = session(
        baseline=[("file.read", "./**", "allow")],
        task=[("file.read", "./**", "allow"), ("file.read", "./a.txt", "deny")],
    )
    assert gate(narrow, READ) == "deny"
    assert gate(narrow, request("file.read", "./b.txt")) == "allow"


def test_the_task_asks_each_time_and_is_given_nothing():
    asking = session(baseline=[("file.read", "./**", "allow")], task=[("file.read", "./**", "confirm")])
    decided = decide(asking, Call((READ,)), NOW)
    assert decided.gate is Gate.CONFIRM
    assert session_grants(asking, decided, 0) == ()


def test_nobody_else_is_asked_to_do_what_is_outside_the_task():
    narrow = session(
        skill("a", ("file.read", "./**", "allow")),
        skill("b"),
        task=[("web.fetch", None, "allow")],
        spoken={"file.read"},
    )
    assert gate(narrow, READ) == "deny"


# --- another principal ---


def test_another_skill_that_may_do_it_all_is_asked_about():
    two = session(skill("a", ("file.read", "./**", "allow")), skill("b"))
    assert gate(two, READ) == "confirm"
    assert gate(two, READ, WRITE) == "deny"
    assert gate(two, READ, runs=("b",)) == "deny"


def test_the_user_is_asked_where_their_words_ask_for_it():
    base = [("file.read", "./**", "allow"), ("file.delete", "./**", "confirm")]
    words = session(skill("b"), baseline=base, spoken=frozenset({"file.delete"}))
    silent = session(skill("b"), baseline=base)
    gone = request("file.delete", "./a.txt")
    assert gate(words, gone, flows=("it goes where only a skill points",)) == "confirm"
    assert gate(silent, gone, flows=("it goes where only a skill points",)) == "deny"


def test_the_user_is_asked_where_no_skill_points_at_what_it_reaches():
    base = [("file.read", "./**", "allow"), ("file.delete", "./**", "confirm")]
    silent = session(skill("b"), baseline=base)
    gone = request("file.delete", "./a.txt")
    assert gate(silent, gone) == "confirm"
    assert gate(silent, gone, runs=("b",)) == "deny"
    sent = session(skill("a"), skill("b")._replace(sent_by=("a",)), baseline=base)
    assert gate(sent, gone) == "deny"
    assert gate(silent, request("file.delete", "/a.txt")) == "deny"


def test_a_denial_of_the_first_is_nobody_elses_to_heal():
    two = session(skill("a", ("file.read", "./**", "allow")), skill("b", ("file.read", "./**", "deny")))
    assert gate(two, READ) == "deny"


# --- an approval is for one call ---


ASKING = session(skill("a", ("file.*", "./**", "confirm")))


def test_a_call_that_was_agreed_to_runs():
    assert gate(approved(ASKING, READ, content="c"), READ, content="c") == "allow"


@each_row(
    "other",
    [
        {"content": "d"},
        {"doubts": ("what it runs is not known",)},
        {"flows": ("nobody named where it goes",)},
        {"runs": ("a",)},
    ],
)
def test_another_call_was_not_agreed_to(other):
    after = approved(ASKING, READ, content="c")
    assert gate(after, READ, **({"content": "c"} | other)) == "confirm"


@each_row("other", [(WRITE,), (READ, WRITE), (READ, READ), (READ._replace(spared=True),)])
def test_another_request_was_not_agreed_to(other):
    assert gate(approved(ASKING, READ), *other) == "confirm"


def test_a_pattern_that_spared_what_is_secret_was_not_agreed_to_without_that():
    wide = request("file.read", "./**")
    both = session(skill("a", ("file.read", "./**", "confirm"), ("secret.read", "./**", "confirm")))
    after = approved(both, wide._replace(spared=True))
    assert gate(after, wide._replace(spared=True)) == "allow"
    assert gate(after, wide) != "allow"


def test_a_skill_that_changed_was_not_agreed_to():
    after = approved(ASKING, READ)
    changed = after.with_skill(skill("a", ("file.*", "./**", "confirm"), digest="sha256:other"))
    assert gate(changed, READ) == "confirm"


def test_a_skill_that_was_asked_for_itself_was_not_agreed_to_for_another():
    a, b = skill("a", ("file.read", "./**", "confirm")), skill("b")
    after = approved(session(a), READ)
    assert gate(after, READ) == "allow"
    assert gate(after.with_skill(b), READ) == "confirm"
    assert gate(approved(session(a, b), READ), READ) == "allow"


def test_names_that_read_alike_are_not_one():
    may = ("file.read", "./**", "confirm")
    after = approved(session(skill("a", may), skill("b", may), skill("a and b", may)), READ, runs=("a", "b"))
    assert gate(after, READ, runs=("a", "b")) == "allow"
    assert gate(after, READ, runs=("a and b",)) == "confirm"


def test_no_approval_outweighs_a_denial():
    after = approved(ASKING, READ)
    assert gate(after.with_grants(granted("a", ("file.read", "./a.txt", "deny"))), READ) == "deny"


# --- nothing ---


def test_nothing_is_granted_so_nothing_runs():
    assert gate(session(), READ) == "deny"
    assert gate(session(skill("a")), READ) == "deny"


def test_a_call_that_does_nothing_needs_nobodys_word_unless_it_is_not_understood():
    assert gate(session()) == "allow"
    assert gate(session(), doubts=("what it does is not known",)) == "confirm"
    assert gate(session(), flows=("it is not in skills.lock",)) == "confirm"


def test_rates_are_counted_for_each_principal():
    rate = {"rate_limit": {"calls": 1, "seconds": 60}}
    two = session(skill("b", ("file.read", "./**", "allow")), skill("a", ("file.read", "./**", "allow", rate)))
    uses = decide(two, Call((READ,)), NOW).uses
    assert [use.principal for use in uses] == ["a"]
    used = {uses[0]: (NOW.moment.seconds,)}
    assert gate(two, READ, used=used) == "deny"
    assert gate(two, READ, used=used, runs=("b",)) == "allow"


def test_levels_belong_to_the_manifest_of_a_skill_and_not_to_what_persons_give():
    weak = session(skill("a", ("commit.push", None, "allow"), level=Verification.UNVERIFIED))
    assert gate(weak, PUSH) == "confirm"
    assert gate(agreed(weak, PUSH), PUSH) == "allow"
