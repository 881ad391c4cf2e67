"""Evasions by words that may be one of several, and by ways that meet: what happens on one way is not lost for the other."""

from __future__ import annotations

from shell_cases import DELETE, Case

D = DELETE
R = "rm -f victim.txt"
BRANCH = "[ -f nofile ]"  # never true in the scratch folder, which the analysis does not know


def either(name: str, happens: str, other: str, script: str, shell: str = "bash") -> list[Case]:
    """`$x` is one text when it is run and could be another one, with the texts in both orders."""
    orders = (f"x='{happens}'; {BRANCH} && x='{other}'; {script}", f"x='{other}'; {BRANCH} || x='{happens}'; {script}")
    return [Case(f"{name}-{number}", D, text, opaque=True, shell=shell) for number, text in enumerate(orders, 1)]


def way(name: str, script: str, shell: str = "bash", files: tuple[tuple[str, str], ...] = ()) -> Case:
    return Case(name, D, script, opaque=True, shell=shell, files=files)


WORDS = [
    *(
        case
        for builtin in ("export", "declare", "readonly", "typeset")
        for other in ("CMD=ls", "CMD=zz", "A=b")
        for case in either(f"{builtin}-word-{other}", f"CMD={R}", other, f'{builtin} "$x"; $CMD')
    ),
    *either("local-word", f"CMD={R}", "CMD=ls", 'f() { local "$x"; $CMD; }; f'),
    *either("local-other-name", "B", "CMD", f'CMD="{R}"; f() {{ local "$x"; $CMD; }}; f'),
    *either("local-or-global", "B=1", "CMD=1", f'f() {{ local "$x"; CMD="{R}"; }}; f; $CMD'),
    *either("declare-global-option", "-g", "-l", f'f() {{ declare $x CMD="{R}"; }}; f; $CMD'),
    *either("declare-reference-option", "-x", "-n", f'declare $x CMD="{R}"; $CMD'),
    *either("declare-function-option", "-x", "-f", f'declare $x CMD="{R}"; $CMD'),
    *either("reference-target", "CMD", "AA", f'declare -n r=$x; r="{R}"; $CMD'),
    *either("reference-elsewhere", "ZZ", "CMD", f'CMD="{R}"; declare -n r=$x; r=ls; $CMD'),
    *either("reference-array", "ZZ", "CMD", f'CMD=({R}); declare -n r=$x; r=(ls); "${{CMD[@]}}"'),
    *either("reference-element", "ZZ", "CMD", f'CMD=({R}); declare -n r=$x; r[0]=ls; "${{CMD[@]}}"'),
    *either("reference-chain", "ZZ", "CMD", f'CMD="{R}"; declare -n s=$x; declare -n r=s; r=ls; $CMD'),
    *either("unset-reference", "-n", "-v", f'CMD="{R}"; declare -n r=CMD; unset $x r; $CMD'),
    *either("unset-name", "B", "A", f'A="{R}"; unset $x; $A'),
    *either("unset-default", "A", "B", f"A=ls; unset $x; ${{A:-{R}}}"),
    *either("unset-function", "B", "A", f"A() {{ {R}; }}; unset -f $x; A"),
    *either("unset-function-shadow", "rm", "zz", f"rm() {{ :; }}; unset -f $x; {R}"),
    *either("unset-function-or-variable", "-f", "-v", f'A="{R}"; unset $x A; $A'),
    *either("unset-element", "B", "A", f'A=({R}); unset "$x[0]"; "${{A[@]}}"'),
    *either("read-name", "CMD", "AA", f'CMD=ls; read -r $x <<< "{R}"; $CMD'),
    *either("read-array-name", "CMD", "AA", f'CMD=ls; read -ra $x <<< "{R}"; "${{CMD[@]}}"'),
    *either("read-array-kept", "AA", "CMD", f'CMD=({R}); read -ra $x <<< "ls"; "${{CMD[@]}}"'),
    *either("read-option", "-a", "-r", f'CMD=ls; read $x CMD <<< "{R}"; "${{CMD[@]}}"'),
    *either("mapfile-name", "CMD", "AA", f'CMD=(ls); mapfile -t $x <<< "{R}"; $CMD'),
    *either("mapfile-kept", "-O", "-n", f'CMD=({R}); mapfile $x 9 CMD <<< "ls"; "${{CMD[@]:0:3}}"'),
    *either("printf-name", "CMD", "AA", f'CMD=ls; printf -v $x "{R}"; $CMD'),
    *either("printf-option", "-v", "--", f'CMD=ls; printf $x CMD "{R}"; $CMD'),
    *either("set-option", "+e", "-e", f"set -e; set $x; false; {R}"),
    *either("set-named-option", "errexit", "nounset", f"set -e; set +o $x; false; {R}"),
    *either("set-words", "--", "-e", f'set $x {R}; "$@"'),
    *either("shift-count", "1", "2", f'set -- a {R}; shift $x; "$@"'),
    *either("shift-too-many", "9", "0", f'set -- {R}; shift $x; "$@"'),
    *either("alias-word", f"c={R}", "c=ls", 'shopt -s expand_aliases\nalias "$x"\nc'),
    *either("unalias-word", "rm", "zz", f"shopt -s expand_aliases\nalias rm=ls\nunalias $x\n{R}"),
    *either("unalias-all", "-a", "zz", f"shopt -s expand_aliases\nalias rm=ls\nunalias $x\n{R}"),
    *either("shopt-aliases", "-u", "-s", f"shopt -s expand_aliases\nshopt $x expand_aliases\nalias rm=ls\n{R}"),
    *either("shopt-lastpipe", "-s", "-u", f"shopt $x lastpipe; c=ls; echo {R} | read -r c; $c"),
    *either("break-count", "2", "1", f"while :; do while :; do break $x; done; exit; done; {R}"),
    *either(
        "continue-count", "2", "1", f'c=:; for i in 1 2; do $c; for j in 1; do c="{R}"; continue $x; done; c=:; done'
    ),
    *either("test-of-variable", "-v", "-n", f"test $x 'a[$({R})]'"),
    *either("arithmetic-name", "d", "c", f"c=0; : $(( $x = 1 )); [ $c = 0 ] && {R}"),
    *either("let-name", "d=1", "c=1", f"c=0; let $x; [ $c = 0 ] && {R}"),
    *either("command-option", "-p", "-v", f"command $x {R}"),
    *either("exec-option", "-c", "-a", f"exec $x {R}"),
    *either("output-to-itself", "/dev/stdout", "out.txt", f'echo "{R}" > $x | sh'),
    *either("output-of-a-group", "/dev/fd/1", "out.txt", f'{{ echo "{R}"; }} > $x | sh'),
    *either("output-by-number", "1", "2", f'echo "{R}" >&$x | sh'),
    *either("errors-by-number", "1", "3", f"exec 3>/dev/null; {{ echo {R} >&2; }} 2>&$x | sh"),
    *either("output-from-now-on", "/dev/stdout", "out.txt", f"{{ exec > $x; echo {R}; }} | sh"),
    *either("trap-code", R, "ls", 'trap "$x" EXIT'),
    *either("eval-state", f'c="{R}"', "c=ls", 'eval "$x"; $c'),
]

