"""Each wall, with a command that tries to get past it and is stopped by the kernel."""

import os
import shutil
import socket
import subprocess
import threading

import pytest
from walled import SECRET, Walled, until

from remit.guard.event import Kind, Outcome
from remit.guard.protected_files import HOST_SETTINGS
from remit.guard.walls.sandbox import end_processes


def secret(path, text=SECRET):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    "name",
    [
        ".ssh/id_rsa",
        ".aws/credentials",
        ".netrc",
        ".config/gh/hosts.yml",
        ".git-credentials",
        "other/app/.env",
        "notes/id_ed25519",
    ],
)
def test_secrets_of_the_home_are_not_there(walled, name):
    secret(walled.home / name)
    done = walled.run(f"cat ~/{name}; cat {walled.home}/{name}; cp ~/{name} stolen; cat stolen")
    assert SECRET not in done.stdout


def test_values_of_env_files_are_masked_and_names_stay(walled):
    secret(walled.root / "sub/.env", f"# {SECRET}\nexport API_KEY={SECRET}\nPEM='a\n{SECRET}\n'\n")
    said = walled.says("cat sub/.env; grep -r hunter2 . || true")
    assert SECRET not in said
    assert "export API_KEY=masked-by-remit" in said


def test_settings_of_a_registry_stay_but_for_its_token(walled):
    secret(walled.home / ".npmrc", f"registry=https://r.example/\n//r.example/:_authToken={SECRET}\n")
    assert walled.says("cat ~/.npmrc") == "registry=https://r.example/\n//r.example/:_authToken=masked-by-remit\n"


def test_a_secret_that_appears_later_or_is_replaced_is_covered_in_the_next_command(walled):
    walled.says("true")
    secret(walled.root / ".env", f"A={SECRET}\n")
    assert SECRET not in walled.says("cat .env")
    secret(walled.root / "new", f"B={SECRET}\n")
    (walled.root / "new").rename(walled.root / ".env")  # as editors save
    assert SECRET not in walled.says("cat .env")


def test_a_secret_that_is_granted_is_there(tmp_path):
    walled = Walled(tmp_path, [{"capability": "secret.read", "scope": "~/.netrc", "effect": "allow"}])
    secret(walled.home / ".netrc")
    secret(walled.home / ".pgpass")
    done = walled.run("cat ~/.netrc; cat ~/.pgpass")
    walled.close()
    assert done.stdout == SECRET


def test_variables_with_credentials_are_not_handed_on_unless_granted(tmp_path):
    walled = Walled(tmp_path, [{"capability": "env.read", "scope": "REPORT_TOKEN", "effect": "allow"}])
    given = {"REPORT_TOKEN": "granted", "OTHER_TOKEN": SECRET, "AWS_SECRET_ACCESS_KEY": SECRET, "EDITOR": "vi"}
    said = walled.says("env; cat /proc/self/environ /proc/1/environ 2>/dev/null || true", environ=given)
    walled.close()
    assert SECRET not in said
    assert "REPORT_TOKEN=granted" in said
    assert "EDITOR=vi" in said


@pytest.mark.parametrize(
    "place", ["~/.bashrc", "~/new", "~/.config/../planted", "~/other/file", "/etc/planted", "/usr/local/bin/planted"]
)
def test_nothing_is_written_outside_of_the_workspace(walled, place):
    secret(walled.home / ".bashrc", "as it was")
    (walled.home / "other").mkdir()
    done = walled.run(f"echo planted >> {place}")
    assert done.returncode != 0
    assert "Read-only file system" in done.stderr or "Permission denied" in done.stderr
    assert (walled.home / ".bashrc").read_text() == "as it was"
    assert not (walled.home / "new").exists()


def test_caches_are_written_to_a_private_copy(walled):
    secret(walled.home / ".cache/tool/known", "known")
    assert (
        walled.says("cat ~/.cache/tool/known; echo more > ~/.cache/tool/known; cat ~/.cache/tool/known")
        == "knownmore\n"
    )
    assert walled.says("cat ~/.cache/tool/known") == "more\n", "the next command sees it"
    assert (walled.home / ".cache/tool/known").read_text() == "known"


@pytest.mark.parametrize(
    ("path", "try_it"),
    [
        (".git/hooks/pre-commit", "echo planted > .git/hooks/pre-commit"),
        (".git/config", "git config core.fsmonitor ./planted"),
        (".git/config", "mv .git other && cp -r other .git && echo planted > .git/config"),
        (".claude/settings.json", "echo planted > .claude/settings.json"),
        (".claude/settings.json", "rm -rf .claude; mkdir .claude; echo planted > .claude/settings.json"),
        ("CLAUDE.md", "echo planted >> CLAUDE.md"),
        ("CLAUDE.md", "echo planted > x && mv -f x CLAUDE.md"),
        (".claude/skills/report/SKILL.md", "echo planted >> .claude/skills/report/SKILL.md"),
    ],
)
def test_what_others_run_or_obey_is_read_only_in_the_workspace(walled, path, try_it):
    subprocess.run(["git", "init", "-q", "."], cwd=walled.root, check=True)
    if not (walled.root / path).exists():
        secret(walled.root / path, "as it was")
    before = (walled.root / path).read_text()
    walled.run(try_it)
    assert (walled.root / path).read_text() == before
    assert walled.says(f"cat {path}") == before, "it can be read"


