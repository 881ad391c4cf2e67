"""Proofs for admission: the outcome of an attempt, the evidence it leaves, and the content of existing evidence."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from remit.proof.verdict import Outcome, Proved, Refuted, Unknown

MAX_BOUND = 1_000  # a longer search is not repeated here


class Attempt(NamedTuple):
    """The outcome of an attempt to prove something here, and the bytes of its evidence file."""

    outcome: Outcome
    evidence: bytes

    def encode(self) -> dict[str, Any]:
        """Return JSON for another process; `decode` reads it."""
        ended: list[Any] = [type(self.outcome).__name__.lower(), *self.outcome]
        return {"outcome": ended, "evidence": self.evidence.decode("utf-8")}

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Attempt:
        """Read JSON. Anything not certainly proved counts as not proved."""
        kind, *more = data["outcome"]
        evidence = data["evidence"].encode()
        if kind == "proved" and not more:
            return cls(Proved(), evidence)
        if kind == "refuted":
            return cls(Refuted(tuple(map(str, more[0]))), evidence)
        return cls(Unknown(str(more[0]) if more else "no answer"), evidence)


class Proofs(NamedTuple):
    """The results of Methods B and C."""

    types: Attempt
    sessions: Attempt


class EvidenceContent(NamedTuple):
    """The content of an evidence file: the manifest, the tools, and whether it is proved."""

    manifest: str
    tools: tuple[tuple[str, str], ...]  # names and versions, as the statement repeats them
    identity: Any  # everything about the tools that can change a byte
    question: Any  # what was put before them: module, probes, instance
    proved: Callable[[], bool]  # as far as the file itself can show it, without the tools that it names

    @property
    def named(self) -> list[dict[str, str]]:
        """Return the tools, as a statement names them."""
        return [{"name": name, "version": version} for name, version in self.tools]


class EvidenceKind(NamedTuple):
    """A kind of evidence file with a proof: the stem of its codes, their word for a difference, and its reader."""

    stem: str
    differ: str
    read: Callable[[bytes], EvidenceContent]  # BundleError if it is not of its form


def unproved(reason: str) -> Attempt:
    """Return an attempt without a result."""
    return Attempt(Unknown(reason), b"")


SAME = "proved again, byte for byte"


def held_against(told: EvidenceContent, data: bytes, attempt: Attempt, kind: EvidenceKind) -> tuple[str, str]:
    """Compare evidence with a proof made here. Return a code and a detail; no code if they agree.

    The same tools give the same bytes; other tools must have answered the same question about the same manifest alike. Which tools
    they were is only the signer's claim, so the question is always compared.
    """
    if isinstance(attempt.outcome, Unknown):
        return f"{kind.stem}-unknown", attempt.outcome.reason
    if isinstance(attempt.outcome, Refuted):
        return f"{kind.stem}-refuted", attempt.outcome.trace[0] if attempt.outcome.trace else ""
    if attempt.evidence == data:
        return "", SAME
    own = kind.read(attempt.evidence)
    if (told.manifest, told.question) != (own.manifest, own.question):
        return f"{kind.stem}-{kind.differ}", "it belongs to another obligation"
    if told.identity == own.identity or not told.proved():
        return f"{kind.stem}-{kind.differ}", "it is not what is proved here"
    return "", "proved again, with the tools that are here"


@lru_cache(4)
def _types(data: bytes) -> EvidenceContent:
    from remit.proof.types.evidence import read_types_proof  # noqa: PLC0415  only `formal` needs it

    proof = read_types_proof(data)
    tools = tuple((checker.name, checker.version) for checker in proof.checkers)
    rejected = tuple(probe for probe, _ in proof.rejected)  # the codes are those of a version of mypy
    asked = (proof.dispatch, proof.module, proof.probes, proof.obligations, rejected, proof.members)
    return EvidenceContent(
        proof.manifest, tools, (proof.checkers, proof.missing), asked, lambda: isinstance(proof.outcome, Proved)
    )


@lru_cache(4)
def _sessions(data: bytes) -> EvidenceContent:
    from remit.proof.sessions.evidence import BY_INDUCTION, read_sessions_proof  # noqa: PLC0415

    proof = read_sessions_proof(data)
    tools = tuple((solver.name, solver.version) for solver in proof.solvers)
    clauses = tuple((found.obligation, found.dimacs) for found in proof.certificates)
    asked = (
        *(proof.gate, proof.horizon, proof.bound, proof.envelopes, proof.instance, proof.invariant),
        *(proof.promises, proof.residuals, clauses, tuple(name for name, _ in proof.unsat)),
    )

    def proved() -> bool:
        named = {BY_INDUCTION, *(name for name, _ in tools)}
        discharged = all(found and named.issuperset(found) for _, found in proof.unsat)
        return isinstance(proof.outcome, Proved) and discharged and all(found.holds for found in proof.certificates)

    return EvidenceContent(proof.manifest, tools, proof.solvers, asked, proved)


TYPES_KIND = EvidenceKind("types", "differ", _types)
SESSIONS_KIND = EvidenceKind("sessions", "differ", _sessions)
