"""Run as a program: a scan by a Ray cluster of two workers, both of which lose a process on the way.

ray_session.py OUT SOURCE…: the row of every skill goes to OUT, what became of the processes to standard output. In a process of its own because
Ray leaves threads and children behind.
"""

import json
import os
import signal
import sys
from pathlib import Path

from remit.scan import cluster, conduct
from remit.scan.look import ScanSettings


class Nobody:
    def begin(self, total, done):
        pass

    def step(self, name, total):
        pass


class Killed(cluster.Cluster):
    """After the first answer, an actor of Ray is killed, and the process below another."""

    def run(self, wanted, done=frozenset()):
        ray = self._ray
        (actor, _), (_, process) = (ray.get(node.pids.remote()) for node in self.nodes)
        for number, answer in enumerate(super().run(wanted, done)):
            if number == 0:
                os.kill(actor, signal.SIGKILL)
                os.kill(process, signal.SIGKILL)
            yield answer


def main():
    out, *sources = sys.argv[1:]
    cluster._BATCH = 4  # so that there are more batches than are given out at once
    cluster.Cluster = Killed
    summary = conduct.scan(conduct.Order(tuple(sources), Path(out), ScanSettings(), 2, cluster.LOCAL), Nobody())
    print(json.dumps(summary._asdict()))


if __name__ == "__main__":
    main()
