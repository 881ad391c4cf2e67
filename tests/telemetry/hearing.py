"""Listeners for tests: one that keeps what it hears, and free ports for figures."""

import contextlib
import socket

from remit.core import telemetry
from remit.core.telemetry_table import told
from remit.telemetry.listener import Telemetry


class Kept(list):
    """In the place of a shipper."""

    put = list.append

    def close(self, _):
        pass


class Counted:
    """In the place of figures."""

    def __init__(self):
        self.counts, self.observed = [], []

    def count(self, name, labels, number=1):
        self.counts.append((name, labels, number))

    def observe(self, name, value, labels):
        self.observed.append((name, labels, value))

    def also(self, _):
        pass

    def close(self):
        pass


class Written(list):
    """In the place of lines."""

    def write(self, code, fields, _):
        self.append((code, dict(fields)))

    def close(self, _):
        pass


@contextlib.contextmanager
def heard(process="test"):
    """A listener that keeps spans, counts and lines."""
    listener = Telemetry(process)
    listener.spans, listener.figures, listener.lines = Kept(), Counted(), Written()
    telemetry.listen(listener)
    try:
        yield listener
    finally:
        telemetry.listen(None)


def free_ports():
    """The first of as many ports in a row as there are processes."""
    for first in range(21464, 60000, 100):
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            for place in told().processes.values():
                held.enter_context(socket.socket()).bind(("127.0.0.1", first + place))
            return first
    raise AssertionError("no ports are free")
