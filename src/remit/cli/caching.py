"""`remit cache`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.scan.cache import MAX_BYTES, Cache

if TYPE_CHECKING:
    import argparse


def caching(args: argparse.Namespace) -> int:
    """Say what the cache holds, or empty it."""
    from remit.proof.types.stubs import forget, remembered  # noqa: PLC0415  no other command needs it

    cache = Cache()
    if args.action == "clear":
        removed = cache.clear()
        print(f"removed {removed.entries} results ({_size(removed.bytes)}) from {cache.place}")
        said, size = "removed what type checkers remembered", forget(cache.place)
    else:
        usage = cache.usage()
        print(f"{cache.place}: {usage.entries} results, {_size(usage.bytes)} of at most {_size(MAX_BYTES)}")
        said, size = "type checkers remember", remembered(cache.place)
    if size:
        print(f"{said}: {_size(size)}")
    return 0


def _size(count: int) -> str:
    return f"{count / 1024 / 1024:.1f} MB"
