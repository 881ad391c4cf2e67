"""A session in a workspace, without a host: events in, verdicts out; and a second process that a person uses."""

import json
from hashlib import sha256

from remit.guard.engine import Engine
from remit.guard.event import Event, Kind
from remit.guard.state_folder import prepared
from remit.guard.store import State, answer_approval, approvals, open_store, trust_file
from remit.manifest.baseline import FILE as DEFAULTS


class Session:
    """One session of an agent whose host cannot ask anybody."""

    def __init__(self, tmp_path, now=1_000_000, *, careful=True):
        self.now = now
        self.home, self.workspace = tmp_path / "home", tmp_path / "project"
        for folder in (self.home, self.workspace / ".git"):
            folder.mkdir(parents=True, exist_ok=True)
        self.places = prepared(tmp_path / "state")
        self.person = open_store(self.places.database)
        if careful:  # the user's own baseline: what `remit defaults` prints, trusted
            defaults = self.workspace / "remit-defaults.json"
            defaults.write_bytes(DEFAULTS.read_bytes())
            trust_file(self.person, str(defaults), f"sha256:{sha256(DEFAULTS.read_bytes()).hexdigest()}", now=1)
        self.calls = 0
        self.restart()

    def restart(self):
        self.engine = Engine(self.places, lambda: self.now, self.home)

    def tell(self, kind, session="s1", **fields):
        self.calls += 1
        event = Event("claude-code", kind, str(kind), session, str(self.workspace), call=str(self.calls), **fields)
        return self.engine.decide(event)

    def bash(self, command, **fields):
        return self.tell(Kind.BEFORE, tool="Bash", args={"command": command}, **fields)

    def waiting(self):
        return approvals(self.person, State.PENDING, self.now)

    def answer(self, name, state):
        return answer_approval(self.person, name, state, now=self.now)

    def outcomes(self):
        """How the decisions of the log ended."""
        return [str(one.entry.outcome) for one in self.engine.log.records() if one.entry.outcome]

    def write(self, name, value):
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path
