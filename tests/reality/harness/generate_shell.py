"""Random bash."""

from __future__ import annotations

import shlex

from harness.check import Program
from harness.names import SAFE, Builder


class Shell(Builder):
    """Writes commands into `lines`; `word` gives a word that expands to one text."""

    def __init__(self, rng) -> None:
        super().__init__(rng)
        self.functions: list[str] = []

    def program(self) -> Program:
        """A whole program."""
        for _ in range(self.rng.randint(1, 4)):
            self.wrapped(self.effect())
        head = self.pick("", "set -e\n", "set -u\n", "set -euo pipefail\n")
        text = "#!/bin/bash\n" + head + "\n".join(self.functions + self.lines) + "\n"
        return Program({"main.sh": text, **self.files}, ("arg-out.txt", "data.txt"), stdin="data.txt\nb.tmp\n")

    # ── words ──

    def word(self, want: str, depth: int = 3) -> str:
        """A word that expands to `want`, and nothing else."""
        if depth <= 0 or self.rng.random() < 0.15:
            return self.quoted(want)
        return self.rng.choice(self.WORDS)(self, want, depth - 1)

    def quoted(self, want: str) -> str:
        """A literal, quoted in one of the ways."""
        plain = set(want) <= set(SAFE) and want
        ways = [shlex.quote(want), '"' + "".join("\\" + c if c in '"\\$`' else c for c in want) + '"']
        if plain:
            at = self.rng.randrange(len(want))
            ways += [
                want,
                want[:at] + "\\" + want[at:],
                want[:at] + "''" + want[at:],
                want[:at] + '"' + want[at:] + '"',
            ]
        ways.append(
            "$'" + "".join(f"\\x{b:02x}" if b > 127 or not chr(b).isalnum() else chr(b) for b in want.encode()) + "'"
        )
        return self.rng.choice(ways)

    def w_concat(self, want, depth):
        left, right = self.cut(want)
        return self.word(left, depth) + self.word(right, depth)

    def w_variable(self, want, depth):
        name = self.fresh()
        how = self.pick("{}={}", "declare {}={}", "export {}={}", "readonly {}={}")
        self.lines.append(how.format(name, self.word(want, depth)))
        return self.pick(
            f'"${name}"', f'"${{{name}}}"', f'"${{{name}:-zz}}"', f'"${{{name}:?}}"', f'"${{zz{name}:-${name}}}"'
        )

    def w_append(self, want, depth):
        name = self.fresh()
        left, right = self.cut(want)
        self.lines += [f"{name}={self.word(left, depth)}", f"{name}+={self.word(right, depth)}"]
        return f'"${name}"'

    def w_substitution(self, want, depth):
        if not want or want.endswith("\n"):
            return self.quoted(want)
        inner = self.word(want, depth)
        return self.pick(
            f'"$(printf %s {inner})"',
            f"\"$(printf '%s\\n' {inner})\"",
            f'"$(cat <<< {inner})"',
            f'"$(echo {inner})"' if want[0] != "-" and "\\" not in want else f'"$(printf %s {inner})"',
        )

    def w_suffix(self, want, depth):
        name = self.fresh()
        self.lines.append(f"{name}={self.word(want + '.zzz', depth)}")
        return self.pick(
            f'"${{{name}%.zzz}}"',
            f'"${{{name}%%.zzz}}"',
            f'"${{{name}/.zzz/}}"',
            f'"${{{name}:0:{len(want)}}}"',
            f'"${{{name}/%.zzz/}}"',
        )

    def w_prefix(self, want, depth):
        name = self.fresh()
        self.lines.append(f"{name}={self.word('zz:' + want, depth)}")
        return self.pick(
            f'"${{{name}#zz:}}"', f'"${{{name}#*:}}"', f'"${{{name}/#zz:/}}"', f'"${{{name}:3}}"', f'"${{{name}##zz:}}"'
        )

    def w_replace(self, want, depth):
        if not want:
            return self.quoted(want)
        at = self.rng.randrange(len(want))
        name = self.fresh()
        self.lines.append(f"{name}={self.word(want[:at] + 'QQ' + want[at + 1 :], depth)}")
        return f'"${{{name}/QQ/{shlex.quote(want[at])}}}"' if want[at] in SAFE else self.quoted(want)

    def w_array(self, want, depth):
        name = self.fresh("a")
        self.lines.append(f"{name}=(zz {self.word(want, depth)} yy)")
        return self.pick(f'"${{{name}[1]}}"', f'"${{{name}[@]:1:1}}"', f'"${{{name}[1-0]}}"')

    def w_assoc(self, want, depth):
        name = self.fresh("h")
        self.lines += [f"declare -A {name}", f"{name}[k]={self.word(want, depth)}"]
        return f'"${{{name}[k]}}"'

    def w_printf_v(self, want, depth):
        name = self.fresh()
        left, right = self.cut(want)
        self.lines.append(f"printf -v {name} '%s%s' {self.word(left, depth)} {self.word(right, depth)}")
        return f'"${name}"'

    def w_read(self, want, depth):
        name = self.fresh()
        if want != want.strip() or not want or "\\" in want:
            return self.quoted(want)
        self.lines.append(
            self.pick(
                f"read -r {name} <<< {self.word(want, depth)}",
                f"IFS= read -r {name} < <(printf '%s\\n' {self.word(want, depth)})",
            )
        )
        return f'"${name}"'

    def w_heredoc(self, want, depth):
        name = self.fresh()
        if set(want) & set("\\$`"):
            return self.quoted(want)
        self.lines.append(f"{name}=$(cat <<'EOT'\n{want}\nEOT\n)")
        return f'"${name}"'

    def w_function(self, want, depth):
        name = self.fresh("f")
        left, right = self.cut(want)
        self.functions.append(f'{name}() {{ local l="$1"; printf \'%s\' "$l$2"; }}')
        return f'"$({name} {self.word(left, depth)} {self.word(right, depth)})"'

    def w_result(self, want, depth):
        name = self.fresh("f")
        self.functions.append(f'{name}() {{ R{name}="$1"; }}')
        self.lines.append(f"{name} {self.word(want, depth)}")
        return f'"$R{name}"'

    def w_case(self, want, depth):
        name = self.fresh()
        if not want.isascii() or want != want.lower():
            return self.quoted(want)
        self.lines.append(f"{name}={self.word(want.upper(), depth)}")
        return self.pick(
            f'"${{{name},,}}"',
            f'"$(tr A-Z a-z <<< "${name}")"',
            f"\"$(printf %s \"${name}\" | tr '[:upper:]' '[:lower:]')\"",
        )

    def w_set(self, want, depth):
        self.lines.append(f'set -- {self.word(want, depth)} zz "$@"')
        name = self.fresh()
        self.lines += [f'{name}="$1"', "shift 2"]
        return f'"${name}"'

    def w_indirect(self, want, depth):
        name, pointer = self.fresh(), self.fresh()
        self.lines += [f"{name}={self.word(want, depth)}", f"{pointer}={name}"]
        return f'"${{!{pointer}}}"'

    def w_nameref(self, want, depth):
        name, pointer = self.fresh(), self.fresh()
        self.lines += [f"{name}={self.word(want, depth)}", f"declare -n {pointer}={name}"]
        return f'"${pointer}"'

    def w_pipe(self, want, depth):
        if not want or "\\" in want:
            return self.quoted(want)
        return self.pick(
            f"\"$(printf '%s\\n' zz {self.word(want, depth)} | tail -n 1)\"",
            f"\"$(printf '%s\\n' {self.word(want, depth)} zz | head -1)\"",
            f'"$(printf %s {self.word(want[::-1], depth)} | rev)"',
            f"\"$(printf '%s' {self.word('x/' + want, depth)} | sed 's|^x/||')\"",
        )

    def w_dirname(self, want, depth):
        if not want or "/" in want:
            return self.quoted(want)
        return self.pick(
            f'"$(basename -- {self.word("zz/" + want, depth)})"',
            f'"$(basename {self.word("zz/" + want + ".q", depth)} .q)"',
        )

    def w_arithmetic(self, want, _depth):
        if "1" not in want:
            return self.quoted(want)
        left, _, right = want.partition("1")
        return f"{self.quoted(left)}$(( 3 - 2 )){self.quoted(right)}" if left or right else "$((2-1))"

    def w_loop(self, want, depth):
        name = self.fresh()
        pieces = [want[i : i + 4] for i in range(0, len(want), 4)]
        self.lines += [
            f"{name}=",
            f'for i{name} in {" ".join(self.quoted(p) for p in pieces) or chr(39) * 2}; do {name}="${name}$i{name}"; done',
        ]
        return f'"${name}"'

    WORDS = tuple(value for key, value in list(vars().items()) if key.startswith("w_"))

    # ── effects ──

    def e_redirect(self):
        path = self.word(self.new())
        return self.pick(
            [f"echo x > {path}"],
            [f"echo x >> {path}"],
            [f": > {path}"],
            [f"> {path}"],
            [f"exec 3> {path}", "echo y >&3", "exec 3>&-"],
            [f"{{ echo a; echo b; }} &> {path}"],
            [f"printf x | tee {path} > /dev/null"],
            [f"cat > {path} <<EOT\ntext $HOME\nEOT"],
        )

    def e_read(self):
        path = self.word(self.existing())
        return self.pick(
            [f"cat {path}"],
            [f"wc -l < {path}"],
            [f'while IFS= read -r l; do echo "$l"; done < {path}'],
            [f"grep -c x {path} || true"],
            [f"x=$(< {path})"],
            [f"mapfile -t m < {path}"],
            [f"head -n 1 {path} | sort"],
        )

    def e_delete(self):
        path = self.word(self.existing())
        return self.pick(
            [f"rm {path}"],
            [f"rm -f -- {path}"],
            [f"unlink {path}"],
            [f"printf '%s\\0' {path} | xargs -0 rm"],
            ["rm -f *.tmp"],
            ["rm -rf dir"],
            ["find . -name '*.tmp' -delete"],
            ["find dir -type f -exec rm {} +"],
            ['for f in *.tmp; do rm "$f"; done'],
            ["rm -f {a,b}.tmp"],
            ["rm -- [ab].tmp"],
        )

    def e_move(self):
        old, new = self.word(self.existing()), self.word(self.new())
        return self.pick(
            [f"mv {old} {new}"],
            [f"cp {old} {new}"],
            [f"ln -s {old} {new}"],
            [f"install -m 600 {old} {new}"],
            [f"cp -t dir {self.word(self.pick('victim.txt', 'data.txt'))}"],
            ["mv a.tmp b.tmp dir/"],
        )

    def e_folder(self):
        path = self.word(self.new())
        return self.pick(
            [f"mkdir -p {path}"],
            [f"mkdir {path}", f"rmdir {path}"],
            [f"touch {path}"],
            [f"mkdir -p {path}/{{one,two}}"],
            ["t=$(mktemp)", 'echo x > "$t"', 'rm "$t"'],
            ["d=$(mktemp -d)", 'touch "$d/f"', 'rm -r "$d"'],
        )

    def e_chmod(self):
        return [f"chmod {self.pick('600', 'u+x', '-x')} {self.word(self.existing())}"]

    def e_cd(self):
        name = self.word(self.pick("cd-made.txt", "y"), 2)
        return self.pick(
            [f"cd dir && touch {name}", "cd .."],
            [f"( cd dir; echo x > {name} )"],
            [f"pushd dir > /dev/null; touch {name}; popd > /dev/null"],
            ["cd ./dir/../dir || exit 1", f"touch {name}", "cd - > /dev/null"],
        )

    def e_eval(self):
        path = self.quoted(self.existing())
        return self.pick(
            [f"eval {self.word('rm ' + path, 1)}"],
            [f"c={self.word('rm', 2)}", f"$c {path}"],
            [f"a=({self.word('rm', 1)} -f)", f'"${{a[@]}}" {path}'],
            [f"bash -c {shlex.quote('rm ' + path)}"],
            [f"sh -c 'rm \"$1\"' sh {self.word(self.existing(), 2)}"],
            [f"bash <<'EOT'\nrm {path}\nEOT"],
            [f"echo {shlex.quote('rm ' + path)} | sh"],
            [f"trap {shlex.quote('rm -f ' + path)} EXIT"],
            [f"command rm {path}"],
            [f"env X=1 rm {path}"],
            [f"timeout 5 rm {path}"],
            [f"\\rm {path}"],
        )

    def e_argument(self):
        return self.pick(
            ['touch "$1"'],
            ['cat "$2" > "${1}.copy"'],
            ['for a in "$@"; do wc -c "$a" || true; done'],
            ['while read -r f; do rm -f "$f"; done'],
            ['out="${1:-none}"', 'mkdir -p "$out"'],
        )

    def e_script(self):
        name = self.fresh("s") + ".sh"
        self.files[name] = 'touch "$1"\n'
        return self.pick(
            [f'bash "$(dirname "$0")/{name}" {self.word(self.new(), 2)}'],
            [
                'here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"',
                f"set -- {self.word(self.new(), 2)}",
                f'. "$here/{name}"',
            ],
        )

    def e_sed(self):
        path = self.word(self.existing())
        return self.pick(
            [f"sed -i 's/t/u/' {path}"],
            [f"awk '{{ print > \"awk-out\" }}' {path}"],
            [f"sort -o {self.word(self.new())} {path}"],
            [f"sed -n 'w sed-out' {path}"],
            [f"tar cf t.tar {path}"],
            [f"split -l 1 {path} sp-"],
            [f"dd if={path} of=dd-out 2> /dev/null"],
            [f"truncate -s 0 {path}"],
            [f"gzip -k {path}"],
        )

    def e_function(self):
        name = self.fresh("f")
        self.functions.append(f'{name}() {{ local p="$1"; shift; "$@" "$p"; }}')
        return [
            f"{name} {self.word(self.existing())} {self.word(self.pick('rm', 'cat', 'chmod 600'.split(maxsplit=1)[0] + ''), 1) if False else self.pick('rm', 'cat', 'touch')}"
        ]

    def wrapped(self, commands: list[str]) -> None:
        """Put commands into the program, perhaps inside something."""
        body = "\n".join(commands)
        name = self.fresh("w")
        way = self.rng.randrange(8)
        shapes = {
            0: f'{name}() {{\n{body}\n}}\n{name} "$@"',
            1: f'if [ -n "$1" ]; then\n{body}\nfi',
            2: f"for z in 1; do\n{body}\ndone",
            3: f"(\n{body}\n)",
            4: f"case $# in *)\n{body}\n;; esac",
            5: f"{{\n{body}\n}} || true",
        }
        self.lines.append(shapes.get(way, body))
