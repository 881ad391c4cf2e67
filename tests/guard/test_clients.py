"""Both clients: a true answer or exit status 2, whatever stands at the other end."""

# ruff: noqa: PLW1510
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from guarding import is_denial, kill_daemon, workers_of

from each_row import each_row
from remit.guard.client.build import SCRIPT, SOURCE
from remit.guard.daemon.protocol import LARGEST, Question, question_line, read_answer
from remit.guard.state_folder import StateFolder, prepared
from remit.version import VERSION

HOOK = SCRIPT.with_name("hook.py")


def told(done):
    assert (done.returncode, done.stderr) == (0, b""), done
    return json.loads(done.stdout)


def test_a_daemon_that_is_down_is_started_and_answers(client, state):
    first = told(client({"echo": "ä"}))
    assert (first["outcome"], first["echo"]) == ("pass", "ä")
    assert state.folder.stat().st_mode & 0o777 == 0o700
    assert {path.name for path in state.folder.iterdir()} >= {"guard.sock", "guard.lock", "start.lock"}
    assert all(path.stat().st_mode & 0o077 == 0 for path in state.folder.iterdir())
    assert told(client({"echo": 2}))["pid"] == first["pid"]
    kill_daemon(state)
    assert told(client({"echo": 3}))["pid"] != first["pid"]


def test_the_daemon_holds_nothing_of_the_client(client, state, tmp_path):
    """Hosts wait until the pipes of a hook are closed, also the ones that they did not mean to hand on."""
    ours, theirs = os.pipe()
    pid = told(client({}, pass_fds=[theirs], cwd=tmp_path))["pid"]
    os.close(theirs)
    assert os.read(ours, 1) == b""
    os.close(ours)
    assert os.readlink(f"/proc/{pid}/cwd") == "/"
    assert os.getsid(pid) != os.getsid(0)


def test_no_variable_or_folder_of_a_workspace_reaches_the_daemon(client, tmp_path):
    (tmp_path / "remit").mkdir()
    (tmp_path / "remit" / "__init__.py").write_text("raise SystemExit(0)")
    (tmp_path / "asyncio.py").write_text("raise SystemExit(0)")
    bad = {"PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": "/x", "REMIT_STATE": str(tmp_path), "SECRET": "1"}
    pid = told(client({}, cwd=tmp_path, env={**os.environ, **bad}))["pid"]
    names = {item.split(b"=")[0] for item in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") if item}
    assert names <= {b"HOME", b"PATH", b"USER", b"LOGNAME", b"LANG", b"LC_ALL", b"TZ"}


@pytest.mark.parametrize(
    ("do", "expected"),
    [("exit 2", (2, '"pass"', "")), ("aside", (0, '"pass"', "said aside")), ("deny", (0, '"deny"', ""))],
)
def test_what_the_adapter_says_is_what_the_hook_says(client, do, expected):
    done = client({"do": do})
    assert (done.returncode, done.stderr.decode()) == (expected[0], expected[2])
    assert json.loads(done.stdout)["outcome"] == json.loads(expected[1])


@pytest.mark.parametrize("do", ["crash", "host crash", "odd reply", "die"])
def test_what_breaks_on_the_way_is_denied(client, do):
    assert is_denial(client({"do": do}))


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"[]", b"1", b'{"a": NaN}', b"\xff", b"[" * 100_000, b'"' + b"x" * 100_000]
)
def test_what_is_no_object_is_denied(client, payload):
    assert is_denial(client(payload))


def test_unknown_hosts_and_events_are_denied(client):
    assert is_denial(client({}, host="nobody"))
    assert is_denial(client({}, event="Nothing"))
    assert is_denial(client({}, host="remit", event="nothing"))
    assert told(client({}, host="remit", event="status"))["version"] == VERSION


def test_texts_of_all_sizes_come_whole(client):
    for size in (0, 1, 65_000, 70_000, 3_000_000):
        assert told(client({"echo": "x" * size}))["echo"] == "x" * size


