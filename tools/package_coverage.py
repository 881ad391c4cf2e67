"""How much of each package its own tests run: lines and branches in per cent, and the files with the least.

tools/package_coverage.py [PACKAGE…]      exit status 1 where a package without a reason is below the limit, or a test fails

What tests do in other processes (workers, daemons, hosts) is not counted, so that the numbers are lower than what is tested.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 85.0  # per cent of branches
WORST = 3
# tests of a package that do not lie in a folder with its name
TESTS = {
    "analysis": "analysis commands flows javascript shell soundness",
    "checker": "cli scan",
    "installation": "cli",
    "web": "web console",
}


def measured(package: str, folder: Path) -> tuple[bool, dict[str, dict[str, float]]]:
    """Whether the tests of a package pass, and what coverage says of its files."""
    env = {**os.environ, "COVERAGE_FILE": str(folder / package), "PYTHONPATH": str(ROOT / "src")}
    tests = [f"tests/{name}" for name in TESTS.get(package, package).split() if (ROOT / "tests" / name).is_dir()]
    coverage = [sys.executable, "-P", "-m", "coverage"]
    run = [
        *coverage,
        "run",
        "--branch",
        f"--source=src/remit/{package}",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run([*run, *tests], cwd=ROOT, env=env, stdout=subprocess.DEVNULL, check=False)
    out = folder / f"{package}.json"
    subprocess.run([*coverage, "json", "-q", "-o", str(out)], cwd=ROOT, env=env, check=True)
    found = json.loads(out.read_text("utf-8"))
    return done.returncode == 0, {name: file["summary"] for name, file in found["files"].items()} | {
        "": found["totals"]
    }


def branches(summary: dict[str, float]) -> float:
    every = summary["num_branches"]
    return 100 * summary["covered_branches"] / every if every else 100.0


def main() -> int:
    packages = sys.argv[1:] or sorted(
        path.name for path in (ROOT / "src/remit").iterdir() if (path / "__init__.py").exists()
    )
    fine = True
    print(f"{'package':14} {'lines':>6} {'branches':>9}")
    with tempfile.TemporaryDirectory() as name:
        for package in packages:
            passed, files = measured(package, Path(name))
            total = files.pop("")
            lines = 100 * total["covered_lines"] / max(1, total["num_statements"])
            fine = fine and passed and branches(total) >= LIMIT
            print(f"{package:14} {lines:5.1f}% {branches(total):8.1f}%{'' if passed else '  a test fails'}", flush=True)
            for path in sorted(files, key=lambda path: branches(files[path]))[:WORST]:
                print(f"{'':14} {'':6} {branches(files[path]):8.1f}%  {path}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
