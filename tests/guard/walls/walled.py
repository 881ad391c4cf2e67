"""A skill in a session, and commands that run inside of its walls as a host would run them: with the real kernel."""

import os
import subprocess
import time
from pathlib import Path

from engine_world import Agent

from remit.guard.event import Kind, Outcome, Verdict
from remit.guard.walls import Inside

SECRET = "hunter2-do-not-show"
PERMISSIONS = (
    {"capability": "file.read", "scope": "./**", "effect": "allow"},
    {"capability": "file.write", "scope": "./**", "effect": "allow"},
)


def until(holds, seconds=300):
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


class Walled:
    """One skill, `report`, in one session."""

    def __init__(self, folder: Path, permissions=PERMISSIONS, changed="", **options):
        self.agent = Agent(folder)
        self.home, self.root, self.state = self.agent.home, self.agent.root, self.agent.state.folder
        skill = self.agent.skill("report", permissions=permissions, **options)
        self.agent.trusts_content(skill)
        with (skill / "SKILL.md").open("a") as file:
            file.write(changed)
        self.name = "report"
        self.agent.loads(self.name)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8"}

    @property
    def walls(self):
        return self.agent.engine.walls

    def live(self):
        return self.agent.engine.sessions.of(self.agent.event(Kind.BEFORE))

    def rewritten(self, command, admitted=()):
        """The command that a host is told to run instead."""
        event = self.agent.event(Kind.BEFORE, tool="Bash", args={"command": command})
        inside = self.walls.inside(event, (self.name,))
        assert inside == Inside(self.name, "command", command), self.walls.problem()
        verdict = self.walls.enter(self.live(), inside, admitted, Verdict(Outcome.PASS), event).verdict
        assert verdict.changed is not None
        return str(verdict.changed["command"])

    def run(self, command, *, admitted=(), environ=None, timeout=300, **options):
        """Run a command inside, as a host does, and return how it ended."""
        return self.ran(self.rewritten(command, admitted), environ=environ, timeout=timeout, **options)

    def ran(self, command, *, environ=None, timeout=300, **options):
        """How a rewritten command ends."""
        options = {"stdin": subprocess.DEVNULL, "cwd": self.root, **options}
        if "input" in options:
            del options["stdin"]
        return subprocess.run(
            ["bash", "-c", command],
            env={**self.environ, **(environ or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            **options,
        )

    def says(self, command, **options):
        """What a command prints that ends well."""
        done = self.run(command, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def close(self):
        self.agent.engine.close()
