"""How well does `remit init` draft? Compares drafts with what people say that skills require.

bench/manifests.py [REFERENCES…] --root DIR [--parts 1,2,…] [--skills N]

DIR holds one checkout a repository, named OWNER+REPO. REFERENCES are files of `{"repo", "path", "capabilities"}`: a JSON list, or a
line each; without them, bench/data/annotations.jsonl (our own, made by the conventions of docs/drafting.md;
`part` names the batch: rules were tuned on some of them, see docs/drafting.md). Prints every error with the reason that the draft
gives, then precision, recall and F1 over all capabilities of all skills, and how many skills are over- and under-declared.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

OURS = Path(__file__).with_name("data") / "annotations.jsonl"
# SkillGuard's own figures, with a language model, on 23 other skills: beside ours, not against ours
THEIRS = "SkillGuard (language model, 23 other skills): P 0.856 R 0.971 F1 0.910, over-declared 56.5 %, under-declared 17.4 %"


class Reference(NamedTuple):
    folder: Path
    wanted: frozenset[str]


def references(files: list[Path], root: Path, parts: set[int]) -> list[Reference]:
    rows = []
    for file in files or [OURS]:
        text = file.read_text("utf-8")
        rows += json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
    chosen = [row for row in rows if not parts or row.get("part") in parts]
    return [
        Reference(root / row["repo"].replace("/", "+") / row["path"], frozenset(row["capabilities"])) for row in chosen
    ]


def drafts(folders: list[Path]) -> dict[str, dict[str, str]]:
    """The granted capabilities of each folder with the first reason for each, from one run of the command."""
    done = subprocess.run(
        [sys.executable, "-m", "remit.cli", "init", *map(str, folders), "--stdout"],
        capture_output=True,
        text=True,
        check=False,
    )
    out: dict[str, dict[str, str]] = {}
    for line in done.stdout.splitlines():
        found = json.loads(line)
        out[found["path"]] = {
            entry["capability"]: reason(entry)
            for entry in found["manifest"]["permissions"]
            if entry.get("effect") != "deny"
        }
    return out


def reason(entry: dict) -> str:
    first = (entry.get("evidence") or [{"file": "-", "line": 0, "text": "", "rule": ""}])[0]
    return f"{first['file']}:{first['line']} {first['text'][:90]!r} ({first.get('rule', '')[:60]})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("references", nargs="*", type=Path)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--parts", default="", help="batches of our annotations, e.g. 10,11")
    parser.add_argument("--skills", type=int, default=0, help="the first N only")
    options = parser.parse_args()
    parts = {int(part) for part in options.parts.split(",") if part}
    wanted = [one for one in references(options.references, options.root, parts) if one.folder.is_dir()]
    wanted = wanted[: options.skills or None]
    if len(wanted) < 2:
        print("fewer than two of the skills lie under --root", file=sys.stderr)
        return 2
    found = drafts([one.folder for one in wanted])
    hit, extra, missing = Counter(), Counter(), Counter()
    over = under = crashed = 0
    for one in wanted:
        got = found.get(one.folder.as_posix())
        crashed += got is None
        granted = set(got or {})
        hit.update(granted & one.wanted)
        extra.update(granted - one.wanted)
        missing.update(one.wanted - granted)
        over += bool(granted - one.wanted)
        under += bool(one.wanted - granted)
        if granted != one.wanted:
            print(one.folder.relative_to(options.root))
        for name in sorted(granted - one.wanted):
            print(f"    extra   {name}: {(got or {})[name]}")
        for name in sorted(one.wanted - granted):
            print(f"    missing {name}")
    print(f"\n{'capability':20} hit extra missing")
    for name in sorted({*extra, *missing}, key=lambda name: -(extra[name] + missing[name])):
        print(f"{name:20} {hit[name]:3} {extra[name]:5} {missing[name]:7}")
    hits, extras, misses = (sum(counter.values()) for counter in (hit, extra, missing))
    precision, recall = hits / max(1, hits + extras), hits / max(1, hits + misses)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    total = len(wanted)
    print(
        f"\n{total} skills, {crashed} without a draft: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}, "
        f"over-declared {over / total:.1%}, under-declared {under / total:.1%}\n{THEIRS}"
    )
    return 1 if crashed else 0


if __name__ == "__main__":
    sys.exit(main())
