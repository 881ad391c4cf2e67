"""One decision in one order: cases that must be refused, and what each turns on."""

import re
import sys
from pathlib import Path

import pytest
from policy_values import asked, envelope, manifest, policy, request, word

import remit.policy
from each_row import each_row
from remit.core.errors import DataError, ManifestError
from remit.core.scope import PathScope, parse_scope
from remit.manifest.model import Verification
from remit.policy import Allow, Ask, Deny, Gate, Moment, Request, Situation, SkillPolicy, gate_table, judge
from remit.policy.limits import UNKNOWN
from remit.policy.refusal import grounds, read_grounds

MASKS = Situation(redacts=True)
ALL = ("file.read", None, "allow")


def test_nothing_is_granted_by_default():
    assert asked([], request("file.read", "./a")) == "undeclared"
    assert asked([("file.read", "./b", "allow")], request("file.read", "./a")) == "outside"
    assert asked([("file.write", None, "allow")], request("file.read", "./a")) == "undeclared"
    assert asked([], Request("no.such", parse_scope("path", "./a"))) == "unknown-capability"


def test_two_entries_never_add_up():
    entries = [("file.read", "./a/**", "allow"), ("file.read", "./b/**", "allow")]
    assert asked(entries, Request("file.read", parse_scope("path", "./**"))) == "outside"
    assert asked(entries, request("file.read", "./a/x")) == "allow"


@each_row(
    ("denied", "target"),
    [
        ("./secret.txt", "./secret.txt"),
        ("./secret.txt", "./SECRET.txt"),
        ("./secret.txt", "./secret.txt."),
        ("./secret.txt", "./secret.txt "),
        ("./secret.txt", "./se\\x{200d}cret.txt"),
        ("./secret.txt", "/home/ann/project/secret.txt"),
        ("./secret.txt", "~/project/secret.txt"),
        ("/home/ann/project/**", "./x"),
        ("~/**", "./x"),
        ("./**", "~/project/x"),
        ("./stra\u00dfe", "./STRASSE"),
    ],
)
def test_a_denial_holds_in_every_spelling(denied, target):
    entries = [ALL, ("file.read", denied, "deny")]
    assert asked(entries, request("file.read", target)) == "denied"
    assert asked(entries, request("file.read", "/srv/other")) == "allow"


def test_without_places_a_denial_meets_what_it_may():
    entries = [ALL, ("file.read", "/etc/**", "deny")]
    assert asked(entries, request("file.read", "./x")) == "allow"
    assert asked(entries, request("file.read", "./x"), places={}) == "denied"


@each_row(
    ("capability", "denied", "target"),
    [
        ("process.create", "rm", "/bin/rm"),
        ("process.create", "rm", "RM"),
        ("process.create", "/bin/rm", "rm"),
        ("process.create", "/usr/bin/*", "rm"),
        ("process.create", "/usr/**", "rm"),
        ("process.create", "rm", "$SKILL/rm"),
        ("web.fetch", "localhost", "127.0.0.1"),
        ("web.fetch", "127.0.0.1", "localhost:8080"),
        ("web.fetch", "127.0.0.1", "[::1]"),
        ("web.fetch", "127.0.0.1", "127.1.2.3"),
        ("web.fetch", "localhost", "x.localhost"),
        ("web.fetch", "localhost", "0.0.0.0"),
        ("web.fetch", "169.254.169.254", "[::ffff:169.254.169.254]"),
        ("web.fetch", "[::ffff:10.0.0.1]:80", "10.0.0.1"),
        ("web.fetch", "*.a.example", "B.A.example."),
        ("env.read", "TOKEN", "token"),
        ("tool.invoke", "mcp__hub__*", "MCP__hub__drop"),
    ],
)
def test_a_denial_holds_for_programs_hosts_and_names(capability, denied, target):
    entries = [(capability, None, "allow"), (capability, denied, "deny")]
    assert asked(entries, envelope(capability, target)) == "denied"
    assert asked(entries[:1], envelope(capability, target)) == "allow"


