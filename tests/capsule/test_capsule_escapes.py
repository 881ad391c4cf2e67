"""Attempts to get out of the sandbox, made for real. Each program succeeds without the sandbox, so that the test can fail."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from confined import PYTHON, needs_sandbox, python, sandboxed, unconfined

from remit.capsule.run import Ending

READ_KEY = """
import os, sys
for path in (os.path.expanduser("~/.ssh/id_rsa"), sys.argv[1]):
    try:
        print("GOT", open(path).read())
    except OSError as error:
        print(type(error).__name__)
"""
WRITE_OUTSIDE = """
import sys
try:
    open(sys.argv[1], "w").write("x")
    print("GOT")
except OSError as error:
    print(type(error).__name__)
"""
CONNECT = """
import socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
    print("GOT")
except OSError as error:
    print(type(error).__name__)
"""
SEE_PROCESS = """
import sys
try:
    print("GOT", open(f"/proc/{sys.argv[1]}/cmdline").read())
except OSError as error:
    print(type(error).__name__)
"""
LIST_PROCESSES = """
import os
found = [name for name in os.listdir("/proc") if name.isdigit()]
print("GOT" if len(found) > 8 else f"only {len(found)}")
"""
SIGNAL = """
import os, sys
try:
    os.kill(int(sys.argv[1]), 9)
    print("GOT")
except OSError as error:
    print(type(error).__name__)
"""
TRACE = """
import ctypes, os, signal, time
child = os.fork()
if not child:
    time.sleep(30)
    os._exit(0)
libc = ctypes.CDLL(None, use_errno=True)
print("GOT" if libc.ptrace(16, child, None, None) == 0 else "refused")  # PTRACE_ATTACH
os.kill(child, signal.SIGKILL)
"""
PRIVILEGES = """
fields = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
print("GOT" if fields["NoNewPrivs"].strip() == "0" else "no new privileges, capabilities", int(fields["CapBnd"], 16))
"""
NAMESPACE = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print("GOT" if libc.unshare(0x10000000) == 0 else "refused")  # CLONE_NEWUSER
"""
FORKS = """
import os, sys, time
made = 0
for _ in range(200):
    try:
        if not os.fork():
            time.sleep(30)
            os._exit(0)
    except OSError:
        break
    made += 1
print("GOT" if made == 200 else f"only {made}")
sys.stdout.flush()
import signal
os.killpg(0, signal.SIGKILL) if "--end" in sys.argv else None
"""
FILL = """
import sys
block = b"x" * (1 << 20)
for place in sys.argv[1:]:
    written = 0
    try:
        for number in range(40):
            with open(f"{place}/fill-{number}", "wb") as file:
                file.write(block)
            written += 1
    except OSError as error:
        pass
    print(place, "GOT" if written == 40 else "full")
"""
DAEMON = """
import os, sys, time
if not os.fork():
    os.setsid()
    if not os.fork():
        for fd in range(3):
            os.close(fd)
        os.execv(sys.executable, ["python3", "-c", "import time; time.sleep(60)", sys.argv[1]])
time.sleep(0.5)
"""


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    (folder / ".ssh").mkdir(parents=True)
    (folder / ".ssh/id_rsa").write_text("the key of a person")
    return folder


@pytest.fixture
def outside(tmp_path):
    """Runs a program without a sandbox."""
    cwd = tmp_path / "free"
    cwd.mkdir()

    def go(text, *args, home=None):
        return unconfined(text, *map(str, args), home=home or cwd, cwd=cwd).stdout

    return go


@pytest.fixture(autouse=True)
def _sandbox():
    needs_sandbox()


def test_a_key_in_a_home_is_not_there_needs_bubblewrap_and_strace(home, outside):
    key = home / ".ssh/id_rsa"
    assert outside(READ_KEY, key, home=home).count("the key of a person") == 2
    assert python(READ_KEY, str(key)).output.split() == ["FileNotFoundError"] * 2


def test_nothing_is_written_outside_needs_bubblewrap_and_strace(tmp_path, outside):
    assert "GOT" in outside(WRITE_OUTSIDE, tmp_path / "free/target")
    for place in (tmp_path / "free/other", "/usr/bin/planted", "/etc/planted", "/planted", "/run/remit/skill/planted"):
        found = python(WRITE_OUTSIDE, str(place))
        assert "GOT" not in found.output
        assert found.output.strip()
    assert not (tmp_path / "free/other").exists()


def test_no_server_of_the_machine_is_reached_needs_bubblewrap_and_strace(outside):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert "GOT" in outside(CONNECT, port)
        assert python(CONNECT, str(port)).output.strip() == "ConnectionRefusedError"


def test_other_processes_are_not_seen_needs_bubblewrap_and_strace(outside):
    assert "GOT" in outside(SEE_PROCESS, os.getpid())
    assert python(SEE_PROCESS, str(os.getpid())).output.strip() == "FileNotFoundError"
    assert "GOT" in outside(LIST_PROCESSES)
    assert python(LIST_PROCESSES).output.startswith("only")


def test_other_processes_are_not_signalled_needs_bubblewrap_and_strace(outside):
    user = 65534 if os.getuid() == 0 else None
    with subprocess.Popen(["sleep", "600"], user=user) as victim:
        found = python(SIGNAL, str(victim.pid))
        assert found.output.strip() == "ProcessLookupError"
        assert victim.poll() is None
        assert "GOT" in outside(SIGNAL, victim.pid)
        assert victim.wait(300) == -signal.SIGKILL


