"""The daemon: order, patience, limits, and a denial for whatever is not understood."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from guarding import wait_for

from remit.cli.main import main
from remit.guard.daemon import daemon_lock
from remit.guard.daemon import run as running
from remit.guard.daemon.protocol import LARGEST, Question, question_line, read_answer
from remit.guard.session.unfinished_calls import any_session
from remit.guard.state_folder import prepared
from remit.version import VERSION


@pytest.fixture
def ask(state):
    """Ask through a bare socket."""

    def raw(data, *, end=False, seconds=60):
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(seconds)
            link.connect(str(state.socket))
            link.sendall(data)
            if end:
                link.shutdown(socket.SHUT_WR)
            return read_answer(b"".join(iter(lambda: link.recv(1 << 16), b"")))

    def ask(payload, event="Ask", host="acted"):
        body = json.dumps(payload).encode()
        answer = raw(question_line(Question(host, event, len(body), VERSION)) + body)
        return json.loads(answer.stdout) if answer.exit == 0 else answer.stderr.decode()

    ask.raw = raw
    return ask


def later(work, *args):
    """Do it in a thread; the result is asked for by calling."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work(*args)))
    thread.start()

    def result():
        thread.join(300)
        return found[0]

    return result


@pytest.mark.parametrize("do", ["slow", "slow spin"])
def test_a_slow_decision_keeps_no_other_session_waiting(daemon, ask, tmp_path, do):
    daemon()
    begun, until = tmp_path / "begun", tmp_path / "until"
    slow = later(ask, {"session": "a", "do": do, "begun": str(begun), "until": str(until), "echo": 1})
    wait_for(begun.exists)
    for number in range(20):
        assert ask({"session": "b", "echo": number})["echo"] == number
    until.touch()
    assert slow()["outcome"] == "pass"


def test_who_waits_for_a_person_keeps_nobody_else_waiting(daemon, ask, tmp_path):
    daemon()
    begun, until = [tmp_path / f"begun {number}" for number in range(8)], tmp_path / "until"
    waits = [
        later(ask, {"session": "a", "do": "ask", "begun": str(one), "until": str(until), "echo": number})
        for number, one in enumerate(begun)
    ]
    wait_for(lambda: all(one.exists() for one in begun))
    assert ask({"session": "a", "echo": 100})["outcome"] == "pass"  # not even its own session
    assert ask({"session": "b", "do": "slow", "seconds": 0})["outcome"] == "pass"
    until.touch()
    assert [one()["outcome"] for one in waits] == ["pass"] * 8
    assert ask({"session": "a", "do": "ask", "seconds": 0, "echo": "no", "answer": False})["outcome"] == "deny"


def test_one_session_is_decided_in_order(daemon, ask):
    daemon()
    waiting = []
    for number in range(8):
        do = {"do": "slow", "seconds": 0.2} if number % 3 == 0 else {}
        waiting.append(later(ask, {"session": "a", "echo": number, **do}))
        time.sleep(0.05)
    notes = [result()["note"] for result in waiting]
    assert notes[-1] == "0 1 2 3 4 5 6 7"


def test_nothing_is_decided_for_who_does_not_wait(daemon, ask, state):
    daemon()
    slow = later(ask, {"session": "a", "do": "slow", "seconds": 1, "echo": "first"})
    time.sleep(0.3)
    body = json.dumps({"session": "a", "echo": "gone"}).encode()
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(state.socket))
        link.sendall(question_line(Question("acted", "Ask", len(body))) + body)
    assert slow()["outcome"] == "pass"
    assert ask({"session": "a", "echo": "last"})["note"] == "first last"


