"""A daemon with a host and an engine that do what the question says, for tests of everything around them."""

import json
import os
import signal
import sys
import time
from pathlib import Path

from remit.core.errors import GuardError
from remit.guard.daemon.run import run
from remit.guard.daemon.server import Limits
from remit.guard.event import PASS, Event, Kind, Outcome, Reply, Verdict


class ActedHost:
    name = "acted"

    def read(self, name, payload):
        if name != "Ask":
            raise GuardError(f"the event `{name}` is not known", "")
        return Event("acted", Kind.BEFORE, name, str(payload.get("session", "")), "/", args=payload)

    def reply(self, event, verdict):
        told = {"outcome": verdict.outcome, "echo": event.args.get("echo"), "pid": os.getpid(), "note": verdict.note}
        do = event.args.get("do")
        if do == "odd reply":
            return Reply("odd", "", 1)
        if do == "host crash":
            raise RuntimeError("the host crashed")
        return Reply(json.dumps(told), "said aside" if do == "aside" else "", 2 if do == "exit 2" else 0)


class ActedEngine:
    def __init__(self, _folder, _mine):
        self.order = []
        self.answered = set()

    def slow(self, event):
        return str(event.args.get("do")).startswith("slow")

    def decide(self, event):
        do = event.args.get("do")
        if do in ("slow", "slow spin"):
            wait(event.args, busy=do == "slow spin")
        if do == "hang":
            time.sleep(3600)
        if do == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if do == "crash":
            raise RuntimeError("the engine crashed")
        self.order.append(event.args.get("echo"))
        if do == "deny":
            return Verdict(Outcome.DENY, "told so")
        if do == "ask" and event.args.get("echo") not in self.answered:
            return Verdict(Outcome.DENY, "ask somebody", approval="a1")
        return PASS._replace(note=" ".join(map(str, self.order[-20:])))

    def consult(self, event, verdict):
        assert verdict.approval == "a1"
        wait(event.args)
        self.answered.add(event.args.get("echo"))
        return event.args.get("answer", True)

    def close(self):
        pass


def wait(args, *, busy=False):
    """For so many seconds; or until a file is there, and another one says that this began."""
    if "until" not in args:
        time.sleep(args["seconds"])
        return
    Path(args["begun"]).touch()
    while not os.path.exists(args["until"]):
        if busy:
            for _ in range(100_000):
                pass
        else:
            time.sleep(0.01)


def broken_engine(_folder, _mine):
    raise GuardError("the log is broken", "repair it")


def main(argv):
    folder, given = Path(argv[1]), dict(item.split("=") for item in argv[2:])
    limits = Limits()._replace(**{k: type(getattr(Limits(), k))(v) for k, v in given.items() if k in Limits._fields})
    make = broken_engine if given.get("engine") == "broken" else ActedEngine
    run(
        folder,
        make,
        {"acted": ActedHost()}.get,
        limits,
        **({"version": given["version"]} if "version" in given else {}),
    )


if __name__ == "__main__":
    main(sys.argv)