WAYS = [
    way("function-on-one-way", f"{BRANCH} && rm() {{ :; }}; {R}"),
    way("builtin-hidden-on-one-way", f'{BRANCH} && eval() {{ :; }}; eval "{R}"'),
    way("function-of-a-case", f"case $1 in a) rm() {{ :; }};; esac; {R}"),
    way("function-unset-on-one-way", f"rm() {{ :; }}; {BRANCH} || unset -f rm; {R}"),
    way("function-exported-on-one-way", f'rm() {{ :; }}; {BRANCH} && export -f rm; bash -c "{R}"'),
    way("function-exported-twice", f"if {BRANCH}; then g() {{ :; }}; else g() {{ {R}; }}; fi; export -f g; bash -c g"),
    way("alias-on-one-way", f'shopt -s expand_aliases\nalias c=ls\n{BRANCH} || alias c="{R}"\nc'),
    way("alias-gone-on-one-way", f"shopt -s expand_aliases\nalias rm=ls\n{BRANCH} || unalias rm\n{R}"),
    way("alias-of-a-loop", f'shopt -s expand_aliases; alias c=:\nfor i in 1 2; do eval c; alias c="{R}"; done'),
    way("environment-on-one-way", f"{BRANCH} && export CMD=ls; sh -c '${{CMD:-{R}}}'"),
    way("export-on-one-way", f"CMD=ls; {BRANCH} && export CMD; sh -c '${{CMD:-{R}}}'"),
    way("no-longer-exported", f"export CMD=ls; export -n CMD; sh -c '${{CMD:-{R}}}'"),
    way("not-exported-but-set", f'export -n c="{R}"; $c'),
    way("search-path-on-one-way", f'{BRANCH} && PATH="$(dirname "$0")/bin:$PATH"; {R}', files=(("scripts/bin/rm", ":\n"),)),
    way("search-path-order", f'PATH="/usr/bin:/bin:$(dirname "$0")/bin"; {R}', files=(("scripts/bin/rm", ":\n"),)),
    way("reference-on-one-way", f'c=ls; {BRANCH} && declare -n r=c; r="{R}"; $r'),
    way("reference-in-for", f'declare -n r; a=ls; b=ls; for r in a b; do r="{R}"; done; $a'),
    way("reference-unknown", f'alpha=ls; declare -n r=$(cat data.txt); r="{R}"; $alpha'),
    way("name-unknown", f'read -r "$(cat data.txt)" <<< "{R}"; $alpha'),
    way("name-unknown-array", f'alpha=(ls); read -r "$(cat data.txt)" <<< "{R}"; ${{alpha[0]}}'),
    way("unset-unknown", f'alpha=ls; unset "$(cat data.txt)"; ${{alpha:-{R}}}'),
    way("local-on-one-way", f'CMD=:; f() {{ if {BRANCH}; then local CMD; fi; CMD="{R}"; }}; f; $CMD'),
    way("local-after-assignment", f'CMD=:; f() {{ if {BRANCH}; then local CMD; else CMD="{R}"; local CMD; fi; }}; f; $CMD'),
    way("local-twice", f'f() {{ local c="{R}"; local c; $c; }}; f'),
    way("local-inherits", f'CMD="{R}"; f() {{ local -I CMD; $CMD; }}; f'),
    way("local-inherits-by-option", f'shopt -s localvar_inherit; CMD="{R}"; f() {{ local CMD; $CMD; }}; f'),
    way("local-inherits-in-dash", f'c="{R}"; f() {{ local c; $c; }}; f', "dash"),
    way("local-unset-below", f'CMD="{R}"; g() {{ unset CMD; $CMD; }}; f() {{ local CMD=ls; g; }}; f'),
    way("local-options", f"f() {{ local -; set -e; }}; f; false; {R}"),
    way("global-behind-local", f'f() {{ declare -g CMD="{R}"; }}; CMD=ls f; $CMD'),
    way("temporary-for-eval", f"CMD=\"{R}\" eval '$CMD'"),
    way("temporary-for-export", f'CMD="{R}" export CMD; $CMD'),
    way("temporary-substitution", f"x=$({R}) export y"),
    way("temporary-that-stays", f'CMD="{R}" :; $CMD', "dash"),
    way("temporary-left-by-break", f'c="{R}"; for i in 1; do c=ls eval break; done; $c'),
    way("declaration-by-computed-name", f'x=export; $x CMD="{R}"; $CMD'),
    way("declared-element", f'x="a[0]={R}"; declare "$x"; ${{a[0]}}'),
    way("declared-addition", 'CMD="rm "; x="CMD+=-f victim.txt"; declare "$x"; $CMD'),
    way("declared-list", f'x="a=({R})"; declare -a "$x"; "${{a[@]}}"'),
    way("case-goes-on", f'c=:; case a in a) c="{R}";;& [a-z]) $c;; esac'),
    way("case-changes-subject", 'c=a; case "$c" in ?) c=rm;;& a) $c -f victim.txt;; esac'),
    way("errexit-excused-in-if", f"set -e; if true; then false && :; fi; {R}"),
    way("errexit-excused-in-group", f"set -e; {{ false && :; }}; {R}"),
    way("errexit-excused-in-case", f"set -e; case a in a) false && :;; esac; {R}"),
    way("errexit-by-shopt", f"set -e; shopt -uo errexit; false; {R}"),
    way("return-outside", f"return; {R}"),
    way("shift-of-a-short-list", f"set -- '{R}'; {BRANCH} && set -- x y z; shift 2; $1"),
    way("case-after-a-text-with-a-hole", f'c="rm-$(cat data.txt)"; case $c in rm-*) {R};; esac; case $c in rm-alpha) {R};; esac'),
    way("shift-fails", f'set -- {R}; shift 4 || "$@"'),
    way("break-out-of-redirection", f'{{ while :; do {{ break; }} > /dev/null; done; echo "{R}"; }} | sh'),
    way("streams-of-a-function", f"{{ exec 3>&1 >/dev/null; f() {{ exec >&3; }}; f; echo {R}; }} | sh"),
    way("streams-of-a-group", f"{{ exec 3>&1 >/dev/null; {{ exec >&3; }} 2>/dev/null; echo {R}; }} | sh"),
    way("output-closed-on-one-way", f"c=$({{ {BRANCH} || exec >/dev/null; echo ls; }}); ${{c:-{R}}}"),
    way("readonly-keeps-its-value", f'c="{R}"; readonly c; eval "c=ls" 2>/dev/null; $c'),
    way("readonly-is-not-read", f'readonly c="{R}"; read -r c <<< ls; $c'),
    way("readonly-is-not-unset", f'readonly c="{R}"; unset c; $c'),
    way("text-becomes-array", f'c="{R}"; declare -a c; $c'),
    way("names-on-one-way", f'{BRANCH} && declare -A a; a[x]="{R}"; ${{a[0]}}'),
    way("attribute-on-one-way", f"{BRANCH} && declare -u c; c=rm; $c -f victim.txt"),
    way("arithmetic-in-a-variable", f"x='c=1'; c=0; (( x )); [ $c = 1 ] && {R}"),
    way("arithmetic-on-an-element", f"a=(0); (( a[0]=5 )); [ ${{a[0]}} = 5 ] && {R}"),
    way("recursion-with-another-function", f'c="{R}"; f() {{ g; g() {{ $c; }}; if [ -f data.txt ]; then mv data.txt x; f; fi; }}; g() {{ :; }}; f; c=:'),
]  # fmt: skip

