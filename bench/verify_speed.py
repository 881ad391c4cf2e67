"""How long proving and verifying a typical skill takes, beside the start of Python.

    python bench/verify_speed.py [SKILL]

SKILL is a folder with a manifest that names a version; a small one is made if none is given. Cold: neither cache nor state; warm: the same
skill again. Byte code, and what belongs to the installation like it, is there from a first run. Times are the best of three, in seconds, as wall clock and as processor time; the ratio is to `python -c pass`.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKILL = {
    "SKILL.md": "---\nname: demo\ndescription: Keep pages.\n---\n# Demo\nRun `python3 scripts/fetch.py` and `scripts/tidy.sh`.\n",
    "scripts/fetch.py": (
        "import json, pathlib, sys, urllib.request\n"
        "cache = pathlib.Path('cache')\n"
        "cache.mkdir(exist_ok=True)\n"
        "(cache / 'last.txt').write_text('begun')\n"
        "def fetch(name):\n"
        "    with urllib.request.urlopen('https://www.example.com/' + name) as found:\n"
        "        return found.read()\n"
        "for name in json.loads(pathlib.Path('names.json').read_text()):\n"
        "    (cache / 'page.html').write_bytes(fetch('a'))\n"
    ),
    "scripts/tidy.sh": "#!/bin/sh\nrm -f cache/page.html\n",
}
ENTRIES = [
    ("file.read", "./names.json"), ("file.write", "./cache/**"), ("file.delete", "./cache/**"), ("web.fetch", "*.example.com"),
    ("source.execute", "./scripts/**"), ("process.create", "rm"), ("shell.execute", "rm"),
]  # fmt: skip
RUNS = 3


def write(folder: Path) -> Path:
    for name, text in SKILL.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    entries = [{"capability": name, "scope": scope, "effect": "allow"} for name, scope in ENTRIES]
    manifest = {"skill_metadata": {"name": "demo", "version": "1.0"}, "permissions": entries}
    (folder / "remit.json").write_text(json.dumps(manifest))
    return folder


def timed(words, env, before=lambda: None) -> tuple[float, float]:
    """Wall clock and processor time of a command, the best of some runs."""
    best = (float("inf"), float("inf"))
    for _ in range(RUNS):
        before()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        best = (min(best[0], wall), min(best[1], cpu))
    return best


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        skill = place / "demo"
        if len(sys.argv) > 1:
            shutil.copytree(sys.argv[1], skill, ignore=shutil.ignore_patterns("evidence"))
        else:
            write(skill)
        env = {**os.environ, "XDG_CACHE_HOME": str(place / "cache"), "XDG_STATE_HOME": str(place / "state")}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody is to compile again in every run
        remit = [sys.executable, "-m", "remit.cli"]
        key, root = place / "author.key", place / "trust.json"
        subprocess.run([*remit, "keys", "new", key], env=env, check=True, capture_output=True)
        add = ["--add", f"{key}.pub", "--level", "formal", "--name", "author"]
        subprocess.run([*remit, "keys", "trust", root, *add], env=env, check=True, capture_output=True)

        def forget() -> None:
            shutil.rmtree(place / "cache", ignore_errors=True)
            shutil.rmtree(place / "state", ignore_errors=True)

        record = place / "record.json"
        tests = [] if len(sys.argv) > 1 and (skill / "tests").exists() else ["--generate"]
        subprocess.run([*remit, "test", skill, *tests, "--output", record], env=env, check=True, capture_output=True)
        prove = [*remit, "prove", skill, "--key", key, "--tests", record]
        subprocess.run(prove, env=env, check=True, capture_output=True)
        base = timed([sys.executable, "-c", "pass"], env)
        rows = [("python -c pass", base)]
        rows.append(("prove, cold", timed(prove, env, forget)))
        verify = [*remit, "verify", skill, "--trust-root", root]
        rows.append(("verify, cold", timed(verify, env, forget)))
        rows.append(("verify, warm", timed(verify, env)))
        size = sum(path.stat().st_size for path in (skill / "evidence").iterdir())
        for what, (wall, cpu) in rows:
            print(f"{what:16}{wall:7.2f} s wall {cpu:7.2f} s processor {cpu / base[1]:7.0f} x")
        print(f"evidence: {size} bytes")


if __name__ == "__main__":
    main()
