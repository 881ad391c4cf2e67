"""Check of one folder in a worker. The same function is used on this machine and in a cluster."""

from __future__ import annotations

import os
import time
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.checker.fingerprint import key, toolchain_digest
from remit.core.errors import RemitError
from remit.manifest.drift.content import content_digest as skill_digest
from remit.scan.finding import Finding, LocatedResult, finding, unknown
from remit.skill.find import link_boundary
from remit.skill.model import Limits
from remit.skill.walk import Walker
from remit.version import VERSION

if TYPE_CHECKING:
    from remit.scan.places import Item
    from remit.scan.store import Store

_KEPT_AS = "scan"


class ScanSettings(NamedTuple):
    """Settings that apply to every skill of a scan."""

    limits: Limits = Limits()
    memory: int = 0  # memory limit of a worker in bytes
    timeout: int = 0  # time limit for one skill in seconds
    cache: str = ""  # a folder or a redis:// URL; empty for none
    cache_key: str = ""  # the file with the key that signs cache entries; empty for none
    archive_bytes: int = 4 * 1024 * 1024 * 1024


@cache
def toolchain() -> str:
    """Return which Remit this is: its version, and the digest of everything that a result depends on."""
    return f"remit {VERSION} sha256:{toolchain_digest()}"


def look(item: Item, settings: ScanSettings, store: Store | None) -> LocatedResult:
    """Return the result for one skill. Any failure is `unknown`, with the reason."""
    start = time.perf_counter()
    digest = None
    try:
        root = Path(item.folder)
        tree = Walker(root, settings.limits, link_boundary(root, [_source(item)])).run()
        digest = skill_digest(tree.files, tree.links)
        if item.digest and item.digest != digest:
            return unknown(f"its content is {digest}, not {item.digest} as the index says", _since(start), digest)
        name = key(item.folder, digest, asdict(settings.limits), "", _KEPT_AS, toolchain_digest())
        kept = _kept(store, name)
        if kept is not None:
            return LocatedResult(kept, digest, _since(start), cached=True)
        from remit.checker.report import check_skill  # noqa: PLC0415  the cached path needs no parser
        from remit.skill.load import skill_in  # noqa: PLC0415

        skill = skill_in(root, tree, settings.limits)
        found = finding(skill, check_skill(skill))
    except RemitError as error:
        return unknown(error.message, _since(start), digest)
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001  one skill must not stop the others
        _debug()
        return unknown(
            f"the analysis failed unexpectedly ({type(error).__name__}: {error})"[:400], _since(start), digest
        )
    if store is not None:
        store.put(name, found.encode())
    return LocatedResult(found, digest, _since(start), cached=False)


def _source(item: Item) -> Path:
    """Return the folder of the source that contains a skill."""
    above = 0 if item.path == "." else item.path.count("/") + 1
    return Path(item.folder, *[os.pardir] * above)


def _kept(store: Store | None, name: str) -> Finding | None:
    """Return an earlier result for the same content, if we could have computed it."""
    data = store.get(name) if store is not None else None
    try:
        return Finding.decode(data) if data is not None else None
    except ValueError:
        return None


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 6)


def _debug() -> None:
    if os.environ.get("REMIT_DEBUG"):
        import traceback  # noqa: PLC0415

        traceback.print_exc(limit=-30)
