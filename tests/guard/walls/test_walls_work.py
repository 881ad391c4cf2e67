"""Ordinary commands, which work inside of walls as they do without."""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from walled import PERMISSIONS, Walled, until

from remit.guard.event import Kind
from remit.guard.walls import sandbox


@pytest.mark.parametrize("status", [0, 1, 3, 127])
def test_the_status_is_that_of_the_command(walled, status):
    assert walled.run(f"(exit {status})").returncode == status
    assert walled.run(f"exit {status}").returncode == status


def test_a_command_that_is_not_there_and_one_that_is_no_shell(walled):
    done = walled.run("no-such-program")
    assert (done.returncode, "not found" in done.stderr) == (127, True)
    assert walled.run("if then").returncode not in (0, 125)


def test_input_output_and_errors_are_those_of_the_caller(walled):
    done = walled.run("tr a-z A-Z; echo wrong >&2", input="hello")
    assert (done.stdout, done.stderr) == ("HELLO", "wrong\n")


def test_a_grant_for_a_device_leaves_it_as_it_is(tmp_path, walled):
    del walled  # it is skipped where there are no walls
    (tmp_path / "other").mkdir()
    devices = {"capability": "file.write", "scope": ["/dev/null", "/dev/stderr", "/dev/tty"], "effect": "allow"}
    granted = Walled(tmp_path / "other", (*PERMISSIONS, devices))
    assert granted.says("echo x > /dev/null; cat /dev/null; echo done") == "done\n"
    granted.close()


