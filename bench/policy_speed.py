"""How long a decision takes, for a manifest of 50 entries; and how much longer the reference takes that fits on a page.

Then a whole call of a session: 5 requests, on behalf of a skill that another one sent.

bench/policy_speed.py [--entries N] [--rounds N]     prints microseconds; exit status 1 if the usual decision takes too long
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

from remit.core.scope import ANY_SCOPE, PathScope, parse_scope
from remit.manifest.model import Constraints, Decision, Manifest, Permission, Verification
from remit.policy import Envelope, Moment, Projector, Request, Situation, SkillPolicy, judge, read
from remit.policy.decide import Call, decide
from remit.policy.principal import Loaded, SessionPolicy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "policy"))
from reference import reference

MOST = 50.0  # microseconds for the median of the requests below
MOST_CALL = 500.0  # for a call of five requests
ROUNDS = 2000
PLACES = {
    "workspace": PathScope("/", ("home", "ann", "project")),
    "~": PathScope("/", ("home", "ann")),
    "skill": PathScope("/", ("opt", "skills", "demo")),
    "temp": PathScope("/", ("tmp", "s1")),
}
NOW = Situation(Moment(1_800_000_000), {}, {"<arg>": (parse_scope("path", "./in.csv"),)}, redacts=True)
# What a manifest is made of: capability, scope, effect. Repeated with other folders until there are enough.
KINDS = (
    ("file.read", "./data{}/**", Decision.ALLOW),
    ("file.read", "<arg>{}", Decision.ALLOW),
    ("file.write", "./out{}/**", Decision.ALLOW),
    ("file.delete", "./out{}/*.tmp", Decision.CONFIRM),
    ("web.fetch", "api{}.example.com", Decision.ALLOW),
    ("process.create", "tool{}", Decision.ALLOW),
    ("env.read", "APP{}_*", Decision.ALLOW),
    ("file.read", "~/private{}/**", Decision.DENY),
    ("secret.*", None, Decision.DENY),
    ("tool.invoke", "mcp__hub{}__*", Decision.CONFIRM),
)
ASKED = (
    ("allowed", "file.read", "./data3/2026/sales.csv", ""),
    ("allowed, an argument", "file.read", "./in.csv", ""),
    ("allowed, the last entry", "file.write", "./out4/a.txt", ""),
    ("allowed, a command", "process.create", "tool2", "tool2 --fast 'a b'"),
    ("asked", "file.delete", "./out1/x.tmp", ""),
    ("denied", "file.read", "~/private2/x", ""),
    ("sensitive", "file.read", "./data1/.env", ""),
    ("outside", "web.fetch", "evil.example", ""),
    ("undeclared", "pay", "3", ""),
)


def manifest(entries: int) -> Manifest:
    """So many entries of every kind."""
    kind_of = {"file": "path", "web": "host", "process": "program", "env": "name", "tool": "tool"}
    found = []
    for number in range(entries):
        capability, scope, effect = KINDS[number % len(KINDS)]
        part = number // len(KINDS)
        text = scope and scope.format(part if scope != "<arg>{}" else f"/part{part}" * bool(part))
        scopes = (parse_scope(kind_of[capability.partition(".")[0]], text),) if text else (ANY_SCOPE,)
        patterns = ("^tool[0-9]+ push",) if capability == "process.create" else ()
        found.append(Permission(capability, scopes, effect, constraints=Constraints(denied_command_patterns=patterns)))
    return Manifest("remit.json", tuple(found))


def calls(entries: int) -> tuple[SessionPolicy, dict[str, Call]]:
    """A session with a baseline and two skills, one sent by the other, and calls of five requests each."""
    both = [
        Loaded(name, name, manifest(entries), Verification.FORMAL, PLACES["skill"], senders)
        for name, senders in (("first", ()), ("second", ("first",)))
    ]
    places = tuple((name, place) for name, place in PLACES.items() if name != "skill")
    roots = (parse_scope("path", "./**"),)
    session = SessionPolicy("s", manifest(10).permissions, places, skills=tuple(both), snapshotted=roots)
    asked = [
        read(Envelope(op, {"target": target} | ({"command": command} if command else {})), NOW.bound)
        for _, op, target, command in ASKED
    ]
    known = [one for one in asked if isinstance(one, Request)]
    allowed, usual = known[:4], Request("env.read", parse_scope("name", "APP1_HOME"))
    return session, {
        "a call, allowed": Call((*allowed, usual), content="x"),
        "a call, asked": Call((*allowed, known[4]), content="x"),
        "a call, denied": Call((*allowed, known[5]), content="x"),
    }


def microseconds(call, rounds: int) -> float:
    """The time of the processor, the best of five, so that a busy machine does not count."""
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        for _ in range(rounds):
            call()
        best = min(best, (time.process_time() - begin) / rounds)
    return best * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    policy = SkillPolicy("demo", manifest(options.entries), Verification.TESTED, places=PLACES)
    projector = Projector(policy)
    times = []
    print(
        f"{options.entries} entries, {policy.members} that grant, {projector.bits:.1f} bits an envelope; microseconds"
    )
    print(f"{'request':<26}{'judge':>8}{'project':>9}{'reference':>11}{'ratio':>8}")
    for name, op, target, command in ASKED:
        envelope = Envelope(op, {"target": target} | ({"command": command} if command else {}))
        request = read(envelope, NOW.bound)
        assert isinstance(request, Request), request
        quick = microseconds(lambda: judge(policy, request, NOW), options.rounds)  # noqa: B023
        whole = microseconds(lambda: projector.project(envelope, NOW), options.rounds)  # noqa: B023
        plain = microseconds(lambda: reference(policy, request, NOW), max(1, options.rounds // 100))  # noqa: B023
        times.append(quick)
        print(f"{name:<26}{quick:>8.1f}{whole:>9.1f}{plain:>11.0f}{plain / quick:>8.1f}")
    usual = statistics.median(times)
    print(f"median {usual:.1f}, at most {MOST:.0f} wanted")
    session, whole_calls = calls(options.entries)
    whole_times = {
        name: microseconds(lambda: decide(session, call, NOW), max(1, options.rounds // 5))  # noqa: B023
        for name, call in whole_calls.items()
    }
    for name, took in whole_times.items():
        print(f"{name + ': ' + decide(session, whole_calls[name], NOW).gate:<26}{took:>8.1f}")
    slowest = max(whole_times.values())
    load = "/".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"slowest call {slowest:.1f}, at most {MOST_CALL:.0f} wanted; load {load}")
    return int(usual > MOST or slowest > MOST_CALL)


if __name__ == "__main__":
    sys.exit(main())
