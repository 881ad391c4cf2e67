"""`remit cache`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.checker.cache import MAX_BYTES, Cache
from remit.scan.store import MAX_BYTES as MAX_SCANNED
from remit.scan.store import default_place

if TYPE_CHECKING:
    import argparse


def cache(args: argparse.Namespace) -> int:
    """Print what the cache holds, or empty it."""
    from remit.proof.types.stubs import forget, remembered  # noqa: PLC0415  no other command needs it

    cache, scans = Cache(), Cache(default_place())
    if args.action == "clear":
        removed = cache.clear()
        print(f"removed {removed.entries} results ({_size(removed.bytes)}) from {cache.place}")
        more = scans.clear()
        if more.entries:
            print(f"removed {more.entries} results of scans ({_size(more.bytes)})")
        said, size = "removed what type checkers remembered", forget(cache.place)
    else:
        usage = cache.usage()
        print(f"{cache.place}: {usage.entries} results, {_size(usage.bytes)} of at most {_size(MAX_BYTES)}")
        more = scans.usage()
        if more.entries:
            print(
                f"{scans.place}: {more.entries} results of scans, {_size(more.bytes)} of at most {_size(MAX_SCANNED)}"
            )
        said, size = "type checkers remember", remembered(cache.place)
    if size:
        print(f"{said}: {_size(size)}")
    return 0


def _size(count: int) -> str:
    return f"{count / 1024 / 1024:.1f} MB"
