"""What is observed of programs whose effects are known: all of it, and nothing else."""

import pytest
from confined import has, needs_sandbox, python, sandboxed, seen

FILES = {"data.txt": "data\n", "dir/x.txt": "x\n", "tool.sh": "#!/bin/sh\necho tool\n"}
PATHS = {"main.py", "SKILL.md", "dir", *FILES}
CODE = {"main.py", "tool.sh"}


@pytest.fixture(autouse=True)
def _sandbox():
    needs_sandbox()


DATAGRAM = "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
PROGRAMS = {
    "reads": ("open('data.txt').read()", {("file.read", "./data.txt", "done")}),
    "reads by its whole path": ("open('/skill/data.txt')", {("file.read", "./data.txt", "done")}),
    "reads what is not there": (
        "import os\ntry: open(os.path.expanduser('~/.ssh/id_rsa'))\nexcept OSError: pass",
        {("file.read", "~/.ssh/id_rsa", "absent"), ("secret.read", "~/.ssh/id_rsa", "absent")},
    ),
    "writes": ("open('new.txt', 'w')", {("file.write", "./new.txt", "done")}),
    "appends": ("open('data.txt', 'a')", {("file.write", "./data.txt", "done")}),
    "reads and writes": (
        "open('data.txt', 'r+')",
        {("file.read", "./data.txt", "done"), ("file.write", "./data.txt", "done")},
    ),
    "writes outside": ("try: open('/etc/x', 'w')\nexcept OSError: pass", {("file.write", "/etc/x", "refused")}),
    "removes": ("import os\nos.remove('data.txt')", {("file.delete", "./data.txt", "done")}),
    "removes what is not there": (
        "import os\ntry: os.remove('nothing')\nexcept OSError: pass",
        {("file.delete", "./nothing", "absent")},
    ),
    "renames": (
        "import os\nos.rename('data.txt', 'other.txt')",
        {("file.delete", "./data.txt", "done"), ("file.write", "./other.txt", "done")},
    ),
    "makes folders": (
        "import os\nos.makedirs('a/b')",
        {("file.write", "./a", "done"), ("file.write", "./a/b", "done")},
    ),
    "removes a tree": (
        "import shutil\nshutil.rmtree('dir')",
        {("file.delete", "./dir", "done"), ("file.delete", "./dir/x.txt", "done")},
    ),
    "changes a mode": ("import os\nos.chmod('data.txt', 0o600)", {("file.chmod", "./data.txt", "done")}),
    "through a link that it makes": (
        "import os\nos.symlink('/home/skill', 'link')\nopen('link/x', 'w')\nos.remove('link/x')",
        {("file.write", "./link", "done"), ("file.write", "~/x", "done"), ("file.delete", "~/x", "done")},
    ),
    "in another folder": (
        "import os\nos.chdir('dir')\nos.remove('x.txt')\nopen('y', 'w')",
        {("file.delete", "./dir/x.txt", "done"), ("file.write", "./dir/y", "done")},
    ),
    "by a descriptor": (
        "import os\nfd = os.open('dir', os.O_RDONLY)\nos.unlink('x.txt', dir_fd=fd)",
        {("file.delete", "./dir/x.txt", "done")},
    ),
    "in a child": (
        "import os\nos.chdir('dir')\npid = os.fork()\nif not pid:\n    open('z', 'w')\n    os._exit(0)\nos.wait()",
        {("file.write", "./dir/z", "done")},
    ),
    "in a thread": (
        "import threading\nt = threading.Thread(target=lambda: open('t', 'w'))\nt.start()\nt.join()",
        {("file.write", "./t", "done")},
    ),
    "starts a program": ("import subprocess\nsubprocess.run(['true'])", {("process.create", "true", "done")}),
    "starts a script of the skill": (
        "import os\nos.chmod('tool.sh', 0o755)\nimport subprocess\nsubprocess.run(['./tool.sh'])",
        {("file.chmod", "./tool.sh", "done"), ("process.create", "./tool.sh", "done")},
    ),
    "starts what is not there": (
        "import subprocess\ntry: subprocess.run(['no-such-tool'])\nexcept OSError: pass",
        {("process.create", "no-such-tool", "absent")},
    ),
    "uses a shell": (
        "import os\nos.system('cat data.txt > copy')",
        {
            ("process.create", "sh", "done"),
            ("process.create", "cat", "done"),
            ("file.read", "./data.txt", "done"),
            ("file.write", "./copy", "done"),
        },
    ),
    "connects to an address": (
        "import socket\ntry: socket.create_connection(('203.0.113.7', 25), 1)\nexcept OSError: pass",
        {("net.connect", "203.0.113.7:25", "refused")},
    ),
    "connects to a name that resolves": (
        "import socket\ntry: socket.create_connection(('api.example.com', 443), 1)\nexcept OSError: pass",
        {("net.connect", "api.example.com:443", "refused")},
    ),
    "asks for a name": (
        "import socket\ntry: socket.create_connection(('evil.example.net', 443), 1)\nexcept OSError: pass",
        {("net.connect", "evil.example.net", "refused")},
    ),
    "sends a datagram": (
        f"{DATAGRAM}try: s.sendto(b'x', ('203.0.113.7', 99))\nexcept OSError: pass",
        {("net.connect", "203.0.113.7:99", "refused")},
    ),
    "speaks to a name server in other words": (
        f"{DATAGRAM}s.connect(('127.0.0.1', 53))\ntry: s.send(b'a secret')\nexcept OSError: pass",
        {("net.connect", "any", "refused")},
    ),
    "listens": ("import socket\nsocket.create_server(('127.0.0.1', 8080))", {("net.listen", "127.0.0.1:8080", "done")}),
    "listens anywhere": ("import socket\nsocket.create_server(('', 0))", {("net.listen", "0.0.0.0", "done")}),
    "speaks to a daemon": (
        "import socket\ns = socket.socket(socket.AF_UNIX)\ntry: s.connect('/var/run/docker.sock')\nexcept OSError: pass",
        {("file.write", "/var/run/docker.sock", "absent")},
    ),
    "looks at processes": ("open('/proc/1/cmdline').read()", {("process.query", "any", "done")}),
    "ends another process": (
        # who is killed at the entry of a call leaves a line that cannot be read: it says first that it only sleeps from now on
        "import os, signal, time\nr, w = os.pipe()\npid = os.fork()\nif not pid:\n    os.write(w, b'.')\n    time.sleep(20)\nos.read(r, 1)\nos.kill(pid, signal.SIGKILL)",
        {("process.kill", "python3", "done")},
    ),
    "a name that imitates the log": (
        "open('x\") = -1 ENOENT (No such file or directory', 'w')",
        {("file.write", './x") = -1 ENOENT (No such file or directory', "done")},
    ),
    "a name of many lines": (
        "open('a\\n1 unlink(\"b\") = 0\\n', 'w')",
        {("file.write", './a\\x{a}1 unlink("b") = 0\\x{a}', "done")},
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_program_does_is_seen_needs_bubblewrap_and_strace(name):
    text, expected = PROGRAMS[name]
    found = python(text, files=FILES, names=("api.example.com",))
    assert found.complete, found.problems
    assert found.code == 0, found.output
    shown = seen(found, PATHS, CODE, ("api.example.com",))
    assert shown == expected, found.acts


def test_a_program_that_does_nothing_is_seen_to_do_nothing_needs_bubblewrap_and_strace():
    found = python("import json, os, sys, subprocess, socket, ssl, tempfile, urllib.request\nprint(1)")
    assert found.complete
    assert seen(found, {"main.py", "SKILL.md"}, {"main.py"}) == set()


def test_an_interpreter_of_javascript_is_no_effect_needs_bubblewrap_strace_and_node():
    if not has("node"):
        pytest.skip("node is not installed")
    text = "const fs = require('fs'); fs.writeFileSync('out.txt', fs.readFileSync('data.txt'));"
    found = sandboxed("node", "main.js", files={"main.js": text, "data.txt": "x"})
    assert found.complete, found.problems
    assert found.code == 0, found.output
    shown = seen(found, {"main.js", "data.txt", "SKILL.md"}, {"main.js"})
    assert shown == {("file.read", "./data.txt", "done"), ("file.write", "./out.txt", "done")}


UNTRACED = """
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
number = {"x86_64": 56, "aarch64": 220, "riscv64": 220}[platform.machine()]
pid = libc.syscall(number, 0x00800000 | 17, 0, 0, 0, 0)  # CLONE_UNTRACED
if pid == 0:
    libc.open(b"/tmp/hidden", 0o101, 0o600)
    libc._exit(0)
libc.sleep(1)
print(os.path.exists("/tmp/hidden"))
"""


def test_a_process_that_nobody_can_trace_is_reported_and_does_nothing_needs_bubblewrap_and_strace():
    found = python(UNTRACED)
    assert not found.complete
    assert "a program made a process that cannot be watched" in found.problems
    assert found.output.strip() == "False"


def test_a_log_that_is_too_long_is_not_complete_needs_bubblewrap_and_strace():
    found = python("while True:\n    try: open('/nowhere')\n    except OSError: pass", log=200_000)
    assert not found.complete
    assert "the log is longer than its limit" in found.problems


def test_an_observer_that_dies_is_not_complete_needs_bubblewrap_and_strace(monkeypatch):
    """strace is killed while the program runs."""
    import os
    import signal
    import threading

    from remit.capsule import run

    real = run.subprocess.Popen

    class Killed(real):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            if "-o" in args[0]:
                threading.Timer(1.5, lambda: os.kill(self.pid, signal.SIGKILL)).start()

    monkeypatch.setattr(run.subprocess, "Popen", Killed)
    found = python("import time\ntime.sleep(8)\nopen('late', 'w')", seconds=15)
    assert not found.complete
    assert not any(act.object.endswith("late") for act in found.acts)


def test_nothing_runs_for_whoever_has_no_permit_needs_bubblewrap_and_strace(tmp_path):
    from types import SimpleNamespace

    from confined import confined, permit_for, run_confined

    from remit.core.errors import CapsuleError

    forged = SimpleNamespace(request=SimpleNamespace(command="true"))
    for permit in (None, forged, "true"):
        with pytest.raises(CapsuleError, match="without a permit"):
            run_confined(permit, ("true",), confined(tmp_path), tmp_path / "run")
    with pytest.raises(CapsuleError, match="for another command"):
        run_confined(permit_for("x", ("true",)), ("false",), confined(tmp_path), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_where_no_sandbox_can_be_made_nothing_runs_needs_bubblewrap_and_strace(monkeypatch):
    from remit.capsule import bubblewrap
    from remit.core.errors import CapsuleError

    monkeypatch.setattr(bubblewrap, "ALONE", ("--no-such-option",))
    with pytest.raises(CapsuleError, match="cannot be made here, so nothing was run") as error:
        sandboxed("touch", "/tmp/was-run")
    assert "user namespaces" in error.value.remedy


def test_a_skill_that_is_too_large_is_not_run_needs_bubblewrap_and_strace():
    from remit.core.errors import CapsuleError

    with pytest.raises(CapsuleError, match="cannot be copied into the sandbox"):
        sandboxed("true", files={"large.txt": "x" * (3 << 20)}, disk=1 << 20)


def test_more_than_can_be_compared_is_not_complete_needs_bubblewrap_and_strace(monkeypatch):
    from remit.capsule import skill_tests
    from remit.capsule.observe import Content, observe
    from remit.manifest.model import Manifest

    monkeypatch.setattr(skill_tests, "_MOST", 5)
    found = python("for n in range(9): open(f'f{n}', 'w')")
    seen_ = observe(found.acts, Content(frozenset({"main.py"}), frozenset({"main.py"})))
    short, part = skill_tests._comparable(found, seen_, Manifest("remit.json", ()))
    assert (short.complete, len(part)) == (False, 5)
    monkeypatch.undo()
    assert skill_tests._comparable(found, seen_, Manifest("remit.json", ())) == (found, seen_)
