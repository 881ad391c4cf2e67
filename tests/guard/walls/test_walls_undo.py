"""What a command inside of walls writes is observed exactly, and what others write meanwhile is not taken for its work."""

import os
import subprocess

import pytest
from walled import SECRET, until

from remit.guard.event import Kind
from remit.guard.undo import PathKind as Lies

CHANGES = [
    ("echo new > a.txt", {"a.txt"}),
    ("echo more >> link", {"a.txt"}),
    ("rm a.txt; echo other > a.txt", {"a.txt"}),
    ("sed -i s/old/new/ a.txt", {"a.txt"}),
    ("mv a.txt b.txt", {"a.txt", "b.txt"}),
    ("mv dir moved", {"dir", "dir/x", "dir/deep", "dir/deep/y", "moved", "moved/x", "moved/deep", "moved/deep/y"}),
    ("rm -rf dir", {"dir", "dir/x", "dir/deep", "dir/deep/y"}),
    ("mkdir -p q/r && touch q/r/s", {"q", "q/r", "q/r/s"}),
    ("chmod 600 a.txt", {"a.txt"}),
    ("ln -s a.txt another", {"another"}),
    ("ln -sf dir/x link", {"link"}),
    ("ln a.txt second", {"second"}),
    ("truncate -s 1 a.txt", {"a.txt"}),
    ("cd dir && python3 -c 'import os; os.replace(\"x\", \"../z\")'", {"dir/x", "z"}),
    ("exec 7<dir; python3 -c 'import os; os.close(os.open(\"n\", os.O_CREAT | os.O_WRONLY, dir_fd=7))'", {"dir/n"}),
    ("python3 -c 'import shutil; shutil.copytree(\"dir\", \"copy\")'", {"copy", "copy/x", "copy/deep", "copy/deep/y"}),
    ("cat a.txt dir/x > /dev/null; ls -R > /dev/null", set()),
    ("echo x > passing && rm passing", set()),
    ("git init -q . && git add a.txt", set()),
]  # fmt: skip


@pytest.fixture
def project(walled):
    root = walled.root
    (root / "a.txt").write_text("old\n")
    (root / "link").symlink_to("a.txt")
    (root / "dir/deep").mkdir(parents=True)
    (root / "dir/x").write_text("x")
    (root / "dir/deep/y").write_text("y")
    (root / "mine.txt").write_text("mine")
    return walled


def runs(walled, command, meanwhile=lambda: None):
    """A call from question to end, and what a person does while it runs."""
    verdict = walled.agent.runs(command)
    assert verdict.changed is not None, verdict
    words = ["bash", "-c", verdict.changed["command"]]
    with subprocess.Popen(
        words, cwd=walled.root, env=walled.environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        meanwhile()
        process.communicate(timeout=300)
    assert process.returncode == 0
    walled.agent.after("Bash", "", **verdict.changed)
    return walled.agent.engine.transactions.store


def kept(walled, store):
    return {os.path.relpath(path, walled.root) for one in store.all() for path in one.before}


def state(root):
    """All of a folder but the repository."""
    found = {}
    for path in sorted(root.rglob("*")):
        if ".git" not in path.parts:
            what = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
            found[str(path.relative_to(root))] = (what, path.lstat().st_mode)
    return found


@pytest.mark.parametrize(("command", "changed"), CHANGES)
def test_what_a_command_changes_is_kept_exactly_and_comes_back(project, command, changed):
    project.says("true")  # folders of settings are there before
    before = state(project.root)
    store = runs(project, command)
    assert kept(project, store) == changed
    for one in store.all():
        assert store.restore(one.ident).refused == ()
    assert state(project.root) == before


def test_what_covers_a_secret_is_never_put_in_its_place(project):
    """Git tries to write a masked `.env` and cannot: the cover is not what the person had there, and an undo must not bring it back."""
    secret = project.root / ".env"
    secret.write_text(f"KEY={SECRET}\n")
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["commit", "-qm", "first"],
        ["commit", "-qm", "next", "--allow-empty"],
    ):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *words], cwd=project.root, check=True)
    store = runs(project, "git reset -q --hard HEAD~1; echo new > a.txt")
    assert kept(project, store) == {"a.txt"}
    for one in store.all():
        store.restore(one.ident, force=True)
    assert secret.read_text() == f"KEY={SECRET}\n"


