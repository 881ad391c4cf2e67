"""Scans on the machines of a Ray cluster, with the same code on each of them, and so with the same rows.

A Ray actor holds one `node` process. A batch whose actor or process dies is retried; a batch that fails again is split,
so that a skill that crashes a whole machine costs only that skill. Machines read the sources themselves: folders and
archives must have the same paths there, and Remit must be the same version, which is checked.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from remit.checker.workers import Cost
from remit.core.errors import UsageError
from remit.scan.finding import Finding, LocatedResult, unknown
from remit.scan.local_run import ScanAnswer
from remit.scan.look import ScanSettings, toolchain
from remit.scan.node import batch_text, settings_text
from remit.scan.places import INSIDE, Bad, Item, SkillSource, Wanted, decode

LOCAL = "local"
_BATCH = 32  # skills per batch
_TRIES = 4
_OBJECTS = 256 * 1024 * 1024  # bytes that Ray reserves for results in transit; a batch has some hundred thousand
_AHEAD = 2  # batches that an actor has at a time, so that it never waits


class Node:
    """In the cluster: a `node` process, which is restarted if it ends."""

    def __init__(self, settings: str) -> None:
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None

    def toolchain(self) -> str:
        """Return the version of Remit there."""
        return str(json.loads(self._start())["toolchain"])

    def scan(self, batch: str) -> list[str]:
        """Return the results for a batch. RuntimeError if the process ends meanwhile."""
        if self._process is None:
            self._start()
        try:
            return self._asked(batch)
        except (RuntimeError, OSError):
            self._end()
            raise

    def close(self) -> str:
        """End the process; return its cost."""
        if self._process is None:
            return "{}"
        out, _ = self._process.communicate()
        self._process = None
        return out.splitlines()[-1] if out else "{}"

    def pids(self) -> list[int]:
        """Return the processes here: the actor's, and the scanning one."""
        return [os.getpid(), self._process.pid if self._process else 0]

    def _end(self) -> None:
        """Clean up after a process that died; the next batch starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):  # what was not sent yet is no longer useful
                    pipe.close()  # type: ignore[union-attr]

    def _asked(self, batch: str) -> list[str]:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(batch + "\n")
        self._process.stdin.flush()
        out: list[str] = []
        for line in self._process.stdout:
            if line == '"end"\n':
                return out
            out.append(line)
        raise RuntimeError("the process that scans has ended")

    def _start(self) -> str:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "remit.scan.node"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(self._settings + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


class Cluster:
    """One run on a cluster."""

    def __init__(self, settings: ScanSettings, address: str, workers: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics; Ray reads it when it is imported
        import ray  # noqa: PLC0415  an extra, and slow to import

        self._ray: Any = ray
        self.cost = Cost()
        self.found = 0
        self._join(address, workers)
        count = workers if address == LOCAL else int(self._ray.cluster_resources().get("CPU", 1))
        actor = self._ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=1)(Node)
        self.nodes = [actor.remote(settings_text(settings)) for _ in range(max(1, count))]
        refuse_others(self._ray.get([node.toolchain.remote() for node in self.nodes]))

    def _join(self, address: str, workers: int) -> None:
        """Join a cluster. Starting a local one is retried: parts of Ray wait for each other for a fixed time, which a
        busy machine exceeds.
        """
        own = {"include_dashboard": False, "num_cpus": workers, "object_store_memory": _OBJECTS}
        options = own if address == LOCAL else {"address": address}
        for left in reversed(range(_TRIES if address == LOCAL else 1)):
            try:
                self._ray.init(log_to_driver=False, logging_level="ERROR", ignore_reinit_error=True, **options)
            except Exception as error:  # noqa: BLE001  Ray raises no more than that
                self._ray.shutdown()
                if not left:
                    reason = str(error).strip().splitlines()
                    message = f"there is no Ray cluster at `{address}`: {reason[0] if reason else type(error).__name__}"
                    raise UsageError(message, "`ray start --head` starts one, and says how to get there") from None
            else:
                return

    def run(self, wanted: Iterable[Wanted], done: AbstractSet[str] = frozenset()) -> Iterator[ScanAnswer]:
        """Yield a result for every requested skill that is not done, as they come."""
        ray = self._ray
        known = _by_source(done)
        batches = _batches(wanted, done)
        again: deque[list[Item | SkillSource]] = deque()
        under_way: dict[Any, tuple[int, list[Item | SkillSource]]] = {}
        free = deque(number for _ in range(_AHEAD) for number in range(len(self.nodes)))
        while True:
            while free:
                batch = again.popleft() if again else next(batches, None)
                if batch is None:
                    break
                if isinstance(batch, Bad):
                    yield ScanAnswer(batch.item, unknown(batch.error))
                    continue
                number = free.popleft()
                held = [
                    name for place in batch for name in known.get(place.source, ()) if isinstance(place, SkillSource)
                ]
                under_way[self.nodes[number].scan.remote(batch_text(batch, held))] = number, batch
            if not under_way:
                return
            for ready in ray.wait(list(under_way), num_returns=1)[0]:
                number, batch = under_way.pop(ready)
                free.append(number)
                try:
                    answers = ray.get(ready)
                except (ray.exceptions.RayError, RuntimeError) as error:
                    yield from _failed(batch, again, error)
                    continue
                self.found += len(answers) - len(batch)
                for line in answers:
                    yield _answer(json.loads(line))

    def close(self) -> None:
        """End the processes, and add up their cost."""
        ray = self._ray
        for line in ray.get([node.close.remote() for node in self.nodes]):
            used = json.loads(line)
            self.cost.seconds += used.get("seconds", 0.0)
            self.cost.memory = max(self.cost.memory, used.get("memory", 0))
        ray.shutdown()


def refuse_others(toolchains: Iterable[str]) -> None:
    """Raise UsageError if a machine would give other results."""
    for said in toolchains:
        if said != toolchain():
            message = f"a machine of the cluster has `{said}`, not `{toolchain()}`"
            raise UsageError(message, "install the same Remit on all")


def _batches(wanted: Iterable[Wanted], done: AbstractSet[str]) -> Iterator[list[Item | SkillSource] | Bad]:
    """Batch skills by the dozen, places one by one: their number of skills is unknown."""
    held: list[Item | SkillSource] = []
    for item in wanted:
        if item.location in done and not isinstance(item, SkillSource):
            continue
        if isinstance(item, Bad):
            yield item
        elif isinstance(item, SkillSource):
            yield [item]
        else:
            held.append(item)
            if len(held) == _BATCH:
                yield held
                held = []
    if held:
        yield held


def _by_source(done: Iterable[str]) -> dict[str, list[str]]:
    """Return skills of places that are done, by all possible names of the place."""
    out: dict[str, list[str]] = {}
    for name in done:
        parts = name.split(INSIDE)
        for count in range(1, len(parts) + 1):
            out.setdefault(INSIDE.join(parts[:count]), []).append(name)
    return out


def _failed(
    batch: list[Item | SkillSource], again: deque[list[Item | SkillSource]], error: Exception
) -> Iterator[ScanAnswer]:
    if len(batch) > 1:
        again.extend([item] for item in batch)
        return
    item = batch[0]
    if isinstance(item, SkillSource):
        item = Item(item.location, item.source, ".", "", item.called)
    reason = str(error).strip().splitlines()
    yield ScanAnswer(item, unknown(f"the analysis did not finish: {reason[0] if reason else type(error).__name__}"))


def _answer(data: list[Any]) -> ScanAnswer:
    item, found, *others = data
    out = decode(item)
    assert isinstance(out, Item)
    return ScanAnswer(out, LocatedResult(Finding.decode(found), *others))
