"""The user's own login for one approved command inside of walls: it works, and nothing else gets it. Real servers on this machine."""

import base64
import http.server
import os
import shutil
import socket
import subprocess
import threading

import pytest
from walled import PERMISSIONS, Walled, until

from remit.guard.event import Kind, Outcome

USER, TOKEN = "ada", "token-7f3a91c2-of-the-user"
KEY = "PRIVATE KEY"


class Git(http.server.BaseHTTPRequestHandler):
    """Repositories over HTTP, for one user with a password."""

    protocol_version = "HTTP/1.0"

    def do_GET(self):
        given = self.headers.get("Authorization", "").removeprefix("Basic ")
        if base64.b64decode(given) != f"{USER}:{TOKEN}".encode():
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        environ = {
            "GIT_PROJECT_ROOT": str(self.server.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": USER,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "PATH": os.environ["PATH"],
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
        }
        done = subprocess.run(["git", "http-backend"], env=environ, input=body, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        self.send_response(200)
        for line in head.decode().splitlines():
            name, _, value = line.partition(": ")
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET  # noqa: N815  as the server looks for it

    def log_message(self, *words):
        pass


def git(folder, *words):
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def served(tmp_path):
    """The address of a server with one empty repository."""
    server = http.server.ThreadingHTTPServer(("127.0.0.2", 0), Git)  # not where a command reaches its own servers
    server.folder = tmp_path / "served"
    server.folder.mkdir()
    git(server.folder, "init", "-q", "--bare", "-b", "main", "shop.git")
    git(server.folder / "shop.git", "config", "http.receivepack", "true")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.folder / "shop.git", f"http://127.0.0.2:{server.server_port}/shop.git"
    server.shutdown()
    server.server_close()


@pytest.fixture
def pushing(tmp_path, served):
    """A skill in a repository with a commit to push, and the login of the user."""
    walled = Walled(tmp_path)
    if problem := walled.walls.problem():
        pytest.skip(f"no walls on this machine: {problem}")
    bare, url = served
    (walled.home / ".gitconfig").write_text("[credential]\n\thelper = store\n[user]\n\tname = A\n\temail = a@e.org\n")
    (walled.home / ".git-credentials").write_text(f"http://{USER}:{TOKEN}@{url.split('/')[2]}\n")
    begin(walled.root, url)
    yield walled, bare
    walled.close()


def begin(root, url):
    for words in (("init", "-q", "-b", "main"), ("config", "user.name", "A"), ("config", "user.email", "a@example.org"),
                  ("remote", "add", "origin", url), ("add", "."), ("commit", "-q", "--allow-empty", "-m", "Begin")):  # fmt: skip
        git(root, *words)


def asked(walled, command):
    """What the guard says of a command, and how it ends after a person agreed."""
    event = walled.agent.event(Kind.BEFORE, tool="Bash", args={"command": command}, call=f"c{id(command)}")
    verdict = walled.agent.engine.decide(event._replace(asks=True))
    if verdict.changed is None:
        return verdict, subprocess.CompletedProcess(command, 2, "", "")
    run = str(verdict.changed["command"])
    done = walled.ran(run, environ={"LC_ALL": "C"})
    walled.agent.engine.decide(event._replace(kind=Kind.AFTER, args={"command": run}, text=done.stdout))
    return verdict, done


def pushed(bare):
    done = subprocess.run(["git", "log", "--format=%s", "main"], cwd=bare, capture_output=True, text=True, check=False)
    return done.stdout.split()


@pytest.mark.parametrize(
    "command",
    [
        "git push origin main",
        "git push -u origin main 2>&1 | tail -5",
        "cd . && git push --quiet origin HEAD && git push origin HEAD:refs/heads/side",
        "git status -s > state.txt && git push -u origin HEAD",
        "ls; git push origin main 2>&1 | tail -5",
        "echo \"it's\" > 'a b.txt'\ngit push origin main",
    ],
)
def test_an_approved_push_has_the_login_of_the_user(pushing, command):
    walled, bare = pushing
    verdict, done = asked(walled, command)
    assert verdict.outcome is Outcome.ASK
    assert "with your git login (`~/.git-credentials`)" in verdict.reason
    assert pushed(bare) == ["Begin"], done.stderr


def test_the_next_command_does_not_have_it(pushing):
    walled, _ = pushing
    asked(walled, "git push origin main")
    assert TOKEN not in walled.run("cat ~/.git-credentials; git credential fill <<< 'url=http://127.0.0.2'").stdout
    (one,) = walled.walls._rooms.values()
    assert one.wall.login is None


def test_a_job_that_was_begun_before_does_not_see_it(pushing):
    walled, bare = pushing
    walled.says(
        "(for i in $(seq 600); do cat ~/.git-credentials >> seen.txt; test -e stop && break; sleep 0.1; done) > job.txt 2>&1 &"
    )
    assert until((walled.root / "seen.txt").exists)
    asked(walled, "git push origin main")
    (walled.root / "stop").touch()
    assert pushed(bare) == ["Begin"]
    assert TOKEN not in (walled.root / "seen.txt").read_text()


def test_only_the_last_command_of_several_has_it(pushing):
    walled, bare = pushing
    command = "echo x > new.txt && git add -A && git commit -qm 'It'\\''s new' && cat ~/.git-credentials > stolen.txt; git push origin main"
    verdict, done = asked(walled, command)
    assert "with your git login (`~/.git-credentials`)" in verdict.reason
    assert not stolen(walled, done)
    assert "new" in " ".join(pushed(bare)), done.stderr
    assert not list(walled.state.glob("walls/calls/*"))


def test_what_fails_before_keeps_the_last_command_from_running(pushing):
    walled, bare = pushing
    _, done = asked(walled, "false && git push origin main")
    assert done.returncode == 1
    assert pushed(bare) == []
    assert not list(walled.state.glob("walls/calls/*"))


PLANTED = {
    "a repository in the folder": "mkdir -p sub && git init -q . && git config core.sshCommand ./thief.sh",
    "a hook": "cp thief.sh .git/hooks/pre-push",
    "a hook of another place": "mkdir -p .git/hooks && cp thief.sh .git/hooks/reference-transaction",
    "another repository's settings": "mkdir -p evil && printf '[credential]\n\thelper = !./thief.sh\n' > evil/config && echo ../evil > .git/commondir",
    "settings of the work tree": "printf '[credential]\n\thelper = !./thief.sh\n' > .git/config.worktree",
    "settings": "git config credential.helper '!./thief.sh'",
    "the user's settings": "git config --global credential.helper '!./thief.sh'",
    "another file of settings": "mkdir -p ~/.config/git && printf '[credential]\n\thelper = !./thief.sh\n' > ~/.config/git/config",
    "a program of git's name": "mkdir -p ~/.local/bin && cp thief.sh ~/.local/bin/git",
    "a helper's name": "cp thief.sh git-credential-store",
    "a nested repository": "git init -q nested && git -C nested config core.fsmonitor ../thief.sh && git add -A",
    "a start-up file": "cp thief.sh ~/.bashrc; cp thief.sh ~/.profile",
    "a job": "(while sleep 0.05; do cat ~/.git-credentials /proc/*/environ >> stolen.txt 2>&1; test -e stop && break; done > /dev/null 2>&1 &)",
}


@pytest.mark.parametrize("glue", [" && ", "; "])
@pytest.mark.parametrize("name", PLANTED)
def test_what_runs_before_cannot_lead_it_elsewhere(pushing, name, glue):
    walled, bare = pushing
    thief(walled.root / "thief.sh")
    (walled.root / "plant").write_bytes(
        base64.b64encode(f"{PLANTED[name]}; true".encode())
    )  # nobody can read it beforehand
    verdict, done = asked(walled, f"base64 -d plant | sh{glue}git push origin main")
    (walled.root / "stop").touch()
    assert "with your git login" in verdict.reason
    assert not stolen(walled, done)
    assert pushed(bare) in (["Begin"], [])


OTHERS = {
    "another program": "git push origin main; cat ~/.git-credentials > stolen.txt",
    "a program behind it": "git push origin main | tee stolen.txt ~/.git-credentials",
    "what it prints": "git push origin main 2>&1 | cat - ~/.git-credentials > stolen.txt",
    "a variable": "GIT_ASKPASS=./thief.sh git push origin main",
    "a variable of ssh": "GIT_SSH_COMMAND=./thief.sh git push origin main",
    "a function": "git() { cat ~/.git-credentials > stolen.txt; }; git push origin main",
    "a file that is read": "git push origin main < ~/.git-credentials > stolen.txt",
    "a job": "git push origin main & cp ~/.git-credentials stolen.txt",
    "an option": "git -c core.hooksPath=. push origin main",
    "the program of the other side": "git push --receive-pack=./thief.sh origin main",
}


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_else_in_the_command_gets_it(pushing, name):
    walled, _ = pushing
    thief(walled.root / "thief.sh")
    verdict, done = asked(walled, OTHERS[name])
    assert "with your git login" not in verdict.reason
    assert not stolen(walled, done)


SETTINGS = {
    "core.sshCommand": ("core.sshCommand", "./thief.sh"),
    "credential.helper": ("credential.helper", "!cat ~/.git-credentials > stolen.txt; false"),
    "core.askPass": ("core.askPass", "./thief.sh"),
    "core.hooksPath": ("core.hooksPath", "hooks"),
    "core.fsmonitor": ("core.fsmonitor", "./thief.sh"),
    "an alias": ("alias.p", "!./thief.sh"),
    "another file": ("include.path", "../more"),
    "another place": ("url.ext::./thief.sh.insteadOf", "http"),
    "a helper of a remote": ("remote.origin.vcs", "thief"),
    "a proxy": ("http.proxy", "http://127.0.0.1:1"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_the_repository_do_not_get_it(pushing, name):
    walled, _ = pushing
    for path in ("thief.sh", "hooks/pre-push"):
        thief(walled.root / path)
    git(walled.root, "config", *SETTINGS[name])
    verdict, done = asked(walled, "git push origin main")
    assert "with your git login" not in verdict.reason
    assert not stolen(walled, done)


def test_a_hook_of_the_repository_does_not_get_it_and_still_runs(pushing):
    walled, _ = pushing
    thief(walled.root / ".git/hooks/pre-push")
    verdict, done = asked(walled, "git push origin main")
    assert "the hook `pre-push` of the repository could read it" in verdict.reason
    assert not stolen(walled, done)


def test_no_link_in_the_workspace_leads_to_it(pushing):
    """git says which line of a file of its own it cannot read."""
    walled, _ = pushing
    os.symlink(walled.home / ".git-credentials", walled.root / ".git/packed-refs")
    _, done = asked(walled, "git push origin main")
    assert not stolen(walled, done)


def test_an_answer_without_the_login_does_not_count_with_it(pushing):
    walled, bare = pushing
    verdict, _ = asked(walled, "git push origin main; true; ls")
    assert "run that alone" in verdict.reason
    verdict, _ = asked(walled, "git push origin main")
    assert verdict.outcome is Outcome.ASK
    assert pushed(bare) == ["Begin"]


def test_what_an_entry_denies_by_name_stays_outside(tmp_path, served):
    denied = ({"capability": "secret.read", "scope": "~/.git-credentials", "effect": "deny", "fallback_msg": "no"},)
    walled = Walled(tmp_path, permissions=(*PERMISSIONS, *denied))
    if walled.walls.problem():
        pytest.skip("no walls")
    (walled.home / ".git-credentials").write_text("http://a:b@127.0.0.2\n")
    begin(walled.root, served[1])
    verdict, _ = asked(walled, "git push origin main")
    assert "an entry denies it" in verdict.reason
    walled.close()


@pytest.mark.parametrize("scripts", ['{"prepare": "cat ~/.npmrc > stolen.txt"}', '{"test": "true"}'])
def test_scripts_of_a_package_do_not_get_the_login_of_npm(tmp_path, scripts):
    walled = Walled(tmp_path)
    if walled.walls.problem():
        pytest.skip("no walls")
    (walled.home / ".npmrc").write_text(f"//registry.npmjs.org/:_authToken={TOKEN}\n")
    (walled.root / "package.json").write_text(f'{{"name": "shop", "version": "1.0.0", "scripts": {scripts}}}')
    event = walled.agent.event(Kind.BEFORE, tool="Bash", args={"command": "npm publish"})
    verdict = walled.agent.engine.decide(event._replace(asks=True))
    assert ("with your npm login (`~/.npmrc`)" in verdict.reason) is ("test" in scripts)
    assert ("run `npm pack`" in verdict.reason) is ("prepare" in scripts)
    walled.close()


def thief(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\ncat ~/.git-credentials ~/.ssh/* > stolen.txt 2>&1\nenv >> stolen.txt\n")
    path.chmod(0o755)


def stolen(walled, done):
    path = walled.root / "stolen.txt"
    text = done.stdout + done.stderr + (path.read_text() if path.exists() else "")
    return TOKEN in text or KEY in text


@pytest.fixture
def agent_of_ssh(tmp_path, monkeypatch):
    """An SSH server on this machine, and an agent that holds the key that it knows."""
    sshd = os.environ.get("REMIT_SSHD") or shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if not sshd or not shutil.which("ssh-agent"):
        pytest.skip("no SSH server here")
    folder = tmp_path / "ssh"
    folder.mkdir(mode=0o700)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    shutil.copy(folder / "user.pub", folder / "known")
    said = subprocess.run(["ssh-agent", "-a", folder / "agent"], capture_output=True, text=True, check=True).stdout
    pid = int(said.partition("SSH_AGENT_PID=")[2].partition(";")[0])
    monkeypatch.setenv("SSH_AUTH_SOCK", str(folder / "agent"))
    subprocess.run(["ssh-add", "-q", folder / "user"], check=True)

    with socket.socket() as free:
        free.bind(("127.0.0.2", 0))
        port = free.getsockname()[1]
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.2\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/known\nStrictModes no\n"
        f"PasswordAuthentication no\nUsePAM no\nPidFile none\n"
    )
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([sshd, "-D", "-e", "-f", folder / "sshd_config"], stderr=log)
    assert until(lambda: "listening" in (folder / "log").read_text())
    yield port, folder
    server.terminate()
    server.wait()
    os.kill(pid, 15)


def test_an_approved_push_over_ssh_uses_the_agent_of_the_user(tmp_path, served, agent_of_ssh):
    port, folder = agent_of_ssh
    bare, _ = served
    walled = Walled(tmp_path)
    user = os.environ.get("USER") or "root"
    (walled.home / ".gitconfig").write_text(
        "[core]\n\tsshCommand = ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null\n"
    )
    begin(walled.root, f"ssh://{user}@127.0.0.2:{port}{bare}")
    verdict, done = asked(walled, "git push origin main")
    assert "with your SSH keys (the SSH agent)" in verdict.reason
    assert pushed(bare) == ["Begin"], (done.stderr, (folder / "log").read_text())
    assert walled.run("ssh-add -L").returncode != 0
    walled.close()
