"""Repositories from a Git server on loopback: hostile ones are refused in one sentence, and nothing of them is run or left behind."""

import os
import signal
import subprocess
import sys
import time

import pytest
from git_server import TEXT, commit, commit_tree, git, raw_tree, write

from remit.core.errors import InputError
from remit.sources import source as sources
from remit.sources.fetch import QUARANTINE, fetch_source
from remit.sources.source import parse_source

ONE = {"skills/one/SKILL.md": TEXT.format(name="one"), "skills/one/run.py": "print(1)\n"}
TWO = {"skills/two/SKILL.md": TEXT.format(name="two")}


@pytest.fixture
def repository(server):
    """A repository with two skills, and much besides that no skill needs."""
    folder = server.root / "r"
    commit(folder, ONE | TWO | {"big.bin": os.urandom(300_000), "docs/a.md": "# A\n"})
    return folder


def paths(found):
    return [found.path_of(skill) for skill in found.skills]


def fetched(url, bounds=QUARANTINE, path=""):
    return fetch_source(parse_source(url, path), bounds)


def refusal(url, bounds=QUARANTINE, path=""):
    with pytest.raises(InputError) as refused, fetched(url, bounds, path):
        pass
    assert "\n" not in refused.value.message
    return refused.value.message


def refused(url):
    with fetched(url) as found:
        return paths(found), found.refused


def test_skills_of_a_repository_at_its_commit(server, repository):
    with fetched(server.url("r")) as found:
        assert paths(found) == ["skills/one", "skills/two"]
        assert found.resolved == git(repository, "rev-parse", "HEAD")
        assert found.name_of(found.skills[0]) == f"{server.url('r')}!skills/one"
        assert (found.root / "skills/one/run.py").read_text() == "print(1)\n"
        assert not (found.root / "big.bin").exists()
    assert not found.root.exists()


@pytest.mark.parametrize("url", ["http", "file"])
@pytest.mark.parametrize("filters", ["true", "false"])
def test_every_server_gives_the_same(server, repository, url, filters):
    """One that can leave contents out is asked for few of them; the others send all."""
    git(repository, "config", "uploadpack.allowFilter", filters)
    with fetched(server.url("r") if url == "http" else f"file://{repository}") as found:
        assert paths(found) == ["skills/one", "skills/two"]
        assert (found.root / "skills/one/run.py").read_text() == "print(1)\n"


def test_contents_that_no_skill_needs_are_not_fetched(server, repository):
    """The repository is larger than what is allowed to come."""
    with fetched(server.url("r"), QUARANTINE._replace(bytes=100_000)) as found:
        assert len(found.skills) == 2
    git(repository, "config", "uploadpack.allowFilter", "false")
    assert "sends more than 100000 bytes" in refusal(server.url("r"), QUARANTINE._replace(bytes=100_000))


def test_owner_and_repository_are_those_of_github(server, monkeypatch):
    monkeypatch.setattr(sources, "GITHUB", server.url(""))
    folder = server.root / "owner/repo.git"
    first = commit(folder, ONE)
    git(folder, "tag", "v1")
    commit(folder, TWO)
    with fetched("owner/repo") as found:
        assert [found.name_of(skill) for skill in found.skills] == ["owner/repo/skills/one", "owner/repo/skills/two"]
    with fetched("owner/repo/skills/one@v1") as found:
        assert (paths(found), found.resolved) == (["skills/one"], first)
        assert found.name_of(found.skills[0]) == "owner/repo/skills/one@v1"
    with fetched(f"owner/repo@{first}") as found:
        assert paths(found) == ["skills/one"]
    assert "no SKILL.md" in refusal("owner/repo/docs") or "no folder" in refusal("owner/repo/docs")
    assert "gone" in refusal("owner/repo@gone")