def test_a_denial_leaves_others_alone():
    assert (
        asked([("process.create", None, "allow"), ("process.create", "rm", "deny")], request("process.create", "rmdir"))
        == "allow"
    )
    assert (
        asked([("web.fetch", None, "allow"), ("web.fetch", "localhost", "deny")], request("web.fetch", "a.example"))
        == "allow"
    )
    assert (
        asked(
            [("web.fetch", None, "allow"), ("web.fetch", "a.example:80", "deny")], request("web.fetch", "a.example:81")
        )
        == "allow"
    )
    assert (
        asked([("web.fetch", None, "allow"), ("web.fetch", "a.example:80", "deny")], request("web.fetch", "a.example"))
        == "denied"
    )


def test_a_denial_outweighs_priority_and_layer():
    strong = {"capability": "file.read", "effect": "allow", "priority": 1000000}
    weak = {"capability": "file.*", "effect": "deny", "priority": -1000000}
    assert asked([strong, weak], request("file.read", "./a")) == "denied"
    other = manifest(("file.read", "./a", "deny"), ("pay", None, "allow")).permissions
    assert asked([strong], request("file.read", "./a"), denials=other) == "denied"
    assert asked([strong], request("pay", "3"), denials=other) == "undeclared"  # another layer grants nothing


def test_priority_orders_allow_against_confirm_and_a_tie_asks():
    def both(allow, confirm):
        entries = [
            {"capability": "file.read", "effect": "allow", "priority": allow},
            {"capability": "file.read", "effect": "confirm", "priority": confirm},
        ]
        found = [asked(entries, request("file.read", "./a")), asked(entries[::-1], request("file.read", "./a"))]
        assert found[0] == found[1]
        return found[0]

    assert both(0, 0) == "confirm"
    assert both(1, 0) == "allow"
    assert both(0, 1) == "confirm"
    assert both(-1, -2) == "allow"


def test_without_an_effect_the_level_decides():
    assert asked([{"capability": "process.query"}], request("process.query", "x")) == "allow"
    assert asked([{"capability": "file.read"}], request("file.read", "./a")) == "confirm"


# ── what a request means ──


def test_a_sensitive_place_needs_its_own_name():
    assert asked([ALL], request("file.read", "./a")) == "allow"
    assert asked([ALL], request("file.read", "./.env")) == "sensitive"
    assert asked([ALL], request("file.read", "~/.SSH/id_rsa")) == "sensitive"
    assert asked([ALL, ("secret.*", None, "deny")], request("file.read", "./.env")) == "denied"
    both = [ALL, ("secret.read", "./.env", "confirm")]
    assert asked(both, request("file.read", "./.env")) == "not-redacted"
    assert asked(both, request("file.read", "./.env"), MASKS) == "confirm"
    assert asked([("secret.read", None, "allow")], request("file.read", "./.env"), MASKS) == "undeclared"


@each_row(
    "name",
    ["memory.read", "context.load", "profile.read", "schedule.read", "commit.read", "source.read", "source.execute"],
)
def test_no_other_name_reaches_a_sensitive_place(name):
    """The model chooses the operation: a broad grant under any name must not read keys."""
    assert asked([(name, None, "allow")], request(name, "~/.ssh/id_rsa"), MASKS) in ("sensitive", "outside")


@each_row(
    "name",
    [
        "memory.write",
        "profile.write",
        "skill.install",
        "policy.restrict",
        "hook.install",
        "commit.create",
        "source.write",
    ],
)
def test_no_other_name_writes_to_a_sensitive_place(name):
    assert asked([(name, None, "allow")], request(name, "~/.ssh/authorized_keys")) in ("sensitive", "outside")


def test_a_kind_of_place_does_not_stand_for_every_file():
    entry = ("memory.read", None, "allow")
    assert asked([entry], request("memory.read", "./CLAUDE.md")) == "allow"
    assert asked([entry], request("memory.read", "/srv/accounts.csv")) == "outside"
    assert asked([("memory.read", "./notes/**", "allow")], request("memory.read", "./notes/x.md")) == "allow"


def test_source_code_is_what_is_called_so():
    anything, named = ("source.read", None, "allow"), ("source.read", "./src/**", "allow")
    assert asked([anything], request("source.read", "./m.py")) == "allow"
    assert asked([anything], request("file.read", "./m.py")) == "allow"
    assert asked([anything], request("source.read", "/srv/accounts.csv")) == "outside"
    assert asked([named], request("source.read", "./src/data.csv")) == "allow"
    assert asked([ALL], request("source.read", "./m.py")) == "allow"


