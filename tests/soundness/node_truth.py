"""Runs a JavaScript case in a scratch folder under strace and says what it really did."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casefile import Case

CALLS = "execve,connect,sendto,sendmsg,unlink,unlinkat,rmdir,rename,renameat,renameat2,open,openat,creat,truncate,ftruncate,chmod,fchmodat,symlink,symlinkat,link,linkat,mkdir,mkdirat"
_LINE = re.compile(r"^\d+ +(?P<name>\w+)\((?P<args>.*)\) += (?P<result>-?\d+|\?)")
_SIMPLE = {
    "unlink": ["file.delete"], "unlinkat": ["file.delete"], "rmdir": ["file.delete"], "rename": ["file.delete", "file.write"],
    "renameat": ["file.delete", "file.write"], "renameat2": ["file.delete", "file.write"], "truncate": ["file.write"],
    "creat": ["file.write"], "chmod": ["file.chmod"], "fchmodat": ["file.chmod"], "symlink": ["file.write"], "symlinkat": ["file.write"],
    "link": ["file.write"], "linkat": ["file.write"], "mkdir": ["file.write"], "mkdirat": ["file.write"],
}  # fmt: skip
TYPED = (".ts", ".mts", ".cts", ".tsx")


def script_of(case: Case) -> str:
    """The file that is run."""
    return next(path for path in case.files if path.startswith("scripts/main"))


def observe(case: Case, folder: Path, runner: Path | None = None) -> set[str]:
    """The capabilities that a run of the case exercised. `runner` starts TypeScript."""
    root = case.write(folder)
    script = script_of(case)
    program = [str(runner)] if runner is not None and script.endswith(TYPED) else ["node", "--no-deprecation"]
    with tempfile.TemporaryDirectory(prefix="truth-") as above:
        scratch = Path(above) / "here"
        scratch.mkdir()
        for name in ("victim.txt", "data.txt"):
            (scratch / name).write_text("x\n", encoding="utf-8")
        log = Path(above) / "log"
        words = [
            "strace",
            "-f",
            "-qq",
            "-s",
            "200",
            "-o",
            str(log),
            "-e",
            f"trace={CALLS}",
            *program,
            str(root / script),
            *shlex.split(case.run or ""),
        ]
        subprocess.run(words, cwd=scratch, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        seen = _read(log.read_text(encoding="utf-8", errors="replace"), {str(root), str(folder)})
        return seen if (scratch / "victim.txt").exists() else seen | {"file.delete"}


def _read(log: str, own: set[str]) -> set[str]:
    seen: set[str] = set()
    started = 0
    for line in log.splitlines():
        match = _LINE.match(line)
        if match is None or (match["name"] != "connect" and match["result"].startswith("-")):
            continue
        name, args = match["name"], match["args"]
        if name == "execve":
            started += 1
            if started > 1:
                seen.add("process.create")
        elif name in {"connect", "sendto", "sendmsg"}:
            if "AF_INET" in args:
                seen.add("net.connect")
        elif name in {"open", "openat"}:
            path = args.partition('"')[2].partition('"')[0]
            if any(flag in args for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC")):
                seen.add("file.write")
            elif not path.startswith(("/usr", "/lib", "/etc", "/proc", "/sys", "/dev")) and not any(
                path.startswith(root) for root in own
            ):
                seen.add("file.read")
        else:
            seen.update(_SIMPLE.get(name, ()))
    return seen


def has_tools() -> bool:
    """Whether claims can be tried here."""
    return shutil.which("node") is not None and shutil.which("strace") is not None
