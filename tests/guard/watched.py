"""`remit approvals` on a terminal of its own, as a person sees it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

import remit

SOURCE = os.path.dirname(os.path.dirname(remit.__file__))


class Terminal:
    """`remit approvals` on a terminal of its own."""

    def __init__(self, session, columns=80, rows=24):
        self.master, slave = pty.openpty()
        self.size(columns, rows)
        program = (
            "import os, sys\nos.close(os.open(os.ttyname(0), os.O_RDWR))\n"  # it becomes the controlling terminal
            "from remit.guard.approvals import persons\npersons.agent_above = lambda pid, root: ''\n"
            "from remit.cli.main import main\nsys.exit(main(['approvals']))\n"
        )
        env = {
            "PYTHONPATH": SOURCE,
            "REMIT_STATE": str(session.places.folder),
            "TERM": "xterm",
            "HOME": "/",
            "LANG": "C.UTF-8",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", program], stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
        )
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.raw = b""

    def size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        while select.select([self.master], [], [], 0.05)[0]:
            self.raw += os.read(self.master, 65536)

    def rows(self):
        """The lines of the last frame."""
        self.read()
        frame = self.raw.rpartition(b"\x1b[1;1H")[2]
        lines = re.split(r"\x1b\[\d+;1H", frame.decode("utf-8", "replace"))
        return [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line) for line in lines]

    def until(self, text, seconds=300):
        end = time.monotonic() + seconds
        while not any(text in line for line in self.rows()):
            assert time.monotonic() < end, self.rows()
            assert self.process.poll() is None, self.raw

    def press(self, *keys):
        for key in keys:
            os.write(self.master, key)
            time.sleep(0.05)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)
