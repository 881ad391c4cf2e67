"""A workspace, a home and an engine, and an agent that does what it is told: events in, verdicts out."""

import hashlib
import json
import subprocess
from pathlib import Path

from remit.guard.engine import Engine
from remit.guard.event import Event, Kind, Outcome
from remit.guard.state_folder import prepared
from remit.guard.store import State, answer_approval, trust_file
from remit.manifest.baseline import FILE as DEFAULTS
from remit.manifest.drift.content import content_digest
from remit.skill.load import load_skill

SKILL = """---
name: {name}
description: {about}
---
# {name}
{body}
"""


class Agent:
    """One session of one host."""

    def __init__(self, folder: Path, session="s1", host="claude-code", *, careful=True, **options):
        self.home = folder / "home"
        self.root = folder / "project"
        self.session, self.host = session, host
        for place in (self.home, self.root):
            place.mkdir(exist_ok=True)
        self.time = [1_700_000_000.0]
        self.state = prepared(folder / "state")
        self.options = options
        self.calls = 0
        self.engine = self.restart()
        if careful:  # the user's own baseline: the defaults that `remit defaults` prints, trusted
            self.trusts(self.root / "remit-defaults.json", DEFAULTS.read_text())

    def restart(self):
        """A new daemon on the same state."""
        self.engine = Engine(self.state, clock=lambda: self.time[0], home=self.home)
        return self.engine

    def event(self, kind, **fields):
        fields.setdefault("call", f"c{self.calls}")
        return Event(self.host, kind, str(kind), self.session, str(self.root), **{**self.options, **fields})

    def tell(self, kind, **fields):
        return self.engine.decide(self.event(kind, **fields))

    def says(self, text):
        return self.tell(Kind.PROMPT, text=text)

    def before(self, tool, **args):
        self.calls += 1
        return self.tell(Kind.BEFORE, tool=tool, args=args)

    def after(self, tool, result="", **args):
        return self.tell(Kind.AFTER, tool=tool, args=args, text=result)

    def runs(self, command, *, agent=""):
        self.calls += 1
        return self.tell(Kind.BEFORE, tool="Bash", args={"command": command}, agent=agent)

    def really_runs(self, command):
        """Ask, run it if it passes, and tell how it ended."""
        verdict = self.runs(command)
        if verdict.outcome is Outcome.PASS:
            done = subprocess.run(["bash", "-c", command], cwd=self.root, capture_output=True, text=True, check=False)
            verdict = self.after("Bash", done.stdout, command=command)
        return verdict

    def loads(self, name):
        return self.before("Skill", skill=name)

    def approve(self, verdict, state=State.ONCE):
        """A person agrees to a question."""
        return answer_approval(self.engine.sessions.store, verdict.approval, state, now=int(self.time[0]))

    def skill(self, name, *, permissions=(), files=(), body="Does its work.", trusted=True):
        """Put a skill where the host finds it; its manifest is trusted by a person, unless it is not."""
        folder = self.root / ".claude" / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(SKILL.format(name=name, about=f"{name} things", body=body))
        for path, text in dict(files).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        text = json.dumps({"skill_metadata": {"name": name}, "permissions": list(permissions)})
        if trusted:
            self.trusts(folder / "remit.json", text)
        else:
            (folder / "remit.json").write_text(text)
        return folder

    def trusts(self, manifest, text):
        """Write a manifest, which a person trusts as it is."""
        manifest.write_text(text)
        digest = "sha256:" + hashlib.sha256(manifest.read_bytes()).hexdigest()
        trust_file(self.engine.sessions.store, str(manifest), digest, now=int(self.time[0]))

    def trusts_content(self, folder):
        """A person trusts a skill as it is, as `remit guard trust` notes it."""
        skill = load_skill(folder)
        found = content_digest(skill.files, skill.links)
        trust_file(self.engine.sessions.store, str(folder), found, now=int(self.time[0]))

    def records(self):
        return [record.entry for record in self.engine.log.records()]
