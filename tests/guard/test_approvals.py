"""`remit approvals`: what is seen, who may answer, and what the keys do on a real terminal."""

import io
import json
import os
import re
import signal
import tempfile
import termios
import threading
import time
from pathlib import Path

import pytest
from attended import Session
from watched import Terminal

from each_row import each_row
from remit.cli.approval_prompt import Key, next_key
from remit.cli.main import main
from remit.core.errors import GuardError
from remit.guard.approvals import persons
from remit.guard.approvals.answers import Answer, answer, seen_digest
from remit.guard.approvals.duplicate_questions import fold
from remit.guard.approvals.persons import Person, Process, agent_above, is_agent, marks
from remit.guard.event import Kind, Outcome
from remit.guard.store import State, approval
from remit.report.approval_page import View, page
from remit.report.approval_view import ago, cut, question_lines
from remit.report.screen import Screen, width_of

PASS, DENY = Outcome.PASS, Outcome.DENY


@pytest.fixture
def session(monkeypatch):
    with tempfile.TemporaryDirectory(prefix="ra", dir="/tmp") as name:  # always as long: lines are broken by it
        found = Session(Path(name), now=int(time.time()))
        (found.workspace / "old.txt").write_text("x")
        monkeypatch.setenv("REMIT_STATE", str(found.places.folder))
        monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: "")  # whoever runs the tests may be one
        yield found


def run(capfd, *words):
    status = main(["approvals", *words])
    out, err = capfd.readouterr()
    return status, out, err


def scrubbed(text, session):
    text = text.replace(str(session.workspace), "/project").replace(str(session.places.folder), "/state")
    text = re.sub(r"\b[0-9a-f]{10}\b", "ID", text)
    return re.sub(r"\d+ s\b", "N s", re.sub(r"\d{4}-\d\d-\d\d", "DAY", text))


def asked(session):
    """Three kinds of questions, from four calls."""
    session.bash("rm old.txt")
    session.now += 1
    session.bash("rm -v old.txt")
    session.bash("git commit -m 'a message with \x1b[31m colour'")
    session.bash("curl https://a.example/")


# --- without a terminal ---


def test_the_list_and_one_question(session, capfd, snapshot):
    asked(session)
    _, listed, _ = run(capfd)
    assert scrubbed(run(capfd, "list")[1], session) == scrubbed(listed, session)
    shown = [run(capfd, "show", one.id)[1] for one in session.waiting()]
    texts = [*listed.splitlines(), *shown]
    assert "\n".join(sorted(scrubbed(text, session) for text in texts)) == snapshot


def test_answers_from_a_script(session, capfd):
    session.bash("rm old.txt")
    (one,) = session.waiting()
    status, _, err = run(capfd, "approve", one.id)
    assert (status, "not a terminal" in err) == (2, True)
    assert session.bash("rm old.txt").outcome is DENY
    status, out, _ = run(capfd, "approve", one.id, "--unattended")
    assert (status, out) == (0, f"{one.id}: the call allowed once\n")
    assert [session.bash("rm old.txt").outcome for _ in range(2)] == [PASS, DENY]
    (record,) = [entry for entry in (one.entry for one in session.engine.log.records()) if entry.op == "answer"]
    assert record.reason == f"{Person(os.getuid(), persons._person('').name, '')}: yes, once"


def test_for_good_and_no_more(session, capfd):
    session.bash("rm old.txt")
    (one,) = session.waiting()
    assert run(capfd, "approve", one.id, "--days", "3", "--unattended")[0] == 2
    _, out, _ = run(capfd, "approve", one.id, "--always", "--days", "3", "--unattended", "--format", "json")
    (given,) = json.loads(out)["granted"]
    assert given["expires"] - given["created"] == 3 * 86400
    assert session.bash("rm old.txt", session="s2").outcome is PASS
    assert "file.delete" in run(capfd, "grants")[1]
    assert run(capfd, "revoke", given["id"], "--unattended")[1] == f"{given['id']}: revoked\n"
    assert session.bash("rm old.txt", session="s2").outcome is DENY
    assert "there are no grants" in run(capfd, "grants")[1]
    assert "revoked" in run(capfd, "grants", "--all")[1]


