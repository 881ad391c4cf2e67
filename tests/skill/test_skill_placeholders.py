from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.skill.placeholders import FIRST, Finder, fill_host

FINDER = Finder(("pdf",))


def marked(text, language="shell"):
    filled = FINDER.fill(text, language)
    out = filled.text
    for char, placeholder in filled.holes.items():
        out = out.replace(char, f"⟦{placeholder}⟧")
    for char, anchor in filled.anchors.items():
        out = out.replace(char, f"⟪{anchor}⟫")
    return out


@each_row(
    ("text", "expected"),
    [
        ("rm <file>", "rm ⟦<file>⟧"),
        ("rm -rf <a>/<b c>", "rm -rf ⟦<a>⟧/⟦<b c>⟧"),
        ("curl https://<host>/x", "curl https://⟦<host>⟧/x"),
        ('save "<URL>"', 'save "⟦<URL>⟧"'),
        ("cp {name}.txt out", "cp ⟦{name}⟧.txt out"),
        ("echo {{ title }}", "echo ⟦{{ title }}⟧"),
        ("tool [options] [FILE]", "tool ⟦[options]⟧ ⟦[FILE]⟧"),
        ("tool [--flag]", "tool ⟦[--flag]⟧"),
        ("git diff [BASE_SHA]..[HEAD_SHA]", "git diff ⟦[BASE_SHA]⟧..⟦[HEAD_SHA]⟧"),
        ("git log main...[BRANCH]", "git log main...⟦[BRANCH]⟧"),
        ("KEY=YOUR_API_KEY x", "KEY=⟦YOUR_API_KEY⟧ x"),
        ("x --key your-api-key", "x --key ⟦your-api-key⟧"),
        ("cat /path/to/file.txt", "cat ⟦/path/to/file.txt⟧"),
        ("x ... y", "x ⟦...⟧ y"),
        ("x --a=<b|c>", "x --a=⟦<b|c>⟧"),
    ],
)
def test_placeholders(text, expected):
    assert marked(text) == expected


@each_row(
    "text",
    [
        "cat <in >out", "cat <in>out", "cat < in > out", "cat <<EOF\nx\nEOF", "x <<<word", "diff <(a) <(b)", "echo ${name}", "echo {a,b}", "awk '{print}'", "awk '{print $1}'",
        "find . -exec rm {} \\;", "[ -f x ]", "[[ $a == b ]]", "ls [a-z]*", "ls *.[ch]", "ls ..[ABC]", "grep 'a.[BCD]' x", "grep 'a*..[BCD]' x", "git log HEAD@{1}", "curl -w '%{http_code}'", "go test ./...", "cd ../..",
        "docker ps --format '{{.Names}}'", "echo ${arr[key]}", "a 2>&1 >x", "x=$((a<b))", "python3 -c \"print(f'{name}')\"", "git stash@{0}",
    ],
)  # fmt: skip
def test_what_is_shell_stays(text):
    assert marked(text) == text


@each_row(
    ("text", "expected"),
    [
        ("python {baseDir}/x.py", "python ⟪skill⟫/x.py"),
        ("python ${CLAUDE_SKILL_DIR}/x.py", "python ⟪skill⟫/x.py"),
        ("python <skill-dir>/x.py", "python ⟪skill⟫/x.py"),
        ("python ~/.claude/skills/pdf/x.py", "python ⟪skill⟫/x.py"),
        ("python skills/pdf/x.py", "python ⟪skill⟫/x.py"),
        ("python ~/.claude/skills/other/x.py", "python ~/.claude/skills/other/x.py"),
        ("SKILL_DIR=/tmp\nrm $SKILL_DIR/x", "SKILL_DIR=/tmp\nrm $SKILL_DIR/x"),
        ("clawhub install <skill>", "clawhub install ⟦<skill>⟧"),
    ],
)
def test_the_folder_of_the_skill(text, expected):
    assert marked(text) == expected


@each_row(
    ("text", "expected"),
    [
        ('open("<file>")', 'open("⟦<file>⟧")'),
        ('open(f"{name}.txt")', 'open(f"{name}.txt")'),
        ("a <b> c", "a <b> c"),
        ("key = 'YOUR_KEY'", "key = '⟦YOUR_KEY⟧'"),
        ("x = [...]", "x = [...]"),
        ("YOUR_KEY = 1", "YOUR_KEY = 1"),
    ],
)
def test_in_python_only_strings(text, expected):
    assert marked(text, "python") == expected


def test_characters_that_occur_already_are_not_used():
    own = chr(FIRST)
    filled = FINDER.fill(f"echo {own} <file>", "shell")
    assert own not in filled.holes
    assert list(filled.holes.values()) == ["<file>"]


def test_the_same_placeholder_is_the_same_character():
    filled = FINDER.fill("cp <a> <b>\nrm <a>", "shell")
    assert sorted(filled.holes.values()) == ["<a>", "<b>"]


def test_the_host_fills_only_its_own_words():
    filled = fill_host("rm <x> $ARGUMENTS '$1' $2 ${CLAUDE_PLUGIN_ROOT}/a", arguments=True)
    assert "<x>" in filled.text
    assert sorted(filled.holes.values()) == ["$2", "$ARGUMENTS"]
    assert list(filled.anchors.values()) == ["skill"]
    assert fill_host("echo $1 $ARGUMENTS").holes == {}


@given(st.text(alphabet="<>{}[]$./ab_ \"'\n", max_size=60), st.sampled_from(["shell", "python", "js"]))
def test_filling_back_gives_the_text(text, language):
    filled = FINDER.fill(text, language)
    assert not filled.anchors
    out = "".join(filled.holes.get(char, char) for char in filled.text)
    assert out == text
    assert filled.text.count("\n") == text.count("\n")
