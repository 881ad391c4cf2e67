"""What the tests of the documentation share: where pages are, which commands they show, and a place in which these can be run."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
CONSOLE = re.compile(r"(?:<!-- status: (\d) -->\n)?```console\n(.*?)```\n", re.DOTALL)
# keys and names of questions are new each time, and so is the time
VARIES = re.compile(
    r"\b[0-9a-f]{64}\b|(?<=signed by )[0-9a-f]{16}\b|^[0-9a-f]{10}(?=  )|\d+ s(?= ago)|[\d-]{10}[ T]\d\d:\d\d:\d\d",
    re.MULTILINE,
)
VERSION = re.compile(r"\b(mypy|ty|z3|cvc5|glucose4) \d[\w.]*")
COMMAND = re.compile(r"(?:\$ )?((?:sudo )?(?:\.venv/bin/)?(?:remit|make|pip|pipx|uv|uvx|eval|git|python3) \S.*)")


class Place:
    """A folder, a home with nothing in it, and a `remit` that is the one of this source."""

    def __init__(self, here: Path) -> None:
        self.folder, self.here = Path(tempfile.mkdtemp(prefix="docs")), here  # short: sockets lie in it
        tools = self.folder / "bin"
        tools.mkdir()
        here.mkdir(exist_ok=True)
        (tools / "remit").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m remit.cli "$@"\n')
        (tools / "remit").chmod(0o755)
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self.env |= {"HOME": str(self.folder / "home"), "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
        self.env |= {"LC_ALL": "C.UTF-8", "PATH": f"{tools}:{self.env['PATH']}"}
        self.home = self.folder / "home"
        self.home.mkdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if any(path.is_socket() for place in (self.folder, self.here) for path in place.rglob("*")):
            self.run("remit guard stop --unattended; remit down")
        shutil.rmtree(self.folder)

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command], cwd=self.here, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False
        )  # fmt: skip

    def said(self, command: str) -> tuple[int, str]:
        """The status of a command, and what it printed without what differs each time."""
        done = self.run(command)
        text = (
            (done.stdout + done.stderr)
            .replace(str(self.home), "~")
            .replace(str(self.here), "…")
            .replace(str(self.folder), "…")
        )
        return done.returncode, VERSION.sub(r"\1 …", VARIES.sub("…", text))


def played(text: str, place: Place) -> tuple[str, list[tuple[int, int, list[str]]]]:
    """A walk-through as it must be; and for each block the status that it states, that of its commands, and these."""
    statuses = []
    for found in list(CONSOLE.finditer(text)):
        commands = re.findall(r"^\$ (.*)$", found[2], re.MULTILINE)
        done = [(command, *place.said(command)) for command in commands]
        statuses.append((int(found[1] or 0), max(status for _, status, _ in done), commands))
        shown = "".join(f"$ {command}\n{printed}" for command, _, printed in done)
        head = found[0][: found[0].index("```console")]
        text = text.replace(found[0], f"{head}```console\n{shown.rstrip()}\n```\n", 1)
    return text, statuses


def shown_blocks(text: str) -> list[list[str]]:
    """The blocks of a page that could hold commands: indented ones, and fences of a shell or of nothing."""
    blocks: list[list[str]] = [[]]
    fence, before = None, ""
    for line in text.splitlines():
        if fence is not None:
            if line.strip() == "```":
                fence = None
                blocks.append([])
            elif fence in ("", "console", "bash", "sh"):
                blocks[-1].append(line)
        elif line.startswith("```"):
            fence = line[3:].strip()
            blocks.append([])
        elif line.startswith("    ") and (blocks[-1] or not before.strip()):
            blocks[-1].append(line[4:])
        elif blocks[-1]:
            blocks.append([])
        before = line
    return [block for block in blocks if block]


def shown_commands(text: str) -> list[str]:
    """The commands of a page, in their order, without what stands beside them."""
    lines = (COMMAND.match(line.strip()) for block in shown_blocks(text) for line in block)
    return [re.split(r" {2,}|\s+#", found[1])[0].strip() for found in lines if found]