def test_what_a_person_changes_meanwhile_is_not_the_calls(project):
    root = project.root

    def person():
        assert until((root / "begun").exists)
        (root / "mine.txt").write_text("edited")
        (root / "new.txt").write_text("new")
        (root / "out").mkdir(exist_ok=True)
        (root / "out/beside").write_text("beside")
        (root / "dir/x").unlink()

    store = runs(project, "mkdir -p out; touch begun; sleep 0.6; echo new > a.txt; echo y > out/y", person)
    (one,) = store.all()
    done = store.restore(one.ident)
    assert (root / "a.txt").read_text() == "old\n"
    assert (root / "mine.txt").read_text() == "edited"
    assert (root / "new.txt").read_text() == "new"
    assert (root / "out/beside").read_text() == "beside"
    assert not (root / "out/y").exists()
    assert not (root / "dir/x").exists()
    assert {os.path.relpath(item.path, root) for item in done.refused} == {"out", "out/beside"}


def test_what_was_changed_after_the_call_stays_and_an_undo_can_be_taken_back(project):
    store = runs(project, "echo new > a.txt; echo new > dir/x")
    (project.root / "a.txt").write_text("later")
    (one,) = store.all()
    assert [item.path for item in store.restore(one.ident).refused] == [str(project.root / "a.txt")]
    assert (project.root / "dir/x").read_text() == "x"
    (redo,) = (other for other in store.all() if other.redoes == one.ident)
    assert store.restore(redo.ident).refused == ()
    assert (project.root / "dir/x").read_text() == "new\n"
    assert (project.root / "a.txt").read_text() == "later"


def test_a_process_in_the_background_is_observed_and_does_not_keep_the_call_from_ending(project):
    store = runs(
        project, "sleep 6363 >/dev/null 2>&1 & echo new > a.txt"
    )  # else the host would wait for its output to end
    assert kept(project, store) == {"a.txt"}
    project.agent.tell(Kind.END)


def noted(project, command):
    """What a person is told after a call."""
    verdict = project.agent.runs(command)
    assert verdict.changed is not None, verdict
    subprocess.run(["bash", "-c", verdict.changed["command"]], cwd=project.root, env=project.environ, check=True)
    return project.agent.after("Bash", "", **verdict.changed).note


@pytest.mark.parametrize(
    ("name", "command", "told"),
    [
        ("dir/AGENTS.md", "python3 gen.py", "instructions that an agent reads in every session"),
        (".mcp.json", "python3 gen.py", "tool servers of an agent host"),
        ("node_modules/react/index.js", "python3 gen.py", "every program that uses the package runs it"),
        ("node_modules/react/new.js", "python3 gen.py", ""),
        ("node_modules/.cache/x", "python3 gen.py", ""),
        ("Makefile", "black --version; python3 gen.py", "every build runs it"),
        (".env", "python3 gen.py", ""),
    ],
)
def test_instructions_settings_and_installed_code_are_reported_too(project, name, command, told):
    for path in ("node_modules/react/index.js", "node_modules/.cache/x"):
        (project.root / path).parent.mkdir(parents=True, exist_ok=True)
        (project.root / path).write_text("old")
    (project.root / "names.txt").write_text(name)
    (project.root / "gen.py").write_text(WRITES_WHAT_A_FILE_NAMES)
    (project.root / "black").write_text("#!/bin/sh\n")
    note = noted(project, f"{command} || true")
    assert (f"`{project.root}/{name}` was changed by a command of a skill: {told}." in note) is bool(told)
    assert bool(note) is bool(told)


