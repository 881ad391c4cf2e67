"""Each limit of an entry, held and broken; what is needed and not given does not hold."""

import datetime as dt
import math

from policy_values import asked, envelope, request

from each_row import each_row
from remit.core.scope import parse_scope
from remit.manifest.model import RateLimit, TimeWindow
from remit.policy import Moment, Situation
from remit.policy.limits import UNKNOWN, in_window
from remit.policy.request import Nested

MONDAY = Moment(int(dt.datetime(2026, 11, 16, 12, 0, tzinfo=dt.UTC).timestamp()))


def at(day, clock):
    """A moment in the week of that Monday."""
    hours, minutes = map(int, clock.split(":"))
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].index(day)
    return Moment(MONDAY.seconds + (days * 24 + hours - 12) * 3600 + minutes * 60)


def test_a_moment_knows_its_day():
    for days in range(0, 40_000, 7):
        time = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(days=days, minutes=days)
        moment = Moment(int(time.timestamp()))
        assert (moment.day, moment.minute) == (time.weekday(), time.hour * 60 + time.minute)


WINDOWS = [
    (TimeWindow((), 8 * 60, 17 * 60), ["mon 08:00", "sun 16:59"], ["mon 07:59", "mon 17:00"]),
    (TimeWindow(("tue",), 0, 1440), ["tue 00:00", "tue 23:59"], ["mon 23:59", "wed 00:00"]),
    # over midnight: it belongs to the day on which it begins
    (TimeWindow(("fri",), 22 * 60, 2 * 60), ["fri 22:00", "fri 23:59", "sat 00:00", "sat 01:59"],
     ["fri 21:59", "fri 01:00", "sat 02:00", "sat 22:30", "thu 23:00"]),
    (TimeWindow(("sun",), 22 * 60, 2 * 60), ["sun 22:00", "mon 01:59"], ["sat 23:00", "mon 22:00"]),
    (TimeWindow((), 22 * 60, 2 * 60), ["mon 01:00", "wed 23:00"], ["mon 02:00", "mon 21:59"]),
    (TimeWindow((), 22 * 60, 0), ["mon 22:00", "mon 23:59"], ["mon 00:00"]),
]  # fmt: skip


@each_row(("window", "inside", "outside"), WINDOWS)
def test_windows(window, inside, outside):
    assert all(in_window(window, at(*time.split())) for time in inside)
    assert not any(in_window(window, at(*time.split())) for time in outside)


READ = request("file.read", "./a.txt")
HOURS = {"time_window": {"days": ["fri"], "from": "22:00", "to": "02:00"}}


def said(limits, asking=READ, effect="allow", situation=UNKNOWN, **more):
    scope = None if limits.get("resource_scope") else "any"
    entries = [(asking.capability, scope, effect, limits)]
    if effect == "deny":
        entries.append((asking.capability, None, "allow"))
    return asked(entries, asking, situation, **more)


def test_time_windows():
    assert said(HOURS) == "moment-missing"
    assert said(HOURS, situation=Situation(at("sat", "01:00"))) == "allow"
    assert said(HOURS, situation=Situation(at("fri", "01:00"))) == "outside-hours"
    assert said(HOURS, effect="deny") == "denied"
    assert said(HOURS, effect="deny", situation=Situation(at("sat", "01:00"))) == "denied"
    assert said(HOURS, effect="deny", situation=Situation(at("fri", "01:00"))) == "allow"


RATE = {"rate_limit": {"calls": 2, "seconds": 60}}
NOW = MONDAY.seconds


@each_row(
    ("earlier", "expected"),
    [
        ((), "allow"),
        ((NOW,), "allow"),
        ((NOW, NOW), "too-often"),
        ((NOW - 59, NOW - 60), "too-often"),  # both ends of the span count
        ((NOW - 59, NOW - 61), "allow"),
        ((NOW - 1, NOW + 100), "too-often"),  # a clock that went back
        ((NOW - 1, math.nan), "too-often"),
        ((NOW - 1, math.inf), "too-often"),
        ((-math.inf, -math.inf), "allow"),
    ],
)
def test_rates(earlier, expected):
    assert said(RATE, situation=Situation(MONDAY, {0: earlier})) == expected


