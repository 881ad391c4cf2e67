"""A real daemon with a small decider: it decides by the name of the tool, and writes down what it was told."""

import json
import sys
from pathlib import Path

from remit.guard.daemon.run import run
from remit.guard.event import PASS, Kind, Outcome, Verdict
from remit.guard.hosts.registry import find_host


class Decider:
    def __init__(self, folder, _mine):
        self.folder = folder

    def slow(self, _event):
        return False

    def decide(self, event):
        told = {"kind": event.kind.value, **event._asdict(), "args": dict(event.args)}
        with (self.folder / "told.jsonl").open("a") as file:
            file.write(json.dumps(told) + "\n")
        if event.kind is Kind.BEFORE:
            return self.before(event)
        if event.kind in (Kind.AFTER, Kind.FAILED) and "SECRET" in event.text:
            return Verdict(Outcome.DENY, "the answer holds a secret")
        if event.kind is Kind.AFTER and "REDACT" in event.text:
            return PASS._replace(changed={"content": [{"type": "text", "text": "redacted"}]})
        return PASS

    def before(self, event):
        name = event.tool.split("__", 2)[2]
        if name.startswith(("danger", "sampling", "resource:file:///etc", "prompt:evil", "subscribe:file:///etc")):
            return Verdict(Outcome.DENY, f"told so about {name}", approval="k1")
        if name.startswith("asky"):
            return Verdict(Outcome.ASK, "a person must agree", approval="k2")
        if name == "rewritten":
            return PASS._replace(changed={"text": "other words"}, note="the words were changed")
        return PASS

    def consult(self, _event, _verdict):
        return False

    def own(self, _name, _payload):
        return {}

    def close(self):
        pass


if __name__ == "__main__":
    run(Path(sys.argv[1]), Decider, find_host)
