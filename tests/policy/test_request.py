"""What a language model sends is read strictly: a request that names one thing, or a refusal with a code."""

import json
import math

from hypothesis import given, settings
from hypothesis import strategies as st
from policy_values import envelope, word

from by_day import many
from each_row import each_row
from remit.core.capability import vocabulary
from remit.core.scope import PLACES, PathScope, parse_scope
from remit.core.scope.component import literal
from remit.policy import Envelope, Refusal, Request, read
from remit.policy.refusal import grounds
from remit.policy.request import MAX_COMMAND, MAX_COMPONENTS, MAX_NAMES, MAX_TARGET, Nested


def code(*parts, **named):
    found = read(envelope(*parts, **named))
    return found.code if isinstance(found, Refusal) else "read"


GOOD = [
    ("file.read", "./a.txt"),
    ("file.read", "."),
    ("file.read", "~/x y.txt"),
    ("file.read", "/etc/hosts"),
    ("file.read", "$SKILL/data/läuft.csv"),
    ("file.read", "./a\\[1].txt"),
    ("file.read", "./\u4e16\u754c\uff08\u6848\uff09.txt"),  # brackets of full width are ordinary in names
    ("web.fetch", "api.example.com"),
    ("web.fetch", "api.example.com:443"),
    ("web.fetch", "[::1]:80"),
    ("process.create", "git"),
    ("process.create", "/usr/bin/git"),
    ("tool.invoke", "mcp__github__list"),
    ("env.read", "HOME"),
    ("pay", "12.50"),
    ("clipboard.read", None),
]


@each_row(("op", "target"), GOOD)
def test_one_thing_is_read(op, target):
    found = read(envelope(op, target))
    assert isinstance(found, Request)
    kind = vocabulary()[op].scope_kind
    assert found == Request(op, parse_scope(kind, "any" if target is None else target))


REFUSED = [
    ("unknown-capability", "file.*", "./a"),
    ("unknown-capability", "*", "./a"),
    ("unknown-capability", "File.read", "./a"),
    ("unknown-capability", "file.read ", "./a"),
    ("unknown-capability", "fіle.read", "./a"),  # noqa: RUF001  (a letter of another alphabet)
    ("unknown-capability", "", "./a"),
    ("target-missing", "file.read", None),
    ("target-missing", "file.read", ""),
    ("not-concrete", "file.read", "any"),
    ("not-concrete", "file.read", "./**"),
    ("not-concrete", "file.read", "./*.txt"),
    ("not-concrete", "file.read", "./a?"),
    ("not-concrete", "file.read", "<arg>"),
    ("not-concrete", "file.read", "<env:HOME>/x"),
    ("not-concrete", "web.fetch", "*"),
    ("not-concrete", "web.fetch", "*.example.com"),
    ("not-concrete", "web.fetch", "<arg>"),
    ("not-concrete", "process.create", "g*"),
    ("not-concrete", "tool.invoke", "mcp__*"),
    ("not-concrete", "pay", "1..10"),
    ("not-concrete", "pay", "..5"),
    ("not-concrete", "pay", "1e999"),
    ("target-unread", "file.read", "./a/../../b"),
    ("target-unread", "file.read", ".."),
    ("target-unread", "file.read", "./a/\\.\\./b"),
    ("target-unread", "file.read", "./a\\x{2f}b"),
    ("target-unread", "file.read", "~bob/x"),
    ("target-unread", "file.read", "$HOMEX/x"),
    ("target-unread", "file.read", "./a[1].txt"),
    ("target-unread", "file.read", "./a\\x{0}"),
    ("target-unread", "web.fetch", "https://example.com/x"),
    ("target-unread", "web.fetch", "ex\u0430mple.com"),  # a letter of another alphabet
    ("target-unread", "web.fetch", "0x7f.1"),
    ("target-unread", "web.fetch", "example.com:99999"),
    ("target-unread", "pay", "many"),
    ("target-unread", "pay", "nan"),
    ("target-unread", "clipboard.read", "x"),
    ("unseen-characters", "file.read", "./a\0b"),
    ("unseen-characters", "file.read", "./a\nb"),
    ("unseen-characters", "file.read", "./a\x1b[2Jb"),
    ("unseen-characters", "file.read", "./a\\x{a}b"),
    ("unseen-characters", "file.read", "./a\\x{202e}b"),
    ("unseen-characters", "file.read", "./a\u202eb"),
    ("unseen-characters", "file.read", "./a\u200bb"),
    ("unseen-characters", "file.read", "./a\U000e0041b"),
    ("unseen-characters", "file.read", "./a\ud800b"),
    ("unseen-characters", "file.read", "./a\\x{d800}b"),
    ("unseen-characters", "file.read", "./cafe\u0301"),  # not composed
    ("unseen-characters", "file.read", "./a\uff0fb"),  # a slash of full width
    ("unseen-characters", "file.read", "./\uff0e\uff0e/b"),
    ("unseen-characters", "file.read", "./\u2025/b"),  # two dots in one character
    ("unseen-characters", "env.read", "HOME\x7f"),
    ("too-large", "file.read", "./" + "a" * MAX_TARGET),
    ("too-large", "file.read", "./" + "a/" * MAX_COMPONENTS + "a"),
]