def test_a_rate_needs_the_time_and_the_history():
    assert said(RATE) == "moment-missing"
    assert said(RATE, situation=Situation(MONDAY)) == "history-missing"
    assert said(RATE, situation=Situation(None, {})) == "moment-missing"
    assert said(RATE, situation=Situation(MONDAY, {1: (NOW, NOW)})) == "allow"  # another entry's


def test_a_long_run_never_breaks_a_rate():
    limit, times = RateLimit(3, 10), []
    for now in range(1000, 1200):
        if said({"rate_limit": limit._asdict()}, situation=Situation(Moment(now), {0: tuple(times)})) == "allow":
            times.append(now)
    assert len(times) > 50
    for begin in times:
        assert sum(begin <= time <= begin + 10 for time in times) <= 3


ARGUMENTS = {"arguments": {"n": [1, "main"]}}


@each_row(
    ("value", "granted", "denied"),
    [
        (1, "allow", "denied"),
        ("main", "allow", "denied"),
        (True, "argument", "denied"),  # a program may take it for 1
        ("1", "argument", "denied"),
        (1.0, "argument", "denied"),
        (" 1 ", "argument", "denied"),
        ("MAIN", "argument", "denied"),
        ("\uff4dain", "argument", "denied"),  # a letter of full width
        (2, "argument", "allow"),
        ("other", "argument", "allow"),
        (False, "argument", "allow"),
        (None, "argument", "allow"),
        (math.inf, "argument", "allow"),
        (math.nan, "argument", "allow"),
        (Nested("[1]"), "argument", "denied"),  # who knows what is made of it
    ],
)
def test_arguments_by_value(value, granted, denied):
    asking = request("tool.invoke", "Read", n=value)
    assert said(ARGUMENTS, asking) == granted
    assert said(ARGUMENTS, asking, "deny") == denied


@each_row(
    ("value", "granted", "denied"),
    [
        ("v12", "allow", "denied"),
        ("v12x", "argument", "allow"),
        ("xv12", "argument", "allow"),
        ("v12\n", "argument", "denied"),
        ("V12", "argument", "denied"),
        (12, "argument", "allow"),
        (Nested("{}"), "argument", "denied"),
    ],
)
def test_arguments_by_pattern(value, granted, denied):
    limits = {"arguments": {"n": {"pattern": "v[0-9]+"}}}
    asking = request("tool.invoke", "Read", n=value)
    assert said(limits, asking) == granted
    assert said(limits, asking, "deny") == denied


def test_an_argument_that_is_not_given():
    asking = request("tool.invoke", "Read", other=1)
    assert said(ARGUMENTS, asking) == "argument"
    assert said(ARGUMENTS, asking, "deny") == "denied"


def test_all_arguments_must_hold():
    limits = {"arguments": {"a": [1], "b": [2]}}
    assert said(limits, request("tool.invoke", "Read", a=1, b=2)) == "allow"
    assert said(limits, request("tool.invoke", "Read", a=1, b=3)) == "argument"
    assert said(limits, request("tool.invoke", "Read", a=1, b=3), "deny") == "allow"


PUSH = {"denied_command_patterns": ["^git push", "--force"]}


@each_row(
    ("command", "expected"),
    [
        ("git status", "allow"),
        ("git push", "command-denied"),
        ("  git   push", "command-denied"),
        ("g'i't \"push\" origin", "command-denied"),
        ("g\\it push", "command-denied"),
        ("git log --force", "command-denied"),
        ("git 'log' '--for'ce", "command-denied"),
        ("git commit -m 'git push'", "allow"),
    ],
)
def test_command_patterns(command, expected):
    entries = [("process.create", "git", "allow", PUSH)]
    assert asked(entries, envelope("process.create", "git", command)) == expected


def test_a_pattern_denies_whatever_else_grants():
    entries = [("process.create", "git", "allow", PUSH), ("process.create", None, "allow")]
    assert asked(entries, envelope("process.create", "git", "git push")) == "command-denied"
    assert asked(entries, envelope("process.create", "/usr/bin/git", "/usr/bin/git push")) == "command-denied"
    assert asked(entries, envelope("process.create", "GIT", "GIT status --force")) == "command-denied"
    assert asked(entries, envelope("process.create", "git")) == "command-missing"
    assert asked(entries, envelope("process.create", "ls", "ls --force")) == "allow"
    assert asked(entries, envelope("process.create", "ls")) == "allow"