def test_no_process_is_traced_needs_bubblewrap_and_strace(outside):
    assert "GOT" in outside(TRACE)
    assert python(TRACE).output.strip() == "refused"


def test_no_privilege_is_gained_needs_bubblewrap_and_strace(outside):
    assert "GOT" in outside(PRIVILEGES)
    assert python(PRIVILEGES).output.strip() == "no new privileges, capabilities 0"
    assert "GOT" in outside(NAMESPACE)
    assert python(NAMESPACE).output.strip() == "refused"


def test_forks_are_bounded_needs_bubblewrap_and_strace(outside):
    assert "GOT" in outside(FORKS, "--end")
    found = python(FORKS, processes=40)
    assert found.output.startswith("only")
    assert int(found.output.split()[1]) < 40


def test_disks_are_bounded_needs_bubblewrap_and_strace(tmp_path, outside):
    assert "GOT" in outside(FILL, tmp_path / "free")
    found = python(FILL, "/skill", "/tmp", "/home/skill", "/dev/shm", "/", "/dev", "/run", disk=8 << 20)
    assert "GOT" not in found.output
    assert found.output.count("full") == 7


def test_output_is_bounded_needs_bubblewrap_and_strace():
    found = python("while True: print('x' * 1000)", output=50_000)
    assert found.how is Ending.OUTPUT
    assert len(found.output) == 50_000


@pytest.mark.timeout(300)
def test_time_is_bounded_needs_bubblewrap_and_strace():
    found = python("import time\nopen('made', 'w')\ntime.sleep(3600)", seconds=1)
    assert found.how is Ending.TIME
    assert found.code is None
    assert any(act.object == "/skill/made" for act in found.acts)  # what was done before is known


def test_memory_is_bounded_needs_bubblewrap_and_strace():
    text = "try:\n    x = bytearray(400 << 20)\n    print('GOT')\nexcept MemoryError:\n    print('refused')\n"
    assert python(text, memory=1 << 30).output.strip() == "GOT"
    assert python(text, memory=200 << 20).output.strip() == "refused"


def test_no_daemon_is_left_behind_needs_bubblewrap_and_strace(tmp_path, outside):
    def running(marker):
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if marker.encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                    found.append(int(path.parent.name))
            except OSError:
                continue
        return found

    free, held = f"left-{os.getpid()}-free", f"left-{os.getpid()}-held"
    outside(DAEMON, free)
    left = running(free)
    assert left
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert python(DAEMON, held).code == 0
    assert not running(held)


def test_the_environment_is_not_handed_on_needs_bubblewrap_and_strace(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "the token of a person")
    monkeypatch.setenv("PYTHONSTARTUP", "/tmp/x.py")
    found = sandboxed("env")
    assert "HOME=/home/skill" in found.output
    assert "SECRET_TOKEN" not in found.output
    assert "PYTHONSTARTUP" not in found.output


def test_the_original_is_never_touched_needs_bubblewrap_and_strace(tmp_path):
    text = "import os, shutil\nshutil.rmtree('/skill', ignore_errors=True)\nprint(os.listdir('/skill'))"
    skill = tmp_path / "skill"
    skill.mkdir()
    (skill / "SKILL.md").write_text("x")
    (skill / "main.py").write_text(text)
    from confined import confined, copy_skill, permit_for, run_confined, staging

    with staging() as scratch:
        copy_skill(skill, scratch / "skill")
        words = ("python3", "main.py")
        found = run_confined(permit_for("x", words), words, confined(scratch / "skill"), scratch / "run")
    assert found.output.strip() == "[]"
    assert sorted(path.name for path in skill.iterdir()) == ["SKILL.md", "main.py"]


def test_sensitive_places_of_the_system_are_masked_needs_bubblewrap_and_strace():
    if not Path("/usr/lib/systemd").is_dir():
        pytest.skip("there is no /usr/lib/systemd to be masked")
    found = sandboxed("ls", "/usr/lib/systemd")
    assert found.code != 0
    assert "Permission denied" in found.output


def test_python_of_the_system_is_the_one_that_runs_needs_bubblewrap_and_strace():
    assert python("import sys; print(sys.executable)").output.strip() == PYTHON


PAST_THE_NETWORK = """
import socket
try:
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    print("GOT")
except OSError as error:
    print(error.errno)
"""
CALLS = """
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": (250, 425, 321), "aarch64": (219, 425, 280), "riscv64": (219, 425, 280)}[platform.machine()]
for number in numbers:
    libc.syscall(number, 0, -3, 0, 0, 0)
    print(ctypes.get_errno())
"""


def test_no_hypervisor_is_spoken_to_needs_bubblewrap_and_strace(outside):
    if "GOT" not in outside(PAST_THE_NETWORK):
        pytest.skip("this machine has no sockets of a hypervisor")
    assert python(PAST_THE_NETWORK).output.strip() == "97"


def test_keyrings_and_calls_that_cannot_be_seen_are_refused_needs_bubblewrap_and_strace(outside):
    assert outside(CALLS).split()[0] == "0"  # the session keyring answers
    found = python(CALLS)
    assert found.output.split() == ["1", "38", "1"]
    assert found.complete
