"""The process that scans on a machine of a cluster: receives batches, sends results, a line of JSON for each; started
by `cluster.py`.

It is a separate process because its workers are forked, and a process with threads, such as those of a cluster, must
not fork.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from typing import IO, Any

from remit.checker.task import preload
from remit.scan.local_run import Here, ScanAnswer
from remit.scan.look import ScanSettings, toolchain
from remit.scan.places import decode, encode
from remit.skill.model import Limits


def settings_text(settings: ScanSettings) -> str:
    """Return settings as JSON."""
    return json.dumps(settings._asdict() | {"limits": asdict(settings.limits)})


def read_settings(text: str) -> ScanSettings:
    """Parse settings from our own JSON."""
    data = json.loads(text)
    return ScanSettings(**data | {"limits": Limits(**data["limits"])})


def batch_text(wanted: list[Any], done: list[str]) -> str:
    """Return a request to a node: what to check, and which skills in it are done."""
    return json.dumps({"wanted": [encode(item) for item in wanted], "done": done})


def answer_data(answer: ScanAnswer) -> list[Any]:
    """Return a result as JSON values."""
    finding, *others = answer.seen
    return [encode(answer.item), finding.encode(), *others]


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Read settings, then batches, until there are no more; finally report the total cost."""

    def say(value: object) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    with tempfile.TemporaryDirectory(prefix="remit-scan-") as staging:
        here = Here(read_settings(requests.readline()), staging, 1)
        preload(())
        say({"toolchain": toolchain()})
        with here.pool:
            for line in requests:
                for part in _answers(here, json.loads(line)):
                    say(part)
        say({"seconds": here.pool.cost.seconds, "memory": here.pool.cost.memory})


def _answers(here: Here, batch: dict[str, Any]) -> Iterator[Any]:
    done = frozenset(batch["done"])
    for answer in here.run([decode(item) for item in batch["wanted"]], done):
        yield answer_data(answer)
    yield "end"


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