def test_changing_an_installed_skill_is_more_than_writing():
    entries = [("file.write", "$SKILL/**", "allow")]
    home = {"skill": PathScope("/", ("home", "ann", ".claude", "skills", "demo"))}
    assert asked(entries, request("file.write", "$SKILL/x")) == "allow"
    assert asked(entries, request("file.write", "$SKILL/x"), places=home) == "sensitive"


def test_what_is_used_is_said():
    entries = [("file.write", "./b", "allow"), ALL, ("secret.read", "./.env", "allow")]
    found = judge(policy(*entries), request("file.read", "./.env"), MASKS)
    assert found == Allow(1, (1, 2), redact=True)
    assert judge(policy(*entries), request("file.read", "./a"), MASKS) == Allow(1, (1,))


def test_a_rate_of_a_place_counts_its_own_uses():
    entries = [ALL, ("secret.read", None, "allow", {"rate_limit": {"calls": 1, "seconds": 60}})]
    asking = request("file.read", "./.env")
    assert asked(entries, asking, Situation(Moment(1000), {0: (999,)}, redacts=True)) == "allow"
    assert asked(entries, asking, Situation(Moment(1000), {1: (999,)}, redacts=True)) == "too-often"


# ── levels and the gate ──

LEVELS = tuple(Verification)
ROOT = (PathScope("workspace", ("**",)),)


@each_row(
    ("entry", "asking", "more", "expected"),
    [
        (ALL, request("file.read", "./a"), {}, "allow allow allow allow"),
        (("file.write", None, "allow"), request("file.write", "./a"), {"snapshotted": ROOT}, "confirm allow allow allow"),
        (("file.write", None, "allow"), request("file.write", "~/project/a"), {"snapshotted": ROOT}, "confirm allow allow allow"),
        (("file.write", None, "allow"), request("file.write", "~/a"), {"snapshotted": ROOT}, "confirm confirm once allow"),
        (("file.write", None, "allow"), request("file.write", "./a"), {}, "confirm confirm once allow"),
        (("env.write", None, "allow"), request("env.write", "X"), {"snapshotted": ROOT}, "confirm confirm once allow"),
        (("file.delete", None, "allow"), request("file.delete", "./a"), {"snapshotted": ROOT}, "confirm confirm once allow"),
        (("file.delete", None, "confirm"), request("file.delete", "./a"), {}, "confirm confirm confirm confirm"),
        (("pay", "..5", "allow"), request("pay", "3"), {"minimum": (("pay", Verification.TESTED),)},
         "below-minimum below-minimum once allow"),
        (("pay", "..5", "deny"), request("pay", "3"), {}, "denied denied denied denied"),
        (("pay", "..5", "allow"), request("pay", "6"), {}, "outside outside outside outside"),
    ],
)  # fmt: skip
def test_levels(entry, asking, more, expected):
    assert " ".join(asked([entry], asking, level=level, **more) for level in LEVELS) == expected


def test_the_highest_minimum_counts_under_every_name():
    low = {"level": Verification.DECLARED}
    both = {"minimum": (("file.*", Verification.DECLARED), ("source.write", Verification.FORMAL)), **low}
    entry = ("file.write", None, "allow")
    assert asked([entry], request("file.write", "./a.txt"), **both) == "confirm"
    assert asked([entry], request("source.write", "./a.py"), **both) == "below-minimum"
    assert asked([entry], request("file.write", "./a.py"), **both) == "below-minimum"
    entries = [ALL, ("secret.read", None, "allow")]
    assert (
        asked(entries, request("file.read", "./.env"), MASKS, minimum=(("secret.*", Verification.FORMAL),), **low)
        == "below-minimum"
    )


