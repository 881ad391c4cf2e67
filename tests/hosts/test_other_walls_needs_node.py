"""Commands of a skill in the real Codex, Gemini, Copilot and opencode run inside of walls: the host runs the rewritten call."""

import pytest
from test_other_held_needs_node import HeldCodex, HeldCopilot, HeldGemini, HeldOpencode, host, hosts

from remit.guard.state_folder import prepared
from remit.guard.walls import Walls

__all__ = ["host"]
WORKS = (
    {"capability": "file.read", "scope": "./**", "effect": "allow"},
    {"capability": "file.write", "scope": "./**", "effect": "allow"},
)


@hosts(HeldCodex, HeldCopilot, at_night=(HeldGemini, HeldOpencode))
def test_a_command_of_a_skill_runs_inside(host, tmp_path):
    if problem := Walls(prepared(tmp_path / "other"), tmp_path, tmp_path).problem():
        pytest.skip(f"no walls on this machine: {problem}")
    (host.place.home / ".aws").mkdir()
    (host.place.home / ".aws/credentials").write_text("planted-secret")
    folder = host.work / host.skills / "report"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: report\ndescription: reports\n---\nWrite reports.\n")
    host.manifest(folder, *WORKS)
    ran = host.run(
        host.shell("echo before:$REMIT_WALLS"),
        host.load("report"),
        host.shell("echo walls:$REMIT_WALLS; echo x > made; (exit 3)"),
        host.shell('cat $(find ~ -type f -name "cred*") < /dev/null; echo looked'),
    )
    said = ran.model.everything()
    assert "walls:report" in said
    assert "before:report" not in said
    assert host.place.made.exists()
    assert "planted-secret" not in said
    assert "looked" in "\n".join(ran.model.results())
    assert host.alarms() == []
    assert host.decided() == ["admit"] * 4