def test_no(session, capfd):
    session.bash("rm old.txt")
    (one,) = session.waiting()
    assert run(capfd, "deny", one.id, "--unattended")[1] == f"{one.id}: the call denied\n"
    assert "a person refused the request" in session.bash("rm old.txt").reason
    assert "denied by uid" in run(capfd, "show", one.id)[1]


@pytest.mark.parametrize("action", ["approve", "deny", "show", "revoke"])
def test_what_nobody_asked(session, capfd, action):
    more = () if action == "show" else ("--unattended",)
    assert run(capfd, action, "nobody", *more)[0] == 2


def test_json_has_no_entry_that_could_be_granted(session, capfd):
    session.bash("rm old.txt")
    value = json.loads(run(capfd, "list", "--format", "json")[1])
    (question,) = value["waiting"][0]["questions"]
    assert question["shown"]["asks"][0]["capability"] == "file.delete"
    assert "grants" not in question["shown"]


# --- who answers ---


def test_nobody_answers_below_an_agent(session, capfd, monkeypatch):
    session.bash("rm old.txt")
    (one,) = session.waiting()
    monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: "process 7: `claude`")
    for words in (("approve", one.id), ("approve", one.id, "--unattended"), ("deny", one.id, "--unattended")):
        status, _, err = run(capfd, *words)
        assert (status, "an agent started this" in err) == (2, True)
    assert approval(session.person, one.id).state is State.PENDING


@each_row(
    ("process", "found"),
    [
        (Process(1, "bash", ("bash",), ("HOME=/root",)), ""),
        (Process(1, "claude", (), ()), "`claude`"),
        (Process(1, "node", ("node", "/usr/lib/node_modules/.bin/claude"), ()), "`claude`"),
        (Process(1, "MainThread", ("/usr/bin/codex", "exec"), ()), "`codex`"),
        (Process(1, "node", ("node", "/x/gemini.js"), ()), "`gemini`"),
        (Process(1, "bash", ("bash", "-c", "claude"), ()), ""),
        (Process(1, "bash", ("bash",), ("CLAUDECODE=1",)), "`CLAUDECODE` is set"),
        (Process(1, "bash", ("bash",), ("REMIT_AGENT=",)), "`REMIT_AGENT` is set"),
        (Process(1, "bash", ("bash",), ("NOT_CLAUDECODE=1",)), ""),
    ],
)
def test_by_what_an_agent_is_known(process, found):
    assert is_agent(process) == found


def test_every_mark_is_known():
    programs, variables = marks()
    for name in programs:
        assert is_agent(Process(1, name, (), ()))
    for name in variables:
        assert is_agent(Process(1, "sh", (), (f"{name}=1",)))


def test_parents_are_walked(tmp_path):
    for pid, parent, name, words in (
        (30, 20, "python3", "remit"),
        (20, 10, "bash (x) y", "bash"),
        (10, 1, "node", "node\0/a/claude"),
    ):
        folder = tmp_path / str(pid)
        folder.mkdir()
        (folder / "comm").write_text(f"{name}\n")
        (folder / "stat").write_text(f"{pid} ({name}) S {parent} 0 0")
        (folder / "cmdline").write_text(words)
        (folder / "environ").write_text("A=1\0")
    assert agent_above(30, tmp_path) == "process 10: `claude`"
    (tmp_path / "10/cmdline").write_text("node")
    assert agent_above(30, tmp_path) == ""


# --- folding ---


def test_prompts_are_counted_as_a_person_sees_them(session):
    asked(session)
    assert len(fold(session.waiting())) == 3
    assert [one.size for one in fold(session.waiting()) if one.size > 1] == [2]