def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(project):
    (project.root / "gen.py").write_text("import os\nfor name in open('names.txt'):\n    os.mkfifo(name.strip())\n")
    (project.root / "names.txt").write_text(".prettierrc\nsetup.cfg\nrequirements.txt\n")
    note = noted(project, "python3 gen.py")
    for name in (".prettierrc", "setup.cfg", "requirements.txt"):  # what is in it nobody can say
        assert f"`{project.root}/{name}` was changed by a command of a skill" in note
    project.agent.tell(Kind.END)
    project.agent.session = "s2"
    project.agent.tell(Kind.SESSION)  # it reads what the project declares


def test_settings_of_a_repository_in_a_folder_are_fixed(project):
    subprocess.run(["git", "init", "-q", project.root / "dir"], check=True)
    done = project.run("git -C dir config core.fsmonitor 'touch planted'")
    assert done.returncode != 0
    assert "fsmonitor" not in (project.root / "dir/.git/config").read_text()


LATER = "(until test -e go; do sleep 0.1; done; rm -r dir; echo new > a.txt; touch done) > /dev/null 2>&1 &"


@pytest.mark.parametrize("ends", [False, True])
def test_what_a_process_that_outlives_its_call_removes_comes_back(project, ends):
    store = runs(project, LATER)
    assert store.all() == ()
    (project.root / "go").touch()
    assert until((project.root / "done").exists)
    if ends:
        project.agent.tell(Kind.END)
    else:
        runs(project, "true")
    refused = {
        os.path.relpath(one.path, project.root) for kept in store.all() for one in store.restore(kept.ident).refused
    }
    assert refused == {"a.txt", "done"}  # a person may have written there since
    assert (project.root / "dir/deep/y").read_text() == "y"
    assert (project.root / "a.txt").read_text() == "new\n"
    for kept in store.all():
        store.restore(kept.ident, force=True)
    assert (project.root / "a.txt").read_text() == "old\n"
    assert ends is False or not list(project.walls.calls.glob("*.kept"))


def test_a_file_that_is_too_large_to_be_kept_is_named_and_stays(project):
    large = project.root / "large"
    with large.open("wb") as file:
        file.truncate(65 << 20)
    store = runs(project, "echo x > large; echo new > a.txt")
    (one,) = store.all()
    assert one.before[str(large)].kind is Lies.OTHER
    (refused,) = store.restore(one.ident).refused
    assert "larger than what is kept" in refused.reason
    assert (project.root / "a.txt").read_text() == "old\n"


WRITES_WHAT_A_FILE_NAMES = "name = open('names.txt').read()\nopen(name, 'w').write('x = 1\\n')\n"


@pytest.mark.parametrize(
    ("name", "command", "told"),
    [
        ("conftest.py", "python3 gen.py", True),
        ("Makefile", "git status --short; python3 gen.py", True),
        ("notes.md", "python3 gen.py", False),
        (".prettierrc", "python3 gen.py", False),  # it names no code
        ("Makefile", "git apply make.patch", True),
    ],
)
def test_a_file_that_others_run_later_is_reported_where_nobody_could_say_that_it_changes(project, name, command, told):
    (project.root / "names.txt").write_text(name)
    (project.root / "gen.py").write_text(WRITES_WHAT_A_FILE_NAMES)
    (project.root / "make.patch").write_text("--- /dev/null\n+++ b/Makefile\n@@ -0,0 +1 @@\n+all:\n")
    subprocess.run(["git", "init", "-q", project.root], check=True)
    note = noted(project, command)
    assert (f"`{project.root}/{name}` was changed by a command of a skill: every" in note) is told
    (kept,) = project.agent.engine.transactions.store.all()
    assert (f"`remit undo --call {kept.ident}` puts it back" in note) is told
