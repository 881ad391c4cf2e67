"""A place in which a program can be run and watched: folders, a clean environment, bubblewrap and strace if they work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.names import EXISTING
from remit.capsule.trace import OPTIONS, TRACED

SECONDS = 30
HOOK = """
import json, os, sys
_log = os.open(os.environ.pop("REALITY_AUDIT"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
_names = {"open", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.chmod", "os.link", "os.symlink", "os.truncate", "os.listdir",
          "os.scandir", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect", "socket.bind", "shutil.rmtree"}
def _hook(name, args, _write=os.write, _dumps=json.dumps, _cwd=os.getcwd, _fs=os.fsdecode):
    if name in _names:
        try:
            where = _cwd()
        except OSError:
            where = ""
        shown = [_fs(a) if isinstance(a, (bytes, os.PathLike)) else a if isinstance(a, (str, int, type(None))) else repr(a) for a in args]
        _write(_log, (_dumps([name, where, shown]) + "\\n").encode())
sys.addaudithook(_hook)
"""


@dataclass(frozen=True)
class Place:
    """The folders of one run."""

    base: Path
    existing: tuple[str, ...] = EXISTING  # the files of the work folder before the run

    @property
    def skill(self) -> Path:
        return self.base / "skill"

    @property
    def work(self) -> Path:
        return self.base / "work"

    @property
    def home(self) -> Path:
        return self.base / "home"

    @property
    def tmp(self) -> Path:
        return self.base / "tmp"

    @property
    def log(self) -> Path:
        return self.base / "log"

    @property
    def bin(self) -> Path:
        return self.base / "bin"

    def folders(self) -> dict[str, str]:
        """By name, for the list of ambient effects."""
        named = {name: str(getattr(self, name)) for name in ("skill", "work", "home", "tmp", "bin", "log")}
        return named | {"python": sys.base_prefix, "hook": str(self.base / "hook")}


@dataclass(frozen=True)
class Ran:
    """What came out of a run."""

    status: int
    output: str
    trace: Path | None
    audit: Path | None


def prepare(base: Path) -> Place:
    """Fresh folders, with the files that programs may act on."""
    place = Place(base.resolve())
    for folder in (place.skill, place.work / "dir", place.home, place.tmp, place.log, place.bin, place.base / "hook"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("victim.txt", "data.txt", "a.tmp", "b.tmp", "dir/x.txt"):
        (place.work / name).write_text(f"{name}\n")
    (place.work / "in.json").write_text(json.dumps({"name": "value", "list": [1, 2]}))
    with zipfile.ZipFile(place.work / "in.zip", "w") as archive:
        archive.writestr("inner.txt", "inner\n")
    python = Path(sysconfig.get_config_var("BINDIR") or "/usr/bin") / f"python3.{sys.version_info.minor}"
    for name in ("python3", "python"):
        (place.bin / name).symlink_to(python if python.exists() else Path(sys.executable).resolve())
    (place.base / "hook/sitecustomize.py").write_text(HOOK)
    return place


@cache
def has_strace() -> bool:
    """Whether strace can watch a child here."""
    return _works(["strace", "-f", "-o", "/dev/null", "/bin/true"])


@cache
def has_bubblewrap() -> bool:
    """Whether bubblewrap can make a sandbox here."""
    return _works(["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "/bin/true"])


@cache
def has_node() -> bool:
    """Whether JavaScript can be run here."""
    return _works(["node", "--version"])


def _works(command: list[str]) -> bool:
    if not shutil.which(command[0]):
        return False
    return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0


def confined(place: Place) -> list[str]:
    """The words before a command that keep it inside: no network, nothing writable but its folders, no sockets of services."""
    writable = (place.work, place.tmp, place.home, place.log, place.skill)
    return [
        *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run"),
        *(word for path in writable for word in ("--bind", str(path), str(path))),
        *("--unshare-all", "--die-with-parent", "--chdir", str(place.work)),
    ]


def run(
    place: Place,
    argv: list[str],
    *,
    audit: bool = False,
    env: dict[str, str] | None = None,
    stdin: str = "",
    seconds: float = SECONDS,
) -> Ran:
    """Run a program in the work folder and keep what it did."""
    surroundings = {
        "PATH": f"{place.bin}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(place.home),
        "TMPDIR": str(place.tmp),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        **(env or {}),
    }
    if audit:
        surroundings |= {"PYTHONPATH": str(place.base / "hook"), "REALITY_AUDIT": str(place.log / "audit")}
    command = argv
    if has_strace():
        command = ["strace", *OPTIONS, "-o", str(place.log / "trace"), "-e", f"trace={TRACED}", *command]
    if has_bubblewrap():
        command = [*confined(place), *command]
    try:
        done = subprocess.run(
            command,
            cwd=place.work,
            env=surroundings,
            input=stdin.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
            start_new_session=True,
        )
        status, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        status, output = 124, late.stdout or b""
    _mend_devices()
    trace, log = (path if path.exists() else None for path in (place.log / "trace", place.log / "audit"))
    return Ran(status, output.decode("utf-8", "replace"), trace, log)


def _mend_devices() -> None:
    """Devices in a sandbox are those of the machine: what runs as root can change who may use them, and `chmod` has done so."""
    if os.geteuid() == 0:
        for name in ("null", "zero", "full", "random", "urandom", "tty"):
            device = Path("/dev") / name
            if device.is_char_device() and device.stat().st_mode & 0o666 != 0o666:
                device.chmod(0o666)


def sandboxed() -> bool:
    """Whether what a program does is kept inside."""
    return has_bubblewrap() or os.environ.get("REALITY_UNSAFE") == "1"
