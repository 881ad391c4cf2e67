"""One scan from sources to a file: what is requested, how it is scanned, and where the rows go."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.checker.task import preload
from remit.checker.workers import Cost
from remit.core.digest import digest
from remit.findings.model import Level
from remit.scan.local_run import Here, ScanAnswer
from remit.scan.look import ScanSettings, toolchain
from remit.scan.places import Bad, SkillSource, Wanted
from remit.scan.results import Results
from remit.scan.rows import UNKNOWN, VERDICTS
from remit.scan.sources import wanted
from remit.scan.store import RedisStore, open_store

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa


class Order(NamedTuple):
    """The options of a scan."""

    sources: tuple[str, ...]
    out: Path
    settings: ScanSettings
    workers: int
    ray: str = ""  # the address of a cluster, or `local`
    fresh: bool = False  # whether an unfinished scan is discarded


class Watcher(Protocol):
    """A listener for progress."""

    def begin(self, total: int, done: int) -> None:
        """Set the number of requested skills, and of those that were done before."""
        ...

    def step(self, name: str, total: int) -> None:
        """Count one more skill; the number of requested ones may have grown, because places were opened."""
        ...


class Summary(NamedTuple):
    """The result of a scan."""

    skills: int
    levels: dict[str, int]
    verdicts: dict[str, int]
    looked_at: int  # in this run; the others were done before it was interrupted
    cached: int
    begun_anew: bool  # an unfinished scan of another Remit, or with other limits or digests, was discarded
    seconds: float
    processor: float  # seconds of processor time, all processes together
    memory: int  # bytes, of this process
    worker_memory: int  # bytes, of the largest worker

    @property
    def rate(self) -> float:
        """Skills per second."""
        return self.looked_at / self.seconds if self.seconds else 0.0

    @property
    def unknown(self) -> int:
        """The number of skills of which nothing is known."""
        return self.verdicts.get(UNKNOWN, 0)


def scan(order: Order, watcher: Watcher) -> Summary:
    """Scan, and write the file; what was done before an interruption is not repeated."""
    start = time.monotonic()
    _try_store(order.settings)
    everything = list(wanted(order.sources))
    claim = _claim(order.settings, everything)
    with Results(order.out, claim, fresh=order.fresh) as results:
        names = _Names(everything)
        before = sum(1 for name in results.done if name in names)
        watcher.begin(max(len(everything), before), before)
        cost = Cost()
        looked_at = 0
        for answer, more in _answers(order, everything, results, cost):
            results.add(answer.seen.row(answer.item, toolchain()))
            looked_at += 1
            watcher.step(answer.item.location, len(everything) + more)
        tally = Tally()
        results.finish(names, tally.add)
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Summary(
        sum(tally.verdicts.values()),
        {str(level): tally.levels[level] for level in Level},
        {name: tally.verdicts[name] for name in VERDICTS},
        looked_at,
        tally.cached,
        results.begun_anew,
        time.monotonic() - start,
        cost.seconds + used.ru_utime + used.ru_stime,
        used.ru_maxrss * 1024,
        cost.memory,
    )


class Tally:
    """Counts rows as they are written."""

    def __init__(self) -> None:
        self.levels: Counter[str | None] = Counter()
        self.verdicts: Counter[str] = Counter()
        self.cached = 0

    def add(self, rows: pa.Table) -> None:
        """Add more rows."""
        self.levels.update(rows.column("level").to_pylist())
        self.verdicts.update(rows.column("verdict").to_pylist())
        self.cached += sum(rows.column("cached").to_pylist())


class _Names:
    """The requested locations; of a place everything in it, because its content is not known before."""

    def __init__(self, everything: Sequence[Wanted]) -> None:
        self._single = {item.location for item in everything}
        self._places = tuple(f"{item.source}!" for item in everything if isinstance(item, SkillSource))

    def __contains__(self, name: object) -> bool:
        return name in self._single or str(name).startswith(self._places)


def _answers(order: Order, everything: list[Wanted], results: Results, cost: Cost) -> Iterator[tuple[ScanAnswer, int]]:
    """Yield every result, and by how many skills the total has grown."""
    done = frozenset(results.done)
    if order.ray:
        from remit.scan.cluster import Cluster  # noqa: PLC0415  only who asks for it

        cluster = Cluster(order.settings, order.ray, order.workers)
        try:
            for answer in cluster.run(everything, done):
                yield answer, cluster.found
        finally:
            cluster.close()
            cost.take(cluster.cost)
        return
    preload(())
    here = Here(order.settings, str(results.staging), order.workers)
    try:
        for answer in here.run(everything, done):
            yield answer, here.found
    finally:
        here.pool.end()
        cost.take(here.pool.cost)


def _claim(settings: ScanSettings, everything: Sequence[Wanted]) -> dict[str, Any]:
    """Return what makes rows comparable. Time and memory limits are not part of it: a machine with more may resume a
    scan.
    """
    pinned = {item.location: item.digest for item in everything if not isinstance(item, Bad) and item.digest}
    return {
        "toolchain": toolchain(), "limits": asdict(settings.limits), "archive_bytes": settings.archive_bytes,
        "digests": digest(pinned),
    }  # fmt: skip


def _try_store(settings: ScanSettings) -> None:
    """Fail early on a wrong cache setting, not after hours of work."""
    store = open_store(settings.cache, settings.cache_key)
    if isinstance(store, RedisStore):
        store.ping()
