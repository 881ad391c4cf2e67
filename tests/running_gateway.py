"""A gateway of one's own, as a process, and the commands beside it."""

import os
import re
import socket
import subprocess
import sys
import time

_WAIT = 300


class Running:
    """A gateway that runs, and the commands beside it."""

    def __init__(self, folder, settings=None, *more, program=("-m", "remit.cli")):
        self.folder = folder
        self.program = program  # that the gateway itself is
        self.env = {**os.environ, "REMIT_STATE": str(folder), "PYTHONUNBUFFERED": "1"}
        for name in ("CLAUDECODE", "REMIT_AGENT"):
            self.env.pop(name, None)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.started = []
        args = ["--settings", str(settings)] if settings else []
        self.gateway = self.start("gateway", "up", "--port", str(self.port), *args, *more, program=self.program)
        self.until(self._answers)

    def _answers(self):
        assert self.gateway.poll() is None, self.told(self.gateway)
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0

    def start(self, *args, program=("-m", "remit.cli")):
        log = self.folder / f"out-{len(self.started)}"
        with log.open("w") as out:
            process = subprocess.Popen(
                [sys.executable, *program, *args], env=self.env, stdout=out, stderr=out, stdin=subprocess.DEVNULL
            )
        self.started.append((process, log))
        return process

    def told(self, process):
        return next(log for one, log in self.started if one is process).read_text()

    def run(self, *args):
        done = subprocess.run(
            [sys.executable, "-m", "remit.cli", *args],
            env=self.env,
            capture_output=True,
            text=True,
            timeout=_WAIT,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def until(self, what):
        for _ in range(_WAIT * 10):
            if found := what():
                return found
            time.sleep(0.1)
        raise AssertionError([log.read_text() for _, log in self.started])

    def node(self, *args):
        """A device, paired."""
        process = self.start("node", "--url", f"ws://127.0.0.1:{self.port}/node", *args)
        code = self.until(lambda: re.search(r"pair nodes (\w+)", self.told(process)))[1]
        assert self.run("gateway", "pair", "nodes", code, "--unattended") == (0, "nodes: approved\n")
        self.until(lambda: "paired: " in self.told(process))
        return process

    def close(self):
        for process, _ in self.started:
            process.terminate()
        for process, _ in self.started:
            process.wait(_WAIT)