def test_what_is_not_understood_is_never_folded(session):
    for text in ("aGk=", "aG8="):
        session.bash(f"echo {text} | base64 -d | bash")
    assert [one.size for one in fold(session.waiting())] in ([], [1, 1])


# --- the page ---


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (50, 14)])
def test_the_page(session, snapshot, size):
    asked(session)
    columns, rows = size
    screen = Screen(io.StringIO(), color=False, width=columns)
    folded = sorted(fold(session.waiting()), key=lambda one: -one.size)
    view = View(tuple(folded), answer=Answer.ONCE, now=session.now, until="2030-01-01")
    found = page(view, screen, rows)
    assert len(found.lines) == rows
    assert max(map(width_of, found.lines)) <= columns
    assert scrubbed("\n".join(found.lines), session).count("\x1b") == 0
    first = page(view._replace(folded=tuple(folded[:1])), screen, rows)
    assert [line.rstrip() for line in scrubbed("\n".join(first.lines), session).splitlines()] == snapshot


def test_the_page_without_questions_and_without_room(snapshot):
    screen = Screen(io.StringIO(), color=False, width=80)
    assert "\n".join(page(View(()), screen, 12).lines) == snapshot
    assert page(View(()), screen, 4).lines == ("the terminal is too small",)


@pytest.mark.timeout(300)
def test_a_diff_is_short_redacted_and_steers_nothing(session):
    session.write("notes.txt", "".join(f"line {number}\n" for number in range(40)))
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    path = str(session.workspace / "notes.txt")
    from remit.guard.approvals.file_diff import LINES, diff
    from remit.guard.event import Event
    from remit.guard.hosts.toolmap import wants

    def lines(tool, **args):
        event = Event("claude-code", Kind.BEFORE, "PreToolUse", "s", str(session.workspace), tool=tool, args=args)
        return diff(event, wants(event), "/home")

    found = lines("Edit", file_path=path, old_string="line 7\n", new_string=f"seven\n{key}\n")
    assert [line for line in found if line[:1] in "+-"][2:] == ["-line 7", "+seven", *found[7:8]]
    assert key not in "\n".join(found)
    assert len(lines("Write", file_path=path, content="x\n" * 1000)) == LINES + 1
    hard = "".join(f"{number % 150}\n" for number in range(50_000))  # comparing it line by line would take very long
    assert "too many lines" in lines("Write", file_path=path, content=hard)[2]
    assert lines("Write", file_path=str(session.workspace / "new"), content="a\n")[-1] == "+a"
    assert lines("Write", file_path="/dev/null", content="a\n") == ["(the file is no text, or too large to compare)"]
    assert lines("Bash", command="ls") == []
    many = lines(
        "MultiEdit", file_path=path, edits=[{"old_string": "line 1\n", "new_string": "1\n", "replace_all": True}]
    )
    assert "+1" in many
    doubling = [{"old_string": "e", "new_string": "ee", "replace_all": True}] * 1000
    assert "too large" in lines("MultiEdit", file_path=path, edits=doubling)[0]


def test_words():
    assert [ago(5), ago(65), ago(7300), ago(90000), ago(-3)] == ["5 s", "1 min", "2 h", "1 d", "0 s"]
    assert cut("a\nb  c", 10) == "a b c"
    assert cut("漢字漢字", 5) == "漢字…"


def test_nothing_of_a_question_reaches_the_terminal_raw(session):
    asked(session)
    screen = Screen(io.StringIO(), color=False, width=60)
    for one in session.waiting():
        assert "\x1b" not in "".join(question_lines(one, screen, session.waiting()))


# --- keys ---


