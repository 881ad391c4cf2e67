"""Numbers, subscripts and references of bash are evaluated: text from outside in them may hold a command."""

import pytest

EVALUATED = {
    "a subscript in a list": "a=([$n]=x)",
    "a reference": 'declare -n r=$n; echo "$r"',
    "what is added to an integer": "declare -i k; k+=$n",
    "an element of integers": "declare -ai w; w[0]=$n",
    "a list of integers": 'declare -ai v=("$n")',
    "read into integers": "declare -ai w; read -ra w < in.txt",
    "lines into integers": "declare -ai w; mapfile -t w < in.txt",
    "a format that may be an option": 'printf "$n" x',
}


@pytest.mark.parametrize("code", EVALUATED.values(), ids=EVALUATED)
def test_text_of_a_file_may_be_a_command(shell, code):
    assert "any" in shell(f"read -r n < in.txt\n{code}\n").scopes("shell.execute")


HARMLESS = ["declare -A m=([$1]=2)", "printf '%s' \"$n\"", "k=5; declare -n r=k; r=6", "a=([0]=$n)"]


@pytest.mark.parametrize("code", HARMLESS)
def test_text_that_is_not_evaluated(shell, code):
    assert not shell(f"read -r n < in.txt\n{code}\n").scopes("shell.execute")


def test_a_pattern_from_outside_may_be_an_option(shell):
    assert "any" in shell('read -r n < in.txt\ngrep "$n" old.txt\n').scopes("file.read")
    assert shell('read -r n < in.txt\ngrep -e "$n" old.txt\n').scopes("file.read") == {"./in.txt", "./old.txt"}


PROGRAMS = {"a path": ("/usr/bin/printf x", {"printf"}), "no builtin": ("expr 1 + 1", {"expr"}), "a builtin": ("printf x", set())}  # fmt: skip


@pytest.mark.parametrize(("code", "started"), PROGRAMS.values(), ids=PROGRAMS)
def test_programs_and_builtins(shell, code, started):
    assert shell(code + "\n").scopes("process.create") == started
