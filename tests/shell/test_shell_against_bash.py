"""What bash and dash really do must be among what we say: words, and which commands run."""

import re
import shutil
import subprocess

import pytest
from fakeworld import FakeWorld, run_script
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from each_row import each_row

PRELUDE = """x=abc; y='a b'; e=; n=3; p='/usr/lib/x.tar.gz'; g='[z]'; s='  l r '; c='a:b::c'
arr=(one 'two words' '' four); declare -A m=([k]=v [q]='r s'); set -- first 'second arg' third
"""
POSIX = "x=abc; y='a b'; e=; n=3; p='/usr/lib/x.tar.gz'; s='  l r '; c='a:b::c'; set -- first 'second arg' third\n"
REAL = "probe() { printf '%s\\001' \"$@\"; printf '\\002'; }\n"

ATOMS = [
    "a", "bc", "-x", "/u", ".", "=", "'q r'", '"d d"', "\\ ", "\\$", "\\\\", "$x", "$y", "$e", '"$y"', '"$e"', "${x}", '"${y}"',
    "${x:-d}", "${e:-d e}", '"${e:-d e}"', "${u:-$y}", '"${u:-$y}"', "${e-z}", "${x:+yes}", '"${e:+no}"', "${x#a}", "${x%c}",
    "${p##*/}", "${p%/*}", "${p%.*}", "${p%%.*}", "${p#*/}", '"${p##*.}"', "${#x}", "${#y}", "$#", "$1", '"$2"', "$2", '"$@"', "$@",
    "$*", '"$*"', "${u-}", "$(echo a b)", '"$(echo a b)"', "`echo w`", "$(printf '%s' 'p q')", "$((n+1))", "$((1+2))",
    '"a$(echo b)c"', "'$x'", '"\\$x"', '"\\"', '$(echo "$y")', "${x%%b*}", "${s}", '"$s"', "$s", "$c", "#", "a#b", "~x", "%", ",", "]",
]  # fmt: skip
BASH_ATOMS = [
    "{a,b}", "{1..3}", "x{a,$x}y", "{a,{b,c}}", "{a}", "{,z}", "${x^^}", "${x^}", "${y/a/Z}", "${y//[ab]/_}", '"${y/ /-}"', "${x:1}", "${x:0:2}",
    "${x: -1}", '"${arr[@]}"', "${arr[@]}", '"${arr[1]}"', "${#arr[@]}", '"${arr[*]}"', "${m[k]}", '"${m[q]}"', '"${arr[@]:1:2}"', '"${@:2}"',
    "${@:1:1}", "$'t\\tb'", "$'\\x41'", '$"loc"', "${x/b/}", "${x/#a/A}", "${x/%c/C}", "${arr[@]:3}", '"${arr[@]/o/0}"', "${!e}", "$[1+2]",
    "${n:+{a,b}}", "${x/%/Z}", "${x/#/Z}", "${x/b/-&-}", '"${y//[ab]/<&>}"', "${arr[@]/%/.z}", "a{b..d}e", "{3..1}", "${x,,}",
]  # fmt: skip


def concretes(child):
    return [list(child.words), child.rest]


def matches(value, actual):
    for item in value:
        pattern = "".join(re.escape(p) if isinstance(p, str) else ".*" for p in item.parts)
        if re.fullmatch(pattern, actual, re.DOTALL):
            return True
    return False


def exact(value, actual):
    return any(item.literal == actual for item in value)


class Recorder(FakeWorld):
    def __init__(self):
        super().__init__()
        self.children = []

    def spawn(self, child, site):
        self.children.append((site.where.line, child))
        return super().spawn(child, site)


def covered(child, argv):
    words = child.words[1:]
    if len(argv) < len(words) or (not child.rest and len(argv) > len(words)):
        return False
    return all(matches(w, a) for w, a in zip(words, argv, strict=False)) and all(
        matches(child.rest, a) for a in argv[len(words) :]
    )


def real(shell, script):
    return subprocess.run(
        [shell, "-c", script],
        capture_output=True,
        check=False,
        timeout=300,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        cwd="/proc/self/task",
    )


def check(words, shell, prelude, dialect):
    lines = [f"probe {word}" for word in words]
    done = real(shell, prelude + REAL + "\n".join(lines))
    records = done.stdout.decode("utf-8", "replace").split("\x02")[:-1]
    world = Recorder()
    run_script(world, "s.sh", prelude + "\n".join(lines), args=(), dialect=dialect)
    first = prelude.count("\n") + 1
    if len(records) != len(lines):
        return  # a word stopped the shell (bad substitution): nothing to compare
    for index, record in enumerate(records):
        argv = record.split("\x01")[:-1]
        if not record:
            argv = []
        mine = [child for line, child in world.children if line == first + index]
        # dash makes an empty word of two blanks that follow a quoted word: `"$@"${s}`
        tries = [argv, [word for word in argv if word]] if shell == "dash" else [argv]
        found = any(covered(child, one) for child in mine for one in tries)
        assert found or (argv == [""] and any(not c.words[1:] for c in mine)), (
            lines[index],
            argv,
            [concretes(c) for c in mine],
        )


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.lists(st.sampled_from(ATOMS + BASH_ATOMS), min_size=1, max_size=4).map("".join), min_size=5, max_size=25
    )
)
def test_words_against_bash(words):
    check([w for w in words if balanced(w)], "bash", PRELUDE, "bash")