@each_row(
    ("sent", "key"),
    [
        (b"\x1b[A", Key.UP), (b"\x1bOB", Key.DOWN), (b"\x1b[1;5C", Key.RIGHT), (b"\x1b[D", Key.LEFT), (b"\x1b[5~", Key.PAGE_UP),
        (b"\x1b[6~", Key.PAGE_DOWN), (b"\r", Key.ENTER), (b"\n", Key.ENTER), (b"\x1b", Key.ESCAPE), (b"\x03", Key.LEAVE),
        (b"q", "q"), (b"\x1b[200~", Key.ESCAPE), (b"", None),
    ],
)  # fmt: skip
def test_keys(sent, key):
    read, write = os.pipe()
    try:
        os.write(write, sent)
        assert next_key(read, 0.01) == key
    finally:
        os.close(read)
        os.close(write)


@pytest.fixture
def terminal(session):
    made = []

    def start(**size):
        made.append(Terminal(session, **size))
        return made[-1]

    yield start
    for one in made:
        one.close()


def test_questions_are_answered_with_the_keys(session, terminal):
    session.bash("rm old.txt")
    shown = terminal()
    shown.until("file.delete")
    shown.until("[ deny ]")
    time.sleep(0.5)
    shown.press(b"\x1b[C")
    shown.until("[ allow once ]")
    shown.press(b"\r")
    shown.until("allowed once")
    assert [session.bash("rm old.txt").outcome for _ in range(2)] == [PASS, DENY]
    shown.until("[ deny ]")  # the next question, which the last call put, begins with no
    time.sleep(0.5)
    shown.press(b"\r")
    shown.until("denied")
    assert "a person refused the request" in session.bash("rm old.txt").reason
    (once, no) = [one.entry for one in session.engine.log.records() if one.entry.op == "answer"]
    assert "/dev/pts/" in once.reason
    assert no.reason.endswith("no")
    shown.press(b"q")
    assert shown.process.wait(300) == 0
    assert termios.tcgetattr(shown.slave)[3] == shown.before[3]


def test_a_hook_waits_for_who_looks(session, terminal):
    shown = terminal()
    shown.until("nothing is waiting")
    verdict = session.bash("rm old.txt")
    found = []
    thread = threading.Thread(target=lambda: found.append(session.engine.consult(None, verdict)))
    thread.start()
    shown.until("file.delete")
    time.sleep(0.5)
    shown.press(b"s")
    shown.until("[ this session ]")
    shown.press(b"\r")
    thread.join(300)
    assert found == [True]
    assert session.bash("rm old.txt").outcome is PASS


def test_a_key_for_one_question_does_not_answer_the_next(session, terminal):
    shown = terminal()
    shown.until("nothing is waiting")
    shown.press(b"o", b"\r", b"o", b"\r")
    session.bash("rm old.txt")
    shown.press(b"o", b"\r")
    shown.until("file.delete")
    time.sleep(1)
    assert len(session.waiting()) == 1


def test_another_size_is_another_page(session, terminal):
    asked(session)
    shown = terminal(columns=120, rows=40)
    shown.until("3 questions")
    shown.size(60, 16)
    shown.process.send_signal(signal.SIGWINCH)
    end = time.monotonic() + 300
    while max(map(width_of, shown.rows())) > 60 or len(shown.rows()) > 16:
        assert time.monotonic() < end
    shown.press(b"\x03")
    assert shown.process.wait(300) == 0


def test_an_answer_to_what_was_not_seen_is_refused(session):
    session.bash("rm old.txt")
    (question,) = session.waiting()
    seen = seen_digest(question)
    for other in (seen[:-1] + "x", seen_digest(question._replace(subject="another")), "sha256:"):
        with pytest.raises(GuardError, match="not the question that was seen"):
            answer(session.person, session.engine.log, question.id, Answer.ONCE, who="ann", now=session.now, seen=other)
    assert session.waiting() == (question,)
    answer(session.person, session.engine.log, question.id, Answer.ONCE, who="ann", now=session.now, seen=seen)
    assert session.bash("rm old.txt").outcome is PASS
