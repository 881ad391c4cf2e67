"""Skills to mutate: small, and between them of every kind that is read."""

from __future__ import annotations

import json

SKILL = """---
name: demo
description: does a thing
license: MIT
allowed-tools: Bash(git:*), Read
metadata: {author: "x", list: [1, 2, {a: b}]}
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./check.sh
---

# Demo

Run `python scripts/a.py <file>` and !`git status`.

```bash
cd out && for f in *.txt; do rm "$f"; done
curl -s https://api.example.com/{id} | jq '.a[] | .b'
```

```python
import json
print(json.load(open("x.json"))["k"])
```

```js
const fs = require('fs'); fs.writeFileSync(`${process.argv[2]}.out`, 'x');
```
"""

PYTHON = '''#!/usr/bin/env python3
"""Doc."""
from __future__ import annotations
import argparse, os, sys, subprocess, re
from pathlib import Path
from dataclasses import dataclass, field


@dataclass
class Job:
    name: str
    parts: list[str] = field(default_factory=list)

    def run(self, *args, shell=False, **kw):
        return subprocess.run(["git", *args, self.name], check=True, **kw)


TABLE = {"rm": os.remove, "ls": lambda p: os.listdir(p)}


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", default="out")
    args = parser.parse_args(argv)
    with open(args.path, "r") as handle:
        rows = [line.strip().split(",") for line in handle if line]
    for key, value in zip(rows[0], rows[1]):
        TABLE.get(key, print)(f"{args.out}/{value!r:>10}")
    try:
        Job(sys.argv[1]).run("log", "-n", str(3))
    except (OSError, KeyError) as error:
        raise SystemExit(1) from error
    finally:
        os.environ["X"] = "y"
    match rows:
        case [[a, *_], {"k": v}] if a:
            return a
        case _:
            pass
    return async_main


async def async_main():
    async with foo() as x:
        await x.get(url := "https://example.com")
        yield [y async for y in x]


if __name__ == "__main__":
    main()
'''

SHELL = r"""#!/usr/bin/env bash
set -euo pipefail
declare -A map=([a]=1 [b]="two words")
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
usage() { cat <<EOF
usage: $0 [-x] ${1:-file}
EOF
}
while getopts "xo:" opt; do
  case "$opt" in x) set -x ;; o) out="$OPTARG" ;; *) usage; exit 2 ;; esac
done
shift $((OPTIND - 1))
for f in "${@:-}" *.{txt,md} ~/x/?[a-z]*; do
  [[ -f $f && ${f##*.} =~ ^t(x)t$ ]] && sed -i 's/a/b/' "$f" | tee >(wc -l) 2>&1 || true
done
x=$(( ${#map[@]} + 0x1f ? 1 : 2 )); y=`echo \`date\``
printf '%s\n' "${x//a/b}" "${!x}" $'\x41' "${map[$x]^^}" <<< "here" >> "$out/log" &
find . -name '*.tmp' -exec rm -f {} + ; trap 'rm -rf "$tmp"' EXIT
python3 - <<'PY'
import os; os.remove("x")
PY
"""

SCRIPT = """#!/usr/bin/env node
import fs, { readFile as rf } from 'node:fs'; import * as path from "path";
const { exec: run, ...rest } = require('child_process');
class A extends B { #p = 1; static x = y => ({ ...y }); get z() { return this.#p ?? super.z; } async *[Symbol.iterator]() { yield* this; } }
export default async function main({ a = 1, b: [c, , d] = [] } = {}, ...args) {
  for await (const x of [1, 2]) label: while (true) { if (x) continue label; else break; }
  const t = `a${`b${c}`}d`; const r = /[/\\\\]\\\\/(?<n>x)/giu; eval("1" + t);
  try { await fetch(`https://x.com/${t}`, { method: 'POST' }); } catch { } finally { run(`rm ${args[0]}`); }
  return a?.b?.[c]?.(d) ?? (typeof new.target, void 0, a ** 2 >>> 1), fs.promises.unlink(path.join(__dirname, '..', t));
}
"""

TYPED = """interface X<T extends keyof Y> { a?: T; [k: string]: unknown }
enum E { A = 1, B = 'x' } namespace N { export const y = <const>[1]; }
export abstract class C<T> implements X<T> {
  constructor(private readonly p: string, public q = E.A) { super(); } declare z: number;
  @dec() m(this: C<T>): asserts p is string { return (p as any)!.x satisfies T; }
}
import type { T } from './t'; import fs = require('fs'); export = C;
const el = fs.readFileSync(process.argv[2]!);
"""

NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "metadata": {"kernelspec": {"name": "python3"}},
        "cells": [
            {"cell_type": "markdown", "source": ["# x"]},
            {"cell_type": "code", "source": ["%%bash\n", "rm x"]},
            {"cell_type": "code", "source": "!ls $x\n%cd out\nimport os\nos.remove('x')"},
        ],
    }
)
SCRIPTS = {"postinstall": "node a.js && rm -rf x", "test": "jest"}
PACKAGE = json.dumps({"name": "x", "scripts": SCRIPTS, "dependencies": {"left-pad": "1"}})
MAKEFILE = "CC ?= gcc\nall: $(wildcard *.c)\n\t@rm -f $@ \\\n\t  $<\n\nclean:\n\t-rm *.o\n.PHONY: all\n"
HOOK = {"Stop": [{"hooks": [{"type": "command", "command": "rm x"}]}]}

SEED: dict[str, str] = {
    "SKILL.md": SKILL,
    "scripts/a.py": PYTHON,
    "scripts/b.sh": SHELL,
    "scripts/c.mjs": SCRIPT,
    "scripts/d.ts": TYPED,
    "scripts/e.ipynb": NOTEBOOK,
    "package.json": PACKAGE,
    "Makefile": MAKEFILE,
    "references/r.md": SKILL.split("---")[2],
    ".claude/settings.json": json.dumps({"hooks": HOOK, "permissions": {"allow": ["Bash(*)"]}}),
    "data.yaml": "a: &x [1, 2]\nb: *x\n",
}