def test_too_large_a_text_is_denied(client):
    assert is_denial(client(b"x" * (LARGEST + 1)))


@pytest.mark.parametrize(
    "words",
    [[], ["acted"], ["a b", "Ask"], ["acted", "A\n"], ["", "Ask"], ["-a", "Ask"], ["a" * 65, "Ask"], ["acted", "Ä"]]
    + [["acted", "Ask", seconds] for seconds in ("0", "-1", "x", "nan", "inf", "", "1e9")]
    + [["acted", "Ask", "5", "/tmp", "more"], ["acted", "Ask", "5", "here"], ["acted", "Ask", "5", "/proc/x/y"]],
)
def test_a_wrong_command_line_is_denied(client, words):
    assert is_denial(subprocess.run([*client.command, *words], input=b"{}", capture_output=True, timeout=300))


def test_without_a_state_folder_in_the_command_the_environment_names_it(client, state, tmp_path):
    command = [*client.command, "acted", "Ask"]
    home = state.folder.parent / "h"
    for environ, folder in (
        ({"REMIT_STATE": str(state.folder), "HOME": "/x"}, state.folder),
        ({"XDG_STATE_HOME": str(home), "HOME": "/x"}, home / "remit"),
        ({"XDG_STATE_HOME": "x", "HOME": str(home)}, home / ".local/state/remit"),
    ):
        told(subprocess.run(command, input=b"{}", capture_output=True, timeout=300, env=environ))
        assert (folder / "guard.sock").is_socket()
        kill_daemon(state._replace(folder=folder))
    for environ in ({}, {"HOME": "x"}, {"REMIT_STATE": "x", "HOME": str(home)}):
        done = subprocess.run(command, input=b"{}", capture_output=True, timeout=300, env=environ, cwd=tmp_path)
        assert is_denial(done)
    assert not list(tmp_path.iterdir())


def serve(listener, data, *, read=True, close=True):
    """Answer every question with these bytes."""

    def work():
        held = []
        while True:
            try:
                link, _ = listener.accept()
            except OSError:
                for link in held:
                    link.close()
                return
            held.append(link)
            if read:
                link.recv(1 << 16)
            link.sendall(data)
            if close:
                link.close()

    threading.Thread(target=work, daemon=True).start()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"garbage",
        b"\0" * 100_000,
        b"remit1",
        b"remit1 0 0 0",
        b"remit1 0 1 0\n",
        b"remit1 0 0 0\nx",
        b"remit1 0 2 0\n{",
        b"remit1 1 0 0\n",
        b"remit1 3 0 0\n",
        b"remit1 -2 0 0\n",
        b"remit1 00 0 0\n",
        b"remit1 0 00 0\n",
        b"remit1 0 +0 0\n",
        b"remit1  0 0 0\n",
        b"remit1 0 0 0 0\n",
        b"remit1 0 0 0\r\n",
        b"remit1 0 0 \n",
        b"remit1 0 0\n",
        b"remit2 0 0 0\n",
        b"REMIT1 0 0 0\n",
        b"remit1 0 16777217 0\n" + b"x" * 16_777_217,
        b"remit1 0 99999999999999999999 0\n",
        b"remit1 0 18446744073709551616 0\n",
        b"remit1 0 4294967296 0\n",
        b"remit1 version 9\n",  # and again when it is asked once more
        b"HTTP/1.1 200 OK\r\n\r\n",
    ],
)
def test_garbage_is_denied(client, listener, data):
    serve(listener, data)
    assert is_denial(client({}))


def test_a_flood_is_denied(client, listener):
    serve(listener, b"x" * (2 * LARGEST + 10_000))
    assert is_denial(client({}))


@pytest.mark.parametrize("data", [b"", b"remit1 0 5 0\n{}", b"remit1 0 2 0\n{}"])
def test_whoever_does_not_finish_meets_the_deadline(client, listener, data):
    serve(listener, data, close=False)
    done = client({}, seconds=0.7)
    assert is_denial(done)
    assert b"no answer in time" in done.stderr


