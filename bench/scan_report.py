"""How long a report on a scan of many skills takes, and how much memory: over rows that are made up.

bench/scan_report.py [--rows N] [--memory MB] [--keep FILE]     prints seconds of each part, in all, and the peak of memory

Skills are drawn from families: most are copies or near copies of one, as in registries. Effects are drawn from capabilities
and scopes of which few are common and most are rare. The time of reading the same columns once with Arrow is the measure: the
report takes so many times as long.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from remit.core import vocabulary
from remit.findings.model import Level
from remit.scan.report import Options, report
from remit.scan.rows import schema

PART = 50_000
TRAITS = 60_000  # capabilities with scopes
LONGEST = 40  # effects of a skill


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--memory", type=int, default=Options().memory)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = args.keep or Path(folder) / "results.parquet"
        if not path.exists():
            start = time.perf_counter()
            maker = multiprocessing.get_context("spawn").Process(
                target=make, args=(path, args.rows)
            )  # with memory of its own
            maker.start()
            maker.join()
            print(
                f"made {args.rows:,} rows, {path.stat().st_size / 1e6:.0f} MB, in {time.perf_counter() - start:.1f} s"
            )
        measure(path, args)


def measure(path: Path, args: argparse.Namespace) -> None:
    start = time.perf_counter()
    for batch in ds.dataset(str(path), format="parquet", schema=schema()).to_batches():
        assert batch.num_rows >= 0
    once = time.perf_counter() - start
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    steps: list[tuple[str, float]] = []
    start = time.perf_counter()
    found = report(
        [path], options=Options(memory=args.memory), step=lambda name: steps.append((name, time.perf_counter()))
    )
    end = time.perf_counter()
    for (name, at), (_, after) in zip(steps, [*steps[1:], ("", end)], strict=True):
        print(f"  {name:<20} {after - at:7.1f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"  effects {found.overview.effects:,}, twins {found.alike.twin_groups:,}, near {found.alike.near_groups:,} groups"
    )
    print(f"  not compared with all others: {found.alike.uncompared:,} sets of effects")
    print(
        f"report on {found.overview.skills:,} skills: {end - start:.1f} s, peak {peak / 1024:.0f} MB ({before / 1024:.0f} before)"
    )
    print(f"reading the table once with Arrow: {once:.1f} s, ratio {(end - start) / once:.1f}")


def make(path: Path, rows: int) -> None:
    """A table of so many skills, a part at a time."""
    random = np.random.default_rng(8)
    names = [one.name for one in vocabulary()]
    of_trait = random.zipf(1.4, TRAITS) % len(names)  # the capability of each
    hashes = random.integers(0, 2**63, TRAITS, dtype=np.uint64)
    families = max(rows // 25, 1)
    sizes = np.minimum(random.geometric(0.12, families) - 1, LONGEST)
    family = [np.unique(random.zipf(1.25, size) % TRAITS) for size in sizes]
    texts = [np.array([names[at] for at in of_trait]), np.array([f"./scope-{at % 9_000}/**" for at in range(TRAITS)])]
    with pq.ParquetWriter(path, schema()) as writer:
        for first in range(0, rows, PART):
            count = min(PART, rows - first)
            writer.write_table(part(random, first, count, families, family, of_trait, hashes, texts))


def part(random, first, count, families, family, of_trait, hashes, texts) -> pa.Table:  # noqa: PLR0913  one argument for each measure
    """Skills of some families, one in five with an effect more."""
    chosen = random.zipf(1.2, count) % families
    extra = np.where(random.random(count) < 0.2, random.integers(0, TRAITS, count), -1)
    sets = [
        np.union1d(family[one], [more]) if more >= 0 else family[one] for one, more in zip(chosen, extra, strict=True)
    ]
    flat = np.concatenate(sets).astype(np.int64)
    ends = np.concatenate([[0], np.cumsum([len(one) for one in sets])])
    marks = [int(hashes[one].sum(dtype=np.uint64)) for one in sets]
    every = [np.unique(of_trait[one]) for one in sets]
    names = [one.name for one in vocabulary()]
    effects = pa.StructArray.from_arrays(
        [
            pa.array(texts[0][flat]), pa.array(texts[1][flat]), pa.array([f"scripts/{at % 7}.py" for at in flat]),
            pa.array(flat % 400 + 1), pa.array(["it is called"] * len(flat)), pa.array(["script"] * len(flat)),
        ], fields=list(schema().field("effects").type.value_type),
    )  # fmt: skip
    dark = random.random(count) < 0.3
    opaque = [
        [{"reason": f"module `m{at % 900}` has no summary", "file": "a.py", "line": 1}] if on else []
        for at, on in enumerate(dark)
    ]
    numbers = range(first, first + count)
    columns = {
        "location": [f"registry/{at // 40}/skills/{at}" for at in numbers],
        "source": [f"registry/{at // 40}" for at in numbers],
        "path": [f"skills/{at}" for at in numbers],
        "name": [f"skill-{one % (families // 3 + 1)}" for one in chosen],
        "description": [f"does the work of {one}" for one in chosen],
        "digest": [f"sha256:{mark:016x}{one % 3:02x}" for mark, one in zip(marks, numbers, strict=True)],
        "level": [str(tuple(Level)[min(one % 40, 2)]) for one in chosen],
        "findings": [
            [{"rule": f"rule-{one % 30}", "severity": ("critical", "medium")[one % 40], "message": "m", "file": "a.py", "line": 1, "accepted": False}]
            if one % 40 < 2 else [] for one in chosen
        ],
        "guarantees": [[] if on else ["no-network", "no-secrets"] for on in dark],
        "verdict": ["opaque" if on else "undeclared" for on in dark],
        "capabilities": [[names[at] for at in one] for one in every],
        "effects": pa.ListArray.from_arrays(pa.array(ends, pa.int32()), effects),
        "opaque": opaque,
        "fingerprint": [f"{mark:064x}" for mark in marks],
        "files": [3] * count, "bytes": [4096] * count, "error": [None] * count, "toolchain": ["remit"] * count,
        "seconds": [0.02] * count, "cached": [False] * count,
    }  # fmt: skip
    arrays = [
        pa.array(columns[field.name], field.type)
        if isinstance(columns[field.name], list)
        else columns[field.name].cast(field.type)
        for field in schema()
    ]
    return pa.Table.from_arrays(arrays, schema=schema())


if __name__ == "__main__":
    main()
