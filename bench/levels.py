"""Which level public skills reach with drafted manifests and generated tests, and what stops the others.

    python bench/levels.py SKILL…

Each SKILL is a folder with a SKILL.md. It is copied; in the copy run `remit init` (where it brings no manifest along), `remit test --generate` and `remit prove
--level formal`, which says which level holds. One line for each skill: the level, the breadth, seconds of each command as wall clock, and the first thing that stops the next level.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

REMIT = [sys.executable, "-m", "remit.cli"]
LEVELS = ("none", "unverified", "declared", "tested", "formal")


def run(words, env) -> tuple[int, str, float]:
    start = time.perf_counter()
    done = subprocess.run([*REMIT, *map(str, words)], env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr, time.perf_counter() - start


def first(text: str, *patterns: str) -> str:
    for pattern in patterns:
        if found := re.search(pattern, text, re.MULTILINE):
            return " ".join(found[0].split())[:160]
    return " ".join(text.split())[:160]


def stops_test(said: str) -> str:
    try:
        record = json.loads(said)
    except ValueError:
        return first(said)
    for run in record["commands"]:
        if run["status"] != run.get("expected", 0) or run["ending"] != "exited" or run["problems"]:
            return f"a command fails: {' '.join(run['command'])[:80]} {run['ending']} {run['problems'][:1]}"
    for name in ("outside", "untested"):
        for item in record[name]:
            if not item.get("unobservable"):
                return f"{name}: {item['capability']} {item['scope']}, {len(record[name])} in all"
    return ""


def level_of(skill: Path, key: Path, env) -> tuple[str, str, dict[str, float], str]:
    """The level that is reached, the breadth, the time of each command, and what stops the next level."""
    times: dict[str, float] = {}
    reached, breadth = "none", ""
    if not (skill / "remit.json").exists():
        code, said, times["init"] = run(["init", skill, "-q"], env)
        if code:
            return reached, breadth, times, f"init: {first(said)}"
    (skill / "tests/remit-cases.json").unlink(missing_ok=True)
    code, said, times["test"] = run(["test", skill, "--generate", "-q", "--format", "json", "--timeout", "20",
                                     "--output", skill.parent / "record.json"], env)  # fmt: skip
    said = said[said.find("{\n") :] if "{\n" in said else said
    untested = "" if not code else stops_test(said[: said.rfind("}") + 1] or said)
    code, said, times["prove"] = run(
        ["prove", skill, "--key", key, "--level", "formal", "--out", skill.parent / "out", "--format", "json",
         *([] if untested else ["--tests", skill.parent / "record.json"])], env
    )  # fmt: skip
    try:
        value = json.loads(said)
    except ValueError:
        return reached, breadth, times, first(said)
    reached = value["level"]
    return reached, str(len(value["breadth"])), times, stops(value, untested)


def stops(value, untested: str) -> str:
    """What stops the next level."""
    if value["level"] == "unverified":
        return next(f"{name}: {item}"[:200] for name in ("escapes", "opaque") for item in value["containment"][name])
    if value["level"] == "declared":
        return untested or value["untested"]
    return "" if value["level"] == "formal" else f"{value.get('types')} {value.get('sessions')}"[:200]


def main() -> None:
    reached: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        env = {**os.environ, "XDG_CACHE_HOME": str(place / "cache"), "XDG_STATE_HOME": str(place / "state")}
        key = place / "author.key"
        run(["keys", "new", key], env)
        for number, folder in enumerate(map(Path, sys.argv[1:])):
            skill = place / str(number) / folder.resolve().name
            shutil.copytree(folder, skill, symlinks=True, ignore=shutil.ignore_patterns("evidence", ".git"))
            level, breadth, times, why = level_of(skill, key, env)
            reached[level] += 1
            spent = " ".join(f"{what} {seconds:.1f}" for what, seconds in times.items())
            print(f"{level:9}{breadth:>3} unlimited  {folder.resolve().name:34} {spent}  {why}", flush=True)
    print(", ".join(f"{reached[level]} {level}" for level in LEVELS), "of", len(sys.argv) - 1)


if __name__ == "__main__":
    main()
