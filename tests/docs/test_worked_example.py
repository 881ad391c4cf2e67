"""The walk-through of the worked example: every command is run, in order, and prints what the page shows.

`REMIT_UPDATE_DOCS=1 pytest tests/docs/test_worked_example.py` writes the page anew.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/summarise-fetched-html"
PAGE = EXAMPLE / "README.md"
BLOCK = re.compile(r"(?:<!-- status: (\d) -->\n)?```console\n(.*?)```\n", re.DOTALL)
VARIES = re.compile(r"\b[0-9a-f]{64}\b|(?<=signed by )[0-9a-f]{16}\b")  # keys are new each time
VERSION = re.compile(r"\b(mypy|ty|z3|cvc5|cadical153) \d[\w.]*")


def blocks(text):
    """Each block: the status of its last command that is not 0, the commands, and the block itself."""
    for found in BLOCK.finditer(text):
        commands = re.findall(r"^\$ (.*)$", found[2], re.MULTILINE)
        yield int(found[1] or 0), commands, found[0]


def runner(folder):
    """Commands in a copy of the example, with nothing of this machine in what they print."""
    shutil.copytree(EXAMPLE, folder)
    tools = folder.parent / "bin"
    tools.mkdir()
    (tools / "remit").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m remit.cli "$@"\n')
    (tools / "remit").chmod(0o755)
    own = {name: str(folder.parent / name) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME")}
    env = {**os.environ, **own, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    env["PATH"] = f"{tools}:{env['PATH']}"

    def run(command):
        done = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False
        )
        return done.returncode, VERSION.sub(r"\1 …", VARIES.sub("…", done.stdout + done.stderr))

    return run


def played(text, folder):
    """The page as it must be, and for each block the worst status of its commands."""
    run = runner(folder)
    statuses = []
    for status, commands, block in list(blocks(text)):
        done = [(command, *run(command)) for command in commands]
        statuses.append((status, max(found for _, found, _ in done), commands))
        shown = "".join(f"$ {command}\n{printed}" for command, _, printed in done)
        head = block[: block.index("```console")]
        text = text.replace(block, f"{head}```console\n{shown.rstrip()}\n```\n", 1)
    return text, statuses


def test_the_walk_through_is_real(tmp_path):
    text = PAGE.read_text("utf-8")
    now, statuses = played(text, tmp_path / "example")
    assert len(statuses) >= 8
    for expected, found, commands in statuses:
        assert found == expected, commands
    if os.environ.get("REMIT_UPDATE_DOCS"):
        PAGE.write_text(now, "utf-8")
    else:
        assert text == now, "REMIT_UPDATE_DOCS=1 pytest tests/docs/test_worked_example.py writes it anew"


def test_the_two_manifests_differ_in_the_write_alone():
    from remit.manifest import read_manifest

    first, then = (read_manifest(EXAMPLE / name).permissions for name in ("first.json", "skill/remit.json"))
    added = [entry for entry in then if entry._replace(line=0) not in [one._replace(line=0) for one in first]]
    assert len(then) == len(first) + 1
    assert [(entry.capability, entry.place) for entry in added] == [("file.write", "./.cache/**")]
