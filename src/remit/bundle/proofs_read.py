"""The two files of evidence that hold proofs, as admission compares them."""

from __future__ import annotations

from functools import lru_cache

from remit.bundle.attempt import Kind, Told
from remit.proof.verdict import Proved

MAX_BOUND = 1_000  # a longer search is not repeated here


@lru_cache(4)
def _types(data: bytes) -> Told:
    from remit.proof.types.evidence import read_types_proof  # noqa: PLC0415  only `formal` needs it

    proof = read_types_proof(data)
    tools = tuple((checker.name, checker.version) for checker in proof.checkers)
    asked = (proof.module, proof.probes, proof.obligations, proof.members)
    return Told(proof.manifest, tools, (proof.checkers, proof.missing), asked, isinstance(proof.outcome, Proved))


@lru_cache(4)
def _sessions(data: bytes) -> Told:
    from remit.proof.sessions.evidence import read_sessions_proof  # noqa: PLC0415

    proof = read_sessions_proof(data)
    tools = tuple((solver.name, solver.version) for solver in proof.solvers)
    asked = (proof.gate, proof.horizon, proof.bound, proof.envelopes, proof.instance, proof.invariant)
    return Told(proof.manifest, tools, proof.solvers, asked, isinstance(proof.outcome, Proved))


TYPES_KIND = Kind("types", "differ", _types)
SESSIONS_KIND = Kind("sessions", "differ", _sessions)
