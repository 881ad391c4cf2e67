"""Links in a folder that is read as a whole: those that lead out are asked about where they are followed."""

import pytest
from engine_world import Agent

from remit.core.errors import DataError
from remit.guard.call_analysis.folder_links import _options, follows, load
from remit.guard.event import Outcome

FOLLOWING = (
    "grep -Rn foo .",
    "grep -d recurse foo .",
    "rg -L foo",
    "rg --follow foo",
    "find -L . -name x",
    "find . -exec cat {} +",
    "tar chf all.tar .",
    "zip -r all.zip .",
    "cp -rL data copy",
    "python3 -c \"import glob; [print(open(f).read()) for f in glob.glob('data*/**', recursive=True)]\"",
)
PLAIN = (
    "grep -rn foo .",
    "rg foo",
    "find . -name '*.txt'",
    "ls -R .",
    "tar cf all.tar .",
    "du -a .",
    "git status",
    "cat a.txt",
)


@pytest.fixture
def agent(tmp_path):
    agent = Agent(tmp_path)
    agent.engine.sessions.temp = tmp_path / "tmp"
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.txt").write_text("a")
    (agent.root / "a.txt").write_text("a")
    (agent.root / "data").mkdir()
    agent.skill("notes")
    agent.loads("notes")
    return agent


@pytest.mark.parametrize("command", FOLLOWING)
@pytest.mark.parametrize("target", ["elsewhere", "elsewhere/a.txt"])
def test_a_link_that_is_followed_out_of_the_workspace_is_asked_about(agent, tmp_path, command, target):
    assert "outside of the workspace" not in agent.runs(command).reason
    (agent.root / "data" / "more").symlink_to(tmp_path / target)
    verdict = agent.runs(command)
    assert verdict.approval
    assert f"`{agent.root}/data/more` is a link to `{tmp_path}/{target}`, outside the workspace" in verdict.reason


@pytest.mark.parametrize("command", PLAIN)
def test_what_follows_no_links_goes_on(agent, tmp_path, command):
    (agent.root / "data" / "more").symlink_to(tmp_path / "elsewhere")
    assert agent.runs(command).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "target", ["/usr/lib/os-release", "../a.txt", "/usr/bin/env", "nowhere", "~/program", "~/.cache/x"]
)
def test_links_within_the_workspace_to_programs_and_to_nothing_are_plain(agent, target):
    (agent.home / ".cache/x").mkdir(parents=True)
    (agent.home / "program").write_text("#!/bin/sh\n")
    (agent.home / "program").chmod(0o755)
    (agent.root / "data" / "more").symlink_to(target.replace("~", str(agent.home)))
    assert agent.runs("grep -Rn foo .").outcome is Outcome.PASS


def test_what_a_skill_may_read_is_not_asked_about(agent, tmp_path):
    agent.skill(
        "reader", permissions=[{"capability": "file.read", "scope": f"{tmp_path}/elsewhere/**", "effect": "allow"}]
    )
    (agent.root / "data" / "more").symlink_to(tmp_path / "elsewhere")
    assert agent.runs("grep -Rn foo .").approval
    agent.loads("reader")
    assert agent.runs("grep -Rn foo .").outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("program", "option"), [(name, option) for name, known in _options().items() for option in sorted(known)]
)
def test_every_option_of_the_table_makes_a_program_follow(program, option):
    assert not follows(f"{program} x")
    assert follows(f"/usr/bin/{program} {option} x")
    assert follows(f"{program} <any>")
    assert follows("somebody x")
    assert follows(f"{program} {option[:-2]} x") or not option.startswith("--")


@pytest.mark.parametrize("line", ["grep | R | x", "grep | -R |", "grep | -R | x\ngrep | -L | x"])
def test_a_wrong_table_is_refused_with_its_line(tmp_path, line):
    path = tmp_path / "links.table"
    path.write_text(f"[a]\n{line}\n")
    with pytest.raises(DataError, match=r"links\.table:\d"):
        load(path)
