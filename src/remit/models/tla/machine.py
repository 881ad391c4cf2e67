"""A process of its own with one Java machine, in which TLC runs many times: starting Java takes longer than most runs.

It reads one line a run (JSON: the folder of the model, and options) and answers with one line (exit status and output). TLC leaves
threads behind, so that the process ends at once when nothing more is asked, without waiting for them.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

READY = "ready"
MODULE = "Checked"  # the module that TLC is given; its folder has a file of this name


def main(jar: str, library: str, scratch: str) -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever Java prints by itself is no answer
    tlc = _Tlc(jar, library, scratch)
    answers.write(READY + "\n")
    answers.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        status, output = tlc.run(asked["folder"], asked["options"])
        answers.write(json.dumps({"status": status, "output": output}) + "\n")
        answers.flush()
    os._exit(0)


class _Tlc:
    """TLC in this process."""

    def __init__(self, jar: str, library: str, scratch: str) -> None:
        import jpype  # noqa: PLC0415  in this process alone

        # few and small runs: compiling less and collecting simply is faster
        options = ("-Xrs", "-Xss16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", f"-Djava.io.tmpdir={scratch}")
        jpype.startJVM(*options, classpath=[jar])
        self._class: Any = jpype.JClass
        self._library = library

    def run(self, folder: str, options: list[str]) -> tuple[int, str]:
        """The exit status that TLC has as a program, and what it printed."""
        buffer = self._class("java.io.ByteArrayOutputStream")()
        tools = self._class("util.ToolIO")
        tools.out = tools.err = self._class("java.io.PrintStream")(buffer, True, "UTF-8")
        tlc = self._class("tlc2.TLC")()
        here = Path(folder)
        asked = ["-tool", "-deadlock", "-workers", "1", "-metadir", str(here / "meta"), *options, str(here / MODULE)]
        if not tlc.handleParameters(asked):
            return -1, str(buffer.toString("UTF-8"))
        tlc.setResolver(self._class("util.SimpleFilenameToStream")([folder, self._library]))
        code = tlc.process()
        status = self._class("tlc2.output.EC$ExitStatus").errorConstantToExitStatus(code)
        return int(status), str(buffer.toString("UTF-8"))


if __name__ == "__main__":
    main(*sys.argv[1:])