PLANT = (  # a name that no analysis of the command sees: it stands in a file
    "python3 -c \"import os; n = open('where').read(); os.makedirs(os.path.dirname(n), exist_ok=True); "
    "open(n, 'w').write('{\\\"disableAllHooks\\\": true}')\""
)


@pytest.mark.parametrize(
    ("name", "before"),
    [(".claude/settings.json", "empty"), (".codex/hooks.json", "kept"), *((name, "absent") for name in HOST_SETTINGS)],
)
def test_settings_that_switch_the_guard_off_are_not_made_and_folders_are_left_as_they_were(walled, name, before):
    shutil.rmtree(walled.root / ".claude")
    folder = (walled.root / name).parent
    if before != "absent":
        folder.mkdir()
    if before == "kept":
        (folder / "notes").write_text("mine")
    (walled.root / "where").write_text(name)
    verdict = walled.agent.runs(PLANT)
    assert verdict.outcome is Outcome.PASS, verdict.reason
    done = walled.ran(verdict.changed["command"])
    assert "Read-only file system" in done.stderr
    assert "switch the guard off" not in walled.agent.after("Bash", done.stdout, **verdict.changed).reason
    assert not (walled.root / name).exists()
    walled.agent.tell(Kind.END)
    assert until(lambda: not list(walled.state.glob("walls/made/*")))
    assert folder.exists() is (before != "absent")
    assert {one.name for one in walled.root.iterdir() if one.name.startswith(".")} <= {folder.name}


def test_folders_that_a_killed_guard_made_are_removed_by_the_next(walled):
    shutil.rmtree(walled.root / ".claude")
    walled.says("true")
    assert (walled.root / ".codex").is_dir()
    for room in walled.walls._rooms.values():  # the guard is gone, and its rooms with it
        end_processes(room.holder)
    walled.agent.restart()
    assert walled.walls.problem() == ""
    assert not [one for one in walled.root.iterdir() if one.name.startswith(".")]