def test_nothing_of_a_repository_is_run_or_obeyed(server, repository, tmp_path):
    trap = tmp_path / "trap"
    attributes = "* filter=evil text eol=crlf ident export-subst\nskills/two export-ignore\n"
    commit(
        repository, {".gitattributes": attributes, "skills/one/id.txt": "$Id$\n", "skills/one/sub.txt": "$Format:%H$\n"}
    )
    for key in ("filter.evil.smudge", "filter.evil.clean", "core.fsmonitor", "core.sshCommand", "core.pager"):
        git(repository, "config", key, f"touch {trap}; cat")
    for name in ("post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"):
        write(repository / ".git/hooks", {name: f"#!/bin/sh\ntouch {trap}\n"})
        (repository / ".git/hooks" / name).chmod(0o755)
    write(
        tmp_path,
        {".gitconfig": f'[core]\n\thooksPath = {repository}/.git/hooks\n[filter "evil"]\n\tsmudge = touch {trap}\n'},
    )
    with fetched(server.url("r")) as found:
        assert (found.root / "skills/one/id.txt").read_bytes() == b"$Id$\n"
        assert (found.root / "skills/one/sub.txt").read_bytes() == b"$Format:%H$\n"
        assert len(found.skills) == 2
    assert not trap.exists()


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../../../outside", "../../docs/out"], ids=["absolute", "above", "by another link"]
)
def test_a_link_out_of_the_repository_refuses_its_skill_alone(server, repository, target):
    commit(repository, links={"skills/one/notes.md": target, "docs/out": "/etc/passwd"})
    found, why = refused(server.url("r"))
    assert found == ["skills/two"]
    assert "outside of the repository" in why["skills/one"]
    assert "outside of the repository" in refusal_of_one(server.url("r"))


def refusal_of_one(url):
    with fetched(url, path="skills/one") as found:
        assert not found.skills
        return found.refused["skills/one"]


def test_what_links_lead_to_in_the_repository_is_fetched_too(server, repository):
    links = {
        "skills/one/notes.md": "../../docs/a.md",
        "skills/two/docs": "../../alias",
        "alias": "docs",
        "skills/two/loop": "loop",
    }
    commit(repository, links=links)
    with fetched(server.url("r")) as found:
        assert (found.root / "skills/one/notes.md").read_text() == "# A\n"
        assert (found.root / "skills/two/docs/a.md").read_text() == "# A\n"
        assert not (found.root / "big.bin").exists()


def test_the_text_of_a_skill_that_is_a_link_is_found_and_checked(server, repository):
    (repository / "skills/one/SKILL.md").rename(repository / "docs/one.md")
    commit(repository, links={"skills/one/SKILL.md": "../../docs/one.md"})
    done = remit("check", server.url("r"), "--format", "jsonl", "--fail-on", "never")
    assert done.returncode == 0, done.stderr
    assert f'"path":"{server.url("r")}!skills/one"' in done.stdout.replace('": "', '":"')


def test_a_submodule_is_not_fetched(server, repository):
    head = git(repository, "rev-parse", "HEAD")
    write(repository, {".gitmodules": '[submodule "x"]\n\tpath = skills/one/x\n\turl = --upload-pack=touch trap\n'})
    git(repository, "add", ".gitmodules")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{head},skills/one/x")
    git(repository, "commit", "-qm", "submodule")
    found, why = refused(server.url("r"))
    assert (found, list(why)) == (["skills/two"], ["skills/one"])
    assert "submodule" in why["skills/one"]


def test_names_that_clash_or_are_devices_refuse_their_skill(server, repository):
    commit(repository, {"skills/one/README.md": "", "skills/one/readme.md": "", "skills/two/aux.py": ""})
    found, why = refused(server.url("r"))
    assert found == []
    assert "ignores case" in why["skills/one"]
    assert "device" in why["skills/two"]


