"""Work that proving and verifying share: reading a folder, analysing it, and running proofs in parallel."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle.admission_state import Analysed, FailedStep
from remit.bundle.proof_evidence import Attempt, Proofs, unproved
from remit.bundle.snapshot import Snapshot, snapshot
from remit.checker.cache import Cache
from remit.checker.cache import folder as cache_folder
from remit.checker.fingerprint import fingerprint, proof_key
from remit.checker.run import Options, Run
from remit.checker.table_file import byte_code_folder, open_tables, save_tables
from remit.checker.workers import Crash, run_jobs
from remit.core.errors import InputError, RemitError
from remit.manifest.render import manifest_value
from remit.proof.verdict import Proved
from remit.skill.find import main_name
from remit.skill.walk import Walker, shown

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.manifest.model import Manifest
    from remit.skill.model import Limits

_SECONDS = 1200  # for one method: a net, for the solvers count steps, which end first
_BYTES = 4096 * 1024 * 1024


class FolderReading(NamedTuple):
    """A folder, what was read of it, and the fingerprint of exactly that."""

    folder: Path
    held: Snapshot | FailedStep
    content: str = ""


def look(path: str, limits: Limits) -> FolderReading:
    """Read a skill's folder. A folder without a skill is an error; forbidden content is part of the result."""
    folder = Path(path)
    if folder.name.lower() == "skill.md" and not folder.is_dir():
        folder = folder.parent
    if not folder.is_dir():
        raise InputError(f"`{shown(path)}` is not a folder", "give the folder of a skill")
    if not main_name([entry.name for entry in os.scandir(folder)]):
        raise InputError(f"there is no SKILL.md in `{shown(path)}`", "give the folder that holds it")
    try:
        tree = Walker(folder, limits, shipped=True).run()
    except InputError as error:
        return FolderReading(folder, FailedStep(error.message))
    return FolderReading(folder, snapshot(tree), fingerprint(tree.files, tree.links))


def analyse(looked: FolderReading, options: Options) -> Analysed | FailedStep:
    """Run Method A on the bytes that were read. If the folder changed since, it fails. Summaries of a project are not
    used.
    """
    for _, answer in Run([looked.folder], options._replace(jobs=1, summaries=(), shipped=True)).answers():
        if answer.found is None:
            return FailedStep(answer.failure.message if answer.failure else "no answer")
        if answer.content != looked.content:
            return FailedStep("the folder changed while it was read")
        return Analysed(answer.found, answer.findings)
    return FailedStep("no answer")


def _work(manifest: Manifest, effects: Effects, bound: int, search: bool, number: int) -> bytes:  # noqa: FBT001  jobs have no names
    """Run one method in the worker: types (0) or sessions (1)."""
    open_tables()
    try:
        attempt = _sessions(manifest, effects, bound, search=search) if number else _types(manifest, effects)
    except RemitError as error:
        attempt = unproved(f"{error.message}; {error.remedy}")
    except Exception as error:  # noqa: BLE001  one method must not stop the other
        attempt = unproved(f"{type(error).__name__}: {error}"[:300])
    save_tables()
    return json.dumps(attempt.encode()).encode("ascii")


def prove(manifest: Manifest, effects: Effects, bound: int, options: Options, *, search: bool = False) -> Proofs:
    """Run Methods B and C, each in a process of its own, with limits. A method without a result counts as not proved.

    `search`: whether a session of at most `bound` turns that goes wrong is searched for where the induction over all lengths fails. What was proved before, of the same manifest and effects by the same tools, comes from the cache, as Method A does.
    """
    cache = Cache() if options.cache else None
    encoded = effects.encode()
    asked = [manifest_value(manifest), encoded["effects"], encoded["opaque"]]
    keys = [proof_key("types", asked), proof_key("sessions", [*asked, bound, search])]
    found = {number: known for number, key in enumerate(keys) if (known := _known(cache, key))}

    missing = [number for number in (0, 1) if number not in found]
    memory, timeout = options.memory or _BYTES, options.timeout or _SECONDS
    work = partial(_work, manifest, effects, bound, search)
    for number, answer in run_jobs(work, missing, 2, memory=memory, timeout=timeout):
        found[number] = unproved(answer.reason) if isinstance(answer, Crash) else Attempt.decode(json.loads(answer))
        if cache and isinstance(found[number].outcome, Proved):
            cache.put(keys[number], found[number].encode())
    return Proofs(found[0], found[1])


def _known(cache: Cache | None, key: str) -> Attempt | None:
    data = cache.get(key) if cache else None
    try:
        return Attempt.decode(data) if data else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _types(manifest: Manifest, effects: Effects) -> Attempt:
    from remit.proof.types.evidence import write_types_proof  # noqa: PLC0415  in the worker
    from remit.proof.types.prove import prove_types  # noqa: PLC0415

    # what mypy remembers of its own stubs belongs to the installation, as byte code does
    proof = prove_types(manifest, effects.effects, cache_dir=byte_code_folder() or cache_folder())
    return Attempt(proof.outcome, write_types_proof(proof))


def _sessions(manifest: Manifest, effects: Effects, bound: int, *, search: bool) -> Attempt:
    from remit.proof.sessions.evidence import write_sessions_proof  # noqa: PLC0415  in the worker
    from remit.proof.sessions.prove import prove_sessions  # noqa: PLC0415

    proof = prove_sessions(manifest, effects.effects, effects.opaque, bound=bound, search=search)
    return Attempt(proof.outcome, write_sessions_proof(proof))
