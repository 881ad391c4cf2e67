"""Every flow that was seen when a case ran is reported, and ordinary programs get few reports of flows that they do not have."""

from functools import cache

from harness.flow_cases import Expected, Sink, Source, flow_cases
from harness.flow_match import speaks
from harness.flow_score import excused, known_misses, score

from each_row import each_row
from remit.core.capability import vocabulary
from remit.core.flow import Endpoint, Flow
from remit.core.location import Location
from remit.core.scope import parse_scope

CASES = flow_cases()
FALSE = 38  # flows that are reported for ordinary programs and do not happen; bench/flows.py lists them


@cache
def scored(name):
    return score(CASES[name])


@each_row("name", CASES)
def test_every_flow_of_a_case_is_reported(name):
    case, found = CASES[name], scored(name)
    if not excused(case, found):
        known = [flow for known_case, flow in known_misses() if known_case == name]
        assert sorted(map(str, found.missed)) == sorted(known), "what is missed must be what known_misses.table lists"


def test_known_misses_are_flows_of_cases():
    assert all(flow in map(str, CASES[name].flows) and reason for (name, flow), reason in known_misses().items())


def test_ordinary_programs_get_no_more_false_flows_than_before():
    ordinary = [name for name, case in CASES.items() if case.kind == "ordinary"]
    found = [f"{name}: {flow}" for name in ordinary for flow in scored(name).false]
    assert len(ordinary) == 60
    assert len(found) == FALSE, "\n".join(["if they are fewer now, set FALSE to their number", *found])


def test_both_halves_of_the_cases_are_there():
    kinds = [("implicit" if case.implicit else case.kind) for case in CASES.values()]
    assert {kind: kinds.count(kind) for kind in kinds} == {"leak": 120, "implicit": 6, "ordinary": 60}


# ── reports are compared by what they mean, not by their letters ──

CASE = CASES["py01-attr-b64-header"]  # its argument is summary.md


def reported(capability, scope, to, target):
    ends = [
        Endpoint(name, parse_scope(vocabulary()[name].scope_kind, text), Location("x.py", 1))
        for name, text in ((capability, scope), (to, target))
    ]
    return Flow(*ends)


SECRET, HOST = Source("secret", "~/.ssh/id_rsa"), Sink("net", "a.example")
SPEAKS = [
    (("secret.read", "~/.ssh/id_rsa", "web.post", "a.example:80"), SECRET, HOST, True),
    (("secret.read", "~/.ssh/**", "web.post", "any"), SECRET, HOST, True),
    (("secret.read", "~/.ssh/id_rsa", "net.connect", "*.a.example"), SECRET, HOST, True),
    (("secret.read", "~/.ssh/id_rsa", "web.post", "aa.example"), SECRET, HOST, False),
    (("secret.read", "~/.ssh/id_rsa", "web.post", "a.example.org"), SECRET, HOST, False),
    (("secret.read", "~/.ssh/id_rsa.pub", "web.post", "a.example"), SECRET, HOST, False),
    (("secret.read", "./id_rsa", "web.post", "a.example"), SECRET, HOST, False),
    (("file.write", "~/.ssh/id_rsa", "web.post", "a.example"), SECRET, HOST, False),
    (("secret.read", "~/.ssh/id_rsa", "file.write", "any"), SECRET, HOST, False),
    (("secret.read", "~/.ssh/id_rsa", "web.post", "<arg>"), SECRET, HOST, False),  # no argument names the host
    (("env.read", "TOKEN", "web.post", "a.example"), Source("env", "TOKEN"), HOST, True),
    (("secret.read", "env:TOKEN", "web.post", "a.example"), Source("env", "TOKEN"), HOST, True),
    (("env.read", "TOKEN_2", "web.post", "a.example"), Source("env", "TOKEN"), HOST, False),
    (("env.read", "TOKEN", "web.post", "a.example"), Source("env", "*"), HOST, False),
    (("file.read", "<arg>", "file.write", "./out/*.txt"), Source("file", "summary.md"), Sink("file", "out/1.txt"), True),
    (("file.read", "<arg>", "file.write", "./out/*.txt"), Source("file", "other.md"), Sink("file", "out/1.txt"), False),
    (("file.read", "<arg>", "file.write", "<arg>/../*.gz"), Source("file", "summary.md"), Sink("file", "summary.md.gz"), True),
    (("secret.read", "~/.ssh/id_rsa", "process.create", "mail"), SECRET, Sink("child", "mail"), True),
    (("secret.read", "~/.ssh/id_rsa", "process.create", "mailx"), SECRET, Sink("child", "mail"), False),
]  # fmt: skip


@each_row(("flow", "source", "sink", "expected"), SPEAKS)
def test_a_report_is_compared_by_paths_and_hosts(flow, source, sink, expected):
    assert speaks(reported(*flow), Expected(source, sink), CASE) is expected
