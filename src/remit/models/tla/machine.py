"""A separate process with one Java machine that runs TLC many times, because starting Java takes longer than most runs.

It reads one line a run (JSON: subject, folder, and options) and answers with one line (exit status and output). TLC leaves
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
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever Java prints by itself is no answer
    tlc = _Tlc(jar, library, scratch)
    answers.write(READY + "\n")
    answers.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        status, output = tlc.run(asked["about"], asked["folder"], asked["options"])
        answers.write(json.dumps({"status": status, "output": output}) + "\n")
        answers.flush()
    os._exit(0)


class _Tlc:
    """TLC in this process."""

    def __init__(self, jar: str, library: str, scratch: str) -> None:
        import jpype  # noqa: PLC0415  in this process alone

        # few and small runs: compiling less and collecting simply is faster
        options = (
            "-Xrs",
            "-Xss16m",
            "-Xmx2g",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            f"-Djava.io.tmpdir={scratch}",
        )
        jpype.startJVM(*options)
        self._jpype: Any = jpype
        self._jar, self._library = jar, library
        self._about, self._loader = "", None

    def _class(self, name: str) -> Any:
        return self._jpype.JClass(name, loader=self._loader)

    def _turn_to(self, about: str) -> None:
        """Use a separate TLC for each text, because TLC caches names of a model and confuses them with those of others."""
        if about != self._about:
            platform = self._jpype.JClass("java.lang.ClassLoader").getPlatformClassLoader()
            place = self._jpype.JClass("java.io.File")(self._jar).toURI().toURL()
            self._loader = self._jpype.JClass("java.net.URLClassLoader")([place], platform)
            self._about = about
            self._forget_figures()

    def _forget_figures(self) -> None:
        """Unregister TLC's metrics, whose names must be unique in a Java machine; they are not used."""
        server = self._jpype.JClass("java.lang.management.ManagementFactory").getPlatformMBeanServer()
        for name in server.queryNames(self._jpype.JClass("javax.management.ObjectName")("tlc2.*:*"), None):
            server.unregisterMBean(name)

    def run(self, about: str, folder: str, options: list[str]) -> tuple[int, str]:
        """Return the exit status that TLC would have as a program, and its output."""
        self._turn_to(about)
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