@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b"garbage\n",
        b"x" * 300,
        b"remit1 acted Ask 2\n{}x",
        b"remit1 acted Ask 99999999\n",
        b"remit1 acted Ask %d\n" % (LARGEST + 1),
        b"remit1 acted Ask -1\n{}",
        b"remit1 acted Ask 1\n{",
        b"GET / HTTP/1.1\r\n\r\n",
        b"remit1 nobody Ask 2\n{}",
        b"remit1 acted Nothing 2\n{}",
        b"remit1 remit nothing 2\n{}",
    ],
)
def test_what_is_no_question_is_denied(daemon, ask, data):
    daemon()
    answer = ask.raw(data)
    assert (answer.exit, answer.stdout) == (2, b"")
    assert answer.stderr.startswith(b"remit: denied: ")
    assert ask({"echo": 1})["echo"] == 1


def test_who_says_no_more_still_hears_the_answer(daemon, ask):
    daemon()
    for do in ("pass", "slow"):
        body = json.dumps({"do": do, "seconds": 0.3}).encode()
        assert ask.raw(b"remit1 acted Ask %d\n%s" % (len(body), body), end=True).exit == 0


@pytest.mark.parametrize("data", [b"", b"remit1", b"remit1 acted Ask 9\n{}"])
def test_a_question_that_is_cut_short_is_denied(daemon, ask, data):
    daemon()
    assert ask.raw(data, end=True).exit == 2


def test_a_question_that_does_not_come_is_denied(daemon, ask):
    daemon(question=0.3)
    assert b"in time" in ask.raw(b"remit1 acted Ask 9\n{}").stderr


def test_a_decision_that_does_not_come_is_denied(daemon, ask):
    daemon(answer=0.3)
    assert "no decision in time" in ask({"do": "slow", "seconds": 2})


def test_a_question_in_many_pieces_is_a_question(daemon, state):
    daemon()
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(state.socket))
        for byte in b'remit1 acted Ask 10\n{"echo":1}':
            link.sendall(bytes([byte]))
            time.sleep(0.002)
        assert read_answer(b"".join(iter(lambda: link.recv(1 << 16), b""))).exit == 0


def test_after_long_answers_others_are_answered(daemon, ask):
    """More than the kernel keeps for a connection is sent in pieces; the number of its file is then used again."""
    daemon(workers=1)
    for _ in range(3):
        waiting = [later(ask, {"session": f"{number}", "echo": "x" * 1_000_000}) for number in range(6)]
        assert [len(one()["echo"]) for one in waiting] == [1_000_000] * 6
        assert [ask({"echo": number})["echo"] for number in range(20)] == list(range(20))


def test_too_many_at_once_are_denied(daemon, ask, state):
    daemon(connections=4, question=60)
    held = [socket.socket(socket.AF_UNIX) for _ in range(4)]
    for link in held:
        link.connect(str(state.socket))
    wait_for(lambda: "too many" in ask({}))  # a worker may still be busy with accepting the last one
    for link in held:
        link.close()
    wait_for(lambda: not isinstance(ask({}), str))


def test_an_engine_that_cannot_be_made_denies_and_makes_way_for_one_that_can(daemon, ask, state):
    broken = daemon(engine="broken")
    assert ask({"echo": 1})["outcome"] == "deny"
    broken.wait(300)
    assert not state.socket.exists()
    daemon()
    assert ask({"echo": 1})["outcome"] == "pass"


def kill_answers(process, how, state):
    if how == "hangs":
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for pid in (process.pid, *map(int, children)):
            os.kill(pid, signal.SIGSTOP)
    elif how == "has lost its socket":
        os.kill(process.pid, signal.SIGSTOP)  # it would notice within a second
        state.socket.unlink()


@pytest.mark.parametrize("how", ["answers", "hangs", "has lost its socket"])
def test_a_daemon_is_stopped_whatever_it_does(daemon, ask, state, how, monkeypatch, capsys):
    monkeypatch.setenv("REMIT_STATE", str(state.folder))
    monkeypatch.setattr(daemon_lock, "_SECONDS", 0.5)
    process = daemon()
    kill_answers(process, how, state)
    assert main(["guard", "stop", "--unattended"]) == 0
    assert f"the daemon {process.pid} {'ends' if how == 'answers' else 'was killed'}" in capsys.readouterr().out
    process.wait(300)
    daemon()
    assert ask({"echo": 1})["outcome"] == "pass"
    assert main(["guard", "stop", "--unattended"]) == 0
    capsys.readouterr()


