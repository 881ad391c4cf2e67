"""How fast the log is: appends one by one and in batches, as a ratio to bare inserts of the same bytes; and what verifying needs.

bench/audit_speed.py [--records N] [--long N]     prints rates and ratios; --long N verifies a log of N records and prints its memory
"""

from __future__ import annotations

import argparse
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from remit.audit import Entry, Inferred, Log, Outcome, RecordKind
from remit.audit.entry import written
from remit.audit.head import Places, read_local_key
from remit.audit.verify import IntactLog, verify_log

BATCH = 100


def entry(number: int) -> Entry:
    """A decision of the usual size, about 450 bytes."""
    return Entry(
        kind=RecordKind.DECISION, host="claude-code", event="PreToolUse", session="s1", call=f"c{number}", tool="Bash", op="run",
        arguments={"command": f"make report-{number}", "timeout": 20}, capability="shell.execute", scope="make",
        inferred=(Inferred("file.write", "./out/**", Outcome.ADMIT),), principal="pdf", policy="manifest:3",
        reason="inside the manifest", outcome=Outcome.ADMIT, judged="sha256:" + "0" * 64,
    )  # fmt: skip


def bare(folder: Path, count: int, batch: int) -> float:
    """Inserts a second into one table, in WAL mode, of texts as long as our records."""
    text = written(1, 1, entry(1))
    with closing(sqlite3.connect(folder / f"bare{batch}.db", isolation_level=None)) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = NORMAL")
        store.execute("CREATE TABLE record (number INTEGER PRIMARY KEY, text BLOB, hash BLOB)")
        start = time.perf_counter()
        for first in range(0, count, batch):
            store.execute("BEGIN IMMEDIATE")
            store.executemany(
                "INSERT INTO record VALUES (?, ?, ?)",
                [(number, text, b"\0" * 32) for number in range(first, first + batch)],
            )
            store.execute("COMMIT")
        return count / (time.perf_counter() - start)


def ours(folder: Path, count: int, batch: int) -> tuple[float, list[float]]:
    """Records a second, the making of entries included; and the time of each append."""
    times = []
    with Log.open(folder / f"log{batch}") as log:
        start = time.perf_counter()
        for first in range(0, count, batch):
            before = time.perf_counter()
            log.append(*[entry(number) for number in range(first, first + batch)])
            times.append(time.perf_counter() - before)
        return count / (time.perf_counter() - start), times


def long(folder: Path, count: int) -> None:
    """A log of so many records, verified in one go."""
    with Log.open(folder / "long") as log:
        for first in range(0, count, 1000):
            log.append(*[entry(number) for number in range(first, first + 1000)])
        log.sign()
    key = read_local_key(Places(folder / "long"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    found = verify_log(folder / "long", {key.keyid: key})
    took = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert isinstance(found, IntactLog), found
    assert found.records == count
    print(
        f"verify      {count} records in {took:.1f} s, {count / took:,.0f} a second; peak {after / 1024:.0f} MB, before {before / 1024:.0f} MB"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=4000)
    parser.add_argument("--long", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for batch in (1, BATCH):
            base = bare(folder, args.records, batch)
            rate, times = ours(folder, args.records, batch)
            middle, worst = statistics.median(times) * 1e3, sorted(times)[int(len(times) * 0.99)] * 1e3
            print(
                f"batch {batch:<4}  {rate:,.0f} records a second, bare SQLite {base:,.0f}: ratio {base / rate:.1f}; "
                f"an append takes {middle:.2f} ms, 99 of 100 at most {worst:.2f} ms"
            )
        if args.long:
            long(folder, args.long)
    return 0


if __name__ == "__main__":
    sys.exit(main())
