"""What was seen against what a manifest says: inside, outside, denied; exercised or not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.capsule import verdict
from remit.capsule.cases import Case
from remit.capsule.observe import Content, observe
from remit.capsule.run import Ending, Observed
from remit.capsule.trace import Act, ActKind, Outcome
from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.scope import ANY_SCOPE
from remit.manifest import parse_manifest

CONTENT = Content(frozenset({"run.py", "data.csv", "lib"}), frozenset({"run.py"}), ("api.example.com",))


def manifest(*entries):
    return parse_manifest(json.dumps({"permissions": list(entries)}).encode(), "remit.json")


def entry(capability, *scopes, **more):
    return {"capability": capability, **({"scope": list(scopes)} if scopes else {}), **more}


def judged(acts, *entries):
    return verdict.judge(observe(acts, CONTENT), manifest(*entries))


def names(items):
    return [f"{meaning.capability} {meaning.scope.render()}" for _, meaning in items]


def units(items):
    return [f"{unit.capability} {unit.scope.render()}" for unit in items]


READ = Act(ActKind.READ, "/skill/data.csv")
WRITE = Act(ActKind.WRITE, "/skill/out/a.txt")

INSIDE = [
    (READ, entry("file.read", "./data.csv")),
    (READ, entry("file.read", "$SKILL/data.csv")),
    (READ, entry("file.read", "<arg>")),
    (READ, entry("file.*", "./**")),
    (READ, entry("*")),
    (Act(ActKind.READ, "/skill/run.sh"), entry("source.read", "./**")),
    (Act(ActKind.READ, "/tmp/made.py"), entry("source.execute", "$TMP/*")),
    (WRITE, entry("file.write", "./out/**")),
    (Act(ActKind.FOLDER, "/skill/out"), entry("file.write", "./out/sub/*.txt")),
    (Act(ActKind.LIST, "/skill/out"), entry("file.delete", "./out/**")),
    (Act(ActKind.CHMOD, "/skill/out/a.txt"), entry("file.write", "./out/**")),
    (Act(ActKind.START, "/usr/bin/git"), entry("process.create", "git")),
    (Act(ActKind.START, "/bin/sh"), entry("shell.execute", "sh")),
    (Act(ActKind.START, "/usr/bin/git"), entry("process.create", "/usr/bin/git")),
    (Act(ActKind.CONNECT, "127.77.0.1:443"), entry("web.fetch", "api.example.com:443")),
    (Act(ActKind.CONNECT, "127.77.0.1:443"), entry("api.call", "*.example.com")),
    (Act(ActKind.LOOKUP, "b.example.com"), entry("web.fetch", "*.example.com:443")),
    (Act(ActKind.CONNECT, "127.0.0.1:45000"), entry("net.connect", "localhost")),
    (Act(ActKind.CONNECT, "127.0.0.1:45000"), entry("web.fetch", "<arg>")),
    (Act(ActKind.READ, "/skill/.git/HEAD"), entry("commit.read", ".")),
]
OUTSIDE = [
    (READ, entry("file.write", "./data.csv")),
    (READ, entry("file.read", "./other.csv")),
    (Act(ActKind.READ, "/home/skill/x"), entry("file.read", "<arg>")),
    (Act(ActKind.READ, "/etc/hostname"), entry("file.read", "./**", "$SKILL/**", "~/**", "$TMP/**")),
    (Act(ActKind.FOLDER, "/skill/other"), entry("file.write", "./out/**")),
    (Act(ActKind.FOLDER, "/skill/out"), entry("file.read", "./out/**")),
    (Act(ActKind.CHMOD, "/skill/data.csv"), entry("file.write", "./**")),
    (Act(ActKind.START, "/usr/bin/git"), entry("process.create", "gh")),
    (Act(ActKind.START, "/skill/git"), entry("process.create", "git")),
    (Act(ActKind.CONNECT, "127.77.0.1:22"), entry("web.fetch", "api.example.com:443")),
    (Act(ActKind.CONNECT, "198.51.100.9:443"), entry("web.fetch", "api.example.com")),
    (Act(ActKind.LOOKUP, "api.example.net"), entry("web.fetch", "*.example.com")),
    (Act(ActKind.LOOKUP, ""), entry("web.fetch", "*.example.com")),
    (Act(ActKind.LISTEN, "0.0.0.0:80"), entry("net.connect")),
    (Act(ActKind.READ, "/skill/lost.csv", Outcome.ABSENT), entry("file.read", "./data.csv")),
    (Act(ActKind.WRITE, "/etc/x", Outcome.REFUSED), entry("file.write", "./**")),
    (Act(ActKind.WRITE, "/skill/out/a"), entry("file.write", "./out/**", constraints={"resource_scope": ["./in/**"]})),
]


@pytest.mark.parametrize(("act", "grant"), INSIDE)
def test_inside(act, grant):
    assert judged([act], grant).outside == ()


@pytest.mark.parametrize(("act", "grant"), OUTSIDE)
def test_outside(act, grant):
    found = judged([act], grant)
    assert len(found.outside) == 1
    assert found.inside == ()


def test_a_sensitive_place_needs_its_own_name():
    key = Act(ActKind.READ, "/home/skill/.ssh/id_rsa", Outcome.ABSENT)
    assert names(judged([key], entry("file.read", "~/**")).outside) == ["secret.read ~/.ssh/id_rsa"]
    assert not judged([key], entry("file.read", "~/**"), entry("secret.read", "~/.ssh/*")).outside


def test_a_denial_of_one_name_of_a_file_holds_for_the_other():
    found = judged([WRITE], entry("file.write", "./**"), entry("file.write", "$SKILL/**", effect="deny"))
    assert (names(found.denied), found.inside, found.outside) == (["file.write ./out/a.txt"], (), ())


def test_two_entries_do_not_add_up():
    act = Act(ActKind.START, "/usr/bin/git")
    assert judged([act], entry("process.create", "gh"), entry("file.read", "/usr/bin/git")).outside


def test_code_of_the_skill_needs_no_entry_and_exercises_one():
    code = Act(ActKind.READ, "/skill/run.py")
    found = judged([code], entry("source.execute", "./run.py"))
    assert (found.outside, found.inside, units(found.exercised)) == ((), (), ["source.execute ./run.py"])
    changed = Act(ActKind.WRITE, "/skill/run.py")
    assert names(judged([code, changed]).outside) == ["file.write ./run.py"]


def test_every_capability_and_scope_is_exercised_by_itself():
    found = judged([READ, WRITE], entry("file.*", "./data.csv", "./out/**"))
    assert units(found.exercised) == ["file.read ./data.csv", "file.write ./out/**"]
    assert len(found.untested) == 6


def test_what_is_only_looked_for_exercises_nothing():
    absent = READ._replace(outcome=Outcome.ABSENT)
    refused = Act(ActKind.CONNECT, "127.77.0.1:443", Outcome.REFUSED)
    assert not judged([absent], entry("file.read")).exercised
    assert judged([refused], entry("web.fetch", "api.example.com")).exercised


def test_denials_need_not_be_exercised():
    assert judged([], entry("pay", effect="deny")).untested == ()


def test_what_no_test_can_show_has_a_reason():
    assert verdict.why_unseen("env.read", ANY_SCOPE)
    assert not verdict.why_unseen("file.read", ANY_SCOPE)
    for capability in vocabulary():
        verdict.why_unseen(capability.name, ANY_SCOPE)


def test_a_wrong_table_is_refused(tmp_path, monkeypatch):
    (tmp_path / "unseen.table").write_text("[x]\nno.such | why\n")
    monkeypatch.setattr(verdict, "DATA", tmp_path)
    verdict._unseen.cache_clear()
    with pytest.raises(DataError, match=r"unseen\.table:2"):
        verdict.why_unseen("env.read", ANY_SCOPE)
    monkeypatch.undo()
    verdict._unseen.cache_clear()


GRANTS = [
    entry("file.read", "./**"),
    entry("file.write", "./out/**"),
    entry("process.create", "git"),
    entry("env.read"),
]
ACTS = [
    READ,
    WRITE,
    Act(ActKind.START, "/usr/bin/git"),
    Act(ActKind.DELETE, "/skill/x"),
    Act(ActKind.CONNECT, "10.0.0.1:1"),
]


def recorded(acts, grants, how=Ending.EXITED, code=0, problems=()):
    seen = observe(acts, CONTENT)
    found = Observed(how, code, "", tuple(acts), problems, (("strace", "strace 6.1"),))
    made = verdict.judge(seen, manifest(*grants))
    return verdict.make_record(
        "x", ("sha256:a", "sha256:b"), [verdict.Tested(Case(("true",)), verdict.Source.GIVEN, found, seen)], made
    )


@given(st.lists(st.sampled_from(ACTS)), st.lists(st.sampled_from(GRANTS), unique_by=json.dumps), st.randoms())
def test_a_record_says_what_it_rests_on(acts, grants, random):
    found = recorded(acts, grants)
    assert found.level_reached == (not found.outside and all(why for _, _, why in found.untested))
    assert {*found.outside, *found.denied} <= set(found.observed)
    shuffled = list(acts)
    random.shuffle(shuffled)
    assert verdict.record_bytes(recorded(shuffled, grants)) == verdict.record_bytes(
        found
    )  # the order of acts is chance
    more = recorded(acts, [*grants, entry("*")])
    assert not more.outside  # who grants everything is never escaped
    assert not more.level_reached  # and never tested


@pytest.mark.parametrize(
    "broken",
    [
        {"code": 1},
        {"how": Ending.TIME, "code": None},
        {"how": Ending.OUTPUT, "code": None},
        {"how": Ending.LOG, "code": None},
        {"how": Ending.FAILED, "code": None},
        {"problems": ("the log ends before the programs do",)},
    ],
)
def test_whatever_goes_wrong_the_level_is_not_reached(broken):
    assert recorded([READ], GRANTS[:1]).level_reached
    assert not recorded([READ], GRANTS[:1], **broken).level_reached


def test_no_command_is_no_test():
    made = verdict.judge((), manifest())
    assert not verdict.make_record("x", ("a", "b"), [], made).level_reached
