"""The real Codex, Gemini, Copilot and opencode with the whole guard in them, all approvals of their own bypassed."""

import shutil
import signal
import threading

import pytest
from held_runs import Guard
from other_runs import GEMINI_AUTH, codex, copilot, gemini, opencode
from scripted_model import call

READS = {"capability": "file.read", "scope": "~/docs/**", "effect": "allow"}
KEPT = {"capability": "file.write", "scope": "./kept.txt", "effect": "deny"}
FETCH = "curl -s https://weather.example/today"


class HeldHost(Guard):
    confirm = "deny"  # what the log has of a question that nobody answered yet
    blocked = "remit: denied"  # what the model hears of a call that the client blocks by itself


class HeldCodex(HeldHost):
    name, package, skills = "codex", "@openai/codex@0.166.0", ".codex/skills"

    def run(self, *turns):
        return codex(self.place, turns)

    def shell(self, command):
        return call("exec_command", cmd=command)

    def load(self, name):
        """Codex has no tool for it: the model reads the file."""
        return self.shell(f"cat {self.skills}/{name}/SKILL.md")


class HeldGemini(HeldHost):
    name, package, skills = "gemini", "@google/gemini-cli@0.61.0", ".gemini/skills"

    def run(self, *turns):
        return gemini(self.place, turns)

    def shell(self, command):
        return call("run_shell_command", command=command)

    def load(self, name):
        return call("activate_skill", name=name)


class HeldCopilot(HeldHost):
    """It asks its user itself, and refuses where there is none; of a hook that blocks it tells the exit status."""

    name, package, skills = "copilot", "@github/copilot@1.0.102", ".github/skills"
    confirm, blocked = "asked", "hook exited with code 2"

    def run(self, *turns):
        return copilot(self.place, turns)

    def shell(self, command):
        return call("bash", command=command, description="x")

    def load(self, name):
        return call("skill", skill=name)


class HeldOpencode(HeldHost):
    name, package, skills = "opencode", "opencode-ai@1.18.18", ".opencode/skill"

    def run(self, *turns):
        return opencode(self.place, turns)

    def shell(self, command):
        return call("bash", command=command, description="x")

    def load(self, name):
        """It lists the skill's files with ripgrep, and would fetch that from afar."""
        if shutil.which("rg") is None:
            pytest.skip("ripgrep is not installed, so opencode loads no skill")
        return call("skill", name=name)


def hosts(*by_day, at_night=()):
    """One session of a slow host takes seconds: by day most are in the last test alone, which has a grant, a denial and a question.

    Codex starts fastest and is in all of them. By day Gemini and opencode are in test_guarded_hosts.py, with the same plugin and
    adapter. There is also that a client which no daemon answers blocks in the words of its host.
    """
    kinds = [*by_day, *(pytest.param(kind, id=f"{kind.name}_nightly") for kind in at_night)]
    return pytest.mark.parametrize("host", kinds, indirect=True, ids=lambda kind: kind.name)


@pytest.fixture
def host(request, other_host, monkeypatch):
    found = request.param(other_host(request.param.package, request.param.name), monkeypatch)
    if found.name == "gemini":
        found.place.write(".gemini/settings.json", GEMINI_AUTH)
    found.remit("guard", "install", found.name)
    yield found
    found.end()


@hosts(HeldCodex, at_night=(HeldGemini, HeldCopilot, HeldOpencode))
def test_denied_stays_denied_and_nothing_that_wants_a_person_runs_without_one(host):
    host.careful()
    (host.work / ".env").write_text("TOKEN=hush-hush-hush")
    (host.work / "old.txt").write_text("x")
    ran = host.run(host.shell("echo hi > made"), host.shell("cat .env"), host.shell("rm old.txt"))
    assert host.place.made.exists()
    assert "hush" not in ran.model.everything()
    assert (host.work / "old.txt").exists()
    assert host.decided() == ["admit", "deny", host.confirm]


@hosts(HeldCodex, at_night=(HeldGemini, HeldOpencode))
def test_what_a_person_agrees_to_is_admitted_once(host):
    host.careful()
    (host.work / "old.txt").write_text("x")

    def agreed(_request):
        host.approve()
        (host.work / "asked.txt").write_text("old.txt was there" if (host.work / "old.txt").exists() else "")
        return host.shell("rm old.txt")

    ran = host.run(host.shell("rm old.txt"), agreed, host.shell("rm old.txt"))
    assert (host.work / "asked.txt").read_text()
    assert not (host.work / "old.txt").exists()
    (left,) = host.questions()
    assert left.id in "\n".join(ran.model.results())
    assert host.decided() == ["deny", "person-approved", "deny"]


@hosts(HeldCodex, at_night=(HeldGemini, HeldCopilot, HeldOpencode))
def test_a_daemon_that_is_killed_in_the_middle_of_a_call_blocks_it(host):
    def meanwhile(_request):
        host.kill(signal.SIGSTOP)
        threading.Timer(1, host.kill).start()
        return host.shell("echo hi > made")

    ran = host.run(host.shell("ls"), meanwhile, host.shell("echo hi > later"))
    assert not host.place.made.exists()
    assert host.blocked in "\n".join(ran.model.results())
    assert (host.work / "later").exists()


@hosts(HeldCodex, HeldCopilot, at_night=(HeldGemini, HeldOpencode))
def test_the_manifest_of_a_skill_governs_what_comes_after_it(host):
    docs = host.place.home / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("words of the user")
    folder = host.work / host.skills / "reader"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: reader\ndescription: reads\n---\nRead the documents of the user.\n")
    host.manifest(folder, READS, KEPT)
    reading = host.shell(f"cat {docs}/a.txt")
    writing = host.shell("echo x >> kept.txt")
    ran = host.run(writing, host.load("reader"), reading, writing, host.shell(FETCH))
    assert "words of the user" in ran.model.everything()
    assert "Read the documents of the user." in ran.model.everything()
    assert (host.work / "kept.txt").read_text() == "x\n"
    assert host.decided() == ["admit", "admit", "admit", "deny", host.confirm]  # the first is by nobody's skill
    decided = [one.entry for one in host.records() if one.entry.kind == "decision"]
    assert [one.principal for one in decided] == ["", "reader", "reader", "reader", "reader"]
