"""Scripts of public skills on real inputs, without walls and inside of them: how many work unchanged.

bench/walls_at_work.py CORPUS [--python PATH]
CORPUS holds checkouts of public skills, PATH is a Python with the packages that they import. Each command runs three times on copies of the
same inputs: twice by bash and once by bash inside of the walls of that skill with a drafted manifest, which a person trusts. It works unchanged if status,
output and files are the same (but for numbers of objects in memory and times); where the two runs without walls differ, status and names of files. A command that fails without walls because a
package or program is missing is counted apart. Exit status 1 if one works otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/guard"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/guard/walls"))

from walled import Walled

from remit.cli.main import main as remit

DATA = json.loads((Path(__file__).resolve().parent / "data/walls_at_work.json").read_text())
MISSING = re.compile(
    r"ModuleNotFoundError|ImportError|command not found|is not installed|No such file or directory: '\w+'|Unable to get page count"
)
VARYING = re.compile(r"0x[0-9a-f]+|\d{1,2}:\d\d:\d\d(\.\d+)?|\d+\.\d+ ?s\b|20\d\d-\d\d-\d\d")


def contents(folder):
    """Files of a folder with a digest each; archives by their size alone, because times stand in them."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (
            path.is_file()
            and not path.is_symlink()
            and not name.startswith((".claude/", ".git/"))
            and "__pycache__" not in name
        ):
            plain = path.suffix not in (".docx", ".xlsx", ".pptx", ".pdf", ".skill", ".zip")
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if plain else len(path.read_bytes()) // 100
    return found


def plain_text(text, folder):
    return VARYING.sub("<n>", text.replace(str(folder), "<folder>"))


MANIFESTS = {}  # drafted, by skill


def manifest(skill, folder):
    """The manifest of a skill: its own, or one that is drafted once."""
    if skill not in MANIFESTS:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            if not (folder / "remit.json").exists() and (folder / "SKILL.md").exists():
                remit(["init", "--quiet", str(folder)])
        MANIFESTS[skill] = (folder / "remit.json").read_text() if (folder / "remit.json").exists() else ""
    return MANIFESTS[skill]


def tried(skill, command, python, inputs):
    """How a command ends without walls and inside of them: word and detail."""
    with tempfile.TemporaryDirectory(prefix="rw") as name:
        ends = []
        for way in ("plain", "again", "walls"):
            with socket.create_server(("127.0.0.1", 0)) as server:
                port = str(server.getsockname()[1])
            base = Path(name) / "same"  # the same path for both
            base.mkdir()
            walled = Walled(base)
            shutil.copytree(inputs, walled.root, dirs_exist_ok=True)
            folder = walled.root / ".claude/skills" / skill.name
            shutil.copytree(skill, folder, ignore=shutil.ignore_patterns(".git"))
            own = True
            if way == "walls":
                if drafted := manifest(skill, folder):
                    (folder / "remit.json").write_text(drafted)
                    walled.agent.trusts(folder / "remit.json", (folder / "remit.json").read_text())
                walled.agent.says(f"use {skill.name}")
                walled.agent.loads(skill.name)
                loaded = [one.name for one in walled.live().policy.skills]
                walled.name = loaded[-1]  # one that may not be loaded without a person runs in the walls of the other
                own = walled.name != "report"
            environ = {
                **walled.environ,
                "PY": str(python),
                "S": str(folder),
                "W": str(walled.root),
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            text = (
                command.replace("$PY", str(python))
                .replace("$S", str(folder))
                .replace("$W", str(walled.root))
                .replace("$PORT", port)
            )
            walled.environ = environ
            if way == "walls":
                done = walled.run(text, timeout=300)
            else:
                done = subprocess.run(
                    ["bash", "-c", text],
                    cwd=walled.root,
                    env=environ,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=300,
                    check=False,
                )
            ends.append(
                (
                    done.returncode,
                    plain_text(done.stdout.replace(port, "<port>"), base),
                    plain_text(done.stderr, base),
                    contents(walled.root),
                )
            )
            walled.close()
            base.rename(Path(name) / way)
    plain, again, inside = ends
    if plain[0] and MISSING.search(plain[1] + plain[2]):
        return "missing", MISSING.search(plain[1] + plain[2])[0]
    if plain != again:  # it gives something else each time
        plain, inside = ((one[0], "", "", list(one[3])) for one in (plain, inside))
    if plain == inside:
        return "unchanged", f"status {plain[0]}{'' if own else ', in the walls of another skill'}"
    which = [
        what
        for what, one, other in zip(("status", "output", "errors", "files"), plain, inside, strict=True)
        if one != other
    ]
    return "CHANGED", f"{', '.join(which)}: {(inside[2] or inside[1])[-300:]!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--python", type=Path, default=Path(sys.executable))
    args = parser.parse_args()
    os.environ["PATH"] = f"{args.python.parent}:{os.environ['PATH']}"
    counts = {"unchanged": 0, "missing": 0, "CHANGED": 0}
    skills = set()
    with tempfile.TemporaryDirectory(prefix="ri") as inputs:
        subprocess.run([args.python, "-c", "\n".join(DATA["inputs"])], cwd=inputs, check=True)
        for place, command in DATA["commands"]:
            if not (args.corpus / place).is_dir():
                word, detail = "missing", "no such skill in the corpus"
            else:
                word, detail = tried(args.corpus / place, command, args.python, Path(inputs))
            counts[word] += 1
            if word != "missing":
                skills.add(place)
            print(f"{word:9} {place.rpartition('/')[2]:28} {command[:70]:70} {detail}", flush=True)
    print(
        f"{sum(counts.values())} commands, {len(skills)} skills that ran: "
        + ", ".join(f"{number} {word.lower()}" for word, number in counts.items())
    )
    return int(counts["CHANGED"] > 0)


if __name__ == "__main__":
    sys.exit(main())