@each_row(("expected", "op", "target"), REFUSED)
def test_what_is_not_one_thing_is_refused(expected, op, target):
    assert code(op, target) == expected


@each_row(
    "args",
    [
        None,
        [],
        "./a",
        {"target": 1},
        {"target": None},
        {"target": ["./a"]},
        {"target": "./a", "path": "./b"},
        {"target": "./a", 1: "./b"},
        {"Target": "./a"},
        {"target": "./a", "arguments": []},
        {"target": "./a", "arguments": "x"},
        {"target": "./a", "arguments": {1: 2}},
        {"target": "./a", "arguments": {"n": math.nan}},
        {"target": "./a", "arguments": {"n": 10**400}},
        {"target": "./a", "arguments": {"n": object()}},
        {"target": "./a", "arguments": {"n": {1: 2}}},
        {"target": "./a", "arguments": {"n": "\ud800"}},
    ],
)
def test_shapes_are_strict(args):
    found = read(Envelope("file.read", args))
    assert isinstance(found, Refusal)
    assert found.code == "malformed"
    assert found.remedy


@each_row("op", [None, 1, ["file.read"], b"file.read", object()])
def test_an_operation_is_text(op):
    assert word(read(Envelope(op, {"target": "./a"}))) == "malformed"


def deep(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


CIRCLE: list = []
CIRCLE.append(CIRCLE)


@each_row(
    "arguments",
    [
        {f"a{number}": 1 for number in range(MAX_NAMES + 1)},
        {"": 1},
        {"a" * 300: 1},
        {"a": "x" * 100_000},
        {"a": ["x" * 100] * 1000},
        {"a": deep(50)},
        {"a": deep(100_000)},
        {"a": CIRCLE},
    ],
)
def test_sizes_are_bounded(arguments):
    assert code("file.read", "./a", arguments=arguments) == "too-large"


def test_arguments_keep_their_types():
    given_ = {"z": True, "a": 1, "f": 1.5, "n": None, "t": "x\ny", "l": [1, {"b": "c"}]}
    found = read(envelope("tool.invoke", "Read", arguments=given_))
    assert found.arguments == (
        ("a", 1),
        ("f", 1.5),
        ("l", Nested('[1,{"b":"c"}]')),
        ("n", None),
        ("t", "x\ny"),
        ("z", True),
    )
    assert type(dict(found.arguments)["z"]) is bool
    hash(found)


def test_symbols_are_those_that_the_caller_binds():
    one = {"<arg>": (parse_scope("path", "./in/x.csv"),)}
    two = {"<arg>": (parse_scope("path", "./in"), parse_scope("path", "./out"))}
    assert read(envelope("file.read", "<arg>"), one).scope.render() == "./in/x.csv"
    assert read(envelope("file.read", "<arg>/y"), one).scope.render() == "./in/x.csv/y"
    assert read(envelope("file.read", "<arg>/../y"), one).scope.render() == "./in/y"
    assert word(read(envelope("file.read", "<arg>/../y"), {"<arg>": (parse_scope("path", "./*"),)})) == "not-concrete"
    assert word(read(envelope("file.read", "<arg>/../y"), {"<arg>": (parse_scope("path", "/"),)})) == "not-concrete"
    assert word(read(envelope("file.read", "<arg>"), two)) == "not-concrete"
    assert word(read(envelope("file.read", "<arg>"), {"<arg>": ()})) == "not-concrete"
    assert word(read(envelope("file.read", "<stdin>"), one)) == "not-concrete"
    assert word(read(envelope("file.read", "<arg>"), {"<arg>": (parse_scope("path", "./**"),)})) == "not-concrete"


COMMANDS = [
    ("read", "git", "git status"),
    ("read", "git", "  git   log -1 "),
    ("read", "git", "g'i't commit -m 'fix; all $(of) it'"),
    ("read", "./run.sh", "./run.sh --fast"),
    ("read", "run.d/x", "run.d/x"),
    ("read", "/usr/bin/git", "/usr/bin/git log"),
    ("read", "$SKILL/run.sh", "$SKILL/run.sh --n 1"),
    ("read", "~/bin/tool", "~/bin/tool x"),
    ("read", "bash", "bash -c 'cd x && make'"),
    ("command-elsewhere", "git", "rm -rf /"),
    ("command-elsewhere", "git", "gitx"),
    ("read", "git", "/usr/bin/git log"),
    ("command-elsewhere", "git", "/opt/bin/git log"),
    ("command-elsewhere", "git", "'git log'"),
    ("command-elsewhere", "./run.sh", "run.sh"),
    ("command-elsewhere", "$SKILL/run.sh", "'$SKILL/run.sh' x"),
    ("command-elsewhere", "~/bin/tool", "'~/bin/tool' x"),
    ("command-unclear", "git", "git log; rm -rf /"),
    ("command-unclear", "git", "git log && rm x"),
    ("command-unclear", "git", "git log | sh"),
    ("command-unclear", "git", "git log > x"),
    ("command-unclear", "git", "git `rm x`"),
    ("command-unclear", "git", "git $(rm x)"),
    ("command-unclear", "git", 'git "$(rm x)"'),
    ("command-unclear", "git", "git $X"),
    ("command-unclear", "git", "git *.py"),
    ("command-unclear", "git", "git {a,b}"),
    ("command-unclear", "git", "git ~"),
    ("command-unclear", "git", "git --x=~/y"),
    ("command-unclear", "git", "X=1 git log"),
    ("command-unclear", "git", "git 'open"),
    ("command-unclear", "git", 'git "open'),
    ("command-unclear", "git", "git x\\"),
    ("command-unclear", "git", "git # x"),
    ("command-unclear", "git", "git\u00a0log"),
    ("command-unclear", "git", ""),
    ("command-elsewhere", "./my tool", "./my tool"),
    ("command-elsewhere", "$SKILL/run.sh", "$SKILL/../run.sh"),
    ("command-elsewhere", "$SKILL/run.sh", "$TMP/run.sh"),
    ("command-elsewhere", "$SKILL/run.sh", "~/run.sh"),
    ("read", "./my tool", "'./my tool' x"),
    ("command-unclear", "$SKILL/run.sh", "$SKILL/run.sh $X"),
    ("command-elsewhere", "$SKILL/run.sh", "$SKILL/run.shx y"),
    ("unseen-characters", "git", "git log\nrm x"),
    ("unseen-characters", "git", "git \x1b]0;x"),
    ("too-large", "git", "git " + "a" * MAX_COMMAND),
    ("malformed", "git", ["git", "log"]),
]


@each_row(("expected", "target", "command"), COMMANDS)
@each_row("op", ["process.create", "shell.execute"])
def test_a_command_is_one_plain_command_of_the_target(op, expected, target, command):
    assert code(op, target, command) == expected


def test_text_for_what_runs_already_has_lines():
    assert code("repl.execute", "python3", "x = 1\nprint(x)\n") == "read"
    assert code("repl.execute", "python3", "x = 1\x1b[2J") == "unseen-characters"
    assert code("repl.execute", "python3", 7) == "malformed"
    assert code("repl.execute", "python3", "x" * (MAX_COMMAND + 1)) == "too-large"


@each_row("op", sorted(found.name for found in vocabulary() if found.scope_kind == "path"))
def test_what_runs_no_command_has_none(op):
    assert code(op, "./a", "ls") == "no-command"


def test_a_digest_tells_requests_apart():
    asked = [
        envelope("file.read", "./a"),
        envelope("file.read", "./b"),
        envelope("file.write", "./a"),
        envelope("env.read", "\\any"),
        envelope("process.create", "git"),
        envelope("process.create", "git", "git log"),
        envelope("tool.invoke", "Read", arguments={"n": 1}),
        envelope("tool.invoke", "Read", arguments={"n": True}),
        envelope("tool.invoke", "Read", arguments={"n": "1"}),
        envelope("tool.invoke", "Read", arguments={"n": [1]}),
        envelope("tool.invoke", "Read", arguments={"n": "[1]"}),
        envelope("pay", "9" * 40),
    ]
    digests = {read(one).digest(skill) for one in asked for skill in ("demo", "other")}
    assert len(digests) == 2 * len(asked)


texts = st.text(max_size=12) | st.sampled_from(["./a", "~/.ssh/id_rsa", "..", "<arg>", "*", "git", "a.example", "3"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
ops = st.sampled_from([found.name for found in vocabulary()]) | texts
args = st.dictionaries(st.sampled_from(["target", "command", "arguments", "x"]), values | texts, max_size=3) | values


@settings(max_examples=many(1500))
@given(ops, args, values)
def test_whatever_is_sent_is_read_or_refused(op, sent, reasoning):
    found = read(Envelope(op, sent, reasoning))
    if isinstance(found, Refusal):
        assert grounds()[found.code].step == "envelope"
        assert found.reason.isprintable()
    else:
        assert found.capability == op
        if isinstance(found.scope, PathScope):
            assert found.scope.anchor in PLACES
            assert None not in map(literal, found.scope.parts)
        json.dumps(found.digest("demo"))


@settings(max_examples=many(300))
@given(ops, args, values, values)
def test_reasoning_never_matters(op, sent, one, other):
    assert read(Envelope(op, sent, one)) == read(Envelope(op, sent, other))
