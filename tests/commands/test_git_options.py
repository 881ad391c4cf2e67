"""Options of git: what is listed stays exact, and what is not listed is opaque."""

from one_command import analysed

from each_row import each_row

ORDINARY = [
    "git log --oneline --no-decorate -20",
    "git diff --cached --name-only --diff-filter=ACM",
    "git pull --no-edit --ff-only",
    "git push -u origin main --no-verify",
    "git merge --no-verbose topic",
    "git blame -L 1,5 a.py",
    "git shortlog -sne HEAD",
]


@each_row("line", ORDINARY)
def test_listed_options_are_understood(tmp_path, line):
    assert analysed(tmp_path, line).opaque == ()


@each_row("line", ["git log --unheard-of", "git merge --no-unheard-of x", "git stash --unheard-of"])
def test_unlisted_options_are_opaque(tmp_path, line):
    assert analysed(tmp_path, line).opaque


def found(folder, line):
    return {f"{effect.capability} {effect.scope.render()}" for effect in analysed(folder, line).effects}


@each_row(
    ("line", "effect"),
    [
        ("git grep --no-index KEY src", "file.read ./src/**"),
        ("git grep --no-index KEY", "file.read ./**"),
        ("git clone https://example.com/a/b.c", "file.write ./b.c/**"),
        ("git fetch data.bundle", "file.read ./data.bundle"),
        ("git add folder", "file.read ./folder/**"),
        ("openssl req -new", "file.write ./privkey.pem"),
        ("mkdir -", "file.write ./-"),
        ("env", "secret.read env:*"),
        ("declare -p", "secret.read env:*"),
        ("python3 -c \"import os; os.makedirs('https://a/b')\"", "file.write ./https:/a/b"),
    ],
)
def test_what_a_line_does_is_reported(tmp_path, line, effect):
    assert effect in found(tmp_path, line)


@each_row("line", ["git log -p ../x", 'git show "$1"', "git rev-list /etc/passwd"])
def test_history_holds_no_files_from_elsewhere(tmp_path, line):
    certain = [effect for effect in analysed(tmp_path, line).effects if not effect.via.possible]
    assert "file.read" not in {effect.capability for effect in certain}
    assert "commit.read" in {effect.capability for effect in certain}


def test_a_pattern_is_no_path(tmp_path):
    assert not [effect for effect in found(tmp_path, "git grep --no-index KEY src") if "KEY" in effect]
