"""Commands in capsules: what is granted works, and what is not does not."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest
from capsules import asked, compiled, contract_of, entry, manifest, needs_capsule, run

from remit.capsule import bubblewrap
from remit.capsule.helper import build
from remit.capsule.kernel import Kernel, require
from remit.capsule.launch import run_in_capsule
from remit.capsule.prepare import prepare
from remit.capsule.run import Ending
from remit.core.errors import CapsuleError
from remit.manifest.model import Decision
from remit.policy.command_permits import permit_for

READ_ALL = ("file.read", "./**")
SH = ("shell.execute", "cat")


@pytest.fixture(autouse=True)
def _capsule():
    needs_capsule()


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "work"
    (folder / "out").mkdir(parents=True)
    (folder / "data").mkdir()
    (folder / "data/a.txt").write_text("hello")
    (folder / "data/.env").write_text("TOKEN=of a person")
    return folder


def sh(workspace, made, text, **more):
    return run(workspace, made, "sh", "-c", text, **more)


def test_what_is_granted_can_be_read_and_what_is_not_is_not_there(workspace):
    (workspace / "other.txt").write_text("not granted")
    found = sh(workspace, manifest(("file.read", "./data/**"), SH), "cat data/a.txt; cat other.txt")
    assert found.output.startswith("hello")
    assert "No such file" in found.output
    assert found.ran.code == 1


def test_a_status_is_passed_through(workspace):
    assert sh(workspace, manifest(), "exit 42").ran.code == 42
    assert run(workspace, manifest(), "true").ran.code == 0


def test_a_program_that_is_not_there_is_not_run(workspace):
    with pytest.raises(CapsuleError, match="there is no program `no-such-program`"):
        run(workspace, manifest(), "no-such-program")


def test_writing_needs_its_entry_and_so_does_removing(workspace):
    text = "echo x > out/new; cat out/new; rm out/new; echo y > data/new; echo z > here; cat data/a.txt"
    programs = [("process.create", name) for name in ("cat", "rm")]
    found = sh(workspace, manifest(("file.write", "./out/**"), *programs), text)
    assert (workspace / "out/new").read_text() == "x\n"
    assert not (workspace / "data/new").exists()
    assert not (workspace / "here").exists()
    assert "rm: cannot remove 'out/new'" in found.output
    assert "hello" not in found.output
    assert "out/new: Permission denied" in found.output  # written, but not readable
    granted = manifest(READ_ALL, ("file.write", "./out/**"), ("file.delete", "./out/**"), *programs)
    assert sh(workspace, granted, "cat out/new && rm out/new").output == "x\n"
    assert not (workspace / "out/new").exists()


def test_a_folder_that_may_be_written_is_made(workspace):
    made = manifest(("file.write", "./fresh/deep/**"))
    assert contract_of(asked(workspace, made)).places[0].missing
    assert not (workspace / "fresh").exists()  # looking makes nothing
    assert sh(workspace, made, "echo x > fresh/deep/new").ran.code == 0
    assert (workspace / "fresh/deep/new").read_text() == "x\n"


def test_credentials_in_a_granted_folder_are_hidden_unless_granted_as_such(workspace):
    assert "Permission denied" in sh(workspace, manifest(READ_ALL, SH), "cat data/.env").output
    granted = manifest(READ_ALL, SH, ("secret.read", "./data/.env"))
    assert sh(workspace, granted, "cat data/.env").output == "TOKEN=of a person"


def test_hooks_in_a_granted_folder_stay_as_they_are(workspace):
    hooks = workspace / ".git/hooks"
    hooks.mkdir(parents=True)
    (hooks / "pre-commit").write_text("old")
    made = manifest(READ_ALL, ("file.write", "./**"), ("file.delete", "./**"))
    found = sh(workspace, made, "echo evil > .git/hooks/pre-commit; echo evil > .git/hooks/post-commit; echo fine > ok")
    assert (hooks / "pre-commit").read_text() == "old"
    assert not (hooks / "post-commit").exists()
    assert (workspace / "ok").exists()
    assert found.ran.planted == ()


@pytest.mark.parametrize(
    "text",
    [
        "mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit",
        "echo evil > .bashrc",
        "mkdir .claude && echo evil > .claude/settings.json",
        "mv .git .was && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit",
        "echo 'gitdir: elsewhere' > sub/.git",
    ],
)
def test_what_is_planted_is_said(workspace, text):
    (workspace / "sub").mkdir()
    if "mv" in text:
        (workspace / ".git/hooks").mkdir(parents=True)
        (workspace / ".git/hooks/pre-commit").write_text("old")
    programs = [("process.create", name) for name in ("mkdir", "mv")]
    made = manifest(READ_ALL, ("file.write", "./**"), ("file.delete", "./**"), *programs)
    found = sh(workspace, made, text)
    assert found.ran.code == 0, found.output
    assert found.ran.planted


def test_what_is_denied_is_hidden_or_read_only(workspace):
    (workspace / "private").mkdir()
    (workspace / "private/x").write_text("private")
    (workspace / "fixed").mkdir()
    denials = [entry("file.read", "./private/**", Decision.DENY), entry("file.write", "./fixed/**", Decision.DENY)]
    made = manifest(READ_ALL, ("file.write", "./**"), SH, *denials)
    found = sh(workspace, made, "cat private/x; echo x > fixed/y; echo z > free")
    assert "Permission denied" in found.output
    assert not (workspace / "fixed/y").exists()
    assert (workspace / "free").exists()


def test_entries_that_ask_are_not_granted_without_a_person(workspace):
    made = manifest(entry("file.read", "./**", Decision.CONFIRM), SH)
    assert "No such file" in sh(workspace, made, "cat data/a.txt").output
    assert sh(workspace, made, "cat data/a.txt", confirmed=True).output == "hello"


def test_what_a_caller_passes_is_granted_by_arg(workspace, tmp_path):
    (tmp_path / "elsewhere.txt").write_text("passed")
    made = manifest(("file.read", "<arg>"), SH)
    path = str(tmp_path / "elsewhere.txt")
    assert "No such file" in sh(workspace, made, f"cat {path}").output
    assert sh(workspace, made, f"cat {path}", passed=(path,)).output == "passed"


def test_programs_that_no_entry_names_are_not_there(workspace):
    found = sh(workspace, manifest(("process.create", "cat")), "id; cat /dev/null && echo fine; ls /usr/bin")
    assert "id: not found" in found.output
    assert "fine" in found.output
    assert sh(workspace, manifest(("process.create", "any")), "id -u").output == "1000\n"


def test_a_denied_program_does_not_start_where_all_others_do(workspace):
    made = manifest(("process.create", "any"), entry("process.create", "id", Decision.DENY))
    found = sh(workspace, made, "id; uname; cp /usr/bin/id out/id; out/id")
    assert "uid=" not in found.output
    assert "Linux" in found.output


def test_a_script_of_the_workspace_starts_only_if_it_is_granted(workspace):
    tool = workspace / "tool.sh"
    tool.write_text("#!/bin/sh\necho ran\n")
    tool.chmod(0o755)
    assert "Permission denied" in sh(workspace, manifest(READ_ALL), "./tool.sh").output
    assert sh(workspace, manifest(READ_ALL, ("source.execute", "./tool.sh")), "./tool.sh").output == "ran\n"
    assert run(workspace, manifest(), "./tool.sh").output == "ran\n"  # the command itself is what the person names


def test_a_command_may_be_a_link(workspace):
    (workspace / "shell").symlink_to("/bin/sh")
    assert run(workspace, manifest(), "./shell", "-c", "echo ran").output == "ran\n"


def test_code_is_not_a_program(workspace):
    """What is readable can be loaded as code, inside of the same capsule: the loader is startable, because everything needs it."""
    text = (
        "import os, shutil, subprocess, sys\n"
        "shutil.copyfile(sys.executable, 'out/copy')\n"
        "loader = [p for p in ('/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1') if os.path.exists(p)][0]\n"
        "go = [loader, 'out/copy', '-c', 'print(open(\"/proc/self/status\").read().count(\"NoNewPrivs:\\t1\"))']\n"
        "print(subprocess.run(go, capture_output=True, text=True).stdout)\n"
    )
    (workspace / "go.py").write_text(text)
    made = manifest(READ_ALL, ("file.write", "./out/**"))
    assert run(workspace, made, "python3", "go.py").output.strip() == "1"


def test_the_environment_holds_what_is_granted(workspace):
    caller = {"GREETING": "hello", "API_KEY": "of a person", "LD_PRELOAD": "/x.so", "OTHER": "x", "PATH": "/evil"}
    text = 'echo "$GREETING|$API_KEY|$LD_PRELOAD|$OTHER|$PATH"'
    assert sh(workspace, manifest(), text, caller=caller).output.startswith("||||/usr/local/bin")
    named = manifest(("env.read", "GREETING"), ("env.read", "API_KEY"))
    assert sh(workspace, named, text, caller=caller).output.startswith("hello|of a person|||")
    assert sh(workspace, manifest(("env.read", "any")), text, caller=caller).output.startswith("hello|||x|/usr/local")


def test_a_socket_that_is_handed_in_is_reached_and_no_other(workspace, tmp_path):
    path = tmp_path / "gateway.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def answer():
            with server.accept()[0] as client:
                client.sendall(b"from the gateway")

        threading.Thread(target=answer, daemon=True).start()
        text = "import os,socket;s=socket.socket(socket.AF_UNIX);s.connect(os.environ['REMIT_SOCKET_GATEWAY']);print(s.recv(99))"
        found = run(workspace, manifest(), "python3", "-c", text, sockets=(("gateway", str(path)),))
        assert found.output == "b'from the gateway'\n"
        assert "KeyError" in run(workspace, manifest(), "python3", "-c", text).output


@pytest.mark.timeout(300)
def test_time_runs_out(workspace):
    found = sh(workspace, manifest(("process.create", "sleep")), "sleep 3600", seconds=1)
    assert found.ran.how is Ending.TIME
    assert found.ran.code is None


def test_nothing_is_left_behind(workspace):
    marker = f"left-{os.getpid()}"
    (workspace / "stay.py").write_text("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(100)\n")
    assert run(workspace, manifest(READ_ALL), "python3", "stay.py", marker).ran.code == 0
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert marker not in running


def test_with_remit_the_command_ends(workspace, tmp_path):
    """Whoever kills Remit kills the command."""
    (tmp_path / "m.json").write_text(
        '{"skill_metadata": {"name": "x"}, "permissions": [{"capability": "process.create", "scope": "sleep", "effect": "allow"}]}'
    )
    words = [
        "capsule",
        "run",
        "--manifest",
        str(tmp_path / "m.json"),
        "--workspace",
        str(workspace),
        "--",
        "sleep",
        "4242",
    ]
    process = subprocess.Popen([sys.executable, "-m", "remit.cli", *words])
    deadline = time.monotonic() + 300
    while not _sleeping() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _sleeping()
    process.send_signal(signal.SIGKILL)
    process.wait()
    while _sleeping() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _sleeping()


def _sleeping():
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return "\nsleep 4242" in listed


def test_limits_hold(workspace):
    text = "import resource as r;print(r.getrlimit(r.RLIMIT_NOFILE)[1],r.getrlimit(r.RLIMIT_CORE)[1],r.getrlimit(r.RLIMIT_DATA)[1])"
    assert run(workspace, manifest(), "python3", "-c", text).output == f"1024 0 {2 << 30}\n"


def test_without_a_permit_nothing_starts(workspace):
    wanted = asked(workspace, manifest(), ("true",))
    prepared = prepare(permit_for("demo", ("true",)), wanted)
    forged = SimpleNamespace(request=SimpleNamespace(command="true"))
    for permit in (None, forged, "true"):
        with pytest.raises(CapsuleError, match="without a permit"):
            run_in_capsule(permit, prepared, compiled())
    with pytest.raises(CapsuleError, match="for another command"):
        run_in_capsule(permit_for("demo", ("false",)), prepared, compiled())


@pytest.mark.parametrize(
    ("kernel", "landlock", "message"),
    [
        (Kernel("Linux", "x86_64", 0, "this kernel has no Landlock"), 1, "no Landlock, and ABI 1 is asked for"),
        (Kernel("Linux", "x86_64", 3), 6, "Landlock has ABI 3 here, and ABI 6 is asked for"),
        (Kernel("Linux", "x86_64", 7, namespaces=0), 1, "user namespaces are forbidden"),
        (Kernel("Linux", "x86_64", 7, filters=frozenset()), 1, "no filters of calls"),
        (Kernel("Linux", "x86_64", 7, filters=frozenset({"errno"})), 1, "no filters of calls"),
        (Kernel("Darwin", "arm64", 7), 1, "capsules are run on Linux"),
    ],
)
def test_a_kernel_that_gives_less_is_refused(kernel, landlock, message):
    with pytest.raises(CapsuleError, match=message) as error:
        require(kernel, landlock)
    assert error.value.remedy


def test_a_kernel_that_gives_enough_is_not():
    require(Kernel("Linux", "x86_64", 6, namespaces=100), 6)


def test_more_than_this_kernel_has_is_refused(workspace):
    with pytest.raises(CapsuleError, match="ABI 999 is asked for"):
        run(workspace, manifest(), "true", landlock=999)


def test_where_no_capsule_can_be_made_nothing_runs(workspace, monkeypatch):
    monkeypatch.setattr(bubblewrap, "ALONE", ("--no-such-option",))
    with pytest.raises(CapsuleError, match="so nothing was run"):
        sh(workspace, manifest(("file.write", "./out/**")), "echo x > out/ran")
    assert not (workspace / "out/ran").exists()


def test_a_place_that_cannot_be_closed_off_stops_the_command(workspace, monkeypatch):
    """The helper refuses when one of its orders fails: a folder that vanished is no reason to run with less."""
    from remit.capsule import launch

    monkeypatch.setattr(launch, "scratch_places", lambda _: ("/no/such/place",))
    found = sh(workspace, manifest(("file.write", "./out/**")), "echo x > out/ran")
    assert found.ran.code == 125
    assert "cannot be closed" in found.output
    assert not (workspace / "out/ran").exists()


def test_without_a_compiler_nothing_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(build.shutil, "which", lambda *_, **__: None)
    with pytest.raises(CapsuleError, match="no C compiler"):
        build.helper(permit_for("demo", ("true",)), tmp_path)


def test_a_helper_that_others_can_write_is_not_used(tmp_path):
    permit = permit_for("demo", ("true",))
    if shutil.which("cc") is None:
        pytest.skip("there is no compiler")
    build.helper(permit, tmp_path)
    (path,) = tmp_path.iterdir()
    path.chmod(0o777)
    path.write_bytes(b"#!/bin/sh\n")
    assert build.helper(permit, tmp_path).startswith(b"\x7fELF")


def test_with_all_programs_of_the_system_the_command_itself_may_lie_elsewhere(workspace, tmp_path):
    tool, other = tmp_path / "tools/first", tmp_path / "tools/second"
    tool.parent.mkdir()
    shutil.copy("/bin/sh", tool)
    shutil.copy("/bin/sh", other)
    found = run(
        workspace, manifest(("process.create", "*")), str(tool), "-c", f"echo started; id -u; {other} -c 'echo other'"
    )
    assert found.output.startswith("started\n1000\n")
    assert "other\n" not in found.output.replace(str(other), "")
