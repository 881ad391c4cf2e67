"""Files of the user that a skill would change: asked about, unless somebody spoke of them or git holds them."""

import subprocess
import time

import pytest
from engine_world import Agent

from remit.guard.event import Kind, Outcome
from remit.guard.store import State
from remit.guard.tracked import is_stored

READ = {"capability": "file.read", "scope": "./**", "effect": "allow"}
WRITE = {"capability": "file.write", "scope": ["./out/**", "./fixed.csv", "./**"], "effect": "allow"}


def opened(
    folder, *, told=True, prompt="Please bring the budget up to date, and look at letters/.", files=(), **options
):
    """A session on some files, with a skill."""
    agent = Agent(folder, **options)
    for name in ("budget.xlsx", "a.csv", "fixed.csv", "out/old.csv", "letters/a.md", "skip/__pycache__/a.pyc", *files):
        (agent.root / name).parent.mkdir(parents=True, exist_ok=True)
        (agent.root / name).write_text("x\n")
    (agent.root / "empty.csv").touch()
    agent.time[0] = time.time()
    agent.skill("tables", permissions=[READ, WRITE])
    if told:
        agent.tell(Kind.SESSION)
    agent.says(prompt)
    agent.loads("tables")
    return agent


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    return opened(tmp_path_factory.mktemp("replacing"), asks=True)


@pytest.mark.parametrize(
    "command",
    [
        "echo 1 > a.csv",
        "echo 1 >> a.csv",
        "sed -i s/1/2/ *.csv",
        "python3 -c \"open('a.csv','w').write('1')\"",
        "unzip x.zip",
    ],
)
def test_what_nobody_named_is_asked_about(agent, command):
    verdict = agent.runs(command)
    assert verdict.outcome is Outcome.ASK
    assert "`a.csv`" in verdict.reason
    assert "there before the session, and named by nobody" in verdict.reason


@pytest.mark.parametrize(
    "command",
    [
        "echo 1 > new.csv",
        "echo 1 > empty.csv",  # nothing is lost
        "echo 1 > budget.xlsx",  # the user speaks of it
        "echo 1 > letters/a.md",  # and of its folder
        "echo 1 > fixed.csv",  # the manifest names it
        "echo 1 > out/old.csv",
        "echo 1 > skip/__pycache__/a.pyc",  # made anew
        "touch deep/*.csv",
    ],
)
def test_what_somebody_named_or_nobody_made_goes_on(agent, command):
    verdict = agent.runs(command)
    assert verdict.outcome is Outcome.PASS, verdict.reason


def test_a_file_of_the_session_is_its_own(tmp_path):
    agent = opened(tmp_path, asks=True)
    agent.really_runs("echo 1 > made.csv")
    assert agent.runs("echo 2 > made.csv").outcome is Outcome.PASS


def test_a_file_that_only_changed_meanwhile_is_still_the_users(tmp_path):
    agent = opened(tmp_path, asks=True)
    (agent.root / "a.csv").write_text("the user wrote more\n")
    assert agent.runs("echo 2 > a.csv").outcome is Outcome.ASK


def test_it_is_asked_once(tmp_path):
    agent = opened(tmp_path)
    command = {"command": "echo 2 > a.csv"}
    verdict = agent.before("Bash", **command)
    agent.approve(verdict, State.SESSION)
    assert agent.before("Bash", **command).outcome is Outcome.PASS
    agent.after("Bash", **command)
    assert agent.runs("echo 3 > a.csv").outcome is Outcome.PASS
    assert agent.runs("echo 3 > out.csv fixed.csv").outcome is Outcome.PASS
    agent.says("And now?")
    agent.restart()
    assert agent.runs("echo 4 > a.csv").outcome is Outcome.PASS


def test_what_the_host_asked_its_user_counts_too(tmp_path):
    agent = opened(tmp_path, asks=True)
    assert agent.runs("echo 2 > a.csv").outcome is Outcome.ASK
    agent.after("Bash", command="echo 2 > a.csv")
    assert agent.runs("echo 3 > a.csv").outcome is Outcome.PASS


def test_a_session_whose_beginning_was_not_told_goes_by_times(tmp_path):
    agent = opened(tmp_path, told=False, asks=True)
    assert agent.runs("echo 2 > a.csv").outcome is Outcome.ASK


def test_without_a_skill_the_workspace_decides(tmp_path):
    agent = Agent(tmp_path, asks=True)
    (agent.root / "a.csv").write_text("x\n")
    agent.tell(Kind.SESSION)
    assert agent.runs("echo 2 > a.csv").outcome is Outcome.PASS


def test_quoted_words_name_nothing(tmp_path):
    agent = opened(tmp_path, prompt="Answer this:\n> please rewrite a.csv", asks=True)
    assert agent.runs("echo 2 > a.csv").outcome is Outcome.ASK


# ── git ──


def committed(root):
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@corp.test", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(root), *words], check=True)


