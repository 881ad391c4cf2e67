"""What a command inside of walls destroys in a repository of git comes back by `remit undo`; what others did there meanwhile stays."""

import os
import subprocess
import tempfile

import pytest
from walled import Walled, until

from remit.guard.event import Kind
from remit.guard.undo import Store

IDENTITY = ["-c", "user.name=P", "-c", "user.email=p@example.org", "-c", "commit.gpgsign=false", "-c", "gc.auto=0"]
EXPIRED = "git reflog expire --expire=now --all; git gc -q --prune=now"
REMOVE = "import shutil, sys; shutil.rmtree(open(sys.argv[1]).read(), ignore_errors=True)"
DESTROYERS = [
    f"git branch -q -D topic; {EXPIRED}",
    "git branch -q -D topic deep/one deep/two; git tag -d v1",
    f"git stash drop -q 'stash@{{1}}'; {EXPIRED}",
    f"git stash drop -q; {EXPIRED}",
    f"git stash clear; {EXPIRED}",
    f"git update-ref -d refs/heads/topic; {EXPIRED}",
    f"git update-ref refs/heads/topic main; {EXPIRED}",
    f"git reset -q --hard HEAD~1; {EXPIRED}",
    f"git checkout -q topic; git branch -q -D main; {EXPIRED}",
    "rm -rf .git/refs",
    "rm -rf .git/refs .git/logs .git/objects .git/index .git/packed-refs",
    f"python3 -c '{REMOVE}' whole.txt",
    "git checkout -q -- .",
    "git restore -q .",
    "git restore -q --staged --worktree .",
    "git clean -qfdx",
    "git rm -q --cached -r .; git reset -q",
    f"git commit -q --amend -m other --allow-empty; {EXPIRED}",
    f"git filter-branch -f --msg-filter 'sed s/first/none/' -- --all; git for-each-ref --format='delete %(refname)' refs/original | git update-ref --stdin; {EXPIRED}",
    "git worktree remove --force beside",
    f"git pack-refs --all; git branch -q -D topic; {EXPIRED}",
    "git repack -q -a -d; find .git/objects -name '*.pack' -delete",
    "for f in .git/objects/??/*; do chmod +w $f; echo broken > $f; done",
    "git checkout -q --orphan empty; git rm -q -rf .",
    "git symbolic-ref HEAD refs/heads/none",
    f"git submodule -q deinit -f sub; python3 -c '{REMOVE}' part.txt",  # a folder that a command names is asked about
    f"cd nested; git branch -q -D kept; {EXPIRED}",
    "rm -rf bare.git",
    f"cd bare.git; git branch -q -D topic; {EXPIRED}",
]  # fmt: skip