def block_signals():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    signal.signal(signal.SIGALRM, signal.SIG_IGN)


def test_a_host_that_blocks_signals_does_not_take_the_deadline_away(client, listener):
    serve(listener, b"", close=False)
    assert is_denial(client({}, seconds=0.7, preexec_fn=block_signals))


def test_a_daemon_that_is_stopped_meets_the_deadline(client, daemon):
    process = daemon()
    stopped = [process.pid, *workers_of(process.pid)]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        assert is_denial(client({}, seconds=0.7))
        assert is_denial(client({"echo": "x" * 3_000_000}, seconds=0.7))
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)


def test_a_host_that_does_not_end_the_text_meets_the_deadline(client, state):
    process = subprocess.Popen(
        [*client.command, "acted", "Ask", "0.7", str(state.folder)], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.wait(300) == 2
    assert b"no answer in time" in process.stderr.read()
    process.stdin.close()
    process.stderr.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1])
def test_signals_end_in_a_denial(client, state, listener, number):
    process = subprocess.Popen(
        [*client.command, "acted", "Ask", "20", str(state.folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    link, _ = listener.accept()
    link.recv(1)
    process.send_signal(number)
    out, err = process.communicate(timeout=300)
    assert is_denial(subprocess.CompletedProcess([], process.returncode, out, err))
    link.close()


def test_an_answer_that_cannot_be_printed_is_denied(client, state):
    told(client({}))
    with Path("/dev/full").open("wb") as full:
        command = [*client.command, "acted", "Ask", "20", str(state.folder)]
        assert subprocess.run(command, input=b"{}", stdout=full, stderr=subprocess.DEVNULL, timeout=300).returncode == 2
        assert subprocess.run(command, input=b"{", stdout=full, stderr=full, timeout=300).returncode == 2
    closed = subprocess.run(["/bin/sh", "-c", '"$@" >&- 2>&-', "sh", *command], input=b"{}", timeout=300)
    assert closed.returncode == 2


def test_what_is_no_socket_of_ours_is_denied(client, state):
    prepared(state.folder)
    beside = state.folder.parent / "beside"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(beside))
        beside.chmod(0o600)
        server.listen()
        serve(server, b"remit1 0 2 0\n{}")
        state.socket.symlink_to(beside)
        assert is_denial(client({}))
        state.socket.unlink()
        state.socket.write_text("remit1 0 2 0\n{}")
        assert is_denial(client({}))
        state.socket.unlink()
        state.socket.mkdir()
        assert is_denial(client({}))
        state.socket.rmdir()
        os.link(beside, state.socket)
        assert told(client({})) == {}
        state.socket.chmod(0o660)
        assert is_denial(client({}))
        if os.geteuid() == 0:
            state.socket.chmod(0o600)
            os.chown(state.socket, 65534, -1)
            assert is_denial(client({}))
        server.shutdown(socket.SHUT_RDWR)


def test_a_state_folder_that_is_not_ours_alone_is_denied(client, state):
    told(client({}))
    state.folder.chmod(0o750)
    assert is_denial(client({}))
    state.folder.chmod(0o700)
    link = state.folder.parent / "link"
    link.symlink_to("state")
    assert is_denial(client({}, folder=link))


def test_what_an_agent_sets_in_the_environment_is_not_where_an_administrators_hook_looks(client, state):
    """The state folder `~` is that of the user database: a daemon of somebody else's making is never asked."""
    evil, home = state.folder.parent / "evil", state.folder.parent
    mine = prepared(evil / ".local" / "state" / "remit")
    told(client({}, folder=mine.folder))
    bad = {"HOME": str(evil), "XDG_STATE_HOME": str(mine.folder.parent), "REMIT_STATE": str(mine.folder)}
    try:
        assert told(client({}, folder="", env={**os.environ, **bad}))["outcome"] == "pass"  # without `~` it is asked
        known = {"LD_PRELOAD": str(_other_home(home)), **bad}
        done = told(client({}, folder="~", env={**os.environ, **known}))
        assert (home / ".local/state/remit/guard.sock").exists()
        assert f"HOME={home}".encode() in Path(f"/proc/{done['pid']}/environ").read_bytes().split(b"\0")
    finally:
        kill_daemon(mine)
        kill_daemon(StateFolder(home / ".local/state/remit"))


def _other_home(home):
    """A library by which the user database has another home folder for us: tests must not touch the real one."""
    source, built = home / "home.c", home / "home.so"
    source.write_text(
        "#include <pwd.h>\nstatic struct passwd user;\n"
        f'struct passwd *getpwuid(uid_t uid) {{ user.pw_name = "u"; user.pw_passwd = user.pw_gecos = user.pw_shell = ""; '
        f'user.pw_uid = uid; user.pw_dir = "{home}"; return &user; }}\n'
        "int getpwuid_r(uid_t uid, struct passwd *into, char *room, size_t size, struct passwd **found) "
        "{ (void)room; (void)size; *into = *getpwuid(uid); *found = into; return 0; }\n"
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-include", "stddef.h", "-o", str(built), str(source)], check=True)
    return built


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can listen as somebody else")
def test_another_user_behind_our_own_socket_is_denied(client, state):
    prepared(state.folder)
    program = (
        "import os, socket, sys\nserver = socket.socket(socket.AF_UNIX)\nserver.bind(sys.argv[1])\n"
        "os.chmod(sys.argv[1], 0o600)\nos.setuid(65534)\nserver.listen()\nprint('+', flush=True)\n"
        "while True:\n    link, _ = server.accept()\n    link.recv(9999)\n    link.sendall(b'remit1 0 2 0\\n{}')\n    link.close()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(state.socket)], stdout=subprocess.PIPE)
    try:
        assert process.stdout.read(1) == b"+"
        done = client({})
        assert is_denial(done)
        assert b"another user" in done.stderr
    finally:
        process.kill()
        process.communicate()


def no_room():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_a_full_disk_is_denied(client, state):
    done = client({}, preexec_fn=no_room)
    assert is_denial(done)
    assert b"does not start" in done.stderr
    assert told(client({}))["outcome"] == "pass"


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_is_denied(client, state):
    prepared(state.folder).folder.chmod(0o500)
    assert is_denial(client({}))


def test_a_daemon_that_cannot_be_started_is_denied_at_once(client, state):
    prepared(state.folder).daemon_lock.mkdir()
    done = client({}, seconds=3600)
    assert is_denial(done)
    assert b"does not start" in done.stderr


def test_a_daemon_of_another_version_makes_way(client, daemon, state):
    old = daemon(version="9.9")
    found = told(client({"echo": 1}))
    assert found["echo"] == 1
    assert found["pid"] != old.pid
    assert old.wait(300) == 0
    assert state.socket.is_socket()


def test_a_client_of_an_older_version_is_answered_by_the_installed_one(state, daemon):
    process = daemon()
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(state.socket))
        link.sendall(question_line(Question("acted", "Ask", 2, "0.0.1")) + b"{}")
        link.shutdown(socket.SHUT_WR)
        answer = read_answer(b"".join(iter(lambda: link.recv(65536), b"")))
    assert answer.exit == 0
    assert process.poll() is None


@pytest.mark.parametrize("loss", ["removed", "replaced"])
def test_a_daemon_that_lost_its_socket_makes_way(client, daemon, state, loss):
    lost = daemon()
    state.socket.unlink()
    if loss == "replaced":
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(state.socket))
            state.socket.chmod(0o600)
    found = told(client({"echo": 1}))
    assert found["echo"] == 1
    assert found["pid"] != lost.pid
    assert lost.wait(300) == 0
    assert state.socket.is_socket()


def test_200_clients_at_once_start_one_daemon(client):
    with ThreadPoolExecutor(200) as pool:
        found = list(pool.map(lambda number: told(client({"echo": number}, seconds=80)), range(200)))
    assert [item["echo"] for item in found] == list(range(200))
    assert len({item["pid"] for item in found}) == 1


def test_kill_9_at_any_moment_is_no_way_through(client, state):
    """REMIT_KILLS=1000 for the long one."""
    kills = int(os.environ.get("REMIT_KILLS", "25"))
    pause = 0.0
    answered = denied = 0

    def killer():
        time.sleep(pause)
        kill_daemon(state)

    for number in range(kills):
        pause = (number * 7919 % 400) / 1000  # of the time that a start and an answer take
        thread = threading.Thread(target=killer)
        thread.start()
        for outcome in ("pass", "deny"):
            done = client({"echo": number, "do": outcome})
            if done.returncode == 0:
                answer = json.loads(done.stdout)
                assert (answer["echo"], answer["outcome"]) == (number, outcome)
                answered += 1
            else:
                assert is_denial(done)
                denied += 1
        thread.join()
    assert answered + denied == 2 * kills
    assert answered


def test_the_clients_and_the_package_are_of_one_version():
    assert f'VERSION = "{VERSION}"' in HOOK.read_text()


def test_the_python_client_imports_next_to_nothing(state):
    command = [sys.executable, "-I", "-S", "-X", "importtime", str(SCRIPT), "a b", "c"]
    bare = [sys.executable, "-I", "-S", "-X", "importtime", "-c", "pass"]
    loaded = [
        set(re.findall(r"\| +([\w.]+)$", subprocess.run(line, capture_output=True, text=True).stderr, re.MULTILINE))
        for line in (command, bare)
    ]
    assert loaded[0] - loaded[1] <= {"_socket", "hook"}


@each_row(
    "text",
    [None, "import nothing_such", "def main(_):\n    raise SystemExit(0)", "main = 1", "def main(_): pass", "x = ("],
)
def test_a_client_whose_other_half_is_broken_denies(tmp_path, text):
    script = Path(shutil.copy(SCRIPT, tmp_path / "client.py"))
    if text is not None:
        (tmp_path / "hook.py").write_text(text)
    command = [sys.executable, "-I", "-S", str(script), "claude-code", "PreToolUse"]
    assert is_denial(subprocess.run(command, input=b"{}", capture_output=True, cwd=tmp_path))


def test_no_module_beside_the_agent_is_taken_for_the_other_half(state, tmp_path):
    (tmp_path / "hook.py").write_text("import os\nos._exit(0)\n")
    command = [sys.executable, "-I", "-S", str(SCRIPT), "a b", "c"]
    assert is_denial(subprocess.run(command, input=b"{}", capture_output=True, cwd=tmp_path))


def test_both_clients_keep_the_same_limits():
    python, compiled = HOOK.read_text(), SOURCE.read_text()
    assert "16 * 1024 * 1024" in python
    assert "16u * 1024 * 1024" in compiled
    kept = re.findall(r'b"([A-Z_]+)"', python[python.index("KEPT") :].split("\n")[0])
    assert kept == re.findall(r'"([A-Z_]+)"', compiled[compiled.index("KEPT[]") :].split("\n")[0])


def test_the_daemon_of_this_version_is_started_from_beside_the_client(state, tmp_path):
    """By the real script: the daemon is of the same source, whatever lies in the folder in which the agent works."""
    (tmp_path / "remit").mkdir()
    (tmp_path / "remit" / "__init__.py").write_text("raise SystemExit(0)")
    command = [sys.executable, "-I", "-S", str(SCRIPT), "remit", "status", "60", str(state.folder)]
    found = told(subprocess.run(command, input=b"{}", capture_output=True, timeout=300, cwd=tmp_path))
    assert found["version"] == VERSION
    words = Path(f"/proc/{found['pid']}/cmdline").read_bytes().split(b"\0")
    assert words[1:4] == [b"-I", str(SCRIPT.parent.parent / "daemon/__main__.py").encode(), str(state.folder).encode()]
    asked = subprocess.run([*command[:4], "nobody", "Ask", "60", str(state.folder)], input=b"{}", capture_output=True)
    assert is_denial(asked)