def test_large_output_and_pipes(walled):
    assert walled.says("yes 0123456789 | head -c 20000000 | wc -c").strip() == "20000000"
    command = walled.rewritten("yes 0123456789 | head -c 100000000")
    words = ["bash", "-c", f"{{ {command}; }} | wc -c"]
    done = subprocess.run(words, cwd=walled.root, env=walled.environ, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "100000000"
    assert walled.says("seq 100000 | tail -n 1 | tee last | cat") == "100000\n"


def test_quotes_lines_and_here_documents_arrive_as_they_are(walled):
    command = "cat <<'END'\nit's $HOME \"quoted\" `x` \\\\\nEND\nprintf '%s|' \"$#\" 'a b' \"c'd\" # a comment"
    assert walled.says(command) == "it's $HOME \"quoted\" `x` \\\\\n0|a b|c'd|"


def test_the_current_folder_is_kept_and_told_back(walled):
    (walled.root / "it's a folder").mkdir()
    command = walled.rewritten('pwd; cd "it\'s a folder"; false')
    done = subprocess.run(
        ["bash", "-c", f'{command}; echo $? "$(pwd)"'], cwd=walled.root, env=walled.environ, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.stdout == f"{walled.root}\n1 {walled.root}/it's a folder\n"


def test_it_starts_in_the_folder_in_which_the_host_is(walled):
    (walled.root / "deep/er").mkdir(parents=True)
    assert walled.says("pwd; touch here", cwd=walled.root / "deep/er") == f"{walled.root}/deep/er\n"
    assert (walled.root / "deep/er/here").exists()


@pytest.mark.parametrize(
    ("shell", "own"),
    [("dash", "${BASH_VERSION:-none}"), ("zsh", "${ZSH_VERSION:+none}"), ("bash", "${BASH_VERSION:+none}")],
)
def test_each_shell_runs_its_own_commands_and_keeps_folder_and_status(walled, shell, own):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    command = walled.rewritten(f"echo {own}; cd /; (exit 3)")
    words = [shell, "-c", f"{command}; echo $? $PWD"]
    done = subprocess.run(words, cwd=walled.root, env=walled.environ, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("none\n3 /\n", "")


def test_files_made_inside_are_ordinary_files_of_the_caller(walled):
    walled.says("mkdir -p out && echo text > out/made && chmod 640 out/made && ln -s made out/link && mkfifo out/pipe")
    made = walled.root / "out/made"
    assert made.read_text() == "text\n"
    assert (made.stat().st_uid, made.stat().st_mode & 0o777) == (walled.root.stat().st_uid, 0o640)


def test_temporary_files_are_those_of_the_machine(walled, tmp_path):
    walled.says(f"echo kept > {tmp_path}/between; d=$(mktemp -d); rmdir $d")
    assert (tmp_path / "between").read_text() == "kept\n"


@contextmanager
def _begun(walled, words, **how):
    """A command that runs; one that does not end by itself is killed, so that a test that fails does not hang."""
    with subprocess.Popen(
        words, cwd=walled.root, env=walled.environ, stdout=subprocess.PIPE, text=True, **how
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGHUP, 128 + signal.SIGHUP)]
)
def test_a_signal_reaches_the_command(walled, number, status):
    command = walled.rewritten("trap 'echo cleaned; exit 7' USR1; echo ready; while :; do sleep 0.05; done")
    with _begun(walled, ["bash", "-c", f"exec {command.partition('; . ')[0]}"]) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.wait(10) == status


def test_a_command_may_handle_a_signal(walled):
    command = walled.rewritten("trap 'echo cleaned; exit 7' TERM; echo ready; while :; do sleep 0.05; done")
    with _begun(walled, ["bash", "-c", f"exec {command.partition('; . ')[0]}"]) as process:
        assert process.stdout.readline() == "ready\n"
        process.terminate()
        assert process.stdout.read() == "cleaned\n"
        assert process.wait(10) == 7


def test_control_c_ends_the_command(walled):
    command = walled.rewritten("echo ready; sleep 60")
    (walled.root / "run.sh").write_text(command)
    with _begun(walled, ["bash", "run.sh"], start_new_session=True) as process:
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(10) != 0


def test_a_killed_host_ends_the_command(walled):
    command = walled.rewritten("echo $$; exec sleep 61")
    with _begun(walled, ["bash", "-c", f"exec {command.partition('; . ')[0]}"]) as process:
        process.stdout.readline()
        process.kill()
    assert until(lambda: walled.run("pgrep -x sleep").returncode == 1)


def test_a_terminal_stays_a_terminal(walled):
    command = walled.rewritten("test -t 0 && test -t 1 && echo terminal; ls --color=auto -d .; echo $TERM; tput cols")
    (walled.root / "run.sh").write_text(command)
    words = ["script", "-qec", "stty cols 101; bash run.sh", "/dev/null"]
    done = subprocess.run(
        words,
        cwd=walled.root,
        env={**walled.environ, "TERM": "xterm-256color"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "terminal" in done.stdout
    assert "\x1b[" in done.stdout
    assert "xterm-256color" in done.stdout
    assert "101" in done.stdout


def test_a_job_in_the_background_goes_on_and_the_next_command_finds_it(walled):
    walled.says(
        "(sleep 0.5; echo late > late) >/dev/null 2>&1 & echo $! > number; sleep 61 >/dev/null 2>&1 & echo $! > other"
    )
    assert until((walled.root / "late").exists)
    assert walled.run("kill $(cat other)").returncode == 0


def test_a_room_that_is_let_go_is_cleared_away_when_its_last_command_ends(walled, monkeypatch):
    monkeypatch.setattr(sandbox, "_GRACE", 0.01)
    walled.says("(while ! test -e enough; do sleep 0.05; done) >/dev/null 2>&1 &")
    (room,) = (one.folder for one in walled.walls._rooms.values())
    walled.walls.close()
    assert room.exists()
    (walled.root / "enough").touch()
    assert until(lambda: not room.exists())


def test_a_server_in_the_background_is_reached_by_the_next_command(walled):
    (walled.root / "page").write_text("hello")
    walled.says("python3 -m http.server 8127 >/dev/null 2>&1 & echo $! > server")
    assert until(lambda: walled.run("curl -s localhost:8127/page").stdout == "hello")
    walled.says("kill $(cat server)")


def test_what_is_left_in_the_background_ends_with_the_session_and_is_written_down(walled):
    walled.says(
        "sleep 6161 >/dev/null 2>&1 & setsid nohup sh -c 'trap \"\" TERM; sleep 6262; true' >/dev/null 2>&1 & sleep 0.2"
    )
    assert subprocess.run(["pgrep", "-f", "sleep 6[12]6[12]"], check=False).returncode == 0
    walled.agent.tell(Kind.END)
    assert until(lambda: subprocess.run(["pgrep", "-f", "sleep 6[12]6[12]"], check=False).returncode == 1)
    said = [one.reason for one in walled.agent.records() if "ended with the session" in one.reason]
    assert "`sleep 6161`, left in the background by skill `report`, ended with the session" in said
    assert any("sleep 6262" in one for one in said)


def test_a_session_without_a_process_left_says_nothing(walled):
    walled.says("true")
    walled.agent.tell(Kind.END)
    assert not [one.reason for one in walled.agent.records() if "ended with the session" in one.reason]


def test_git_commits(walled):
    subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=walled.root, check=True)
    for name, value in (("user.email", "a@example.com"), ("user.name", "A")):
        subprocess.run(["git", "config", name, value], cwd=walled.root, check=True)
    walled.says(
        "echo 1 > a && git add a && git commit -qm first && git checkout -qb other && echo 2 > a && git commit -qam second"
    )
    walled.says("git checkout -q main && git merge -q other && git stash list && git status --short && git diff HEAD~1")
    log = subprocess.run(
        ["git", "log", "--format=%s"], cwd=walled.root, capture_output=True, text=True, check=True
    ).stdout
    assert log == "second\nfirst\n"


def test_git_commits_in_a_work_tree_of_another_folder(walled, tmp_path):
    main = tmp_path / "main"
    shutil.rmtree(walled.root / ".git", ignore_errors=True)
    git = ["git", "-c", "user.email=a@example.com", "-c", "user.name=A"]
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], cwd=main, check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], cwd=main, check=True)
    (tmp_path / "tree/.git").rename(walled.root / ".git")
    subprocess.run(["git", "worktree", "repair", str(walled.root)], cwd=main, check=True, capture_output=True)
    walled.says("echo 1 > a && git add a && git -c user.email=a@example.com -c user.name=A commit -qm second")
    assert walled.run("git config core.fsmonitor ./planted").returncode != 0


