"""`allowed-tools`: what each tool and rule hands out, and that nothing is handed out by a misreading."""

import pytest

from each_row import each_row
from remit.core import vocabulary
from remit.core.errors import ManifestError
from remit.core.hosttools import host_tools
from remit.core.scope import parse_scope
from remit.manifest.foreign.result import LossKind
from remit.manifest.foreign.tools_read import read_tools
from remit.manifest.foreign.tools_write import write_tools
from remit.manifest.model import Constraints, Decision, Manifest, Matching, Permission
from remit.manifest.patterns import matches_whole


def reading(tools: str, key: str = "allowed-tools"):
    return read_tools(f"---\nname: x\n{key}: {tools}\n---\n".encode(), "SKILL.md")


def granted(tools: str):
    return [(entry.capability, entry.place) for entry in reading(tools).manifest.permissions]


@each_row(
    ("tools", "grants"),
    [
        ("Read", [("file.read", "any")]),
        ("Bash", [("shell.execute", "any")]),
        ("Bash(*)", [("shell.execute", "any")]),
        ("Bash(git:*)", [("shell.execute", "git")]),
        ("Bash(git *) Bash(gh:*)", [("shell.execute", "git, gh")]),
        ("Bash(git:*), Bash", [("shell.execute", "any")]),
        ("Bash(npm*)", [("shell.execute", "npm*")]),
        ("Bash(./run.sh:*)", [("shell.execute", "./run.sh")]),
        ("Bash({baseDir}/run.sh:*)", [("shell.execute", "$SKILL/run.sh")]),
        ("Bash(${CLAUDE_SKILL_DIR}/run.sh *)", [("shell.execute", "$SKILL/run.sh")]),
        ("Bash($HOME/x:*)", [("shell.execute", "~/x")]),
        ("Read(./docs/**)", [("file.read", "./docs/**")]),
        ("Edit(src/**)", [("file.write", "./src/**")]),
        ("Read(*.md)", [("file.read", "./**/*.md")]),
        ("Read(docs/)", [("file.read", "./**/docs/**")]),
        ("Read(/docs/a.md)", [("file.read", "./docs/a.md")]),
        ("Read(//etc/hosts)", [("file.read", "/etc/hosts")]),
        ("Read(~/notes/)", [("file.read", "~/notes/**")]),
        ("Read(any)", [("file.read", "./**/any")]),
        ("WebFetch(domain:example.com)", [("web.fetch", "example.com")]),
        ("WebFetch(domain:*.example.com)", [("web.fetch", "*.example.com")]),
        ("WebSearch", [("web.fetch", "any")]),
        ("Task(Explore)", [("subagent.delegate", "Explore")]),
        ("mcp__github__create_issue", [("tool.invoke", "mcp__github__create_issue")]),
        ("mcp__github__*", [("tool.invoke", "mcp__github__*")]),
        ("mcp__github", [("tool.invoke", "mcp__github__*")]),
        ("apply_patch", [("file.write", "any"), ("file.delete", "any")]),
        ("run_shell_command(git)", [("shell.execute", "git")]),
        ("exec", [("shell.execute", "any")]),
        ("frobnicate", [("tool.invoke", "frobnicate")]),
        ("any", [("tool.invoke", "\\any")]),
        ("TodoWrite, AskUserQuestion", []),
        ('""', []),
        ("[]", []),
        ("[Read, 'Bash(git add:*)']", [("file.read", "any"), ("shell.execute", "git")]),
    ],
)
def test_what_a_list_hands_out(tools, grants):
    assert granted(tools) == grants
    assert reading(tools).losses == ()
    assert all(entry.effect is Decision.ALLOW for entry in reading(tools).manifest.permissions)


@each_row("key", ["allowed-tools", "allowed_tools", "allowedTools"])
def test_all_three_spellings(key):
    assert reading("Read", key).manifest == reading("Read").manifest


@each_row("name", sorted(host_tools()))
def test_every_tool_of_the_table_is_read_as_it_says(name):
    assert tuple(entry.capability for entry in reading(name).manifest.permissions) == host_tools()[name].capabilities


def pattern(rule: str) -> str:
    ((name, found),) = reading(f"'Bash({rule})'").manifest.permissions[0].constraints.arguments
    assert name == "command"
    assert isinstance(found, Matching)
    return found.pattern


@each_row(
    ("rule", "command", "fits"),
    [
        ("git add:*", "git add", True),
        ("git add:*", "git add a.txt", True),
        ("git add:*", "git addx", False),
        ("git add:*", "git push", False),
        ("git add:*", "git add a && git push", False),
        ("git add:*", "git add $(git push)", False),
        ("git add:*", "git add `git push`", False),
        ("git add:*", "git add a\ngit push", False),
        ("git add:*", "git add a; git push", False),
        ("git add:*", "git add a > b", False),
        ("npm test", "npm test", True),
        ("npm test", "npm test -- x", False),
        ("npm run test *", "npm run test unit", True),
        ("git * main", "git push main", True),
        ("git * main", "git main", False),
        ("cat /proc/*", "cat /proc/1/status", True),
        ("a.b +c:*", "a.b +c x", True),
        ("a.b +c:*", "axb +c x", False),
    ],
)
def test_words_after_the_program_are_a_pattern(rule, command, fits):
    assert matches_whole(pattern(rule), command) is fits