@pytest.fixture
def listener():
    """A server of the host that nobody granted."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        reached = []

        def accept():
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                reached.append(client.recv(100))
                client.close()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], reached
        server.shutdown(socket.SHUT_RDWR)


def test_a_listener_of_the_host_is_not_reached(walled, listener):
    port, reached = listener
    direct = f"import socket; socket.create_connection(('127.0.0.1', {port})).send(b'stolen')"
    assert "Connection refused" in walled.run(f'python3 -c "{direct}"').stderr
    done = walled.run(f"curl -sS --noproxy '' http://127.0.0.1:{port}/stolen")
    assert f"skill `report` may not reach 127.0.0.1:{port}" in done.stderr
    assert reached == []


def test_a_host_that_is_not_granted_is_named_with_the_way_to_allow_it(walled):
    done = walled.run("curl -sS https://api.example.com/v1; echo went on")
    assert "went on" in done.stdout
    assert "remit: skill `report` may not reach api.example.com:443" in done.stderr
    assert "add `net.connect api.example.com` to its remit.json" in done.stderr


def test_a_listener_that_is_granted_is_reached_by_the_proxy(tmp_path, listener):
    port, reached = listener
    walled = Walled(tmp_path, [{"capability": "net.connect", "scope": f"127.0.0.1:{port}", "effect": "allow"}])
    walled.run(f"curl -sS -m 5 --noproxy '' http://127.0.0.1:{port}/hello")
    walled.close()
    assert reached
    assert reached[0].startswith(b"GET /hello")


def test_names_are_not_resolved_outside_of_the_proxy(walled):
    asked = "import socket; socket.getaddrinfo('example.com', 80)"
    assert walled.run(f'python3 -c "{asked}"').returncode != 0


def test_the_state_of_the_guard_is_not_there(walled):
    walled.says("true")
    done = walled.run(f"ls -A {walled.state}; cat {walled.state}/guard.db; echo x > {walled.state}/settings.json")
    assert done.stdout == ""
    assert done.returncode != 0
    assert not (walled.state / "settings.json").exists()


@pytest.mark.parametrize("where", ["project/agent.sock", "home/agent.sock", "agent.sock"])
def test_sockets_of_services_are_not_reached(walled, tmp_path, where):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / where))
        server.listen()
        connect = f"import socket; socket.socket(socket.AF_UNIX).connect('{tmp_path / where}')"
        done = walled.run(f'python3 -c "{connect}"')
        assert "Connection refused" in done.stderr or "Permission denied" in done.stderr


def test_abstract_sockets_of_services_are_not_reached(walled):
    name = f"remit-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0{name}")
        server.listen()
        connect = f"import socket; socket.socket(socket.AF_UNIX).connect(chr(0) + '{name}')"
        assert "Connection refused" in walled.run(f'python3 -c "{connect}"').stderr


def test_sockets_below_run_are_not_there(walled):
    assert walled.says("find /run -type s; ls /run") == "remit\n"


def test_other_processes_are_neither_seen_nor_ended(walled):
    with subprocess.Popen(["sleep", "60"]) as other:
        done = walled.run(f"kill -9 {other.pid}; ls -d /proc/{other.pid}; pkill -9 sleep")
        assert done.returncode != 0
        assert "No such process" in done.stderr
        assert other.poll() is None
        other.kill()


@pytest.mark.parametrize(
    "try_it",
    [
        "ls /proc/1/root/",
        "cat /proc/1/mem",
        "unshare -Ur true",
        "mount -t tmpfs none /mnt",
        "umount ~/.ssh",
        "nsenter -t 1 -m true",
        "gdb -p 1 -batch 2>&1 | grep -q 'Operation not permitted' && false",
        'python3 -c "import ctypes; l = ctypes.CDLL(None); exit(l.ptrace(16, 1, 0, 0) == 0)" && false',
        "name=$(cat /proc/sys/kernel/hostname); echo $name > /proc/sys/kernel/hostname",
        "test -e /dev/mem -o -e /dev/sda -o -e /dev/vda",
    ],
)
def test_there_is_no_way_out_of_the_namespaces(walled, try_it):
    secret(walled.home / ".ssh/id_rsa")
    assert walled.run(try_it).returncode != 0


def test_nothing_is_typed_into_the_terminal(walled):
    typed = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'x')"
    command = walled.rewritten(f'python3 -c "{typed}" && echo typed')
    (walled.root / "run.sh").write_text(command)
    words = ["script", "-qec", "bash run.sh", "/dev/null"]
    done = subprocess.run(
        words, cwd=walled.root, env=walled.environ, capture_output=True, text=True, timeout=300, check=False
    )
    assert "Operation not permitted" in done.stdout
    assert "\ntyped" not in done.stdout


# --- the call itself ---


def test_a_call_runs_once(walled):
    command = walled.rewritten("echo ran >> times")
    for status in (0, 125):
        done = subprocess.run(
            ["bash", "-c", command], cwd=walled.root, env=walled.environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == status
    assert (walled.root / "times").read_text() == "ran\n"
    assert "was run before" in done.stderr


def test_another_command_than_the_one_that_was_let_through_does_not_run(walled):
    command = walled.rewritten("echo harmless").replace("harmless", "harmful")
    done = subprocess.run(
        ["bash", "-c", command], cwd=walled.root, env=walled.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 125
    assert done.stdout == ""
    assert "was changed after the guard let it through" in done.stderr


def test_a_call_whose_walls_are_gone_does_not_run(walled):
    command = walled.rewritten("echo ran")
    walled.walls.close()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(10)  # threads of other tests may stay
    done = subprocess.run(
        ["bash", "-c", command], cwd=walled.root, env=walled.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 125
    assert done.stdout == ""


def test_a_file_that_others_can_read_is_no_call(walled):
    command = walled.rewritten("echo ran")
    call = next(path for path in (walled.state / "walls/calls").iterdir() if path.suffix == "")
    call.chmod(0o644)
    done = subprocess.run(
        ["bash", "-c", command], cwd=walled.root, env=walled.environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (125, "")


def test_what_the_users_defaults_deny_to_read_as_a_class_is_not_there(walled):
    secret(walled.home / ".bashrc", "alias mine=yes")
    secret(walled.root / "notes.txt", "plain words")
    assert walled.says("cat ~/.bashrc notes.txt") == "plain words"


def test_a_skill_that_another_one_sent_for_writes_where_both_may(walled):
    docs = walled.home / "docs"
    docs.mkdir()
    writes = {"capability": "file.write", "scope": "~/docs/**", "effect": "allow"}
    walled.agent.skill("wide", permissions=(writes,))
    walled.name, write = "wide", f'python3 -c \'open("{docs}/new.txt", "w")\''
    walled.agent.skill("narrow", body="Then use the skill wide.")
    for name in ("narrow", "wide"):
        walled.agent.loads(name)
    assert "Read-only" in walled.run(write).stderr
    walled.agent.session = "another"
    walled.agent.loads("wide")
    walled.says(write)
    assert (docs / "new.txt").exists()
