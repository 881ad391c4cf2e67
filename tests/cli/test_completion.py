"""Completions, in the shells themselves: what is typed, and what is there after the key."""

import argparse
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time

import pytest

from remit.cli.arguments import parser
from remit.cli.command_tree import command_tree
from remit.cli.completion import SHELLS, script

TREE = command_tree(parser())
CASES = [  # what is typed; some of what is offered; something that is not
    ("remit che", {"check"}, "chec"),
    ("remit guard ins", {"install"}, "init"),
    ("remit scan rep", {"report"}, "rep"),
    ("remit scan ski", {"skills"}, "report"),
    ("remit scan report no", {"notes.txt"}, "report"),
    ("remit scan report --simi", {"--similar"}, "--fresh"),
    ("remit guard install cla", {"claude-code"}, "claude"),
    ("remit check --fo", {"--format"}, "--force"),
    ("remit check --format js", {"json", "jsonl"}, "text"),
    ("remit completion ", {"bash", "zsh", "fish"}, "check"),
    ("remit explain file.d", {"file.delete"}, "file.read"),
    ("remit check ski", {"skills"}, "notes.txt"),
    ("remit check one two ski", {"skills"}, "check"),
    ("remit check --manifest no", {"notes.txt"}, "skills"),
    ("remit audit log --state ", {"skills"}, "notes.txt"),
    ("remit check --manifest notes.txt --fo", {"--format"}, "--force"),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "skills").mkdir()
    (tmp_path / "notes.txt").write_text("")
    for shell in SHELLS:
        (tmp_path / f".completion.{shell}").write_text(script(shell))
    return tmp_path


def needs(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")


def said(folder, *command, given=""):
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        command, cwd=folder, env=env, input=given, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


ASK_BASH = """\
source .completion.bash
while IFS= read -r line; do
    read -r -a COMP_WORDS <<< "$line"
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    compopt() { :; }
    _remit
    printf '%s\\n' "$line" "${COMPREPLY[@]}" ==
done
"""


def offers(out):
    found = {}
    for block in out.split("\n==\n")[:-1]:
        line, *words = block.splitlines()
        found[line] = {word.split("\t")[0].rstrip("/") for word in words}
    return found


def asked(shell, folder):
    if shell == "bash":
        return offers(
            said(folder, "bash", "--norc", "-c", ASK_BASH, given="".join(f"{line}\n" for line, _, _ in CASES))
        )
    ask = "".join(f"echo '{line}'; complete -C '{line}'; echo ==\n" for line, _, _ in CASES)
    return offers(said(folder, "fish", "--no-config", "-c", f"source .completion.fish\n{ask}"))


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_shell_offers_what_can_follow(shell, folder):
    needs(shell)
    found = asked(shell, folder)
    for line, wanted, unwanted in CASES:
        assert wanted <= found[line], line
        assert unwanted not in found[line], line


class Terminal:
    """A shell at a terminal of its own."""

    def __init__(self, folder, *command):
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            env = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8", "PS1": "> "}
            os.execvpe(command[0], command, env)
        self.seen = ""

    def send(self, text, until):
        os.write(self.handle, text.encode())
        end = time.monotonic() + 300
        while until not in (shown := CONTROLS.sub("", self.seen)):
            assert time.monotonic() < end, self.seen
            if select.select([self.handle], [], [], 0.2)[0]:
                self.seen += os.read(self.handle, 65536).decode("utf-8", "replace")
        return shown

    def close(self):
        os.close(self.handle)
        os.waitpid(self.pid, 0)


CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\a\b]")
START = {
    "bash": (("bash", "--norc", "--noprofile", "-i"), "PS1='> '; source .completion.bash; echo rea''dy\n"),
    "zsh": (
        ("zsh", "-f", "-i"),
        "PS1='> '; autoload -Uz compinit; compinit -u; source .completion.zsh; echo rea''dy\n",
    ),
}


TYPED = [
    ("remit che", "ck "),
    ("remit guard ins", "tall "),
    ("remit scan rep", "ort "),
    ("remit scan ski", "lls/"),
    ("remit scan report --sim", "ilar "),
    ("remit guard install cla", "ude-code "),
    ("remit check --man", "ifest "),
    ("remit check --format sa", "rif "),
    ("remit check ski", "lls/"),
]


@pytest.mark.parametrize("shell", sorted(START))
def test_the_key_completes_a_word_in_a_real_terminal(shell, folder):
    needs(shell)
    command, start = START[shell]
    terminal = Terminal(folder, *command)
    try:
        terminal.send(start, "ready")
        for typed, completed in TYPED:
            terminal.seen = ""
            terminal.send("\x15\n", "> ")  # an empty line, and a new prompt
            terminal.send(f"{typed}\t", typed + completed)
    finally:
        terminal.close()


def test_every_parser_that_is_made_is_a_command_of_the_tree(monkeypatch):
    """However a command is hung below another: what parses words has a name, and that name can be completed."""
    made = []

    def remembered(self, *words, **options):
        made.append(self)
        begin(self, *words, **options)

    begin = argparse.ArgumentParser.__init__
    monkeypatch.setattr(argparse.ArgumentParser, "__init__", remembered)
    tree = command_tree(parser())
    named = {one.prog for one in made if one.add_help}  # those without help are parts that others take over
    assert "remit scan report" in named
    assert {" ".join(command.path) for command in tree.walk()} == named


@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_every_option_of_every_command_is_in_the_script(shell):
    text = script(shell)
    for command in TREE.walk():
        assert " ".join(command.path) in text
        for option in command.options:
            for name in option.names:
                in_fish = f"-l {name[2:]} " if name.startswith("--") else f"-s {name[1:]} "
                assert (in_fish if shell == "fish" else name) in text


def test_printing_a_script_imports_no_generator_of_others():
    code = (
        "import sys; from remit.cli import main; main(['completion', 'bash']);"
        " assert not {'shtab', 'yaml', 're2', 'tree_sitter'} & sys.modules.keys()"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