def test_patterns_on_what_runs_no_command_say_nothing():
    assert asked([{"capability": "*", "effect": "allow", "constraints": PUSH}], envelope("file.read", "./a")) == "allow"


def test_patterns_see_into_text_that_is_handed_over():
    entries = [("repl.execute", None, "allow", {"denied_command_patterns": ["^rm -rf", "os\\.system"]})]
    assert asked(entries, envelope("repl.execute", "bash", "cd x\nr''m   -rf y")) == "command-denied"
    assert asked(entries, envelope("repl.execute", "python3", "import os\nos.system('x')")) == "command-denied"
    assert asked(entries, envelope("repl.execute", "python3", "print(1)")) == "allow"
    assert asked(entries, envelope("repl.execute", "bash", "eval " * 500)) == "command-denied"


def test_the_workspace():
    only = {"workspace_only": True}
    for target, granted, denied in [
        ("./a", "allow", "denied"),
        ("/home/ann/project/a", "allow", "denied"),
        ("~/project/a", "allow", "denied"),
        ("/home/ann/PROJECT/a", "outside-workspace", "denied"),  # the same to some file systems
        ("~/a", "outside-workspace", "allow"),
        ("$TMP/a", "outside-workspace", "allow"),
        ("$SKILL/a", "outside-workspace", "allow"),
    ]:
        assert said(only, request("file.read", target)) == granted, target
        assert said(only, request("file.read", target), "deny") == denied, target
    assert said(only, request("file.read", "./a"), places={}) == "allow"
    assert said(only, request("file.read", "/home/ann/project/a"), places={}) == "outside-workspace"
    assert said(only, request("web.fetch", "a.example")) == "outside-workspace"
    assert said(only, request("process.create", "git")) == "outside-workspace"


def test_resources_intersect():
    limits = {"resource_scope": ["./src/**", "./b"]}
    assert said(limits, request("file.read", "./src/x")) == "allow"
    assert said(limits, request("file.read", "./x")) == "outside"
    assert said(limits, request("file.read", "./x"), "deny") == "allow"
    assert said(limits, request("file.read", "./SRC/x"), "deny") == "denied"


def test_redaction():
    redact = {"redact": True}
    assert said(redact) == "not-redacted"
    assert said(redact, situation=Situation(redacts=True)) == "allow"


def test_bindings_reach_limits_and_denials():
    bound = {"<arg>": (parse_scope("path", "./in"),)}
    entry = ("file.read", "<arg>/**", "allow", {"workspace_only": True})
    asking = request("file.read", "./in/x")
    assert asked([entry], asking) == "outside"
    assert asked([entry], asking, Situation(bound=bound)) == "allow"
    assert asked([entry], request("file.read", "./out/x"), Situation(bound=bound)) == "outside"
    home = {"<arg>": (parse_scope("path", "~/in"),)}
    assert asked([entry], request("file.read", "~/in/x"), Situation(bound=home)) == "outside-workspace"
    deny = ("file.read", "<arg>", "deny")
    rest = ("file.read", None, "allow")
    assert asked([deny, rest], request("file.read", "./x")) == "denied"  # it may be anything
    assert asked([deny, rest], request("file.read", "./x"), Situation(bound=bound)) == "allow"
    assert asked([deny, rest], request("file.read", "./IN"), Situation(bound=bound)) == "denied"
    assert asked([deny, rest], request("file.read", "./x"), Situation(bound={"<arg>": ()})) == "denied"


def test_a_binding_to_nothing_widens_nothing():
    entry = ("file.read", "./**", "allow", {"resource_scope": ["<arg>"]})
    assert asked([entry], request("file.read", "./x"), Situation(bound={"<arg>": ()})) == "outside"


def test_a_symbol_may_be_a_program_and_a_workspace_has_spellings():
    rest = ("process.create", None, "allow")
    assert asked([("process.create", "<arg>", "deny"), rest], request("process.create", "git")) == "denied"
    upper = {"workspace": parse_scope("path", "/Home/Ann/Project")}
    assert said({"workspace_only": True}, request("file.read", "/home/ann/project/a"), "deny", places=upper) == "denied"