@each_row(
    "tool",
    [
        "Bash(A=1 rm:*)",
        "Bash(a && b:*)",
        "Bash(echo $(id):*)",
        "Bash(any:*)",
        "Bash(-x:*)",
        "Bash(${CLAUDE_PLUGIN_ROOT}/x.sh:*)",
        'Bash("a b":*)',
        "Bash(a\\b:*)",
        "Read(!x)",
        "Read(../x)",
        "Read({a,b})",
        "Read([ab])",
        "Read($HOME/x)",
        "WebFetch(example.com)",
        "WebFetch(domain:any)",
        "WebFetch(domain:a b)",
        "WebFetch(domain:http://x)",
        "WebSearch(x)",
        "Task(any)",
        "Skill(*x)",
        "mcporter(server:*)",
        "mcp__x__y(z)",
        "'*'",
    ],
)
def test_a_rule_that_is_not_understood_grants_nothing_and_is_said(tool):
    quoted = tool if tool.startswith("'") else "'" + tool.replace("'", "''") + "'"
    found = reading(f"[{quoted}]")
    assert found.manifest.permissions == ()
    assert [loss.kind for loss in found.losses] == [LossKind.NARROWED]


REFUSED = [
    ("name: x\n", "there is no `allowed-tools`"),
    ("allowed-tools: {Bash: true}\n", "is no list of tools"),
    ("allowed-tools: true\n", "is no list of tools"),
    ("allowed-tools: [[Read]]\n", "is no list of tools"),
    ("allowed-tools: [yes]\n", "is no list of tools"),
    ("allowed-tools: [{Bash: x}]\n", "is no list of tools"),
    ("allowed-tools: Read\nallowedTools: Bash\n", "both occur here"),
    ("allowed-tools: Read\nallowed-tools: Bash\n", "occurs twice"),
    ("x: &a Bash\nallowed-tools: *a\n", "holds an anchor"),
    ("allowed-tools: 'Ba\u202esh'\n", "is not a tool"),
    ("allowed-tools: 'Read\u200b'\n", "is not a tool"),
    ("allowed-tools: 'B*'\n", "is not a tool"),
    ("allowed-tools: '<Bash>'\n", "is not a tool"),
    ("allowed-tools: " + "Bash(" + "x" * 5000 + ")\n", "is not a tool"),
    ("allowed-tools: " + "Read " * 600 + "\n", "more than 500 tools"),
    ("allowed-tools: [\n", "(in the front matter)"),
]


@each_row(("text", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_what_is_no_list_of_tools_is_refused(text, reason):
    with pytest.raises(ManifestError) as error:
        read_tools(f"---\n{text}---\n".encode(), "SKILL.md")
    assert reason in error.value.message
    assert error.value.message.startswith("SKILL.md:")
    assert error.value.remedy


# ── writing ──


def write(*entries):
    return write_tools(Manifest("remit.json", entries))


def allow(capability, *scopes, **more):
    kind = vocabulary()[capability].scope_kind
    found = tuple(parse_scope(kind, scope) for scope in scopes or ("any",))
    return Permission(capability, found, more.pop("effect", Decision.ALLOW), **more)


def test_the_line_to_paste():
    found = write(
        allow("file.read", "./docs/**"),
        allow("shell.execute", "git"),
        allow("web.fetch", "example.com"),
        allow("tool.invoke", "mcp__github__*"),
        allow("subagent.delegate"),
    )
    assert found.text == (
        "allowed-tools: Read(./docs/**) Bash(git:*) WebFetch(domain:example.com) mcp__github__* Task\n"
    )
    assert found.losses == ()


@each_row(
    "tools",
    [
        "Bash(git add *)",
        "Bash(npm test)",
        "Bash(* --version)",
        "Bash(cat /proc/*)",
        "Bash(${CLAUDE_SKILL_DIR}/run.sh:*)",
        "Read(./**/*.md)",
        "Read(//etc/hosts)",
        "Skill(pdf)",
        "Edit(~/x/**) Write(~/x/**)",
    ],
)
def test_what_was_read_is_written_as_it_was(tools):
    found = write_tools(reading(tools).manifest)
    assert found.text == f"allowed-tools: {tools}\n"
    assert found.losses == ()


@each_row(
    "entries",
    [
        [allow("file.read", effect=Decision.CONFIRM)],
        [allow("file.read", "<arg>")],
        [allow("file.read", "$TMP/**")],
        [allow("file.read", "./a(b")],
        [allow("file.read", "./a, b")],
        [allow("source.read")],
        [allow("web.fetch", "a.example:443")],
        [allow("web.post")],
        [allow("tool.invoke")],
        [allow("tool.invoke", "Bash")],
        [allow("tool.invoke", "mcp__github")],
        [allow("tool.invoke", "a,Bash")],
        [allow("shell.execute", "a b")],
        [allow("shell.execute", "x)Bash(y")],
        [allow("shell.execute", constraints=Constraints(workspace_only=True))],
        [allow("shell.execute", constraints=Constraints(denied_command_patterns=("rm",)))],
        [allow("shell.execute", constraints=Constraints(arguments=(("command", Matching("git (add|rm)")),)))],
        [allow("context.load", constraints=Constraints(arguments=(("skill", ("pdf", "docx")),)))],
        [allow("file.read"), allow("file.read", "./private/**", effect=Decision.DENY)],
        [allow("file.read"), allow("file.read", "./private/**", effect=Decision.CONFIRM)],
    ],
)
def test_what_a_pre_approval_cannot_say_is_left_out_and_said(entries):
    found = write(*entries)
    assert found.text == 'allowed-tools: ""\n'
    assert found.losses[0].kind is LossKind.NARROWED


def test_a_question_of_lower_rank_does_not_hold_back():
    found = write(allow("file.read", priority=5), allow("file.read", effect=Decision.CONFIRM))
    assert found.text == "allowed-tools: Read\n"


def test_a_denial_alone_changes_nothing():
    found = write(allow("pay", effect=Decision.DENY))
    assert [loss.kind for loss in found.losses] == [LossKind.LOST]
