"""How long it takes to say what common commands would do, warm, in one process; and how that compares to starting a shell.

python bench/understand_speed.py
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from remit.guard.call_analysis.commands import Cache, CallPlace, understand

COMMANDS = (
    "ls",
    "ls -la src",
    "cat README.md",
    "git status",
    "git log --oneline | head -5",
    "grep -rn TODO src",
    "rm -rf build",
    "cd src && ls",
    "python -c 'print(1 + 1)'",
    'python -c \'import json, sys; print(json.load(open("a.json"))["b"])\'',
    "find . -name '*.py' | xargs wc -l",
    "sed -n 1,20p README.md > head.txt",
    "bash run.sh out",
    "python tool.py --out result.txt",
    "curl -s https://example.com/x | jq .",
)
BOUND = 3.0  # milliseconds, for a common command


def _median(run: object, times: int) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()  # type: ignore[operator]
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def main() -> None:
    """Print a line for each command."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "src").mkdir()
        (folder / "README.md").write_text("a\n")
        (folder / "run.sh").write_text('mkdir -p "$1"\necho x > "$1/y"\n')
        (folder / "tool.py").write_text(
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--out')\n"
            "a = p.parse_args()\nopen(a.out, 'w').write('x')\n"
        )
        place = CallPlace(folder, folder, folder / "home", folder / "tmp")
        shell = _median(lambda: subprocess.run(["/bin/sh", "-c", ":"], check=True), 20)
        print(f"{'command':<72}{'ms':>8}{'of bound':>10}{'of sh -c':>10}{'cached ms':>11}")
        for command in COMMANDS:
            understand(command, place)
            took = _median(lambda c=command: understand(c, place), 30)
            cache = Cache()
            understand(command, place, cache=cache)
            again = _median(lambda c=command, k=cache: understand(c, place, cache=k), 30)
            print(f"{command:<72}{took:>8.2f}{took / BOUND:>10.2f}{took / shell:>10.2f}{again:>11.3f}")


if __name__ == "__main__":
    main()