def test_without_a_daemon_there_is_nothing_to_stop(state, monkeypatch, capsys):
    monkeypatch.setenv("REMIT_STATE", str(state.folder))
    assert main(["guard", "stop", "--unattended"]) == 0
    assert capsys.readouterr().out == "no daemon runs\n"


def test_the_engine_of_this_version_denies_when_it_breaks(monkeypatch, tmp_path):
    def no_module(_name):
        raise ImportError("there is none")

    monkeypatch.setattr(running.importlib, "import_module", no_module)
    ended = []
    engine = running._made(running.usual_engine, tmp_path, any_session, lambda: ended.append(1))
    assert "there is none" in engine.decide(None).reason
    assert not engine.slow(None)
    assert ended == [1]


def test_an_idle_daemon_ends_and_leaves_no_socket(daemon, ask, state):
    process = daemon(idle=0.5)
    ask({})
    assert process.wait(300) == 0
    assert not state.socket.exists()


def test_a_daemon_that_is_asked_does_not_end(daemon, ask):
    process = daemon(idle=0.6)
    for _ in range(8):
        time.sleep(0.2)
        ask({})
    assert process.poll() is None


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, "stop"])
def test_a_daemon_that_ends_finishes_what_is_under_way(daemon, ask, how, state):
    process = daemon()
    slow = later(ask, {"do": "slow", "seconds": 0.8, "echo": 1})
    time.sleep(0.3)
    if how == "stop":
        assert ask({}, "stop", "remit") == {"pid": process.pid}
    else:
        process.send_signal(how)
    wait_for(lambda: not state.socket.exists())
    assert slow()["echo"] == 1
    assert process.wait(300) == 0


def test_what_takes_too_long_at_the_end_is_denied(daemon, ask):
    process = daemon(finish=0.3)
    slow = later(ask, {"do": "slow", "seconds": 3, "echo": 1})
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    assert "the daemon ends" in slow()


def test_two_daemons_never_share_a_state_folder(daemon, programs, state, ask):
    first = daemon()
    command = [*programs["daemon"], str(state.folder), "finish=0"]
    second = subprocess.run(command, capture_output=True, timeout=300, check=False)
    assert second.returncode != 0
    assert b"another daemon" in second.stderr
    assert ask({}, "status", "remit")["pid"] == first.pid


def test_the_socket_of_a_dead_daemon_is_replaced(daemon, ask, state):
    daemon().kill()
    assert state.socket.is_socket()
    second = daemon()
    assert ask({}, "status", "remit")["pid"] == second.pid


def test_what_is_no_dead_socket_is_left_alone(programs, state):
    prepared(state.folder)
    state.socket.write_text("precious")
    done = subprocess.run([*programs["daemon"], str(state.folder)], capture_output=True, timeout=300, check=False)
    assert done.returncode != 0
    assert b"is not a socket" in done.stderr
    assert state.socket.read_text() == "precious"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can ask as somebody else")
def test_another_user_is_denied(daemon, state):
    daemon()
    program = (
        "import os, socket, sys\nlink = socket.socket(socket.AF_UNIX)\nfolder = os.open(sys.argv[1], os.O_RDONLY)\n"
        "os.chmod(sys.argv[1], 0o777), os.chmod(sys.argv[1] + '/guard.sock', 0o777)\nos.chdir(sys.argv[1])\n"
        "os.setuid(65534)\nlink.connect('guard.sock')\nlink.sendall(b'remit1 acted Ask 2\\n{}')\nprint(link.recv(999))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(state.folder)], capture_output=True, timeout=300, check=False
    )
    assert done.stdout in (b"", b"b''\n")
    assert b"Permission" not in done.stderr  # it did come to the daemon
