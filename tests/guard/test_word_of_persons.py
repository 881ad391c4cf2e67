"""What a person grants, revokes, trusts or narrows counts from the next event on, without a restart."""

import hashlib
import json
from functools import partial

import pytest
from attended import Session

from remit.guard.event import Kind, Outcome
from remit.guard.store import State, add_grant, forget_file, load_session, revoke_grant, save_session, trust_file

PASS, DENY = Outcome.PASS, Outcome.DENY


@pytest.fixture
def session(tmp_path):
    found = Session(tmp_path)
    (found.workspace / "old.txt").write_text("x")
    return found


def removes(session, **fields):
    return session.bash("rm old.txt", **fields).outcome


def entry(session, **more):
    return {"capability": "file.delete", "scope": f"{session.workspace}/**", "effect": "allow", **more}


def test_a_grant_counts_at_once_and_so_does_its_end(session):
    assert removes(session) is DENY
    given = add_grant(session.person, "", entry(session), now=session.now, expires=session.now + 100)
    assert removes(session) is PASS
    revoke_grant(session.person, given.id, now=session.now)
    assert removes(session) is DENY


def test_a_grant_that_is_over_holds_no_more(session):
    add_grant(session.person, "", entry(session), now=session.now, expires=session.now + 100)
    assert removes(session) is PASS
    session.now += 100
    assert removes(session) is DENY


def test_a_grant_for_another_workspace_or_skill_gives_nothing(session):
    for principal, workspace in (("", "/elsewhere"), ("pdf", str(session.workspace))):
        add_grant(session.person, principal, entry(session), now=1, expires=None, workspace=workspace)
    assert removes(session) is DENY
    add_grant(session.person, "", entry(session), now=1, expires=None, workspace=str(session.workspace))
    assert removes(session) is PASS


def test_a_grant_survives_a_restart_and_so_does_its_revocation(session):
    given = add_grant(session.person, "", entry(session), now=1, expires=None)
    assert removes(session) is PASS
    session.restart()
    assert removes(session) is PASS
    session.restart()
    revoke_grant(session.person, given.id, now=2)
    assert removes(session) is DENY


def test_a_grant_is_for_the_skill_as_it_was(session):
    skill = session.write(".claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\n---\nReads PDF files.\n")
    session.write(".claude/skills/pdf/remit.json", {"permissions": []})
    assert session.tell(Kind.BEFORE, tool="Skill", args={"skill": "pdf"}).outcome is PASS
    assert removes(session) is DENY
    content = session.engine.sessions._known[("claude-code", "s1")].policy.skill("pdf").digest
    for digest, expected in (("sha256:" + "0" * 64, DENY), (content, PASS)):
        add_grant(session.person, "pdf", entry(session), now=1, expires=None, content=digest)
        assert removes(session) is expected
    skill.write_text(skill.read_text() + "More.\n")
    assert session.tell(Kind.BEFORE, tool="Skill", args={"skill": "pdf"}).outcome is PASS
    assert removes(session) is DENY


def test_an_answer_for_one_call_admits_one(session):
    assert removes(session) is DENY
    (asked,) = session.waiting()
    session.answer(asked.id, State.ONCE)
    assert [removes(session), removes(session)] == [PASS, DENY]


def test_a_task_narrows_at_once_and_after_a_restart(session):
    assert session.bash("touch new.txt").outcome is PASS
    session.tell(Kind.PROMPT, text="hello")
    kept = load_session(session.person, "claude-code", "s1")
    value = kept.value | {"task": [{"capability": "file.read", "effect": "allow"}]}
    save_session(session.person, "claude-code", "s1", value, revision=kept.revision, now=session.now)
    assert session.bash("touch new.txt").outcome is DENY
    session.tell(Kind.PROMPT, text="hello again")  # what the daemon keeps does not undo it
    assert session.bash("touch new.txt").outcome is DENY
    session.restart()
    assert session.bash("touch new.txt").outcome is DENY


def test_trust_counts_at_once_and_so_does_its_end(session):
    permissions = [entry(session, scope="./**"), {"capability": "file.read", "scope": "./**", "effect": "confirm"}]
    path = session.write("remit-defaults.json", {"session_defaults": {"permissions": permissions}})
    forget_file(session.person, str(path))
    reads = partial(session.tell, Kind.BEFORE, tool="Read", args={"file_path": str(session.workspace / "old.txt")})
    assert reads().outcome is PASS  # nobody trusts what it wants to be asked about
    trust(session, path)
    assert reads().outcome is DENY
    forget_file(session.person, str(path))
    assert reads().outcome is PASS
    trust_file(session.person, str(path), "sha256:" + "0" * 64, now=1)  # another text than the one that is there
    assert reads().outcome is DENY


def trusted_defaults(session, effect):
    value = {"session_defaults": {"permissions": [entry(session, scope="./**") | {"effect": effect}]}}
    path = session.write("remit-defaults.json", value)
    trust(session, path, text=path.read_text())
    return path


def trust(session, path, text=""):
    trust_file(session.person, str(path), "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest(), now=1, said=text)


@pytest.mark.parametrize("change", ["removed", "emptied", "broken", "widened"])
def test_trusted_defaults_stay_in_force_when_the_file_is_gone_or_changed(session, change):
    path = trusted_defaults(session, "deny")
    assert removes(session) is DENY
    match change:
        case "removed":
            path.unlink()
        case "emptied":
            path.write_text(json.dumps({"session_defaults": {"permissions": []}}))
        case "broken":
            path.write_text("{")
        case _:
            path.write_text(path.read_text().replace("deny", "allow"))
    session.restart()
    begun = session.tell(Kind.SESSION)
    assert "remit-defaults.json" in begun.note
    assert "the trusted version stays in force" in begun.note
    assert removes(session) is DENY


def test_a_prompt_goes_through_when_trusted_defaults_cannot_be_found(session):
    path = trusted_defaults(session, "allow")
    trust(session, path)  # without its text
    path.unlink()
    session.restart()
    answer = session.tell(Kind.PROMPT, text="hello")
    assert answer.outcome is PASS
    assert "`remit-defaults.json` is gone" in answer.reason
    assert removes(session) is DENY