@pytest.mark.parametrize("name", [".git", ".GIT", "git~1", ".g\u200cit"])
def test_a_tree_with_a_repository_in_it_refuses_its_skill(server, repository, name):
    blob = git(repository, "rev-parse", "HEAD:skills/one/SKILL.md")
    inner = raw_tree(repository, ("100644", blob, "config"))
    skill = raw_tree(repository, ("40000", inner, name), ("100644", blob, "SKILL.md"))
    commit_tree(repository, raw_tree(repository, ("40000", skill, "s")))
    found, why = refused(server.url("r"))
    assert found == []
    assert "Git itself refuses" in why["s"] or "invisible" in why["s"]


@pytest.mark.parametrize("name", ["..", "a\\b"])
def test_a_tree_with_names_that_lead_elsewhere_refuses_its_skill(server, repository, name):
    blob = git(repository, "rev-parse", "HEAD:skills/one/SKILL.md")
    skill = raw_tree(repository, ("100644", blob, "SKILL.md"), ("100644", blob, name))
    commit_tree(repository, raw_tree(repository, ("40000", skill, "s")))
    found, why = refused(server.url("r"))
    assert found == []
    assert "leads elsewhere" in why["s"]


def test_a_tree_with_a_name_twice_is_refused(server, repository):
    blob = git(repository, "rev-parse", "HEAD:skills/one/SKILL.md")
    commit_tree(repository, raw_tree(repository, ("100644", blob, "SKILL.md"), ("100644", blob, "SKILL.md")))
    assert "comes twice" in refusal(server.url("r"))


def test_content_in_lfs_is_not_there(server, repository):
    commit(repository, {"skills/one/model.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"})
    found, why = refused(server.url("r"))
    assert found == ["skills/two"]
    assert "Git LFS" in why["skills/one"]


def test_a_huge_file_that_packs_well_is_refused(server, repository):
    commit(repository, {"skills/one/zeros": b"\0" * 5_000_000})
    assert "`skills/one/zeros` has 5000000 bytes" in refusal(server.url("r"), QUARANTINE._replace(bytes=1_000_000))


def test_too_many_files_are_refused(server, repository):
    commit(repository, {f"many/{number}": "x" for number in range(50)})
    assert "more than 20 files" in refusal(server.url("r"), QUARANTINE._replace(entries=20))


def test_no_credentials_are_asked_for(server, tmp_path, monkeypatch):
    def unauthorized(handler):
        handler.send_response(401)
        handler.send_header("WWW-Authenticate", "Basic realm=x")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    server.answer = unauthorized
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        monkeypatch.setenv(name, f"touch {tmp_path}/asked")
    assert "requires a login" in refusal(server.url("r"))
    assert not (tmp_path / "asked").exists()


def test_another_protocol_is_not_reached_by_a_redirection(server, repository):
    def elsewhere(handler):
        handler.send_response(302)
        handler.send_header("Location", f"file://{repository}/info/refs?service=git-upload-pack")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    server.answer = elsewhere
    assert "git says" in refusal(server.url("r"))


def test_a_server_that_says_nothing_is_not_waited_for(server):
    server.answer = lambda _: time.sleep(30)
    assert "more than 1 seconds" in refusal(server.url("r"), QUARANTINE._replace(seconds=1))


def test_a_repository_that_is_not_there(server, tmp_path):
    assert "git says" in refusal(server.url("gone"))
    assert "git says" in refusal(f"file://{tmp_path}/gone")


def remit(*words, **how):
    return subprocess.run(
        [sys.executable, "-m", "remit.cli", *words], capture_output=True, text=True, timeout=120, check=False, **how
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_leaves_nothing_behind(server, temporary, number):
    """Neither a folder nor a process: the server says nothing, so that `git` still runs then."""
    server.answer = lambda _: time.sleep(60)
    words = [sys.executable, "-m", "remit.cli", "check", server.url("r")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not server.requests:
            assert process.poll() is None
            time.sleep(0.02)
        assert os.listdir(temporary)
        process.send_signal(number)
        process.communicate(timeout=60)
    assert process.returncode == (130 if number == signal.SIGINT else 128 + number)
    assert os.listdir(temporary) == []
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False).stdout
    assert str(temporary) not in running