@pytest.mark.skipif(shutil.which("dash") is None, reason="dash is not installed")
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(st.sampled_from(ATOMS), min_size=1, max_size=4).map("".join), min_size=5, max_size=25))
def test_words_against_dash(words):
    check([w for w in words if balanced(w)], "dash", POSIX, "dash")


def balanced(word):
    """A word that ends where its line ends."""
    done = re.sub(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"", "", word)
    return (
        '"' not in done
        and "'" not in done
        and not word.endswith("\\")
        and not word.startswith("#")
        and "#"
        not in word.replace("a#b", "")
        .replace("${#", "")
        .replace("$#", "")
        .replace("##", "")
        .replace("#a", "")
        .replace("#*", "")
        .replace("/#", "")
    )


@each_row("atom", ATOMS + BASH_ATOMS)
def test_each_word_is_exact(atom):
    """A word whose parts are all known has one value, the one that bash computes."""
    done = real("bash", PRELUDE + REAL + f"probe {atom}. 2>/dev/null")
    records = done.stdout.decode().split("\x02")[:-1]
    world = Recorder()
    run_script(world, "s.sh", PRELUDE + f"probe {atom}.", args=())
    children = [child for _, child in world.children if "probe" in str(child.words[0])]
    if not records or atom in ("~x", "x{a,$x}y", '"\\"', "#"):
        return
    argv = records[0].split("\x01")[:-1]
    assert any(
        not child.rest
        and len(child.words) - 1 == len(argv)
        and all(exact(w, a) for w, a in zip(child.words[1:], argv, strict=True))
        for child in children
    ), (argv, [concretes(c) for c in children])


# -- which commands run ---------------------------------------------------------------------------------------------------

LEAVES = [
    "probe N",
    "probe N; probe M",
    "x=$(probe N)",
    "echo `probe N` >/dev/null",
    "v=1",
    "true",
    "false",
    "! probe N",
    "probe N | cat",
    ": | probe N",
]
SHAPES = [
    "if C; then B; else B; fi",
    "if C; then B; fi",
    "for i in 1 2; do B; done",
    "for i in 1 2; do B; break; B; done",
    "while C; do B; break; done",
    "case $v in 1) B;; *) B;; esac",
    "{ B; }",
    "( B )",
    "( exit 1 ); B",
    "C && B",
    "C || B",
    "f() { B; }; f",
    "f() { B; return; B; }; f; B",
    "eval 'B'",
    "set -- a b; B; shift; B",
    "trap 'B' EXIT",
    "until C; do B; break; done",
    "B &\nwait",
    "cat <<EOF >/dev/null\n$(B)\nEOF",
    "[[ a == a ]] && B",
    "(( 1 )) && B",
    "x='B'; eval \"$x\"",
    "B; B",
    "C; B",
    "bash -c 'B'",
    "for i in 1 2 3; do C && continue; B; done",
]


@st.composite
def programs(draw, depth=3):
    if depth == 0:
        return draw(st.sampled_from(LEAVES))
    shape = draw(st.sampled_from(SHAPES))
    return re.sub(
        r"\b[BC]\b",
        lambda m: (
            quote_free(draw(programs(depth=depth - 1)), shape)
            if m.group() == "B"
            else draw(st.sampled_from(["true", "false", "probe N", '[ -n "$v" ]']))
        ),
        shape,
    )


def quote_free(body, shape):
    return (
        "probe N"
        if ("'" in shape or "EOF" in shape) and ("'" in body or "\n" in body or '"' in body or "f()" in body)
        else body
    )


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(programs(), min_size=1, max_size=4))
def test_commands_that_run_are_reported(pieces):
    count = 0

    def number(_):
        nonlocal count
        count += 1
        return f"probe p{count}"

    script = re.sub(r"probe [NM]", number, "\n".join(pieces))
    done = real("bash", 'probe() { echo "$1" >&2; }; export -f probe\n' + script)
    ran = set(re.findall(r"^p\d+$", done.stderr.decode(), re.MULTILINE))
    world = Recorder()
    run_script(world, "s.sh", script, args=())
    said = {str(item.literal) for _, child in world.children if len(child.words) > 1 for item in child.words[1]}
    assert ran <= said or any("unknown command" not in o[0] for o in world.opaques), (script, ran - said)


TEXTS = [
    "read a b <<'X'\none\\ two three\nX", "read a b <<'X'\nvic\\\ntim txt\nX", "read -r a b <<'X'\none\\ two\nX", "IFS=: read a b <<'X'\nx\\:y:z\nX",
    "a=$(echo 'p\\tq'); b=$(echo 'x\\143y')", "a=$(printf '%b' 'vi\\143t'); b=$(printf '%b' '\\0143')", "a=$(echo -n 'r\\\\s'); b=",
]  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "dash"])
@pytest.mark.parametrize("prelude", TEXTS)
def test_what_read_and_echo_make_of_a_text(shell, prelude):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    check(['"$a"', '"$b"'], shell, f"{prelude}\n", shell)