PROGRAMS = [
    *either("env-without", "CMD", "Q", f"export CMD=ls; env -u $x sh -c '${{CMD:-{R}}}'"),
    *either("env-without-all", "-i", "-0", f"export CMD=ls; env $x sh -c '${{CMD:-{R}}}'"),
    *either("env-value", R, "ls", "env CMD=\"$x\" sh -c '$CMD'"),
    *either("env-name", "AAA", "CMD", f"export CMD='{R}'; env \"$x=ls\" sh -c '$CMD'"),
    *either("env-folder", "sub", ".", f"mkdir sub; mv victim.txt sub; env -C $x {R}"),
    *either("find-end", ";", "+", 'find . -name victim.txt -exec ls {} "$x" -delete'),
    *either("find-end-or-word", ";", "zz", 'find . -name victim.txt -exec ls {} "$x" -exec rm -f {} \\;'),
    *either("find-action", "-delete", "-print", "find . -name victim.txt $x"),
    *either("timeout-option", "-k", "-s", f"timeout $x 5 5 {R}"),
    *either("shell-option", "-c", "-x", f'sh $x "{R}"'),
    *either("git-alias", f"alias.q=!{R}", "alias.q=log", 'git init -q; git -c "$x" q'),
    *either("awk-program", f'BEGIN{{system("{R}")}}', "{print}", 'awk "$x" data.txt'),
    *either("own-script", R, "ls", 'echo "$x" > t.sh; sh t.sh'),
    way("arguments-by-xargs", f"echo 'x {R}' | xargs -L1 sh -c '\"$@\"'"),
]  # fmt: skip

CASES = [*WORDS, *WAYS, *PROGRAMS]
