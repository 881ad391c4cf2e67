"""The workers of one daemon: each session has one of them, and one that is killed takes nobody through."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from guarding import alive, wait_for, workers_of

from remit.guard.daemon.protocol import Question, question_line, read_answer
from remit.guard.daemon.server import Connection, Limits, Server, WorkerContext, make_inbox, worker_of
from remit.guard.daemon.supervisor import SharedCounters
from remit.guard.event import Event, Kind

LIVED = 1.2  # seconds after which a worker that is killed is begun anew
FIRST, SECOND = (next(f"s{n}" for n in range(99) if worker_of("acted", f"s{n}", 2) == worker) for worker in (0, 1))


@pytest.fixture
def ask(state):
    """Ask through a bare socket: what the engine said, and None for a connection that ended without an answer."""

    def ask(session, patience=30, before=None, **payload):
        body = json.dumps({**(before or {}), "session": session, **payload}).encode()
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(patience)
            link.connect(str(state.socket))
            link.sendall(question_line(Question("acted", "Ask", len(body))) + body)
            data = b"".join(iter(lambda: link.recv(1 << 16), b""))
        if not data:
            return None
        answer = read_answer(data)
        return json.loads(answer.stdout) if answer.exit == 0 else answer.stderr.decode()

    return ask


@pytest.fixture
def pool():
    with ThreadPoolExecutor(64) as pool:
        yield pool


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_session_has_one_worker_and_all_have_sessions(daemon, ask, pool, workers):
    process = daemon(workers=workers)
    sessions = [f"s{number % 30}" for number in range(300)]
    found = list(pool.map(ask, sessions))
    by_session = {}
    for session, one in zip(sessions, found, strict=True):
        by_session.setdefault(session, set()).add(one["pid"])
    assert all(len(pids) == 1 for pids in by_session.values())
    assert set.union(*by_session.values()) == set(workers_of(process.pid))
    assert len(workers_of(process.pid)) == workers


def test_a_long_question_comes_to_the_worker_of_its_session(daemon, ask, pool):
    daemon(workers=2)
    texts = ["x" * size for size in (10, 16_000, 16_500, 70_000, 3_000_000)]
    for session in (FIRST, SECOND):
        pid = ask(session)["pid"]
        for one, text in zip(pool.map(lambda text, to=session: ask(to, echo=text), texts * 4), texts * 4, strict=True):
            assert (one["pid"], one["echo"]) == (pid, text)


def test_a_question_that_looks_like_one_of_another_session_comes_to_its_own_worker(daemon, ask, pool):
    """Who is asked about is what the adapter reads."""
    daemon(workers=2)
    for session in (FIRST, SECOND):
        pid = ask(session)["pid"]
        for other in (FIRST, SECOND):
            told = [pool.submit(ask, session, before={"session_id": other}, echo=number) for number in range(20)]
            assert [(one.result()["echo"], one.result()["pid"]) for one in told] == [(n, pid) for n in range(20)]


def test_a_worker_that_is_killed_in_the_middle_of_a_call_blocks_it_and_begins_anew(daemon, ask, pool):
    process = daemon(workers=2)
    dies, stays = ask(FIRST)["pid"], ask(SECOND)["pid"]
    time.sleep(LIVED)
    lost = [pool.submit(ask, FIRST, do="slow", seconds=5) for _ in range(3)]
    kept = pool.submit(ask, SECOND, do="slow", seconds=1.5, echo=7)
    time.sleep(0.5)
    os.kill(dies, signal.SIGKILL)
    assert [one.result() for one in lost] == [None] * 3
    assert kept.result()["echo"] == 7
    assert ask(FIRST)["pid"] not in (dies, stays)
    assert ask(SECOND)["pid"] == stays
    assert process.poll() is None


def test_a_worker_that_dies_as_soon_as_it_begins_takes_the_daemon_down(daemon, ask, state):
    process = daemon(workers=2)
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    assert process.wait(300) != 0
    assert b"died as soon as it began" in process.stderr.read()
    assert not state.socket.exists()


def test_workers_end_with_a_daemon_that_is_killed_whatever_they_do(daemon, ask, pool):
    first = daemon(workers=2)
    workers = workers_of(first.pid)
    hangs = pool.submit(ask, FIRST, do="hang")
    time.sleep(0.3)
    first.kill()
    assert hangs.result() is None
    wait_for(lambda: not any(map(alive, workers)))
    second = daemon(workers=2)
    assert ask(FIRST)["pid"] in workers_of(second.pid)


def test_no_daemon_begins_while_a_worker_of_another_lives(daemon, ask, programs, state):
    first = daemon(workers=2)
    worker = workers_of(first.pid)[0]
    os.kill(worker, signal.SIGSTOP)
    first.terminate()
    try:
        command = [*programs["daemon"], str(state.folder), "finish=0"]
        second = subprocess.run(command, capture_output=True, timeout=300, check=False)
        assert b"another daemon" in second.stderr
    finally:
        os.kill(worker, signal.SIGCONT)
    assert first.wait(300) == 0


def test_what_finds_no_room_at_a_worker_waits_and_keeps_nobody_else_waiting(daemon, ask, pool):
    process = daemon(workers=2)
    busy, free = ask(FIRST)["pid"], ask(SECOND)["pid"]
    os.kill(busy, signal.SIGSTOP)
    try:
        wait = [pool.submit(ask, FIRST, echo=number) for number in range(40)]
        time.sleep(0.2)
        assert [ask(SECOND)["pid"] for _ in range(20)] == [free] * 20
        assert not any(one.done() for one in wait)
    finally:
        os.kill(busy, signal.SIGCONT)
    found = [one.result() for one in wait]
    assert [(one["echo"], one["pid"]) for one in found] == [(number, busy) for number in range(40)]
    assert process.poll() is None


def test_what_waits_in_an_inbox_is_answered_by_the_worker_that_takes_the_place(daemon, ask, pool):
    daemon(workers=2)
    busy = ask(FIRST)["pid"]
    time.sleep(LIVED)
    os.kill(busy, signal.SIGSTOP)
    wait = [pool.submit(ask, FIRST, echo=number) for number in range(30)]
    time.sleep(0.5)
    os.kill(busy, signal.SIGKILL)
    found = [one.result() for one in wait]
    assert all(one is None or one["pid"] != busy for one in found)
    assert any(isinstance(one, dict) for one in found)


def test_a_daemon_of_several_workers_has_room_for_so_many_in_all(daemon, ask, state):
    daemon(workers=2, connections=6)
    held = [socket.socket(socket.AF_UNIX) for _ in range(6)]
    for link in held:
        link.connect(str(state.socket))
    wait_for(lambda: "too many" in ask(FIRST))
    assert "too many" in ask(SECOND)
    for link in held:
        link.close()
    wait_for(lambda: isinstance(ask(FIRST), dict))


def test_a_question_that_was_handed_on_is_never_handed_on_again():
    """Whatever a worker is handed, it decides only for its own sessions."""
    inboxes = (make_inbox(), make_inbox())
    server = Server(None, WorkerContext(0, SharedCounters(2), inboxes, 0, lambda: None), Limits())
    ours, theirs = socket.socketpair()
    with contextlib.ExitStack() as stack:
        for end in (ours, theirs, *inboxes[0], *inboxes[1]):
            stack.enter_context(end)
        event = Event("acted", Kind.BEFORE, "Ask", SECOND, "/")
        Connection(server, ours, None, handed=True).hand_on(event, Question("acted", "Ask", 2), b"{}")
        answer = read_answer(theirs.recv(9999))
        with pytest.raises(BlockingIOError):
            inboxes[1].read.recv(1)
    assert answer.exit == 2
    assert b"does not decide" in answer.stderr


def test_whose_a_session_is_depends_on_its_host_and_its_whole_name():
    names = ["", "a", "b", "\ud800", "a" * 9999]
    assert all(worker_of("h", name, 1) == 0 for name in names)
    found = {worker_of(host, f"{n}", 2) for host in ("h", "i") for n in range(20)}
    assert found == {0, 1}
    assert any(worker_of("h", f"{n}", 2) != worker_of("i", f"{n}", 2) for n in range(20))