def test_what_git_can_restore_goes_on_until_the_user_changed_it(tmp_path):
    before = Agent(tmp_path)
    (before.root / "a.csv").write_text("x\n")
    (before.root / "b.csv").write_text("x\n")
    committed(before.root)
    (before.root / "b.csv").write_text("changed, and not committed\n")
    agent = opened(tmp_path, asks=True)
    assert agent.runs("echo 2 > a.csv").outcome is Outcome.PASS
    assert agent.runs("echo 2 > b.csv").outcome is Outcome.ASK
    assert agent.runs("echo 2 > fixed2.csv; echo 2 > out.csv").outcome is Outcome.PASS


def test_what_is_stored(tmp_path):
    for name in ("a.txt", "folder/b.txt", "c d.txt", "x" * 200):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")
    assert not is_stored(tmp_path, str(tmp_path / "a.txt"))
    committed(tmp_path)
    (tmp_path / "new.txt").write_text("x\n")
    for name in ("a.txt", "folder/b.txt", "c d.txt", "x" * 200):
        assert is_stored(tmp_path, str(tmp_path / name))
    assert not is_stored(tmp_path, str(tmp_path / "new.txt"))
    assert not is_stored(tmp_path, str(tmp_path / "absent.txt"))
    assert not is_stored(tmp_path, "/etc/passwd")
    (tmp_path / "a.txt").write_text("y\n")
    assert not is_stored(tmp_path, str(tmp_path / "a.txt"))
    (tmp_path / "a.txt").write_text("x\n")  # the same content under other times
    assert is_stored(tmp_path, str(tmp_path / "a.txt"))


def test_a_second_tree_of_a_repository(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.txt").write_text("x\n")
    committed(tmp_path / "one")
    subprocess.run(["git", "-C", str(tmp_path / "one"), "worktree", "add", "-q", "../two"], check=True)
    assert is_stored(tmp_path / "two", str(tmp_path / "two" / "a.txt"))
    (tmp_path / "two" / "a.txt").write_text("y\n")
    assert not is_stored(tmp_path / "two", str(tmp_path / "two" / "a.txt"))


@pytest.mark.parametrize(
    "damage", [b"", b"DIRC", b"XXXX\0\0\0\2\0\0\0\1", b"DIRC\0\0\0\4\0\0\0\0", b"DIRC\0\0\0\2\0\0\1\0"]
)
def test_an_index_that_cannot_be_read_stores_nothing(tmp_path, damage):
    (tmp_path / "a.txt").write_text("x\n")
    committed(tmp_path)
    (tmp_path / ".git" / "index").write_bytes(damage)
    assert not is_stored(tmp_path, str(tmp_path / "a.txt"))


# ── removal ──


def test_who_may_not_remove_does_not_remove_what_nobody_named(tmp_path):
    agent = opened(tmp_path, asks=True)
    verdict = agent.runs("rm a.csv")
    assert verdict.outcome is Outcome.DENY
    assert "no entry holds `file.delete" in verdict.reason
    assert agent.runs("rm -rf skip out letters *.csv").outcome is Outcome.DENY


def test_removing_what_was_named_or_made_is_asked_about(tmp_path):
    agent = opened(tmp_path, asks=True)
    assert agent.runs("rm budget.xlsx").outcome is Outcome.ASK
    agent.really_runs("echo 1 > made.csv")
    assert agent.runs("rm made.csv").outcome is Outcome.ASK


def test_who_asks_for_removal_is_asked(tmp_path):
    agent = opened(tmp_path, prompt="Please delete the old files.", asks=True)
    assert agent.runs("rm a.csv").outcome is Outcome.ASK


def test_what_the_user_only_wants_read_is_not_changed_without_a_question(tmp_path):
    agent = opened(tmp_path, prompt="Read a.csv and budget.xlsx, and calculate the total.", asks=True)
    for command in ("echo 1 > a.csv", "python3 -c \"open('a.csv','w')\"", "sed -i s/1/2/ a.csv"):
        verdict = agent.runs(command)
        assert verdict.outcome is Outcome.ASK
        assert (
            "`a.csv` would be changed: there before the session, and the user asks for no change of it"
            in verdict.reason
        )
    assert agent.runs("cat a.csv > total.csv").outcome is Outcome.PASS


def test_a_word_of_the_user_names_no_file_deep_in_a_folder(tmp_path):
    agent = opened(tmp_path, files=("archive.icbu/budget.sqlitedb",), asks=True)  # the prompt speaks of the budget
    change = "import sqlite3; sqlite3.connect('archive.icbu/budget.sqlitedb').execute('delete from t')"
    verdict = agent.runs(f'python3 -c "{change}"')
    assert verdict.outcome is Outcome.ASK
    assert "`archive.icbu/budget.sqlitedb` would be changed" in verdict.reason
    assert agent.runs("echo 1 > budget.xlsx").outcome is Outcome.PASS


def test_code_that_removes_a_file_of_the_user_is_asked_about(agent):
    code = "import os\nos.remove('a.csv')\n"
    verdict = agent.before("Write", file_path=str(agent.root / "tidy.py"), content=code)
    assert verdict.outcome is Outcome.ASK
    assert "`tidy.py` would be code of which `a.csv` would be removed: there before" in verdict.reason
    own = "import os\nopen('made.csv', 'w').write('1')\nos.remove('made.csv')\n"
    assert agent.before("Write", file_path=str(agent.root / "own.py"), content=own).outcome is Outcome.PASS
