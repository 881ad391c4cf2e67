"""The real hosts with the guard installed: our installers, our client or plugin, our adapters; only the decisions are the test's."""

import json

import pytest
from host_packages import installed
from other_runs import GEMINI_AUTH, Place, codex, copilot, gemini, opencode
from scripted_model import call
from stand_in_daemon import daemon, denies_tools

from by_day import but_by_night
from remit.guard.event import PASS, Kind
from remit.guard.hosts.toolmap import wants
from remit.guard.install.model import CLIENT_SECONDS, Site
from remit.guard.install.registry import find_installer
from remit.guard.install.settings_file import apply

RUNS = {
    "codex": ("@openai/codex@0.166.0", codex, lambda line: call("exec_command", cmd=line)),
    "gemini": ("@google/gemini-cli@0.61.0", gemini, lambda line: call("run_shell_command", command=line)),
    "copilot": ("@github/copilot@1.0.102", copilot, lambda line: call("bash", command=line, description="x")),
    "opencode": ("opencode-ai@1.18.18", opencode, lambda line: call("bash", command=line, description="x")),
}
MAKES = "echo hi > made"
FILES = {
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".copilot/hooks/remit.json",
    "opencode": ".config/opencode/plugin/remit.js",
}
SKILLS = {  # where a project keeps skills, and how the model loads one; Codex shows only that a file is read
    "gemini": (".gemini/skills", call("activate_skill", name="demo")),
    "copilot": (".github/skills", call("skill", skill="demo")),
    "opencode": (".opencode/skill", call("skill", name="demo")),
}


class Guarded:
    """A host with the guard in it."""

    def __init__(self, name, scratch):
        package, self._run, self.shell = RUNS[name]
        self.name = name
        self.place = Place(installed(package, name), scratch)
        for folder in (self.place.home, self.place.work):
            folder.mkdir()

    def run(self, ours, *turns, seconds=CLIENT_SECONDS):
        """Install as a user would, and run with all approvals bypassed."""
        if self.name == "gemini":
            self.place.write(".gemini/settings.json", GEMINI_AUTH)
        apply(find_installer(self.name).install(Site(self.place.home, self.place.work, ours.state), managed=False))
        file = self.place.home / FILES[self.name]
        text = file.read_text().replace(f" {CLIENT_SECONDS} ", f" {seconds} ")
        file.write_text(text.replace(f'"seconds": {CLIENT_SECONDS}', f'"seconds": {seconds}'))
        return self._run(self.place, turns or [self.shell(MAKES)])


@pytest.fixture
def guarded(tmp_path, request):
    return Guarded(request.param, tmp_path)


def denies_all_but_one(event):
    """One command passes, which shows that the host ran what it was let."""
    return PASS if event.args.get("command") == MAKES else denies_tools(event)


@pytest.fixture(scope="module", params=RUNS)
def session(tmp_path_factory, request):
    """A host after a session that tries a command and loads a skill, where the host can, both in vain, and then does what passes."""
    guarded = Guarded(request.param, tmp_path_factory.mktemp("host"))
    folder, loads = SKILLS.get(guarded.name, ("", None))
    if loads is not None:
        skill = guarded.place.work / folder / "demo"
        skill.mkdir(parents=True)
        (skill / "SKILL.md").write_text("---\nname: demo\ndescription: does demo\n---\nThe words of the skill.\n")
    with daemon(denies_all_but_one) as ours:
        denied = [guarded.shell("echo hi > denied"), *([] if loads is None else [loads])]
        ran = guarded.run(ours, *denied, guarded.shell(MAKES))
    return guarded, ours, ran


def test_denied_stays_denied_with_all_approvals_bypassed(session):
    guarded, _, ran = session
    assert not (guarded.place.work / "denied").exists()
    assert "outside of the remit" in json.dumps(ran.model.results())


def test_a_skill_that_the_model_loads_is_seen_and_can_be_refused(session):
    guarded, ours, ran = session
    seen = [(want.capability, want.target) for event in ours.of(Kind.BEFORE) for want in wants(event)]
    assert [one for one in seen if one[0] == "context.load"] == [("context.load", "demo")] * (guarded.name in SKILLS)
    assert "The words of the skill." not in ran.model.everything()


def test_what_passes_runs_and_is_told_before_and_after(session):
    guarded, ours, _ = session
    assert guarded.place.made.exists()
    before, after = ours.of(Kind.BEFORE), ours.of(Kind.AFTER)
    commands = [(event.args["command"], event.cwd) for event in before if "command" in event.args]
    assert commands == [(line, str(guarded.place.work)) for line in ("echo hi > denied", MAKES)]
    assert [event.tool for event in after] == [before[-1].tool]
    assert wants(before[-1])[0].command == MAKES
    assert [event.text for event in ours.of(Kind.PROMPT)] == ["hi"]
    assert len({event.session for event in ours.events}) == 1
    assert ours.of(Kind.SESSION)


@pytest.mark.parametrize(
    "guarded",
    but_by_night(RUNS, {"gemini", "copilot", "opencode"}),  # who waits is the client, which is the same in all of them
    indirect=True,
)
def test_a_daemon_that_never_answers_is_a_denial_before_the_host_gives_up(guarded):
    with daemon(raw=b"") as ours:
        guarded.run(ours, seconds=2)
    assert not guarded.place.made.exists()


def test_codex_without_trust_asks_nobody(tmp_path):
    """The trap that the doctor reports; test_other_installs.py holds that it does."""
    guarded = Guarded("codex", tmp_path)
    with daemon(denies_tools) as ours:
        guarded.run(ours)
        asked = len(ours.events)
        codex(guarded.place, [guarded.shell(MAKES)], trust_all=False)
    assert asked
    assert len(ours.events) == asked
    assert guarded.place.made.exists()