def test_a_question_once_a_session_is_for_one_kind():
    tested = policy(("file.delete", None, "allow"), level=Verification.TESTED)
    keys = {target: judge(tested, request("file.delete", target), UNKNOWN).key for target in ("./a", "./b")}
    assert len(set(keys.values())) == 2
    assert judge(tested, request("file.delete", "./a"), UNKNOWN).key == keys["./a"]
    other = SkillPolicy("other", tested.manifest, tested.level)
    assert judge(other, request("file.delete", "./a"), UNKNOWN).key not in keys.values()
    always = judge(policy(("file.delete", None, "confirm")), request("file.delete", "./a"), UNKNOWN)
    assert (always.once, always.key) == (False, "")


def test_a_table_that_denies_is_heeded(monkeypatch):
    strict = dict.fromkeys(gate_table(), Gate.DENY)
    monkeypatch.setattr(sys.modules["remit.policy.judge"], "gate_table", lambda: strict)
    assert asked([ALL], request("file.read", "./a")) == "gate"


# ── reasons ──


def test_reasons_say_which_entry_and_its_note(snapshot):
    entries = [
        {"capability": "file.read", "scope": "./a", "effect": "deny", "fallback_msg": "keep out"},
        {"capability": "file.delete", "effect": "confirm", "fallback_msg": "is it backed up?"},
        {
            "capability": "pay",
            "scope": "..5",
            "effect": "allow",
            "constraints": {"rate_limit": {"calls": 1, "seconds": 9}},
        },
        {"capability": "process.create", "effect": "allow", "constraints": {"denied_command_patterns": ["^rm "]}},
    ]
    ready = policy(*entries, minimum=(("web.*", Verification.FORMAL),))
    asking = [
        request("file.read", "./A"),
        request("file.read", "./b"),
        request("file.delete", "./b"),
        request("pay", "3"),
        request("pay", "7"),
        request("process.create", "ls"),
        request("process.create", "rm", "rm x"),
        request("web.fetch", "a.example"),
    ]
    found = [judge(ready, one, UNKNOWN) for one in asking]
    layered = policy(ALL, denials=manifest(("file.read", "./a", "deny")).permissions)
    found.append(judge(layered, request("file.read", "./a"), UNKNOWN))
    found.append(judge(layered, request("file.read", "./.env"), UNKNOWN))
    lines = [f"{word(one)}: {one.reason}" for one in found if isinstance(one, Ask | Deny)]
    assert "\n".join(lines) == snapshot


def test_every_code_is_used_and_known():
    text = "".join(path.read_text("utf-8") for path in Path(remit.policy.__file__).parent.glob("*.py"))
    for code, ground in grounds().items():
        assert re.search(rf'"{code}"', text), code
        assert ground.meaning
        assert ground.remedy
    used = re.findall(r'(?:Deny|Refusal|RefusedError)\(\s*"([a-z-]+)"', text) + re.findall(
        r'return "([a-z]+(?:-[a-z]+)+)"', text
    )
    assert set(used) <= set(grounds())


@each_row(
    ("text", "message"),
    [
        ("[a]\nx | y | z\nx | y | z\n", "refusals.table:3: `x` occurs twice"),
        ("[a]\nx | - | z\n", "refusals.table:2: a code has a name, a meaning and a remedy"),
        ("[a]\nx | y\n", "refusals.table:2: a row has 3 cells"),
    ],
)
def test_a_wrong_table_is_refused(tmp_path, text, message):
    path = tmp_path / "refusals.table"
    path.write_text(text)
    with pytest.raises(DataError) as error:
        read_grounds(path)
    assert error.value.message.startswith(message)


# ── policies that mean nothing ──


@each_row(
    "more",
    [
        {"minimum": (("pya", Verification.FORMAL),)},
        {"places": {"workspace": PathScope("~", ("x",))}},
        {"places": {"workspace": PathScope("/", ("x", "*"))}},
        {"places": {"/": PathScope("/", ("x",))}},
        {"places": {"<arg>": PathScope("/", ("x",))}},
    ],
)
def test_a_policy_that_means_nothing_is_refused(more):
    with pytest.raises(ManifestError):
        policy(ALL, **more)


def test_a_policy_is_frozen():
    ready = policy(ALL)
    with pytest.raises(AttributeError):
        ready.level = Verification.FORMAL
    with pytest.raises(TypeError):
        ready.places["workspace"] = PathScope("/")
    with pytest.raises(TypeError):
        ready.rules["pay"] = ready.rules["file.read"]