def git(root, *words, check=True):
    done = subprocess.run(["git", *IDENTITY, *words], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or not check, done.stderr
    return done.stdout


def commit(root, text):
    (root / "a.txt").write_text(f"{text}\n")
    git(root, "add", "a.txt")
    git(root, "commit", "-q", "-m", text)
    return git(root, "rev-parse", "HEAD").strip()


def repository(root, person=git):
    """A repository with branches, a tag, two stashes, staged and unstaged work, and files that git does not know or ignores."""
    (root / ".gitignore").write_text("ignored\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "P")
    git(root, "config", "user.email", "p@example.org")
    git(root, "add", ".gitignore")
    commit(root, "first")
    git(root, "checkout", "-q", "-b", "topic")
    commit(root, "topic")
    git(root, "checkout", "-q", "main")
    for name in ("deep/one", "deep/two"):
        git(root, "branch", name, "topic")
    git(root, "tag", "-m", "v1", "v1", "topic")
    commit(root, "second")
    for text in ("stashed one", "stashed two"):
        (root / "a.txt").write_text(text)
        git(root, "stash", "push", "-q", "-m", text)
    (root / "staged.txt").write_text("staged\n")
    git(root, "add", "staged.txt")
    (root / "a.txt").write_text("unstaged\n")
    (root / "untracked.txt").write_text("untracked\n")
    (root / "ignored").write_text("ignored\n")


def known(root):
    """All that git knows, and all files of the person."""
    every = git(root, "rev-list", "--all", "--reflog", "--objects").split("\n")
    files = {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts and "bare.git" not in path.parts
    }
    return {
        "objects": set(every),
        "refs": git(root, "for-each-ref"),
        "stash": git(root, "stash", "list", check=False),
        "reflog": git(root, "reflog", "show", "--all", check=False).splitlines(),
        "index": git(root, "ls-files", "-s", check=False),
        "head": git(root, "symbolic-ref", "HEAD"),
        "status": git(root, "status", "--porcelain", "--ignored", check=False),
        "files": files,
        "broken": git(root, "fsck", "--strict", "--no-dangling", check=False),
    }


def runs(walled, command, meanwhile=lambda: None):
    """A call from question to end, whatever its status, and what a person does while it runs."""
    verdict = walled.agent.runs(command)
    assert verdict.changed is not None, verdict
    words = ["bash", "-c", verdict.changed["command"]]
    with subprocess.Popen(
        words, cwd=walled.root, env=walled.environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        meanwhile()
        process.communicate(timeout=300)
    assert process.returncode != 125
    return walled.agent.after("Bash", "", **verdict.changed)


def undone(store):
    """What is left out when all is put back, the newest first."""
    return [item for one in store.all() if not one.redoes for item in store.restore(one.ident).refused]


@pytest.fixture
def project(walled):
    root = walled.root
    repository(root)
    for name in ("nested", "library"):
        (root / name).mkdir()
        repository(root / name)
        git(root / name, "branch", "kept", "topic")
    git(root, "clone", "-q", "--bare", str(root / "library"), "bare.git")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(root / "library"), "sub")
    (root / "whole.txt").write_text(".git")
    (root / "part.txt").write_text(".git/modules/sub")
    walled.says("true")
    return walled


def all_known(root):
    return [known(one) for one in (root, root / "nested", root / "sub", root / "bare.git")]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("command", DESTROYERS)
def test_what_git_lost_comes_back(project, command, packed):
    root = project.root
    if packed:
        for one in (root, root / "nested", root / "bare.git"):
            git(one, "gc", "-q")
    before = all_known(root)
    if (
        "worktree" in command
    ):  # where there is one, git collects no garbage inside of walls: it may not write what belongs to the other
        git(root, "worktree", "add", "-q", "-b", "side", "beside", "topic")
        (root / "beside/a.txt").write_text("work beside\n")
        before = [*all_known(root), known(root / "beside")]
    runs(project, command)
    store = project.agent.engine.transactions.store
    undone(store)
    after = [*all_known(root), *([known(root / "beside")] if "worktree" in command else ())]
    for one, other in zip(before, after, strict=True):
        assert one["objects"] <= other["objects"]
        assert set(one["reflog"]) <= set(other["reflog"]) or len(one["reflog"]) <= len(other["reflog"])
        for name in ("refs", "stash", "index", "head", "status", "files", "broken"):
            assert one[name] == other[name], name


def oid(root, name):
    return git(root, "rev-parse", "-q", "--verify", name, check=False).strip()


def test_what_a_person_does_meanwhile_and_afterwards_stays(project):
    root, made = project.root, {}

    def person():
        assert until((root / "begun").exists)
        made["main"] = commit(root, "while it runs")
        (root / "a.txt").write_text("stashed while it runs")
        git(root, "stash", "push", "-q", "-m", "while it runs")

    topic = oid(root, "topic")
    stashes = git(root, "stash", "list", "--format=%H").split()
    wait = "touch begun; while [ ! -e ended ]; do sleep 0.05; done"

    def whole():
        person()
        (root / "ended").touch()

    runs(project, f"git branch -q -D topic deep/one; git stash clear; git tag -d v1; {wait}", whole)
    git(root, "branch", "topic", "main")  # the same name once more
    git(root, "pack-refs", "--all")
    made["later"] = commit(root, "afterwards")
    refused = undone(project.agent.engine.transactions.store)
    assert oid(root, "main") == made["later"]
    assert oid(root, "main~1") == made["main"]
    assert oid(root, "topic") == made["main"]
    assert [os.path.relpath(item.path, root) for item in refused if "topic" in item.path] == [".git/refs/heads/topic"]
    assert topic in git(root, "reflog", "show", "--format=%H", "topic").split()
    assert oid(root, "deep/one") == topic
    assert oid(root, "v1^{commit}") == topic
    now = git(root, "stash", "list", "--format=%H").split()
    assert len(now) == 3
    assert now[1:] == stashes
    assert git(root, "fsck", "--no-dangling", check=False) == ""


def test_a_branch_on_which_a_person_committed_after_the_call_is_not_moved(project):
    root = project.root
    runs(project, f"git reset -q --hard HEAD~1; {EXPIRED}")
    later = commit(root, "afterwards")
    refused = undone(project.agent.engine.transactions.store)
    assert oid(root, "main") == later
    assert f"{root}/.git/refs/heads/main" in {item.path for item in refused}


def test_a_person_hears_what_a_call_removed(project):
    said = runs(project, "git branch -q -D topic deep/one; git stash clear")
    assert "this call removed 2 branches, 1 stash; `remit undo --call" in said.reason
    assert "ALARM" not in said.note
    assert runs(project, "echo more > a.txt; git add a.txt; git commit -q -m more").reason == ""


def test_a_call_whose_end_another_guard_hears_can_be_undone(project):
    root, before = project.root, known(project.root)
    verdict = project.agent.runs(f"git branch -q -D topic; {EXPIRED}")
    words = ["bash", "-c", verdict.changed["command"]]
    subprocess.run(words, cwd=root, env=project.environ, check=True, stdin=subprocess.DEVNULL)
    project.agent.restart()
    project.agent.after("Bash", "", **verdict.changed)
    assert undone(project.agent.engine.transactions.store) == []
    assert known(root)["refs"] == before["refs"]
    assert before["objects"] <= known(root)["objects"]


def test_a_restore_that_was_killed_leaves_no_lock_and_goes_on(project, monkeypatch):
    root, before = project.root, known(project.root)
    runs(project, "git branch -q -D topic deep/one deep/two; git stash clear")
    folder = project.agent.engine.transactions.store._folder
    (one,) = project.agent.engine.transactions.store.all()
    rename = os.rename
    for moment in range(1, 60):
        child = os.fork()
        if child == 0:
            left = [moment]

            def killed(*words, left=left, **folders):
                left[0] -= 1
                if not left[0]:
                    os.kill(os.getpid(), 9)
                rename(*words, **folders)

            os.rename = killed
            Store(folder).restore(one.ident)
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            break
    assert moment > 3
    assert not [path for path in (root / ".git").rglob("*") if path.name.endswith(".lock") or "remit" in path.name]
    after = known(root)
    assert (after["refs"], after["stash"]) == (before["refs"], before["stash"])


def test_a_lock_of_git_is_respected(project):
    root = project.root
    runs(project, "git branch -q -D topic")
    lock = root / ".git/refs/heads/topic.lock"
    lock.write_text("")
    (one,) = project.agent.engine.transactions.store.all()
    assert "git is changing it" in project.agent.engine.transactions.store.restore(one.ident).refused[0].reason
    assert lock.exists()
    lock.unlink()
    assert project.agent.engine.transactions.store.restore(one.ident).refused == ()
    assert oid(root, "topic") == oid(root, "deep/one")


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("linked", [".git/refs", ".git/refs/heads", ".git/logs", ".git/logs/refs", ".git/objects"])
def test_nothing_is_put_back_through_a_link_that_was_made_since(project, tmp_path, linked):
    root, elsewhere = project.root, tmp_path / "elsewhere"
    runs(project, "for f in refs logs/refs; do printf '0 1 touch me\\n' > .git/$f/heads/planted; done")
    runs(project, f"rm .git/refs/heads/planted .git/logs/refs/heads/planted; git branch -q -D topic; {EXPIRED}")
    (root / linked).rename(elsewhere)
    (root / linked).symlink_to(elsewhere)
    before = contents(elsewhere)
    refused = undone(project.agent.engine.transactions.store)
    assert contents(elsewhere) == before
    assert any(f"{root}/{linked}/" in item.path or item.path == f"{root}/{linked}" for item in refused)


def test_a_reflog_that_became_a_link_brings_nothing_of_its_target(project, tmp_path):
    root, secret = project.root, tmp_path / "secret"
    secret.write_text("0 of somebody else\n")
    log = root / ".git/logs/refs/heads/topic"
    before = log.read_bytes()
    runs(project, "git branch -q -D topic")
    log.symlink_to(secret)
    undone(project.agent.engine.transactions.store)
    assert secret.read_text() == "0 of somebody else\n"
    assert b"somebody" not in log.read_bytes() or log.is_symlink()
    if not log.is_symlink():
        assert before in log.read_bytes()


def test_what_is_old_is_forgotten_with_the_objects(project):
    runs(project, f"git branch -q -D topic; {EXPIRED}")
    store = project.agent.engine.transactions.store
    assert list((store._folder / "repositories").iterdir())
    (one,) = store.all()
    assert store.collect(older_than=one.taken + 1, max_bytes=1 << 40) == (one.ident,)
    assert not list((store._folder / "repositories").iterdir())
    assert not list((store._folder / "objects").iterdir())


def test_objects_that_were_kept_are_no_copies(project):
    root = project.root
    git(root, "gc", "-q")
    (pack,) = (root / ".git/objects/pack").glob("*.pack")
    number = pack.stat().st_ino
    runs(project, f"git branch -q -D topic; {EXPIRED}")
    folder = project.agent.engine.transactions.store._folder / "repositories"
    assert number in {path.stat().st_ino for path in folder.rglob("*.pack")}


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="there is no other file system here")
def test_on_another_file_system_objects_are_kept_in_the_repository_where_no_command_reaches_them(tmp_path):
    with tempfile.TemporaryDirectory(dir="/dev/shm", ignore_cleanup_errors=True) as other:
        (tmp_path / "project").symlink_to(other)
        walled = Walled(tmp_path)
        root = walled.root.resolve()
        repository(root)
        before = known(root)
        runs(walled, f"git branch -q -D topic; {EXPIRED}; rm -rf .git/remit-undo/*")
        store = walled.agent.engine.transactions.store
        (folder,) = {entry.target for one in store.all() for entry in one.before.values() if entry.kind == "objects"}
        assert folder.startswith(f"{root}/.git/remit-undo/")
        assert undone(store) == []
        assert before["objects"] <= known(root)["objects"]
        assert before["refs"] == known(root)["refs"]
        walled.agent.tell(Kind.END)
