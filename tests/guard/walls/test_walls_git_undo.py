"""What a command inside of walls destroys in a repository of git comes back by `remit undo`; what others did there meanwhile stays."""

import os
import subprocess

import pytest
from walled import until

from remit.guard.undo import Store

IDENTITY = ["-c", "user.name=P", "-c", "user.email=p@example.org", "-c", "commit.gpgsign=false", "-c", "gc.auto=0"]
EXPIRED = "git reflog expire --expire=now --all; git gc -q --prune=now"
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
    "rm -rf .git",
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
    "git submodule -q deinit -f sub; rm -rf .git/modules/sub",
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
    git(root, "worktree", "add", "-q", "-b", "side", "beside", "topic")
    (root / "beside/a.txt").write_text("work beside\n")
    walled.says("true")
    return walled


def all_known(root):
    return [known(one) for one in (root, root / "nested", root / "sub", root / "beside", root / "bare.git")]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("command", DESTROYERS)
def test_what_git_lost_comes_back(project, command, packed):
    root = project.root
    if packed:
        for one in (root, root / "nested", root / "bare.git"):
            git(one, "gc", "-q")
    before = all_known(root)
    runs(project, command)
    store = project.agent.engine.transactions.store
    undone(store)
    after = all_known(root)
    for one, other in zip(before, after, strict=True):
        assert one["objects"] <= other["objects"]
        assert set(one["reflog"]) <= set(other["reflog"]) or len(one["reflog"]) <= len(other["reflog"])
        for name in ("refs", "stash", "index", "head", "status", "files", "broken"):
            assert one[name] == other[name], name