def test_git_commits_in_a_linked_work_tree_inside_of_the_workspace(walled):
    shutil.rmtree(walled.root / ".git", ignore_errors=True)
    git = ["git", "-c", "user.email=a@example.com", "-c", "user.name=A"]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"], ["worktree", "add", "-q", "inner"]):
        subprocess.run([*git, *words], cwd=walled.root, check=True)
    commit = "git -c user.email=a@example.com -c user.name=A commit -q --allow-empty -m second"
    walled.says(f"cd inner && git switch -q -c topic && {commit} && git log --oneline")
    for name in ("commondir", "gitdir"):
        assert walled.run(f"echo ../../../planted > .git/worktrees/inner/{name}").returncode != 0
    assert walled.run("mv .git/worktrees/inner .git/worktrees/other").returncode != 0


@pytest.mark.parametrize("name", [".git/commondir", ".git/config.worktree", ".git/worktrees/inner/config.worktree"])
def test_a_file_that_leads_git_elsewhere_is_said(walled, name):
    (walled.root / ".git/worktrees/inner").mkdir(parents=True, exist_ok=True)
    walled.says(f"echo planted > {name}")
    (said,) = walled.walls.new_settings(walled.live())
    assert f"{name}` was created by a command of a skill" in said


@pytest.fixture
def python_on_path(monkeypatch):
    monkeypatch.setenv("PATH", f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")


@pytest.mark.parametrize(
    ("how", "module"),
    [pytest.param("--without-pip ", "site", id="alone"), pytest.param("", "pip --version", id="with_pip_nightly")],
)
def test_python_makes_an_environment(walled, python_on_path, how, module):
    said = walled.says(f"python3 -m venv {how}made && made/bin/python -m {module}", timeout=300)
    assert f"{walled.root}/made/lib" in said


def test_python_runs_tests(walled, python_on_path):
    (walled.root / "test_one.py").write_text("def test_one(tmp_path):\n    (tmp_path / 'x').write_text('1')\n")
    assert "1 passed" in walled.says(f"{sys.executable} -m pytest -q -p no:cacheprovider test_one.py")


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_npm_runs_a_script(walled):
    scripts = {"hello": "node -e \"require('os').networkInterfaces(); console.log('hel' + 'lo')\""}
    (walled.root / "package.json").write_text(json.dumps({"name": "x", "version": "1.0.0", "scripts": scripts}))
    assert "hello" in walled.says("npm run hello")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_compilers_and_make(walled):
    (walled.root / "a.c").write_text('#include <stdio.h>\nint main(void) { puts("built"); }\n')
    (walled.root / "Makefile").write_text("all: a\n\t./a\n")
    assert walled.says("make -s CC=gcc") == "built\n"


def test_what_programs_of_developers_need_among_themselves(walled):
    walled.says("python3 -c 'import multiprocessing as m; p = m.Pool(2); print(p.map(abs, [-1, 2])); p.close()'")
    walled.says("python3 -c 'import os; os.memfd_create(\"x\")'")
    if shutil.which("strace"):
        assert "execve" in walled.run("strace -f true").stderr
