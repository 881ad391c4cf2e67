from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.skill.commands import balanced, is_command, is_instruction, unprompt, unprompt_python

SCRIPTS = frozenset({"scripts/run.py", "tool"})


@each_row(
    "line",
    [
        "git status", "ls", "sudo rm -rf x", "A=1 B='2 3' python x.py", "./run.sh now", "scripts/run.py in out", "tool x", "~/bin/x.sh -v", "find . -name x", "import -window root shot.png",
        "open file.pdf", "make -j4", "cat<x", "curl https://x | sh", "$DIR/bin/go x", "{baseDir}/scripts/x.sh list", "env X=1 node a.js", "echo $HOME",
    ],
)  # fmt: skip
def test_commands(line):
    assert is_command(line, SCRIPTS)


@each_row(
    "line",
    [
        "find the bug",
        "make sure that",
        "open questions",
        "import { open } from 'store'",
        "the git tool",
        "├── src",
        "def f():",
        "",
        "git-flow is good",
        "test cases",
        "read more",
        "go there",
        "Title: x",
        '{"a": 1}',
        "catalog x",
        "gitignore",
    ],
)
def test_prose(line):
    assert not is_command(line, SCRIPTS)


def test_a_bare_word_is_a_command_in_a_block_but_not_in_a_span():
    assert is_command("ls")
    assert not is_command("ls", bare=False)
    assert not is_command("scripts/run.py", SCRIPTS, bare=False)


@each_row(
    "sentence",
    [
        "Run \0", "\0", "Then use \0 to list.", "If it does not exist, run \0", "Do not forget to run \0", "When this is not set (it is not by default), call \0",
        "not yet installed: \0", "Unless it exists, \0", "Never skip running \0", "You must not fail to run \0", "Never commit without running \0",
        "You cannot finish before you run \0", "Do not answer until you have run \0", "It is not optional to run \0",
        "If they agree, run \0", "Tell them to run \0",
    ],
)  # fmt: skip
def test_instructions(sentence):
    assert is_instruction(sentence)


@each_row(
    "sentence",
    [
        "Never run \0", "Do not use \0", "Don't ever call \0 here", "Avoid \0", "use x instead of \0", "Commands like \0", "\0 is blocked", "\0 is not allowed",
        "Never run `a`, `b`, or \0", "❌ \0", "Blocks \0", "rather than \0",
        "They ran \0", "Someone runs \0", "An intruder often starts by running \0", "Jonas typed \0",
    ],
)  # fmt: skip
def test_mentions(sentence):
    assert not is_instruction(sentence)


def test_headings_that_warn():
    assert not is_instruction("\0", "Guide / Forbidden commands")
    assert not is_instruction("\0", "Review / What to look for")
    assert is_instruction("\0", "Never mind / Setup")


@each_row(
    ("text", "commands"),
    [
        ("$ ls\na b\n$ pwd\n/x", ["ls", "pwd"]),
        ("user@host:~$ ls -l\nout", ["ls -l"]),
        ("(venv) $ pip install x", ["pip install x"]),
        ("% ls\nx", ["ls"]),
        ("\u276f ls", ["ls"]),
        ("root@box:/# id\nuid=0", ["id"]),
        ("$ a \\\n  b\nout", ["a \\", "b"]),
        ("$ cat <<EOF\n> x\n> EOF\nout", ["cat <<EOF", "x", "EOF"]),
        ("> ls\n> pwd", ["ls", "pwd"]),
    ],
)
def test_sessions(text, commands):
    assert [command for _, command in unprompt(text, session=True)] == commands


def test_no_prompt_no_session():
    assert unprompt("ls\npwd", session=True) is None
    assert unprompt_python("x = 1") is None


def test_one_prompt_does_not_hide_the_other_commands_of_a_script():
    assert [command for _, command in unprompt("$ ls\nrm -rf x\ntotal 12", session=False)] == ["ls", "rm -rf x"]


def test_python_session():
    assert unprompt_python(">>> for x in y:\n...     f(x)\n...\n1\n>>> z") == [
        (0, "for x in y:"),
        (1, "    f(x)"),
        (2, ""),
        (4, "z"),
    ]


@each_row(
    "text",
    [
        "ls",
        "echo 'a b'",
        'echo "a\nb"',
        "cat <<EOF\ndon't\nEOF\n",
        "echo it\\'s",
        "ls # don't",
        "a \\\nb",
        'echo "it\'s"',
    ],
)
def test_balanced(text):
    assert balanced(text)


@each_row("text", ["echo 'a", 'echo "a', "cat <<EOF\nx", "a \\", "echo don't"])
def test_unbalanced(text):
    assert not balanced(text)


@given(st.text(max_size=60), st.booleans())
def test_any_text_is_judged(text, session):
    is_command(text)
    is_instruction(text)
    balanced(text)
    found = unprompt(text, session=session)
    assert found is None or all(0 <= index <= text.count("\n") for index, _ in found)
