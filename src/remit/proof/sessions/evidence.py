"""`evidence/smt.unsat`: the results of Method C, as canonical JSON with a final newline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.manifest import fields as f
from remit.proof.evidence_form import (
    bound_text,
    opened,
    read_bound_text,
    read_digest,
    read_texts,
    read_verdict,
    refuse_unless_same,
    verdict,
    written,
)
from remit.proof.sessions.refutation import Certificate, Model

if TYPE_CHECKING:
    from remit.manifest.jsontext import Node, Reader
    from remit.proof.verdict import Outcome

SCHEMA = "urn:remit:schema:sessions-proof:2"
BY_INDUCTION = "induction"  # what discharges the search: a session of at most so many turns is a session
_MOST = 50_000  # variables; also the largest number
_TEXT = 4 * 1024 * 1024
_FIELDS = (
    "schema",
    "manifest",
    "gate",
    "horizon",
    "bound",
    "envelopes",
    "instance",
    "invariant",
    "solvers",
    "unsat",
    "certificates",
    "promises",
    "residuals",
    "verdict",
)


class SolverRecord(NamedTuple):
    """The identity of a solver."""

    name: str
    version: str
    digest: str


class SessionsProof(NamedTuple):
    """The verdict and its grounds."""

    manifest: str  # digest
    gate: str  # digest of the gate table
    horizon: int  # of the transaction buffer
    bound: int  # turns of the search
    envelopes: int  # different ones: kinds of effects, and scripts
    instance: str  # SMT-LIB
    invariant: tuple[str, ...]  # in words; the instance has it as a formula
    solvers: tuple[SolverRecord, ...]
    unsat: tuple[tuple[str, tuple[str, ...]], ...]  # obligations, and the solvers that discharged each
    certificates: tuple[Certificate, ...]  # of the obligations of the induction, checked apart from the solver
    promises: tuple[tuple[str, Outcome], ...]  # what no session does, and whether that is so
    residuals: tuple[str, ...]
    outcome: Outcome


def write_sessions_proof(proof: SessionsProof) -> bytes:
    """Return the bytes of the evidence file."""
    return written(_value(proof))


def read_sessions_proof(data: bytes, file: str = "smt.unsat") -> SessionsProof:
    """Read the proof; BundleError unless the bytes are exactly what `write_sessions_proof` makes of it."""
    reader, found = opened(data, file, SCHEMA, _FIELDS)
    proof = SessionsProof(
        read_digest(reader, found["manifest"], "manifest"),
        read_digest(reader, found["gate"], "gate"),
        _whole(reader, found, "horizon"),
        _whole(reader, found, "bound"),
        _whole(reader, found, "envelopes"),
        read_bound_text(reader, found["instance"], "instance"),
        read_texts(reader, found["invariant"], "invariant", f.FEW),
        tuple(_solver(reader, item) for item in f.items(reader, found["solvers"], "solvers", f.FEW)),
        tuple(_discharged(reader, item) for item in f.items(reader, found["unsat"], "unsat", f.FEW)),
        tuple(_certificate(reader, item) for item in f.items(reader, found["certificates"], "certificates", f.FEW)),
        tuple(_promise(reader, item) for item in f.items(reader, found["promises"], "promises", f.ENTRIES)),
        read_texts(reader, found["residuals"], "residuals", f.FEW),
        read_verdict(reader, found["verdict"]),
    )
    refuse_unless_same(data, write_sessions_proof(proof), file)
    return proof


def _value(proof: SessionsProof) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        **{name: getattr(proof, name) for name in ("manifest", "gate", "horizon", "bound", "envelopes")},
        "instance": bound_text(proof.instance),
        "invariant": proof.invariant,
        "solvers": [found._asdict() for found in proof.solvers],
        "unsat": [{"obligation": name, "solvers": found} for name, found in proof.unsat],
        "certificates": [
            found._asdict() | {"models": [model._asdict() for model in found.models]} for found in proof.certificates
        ],
        "promises": [{"name": name, "verdict": verdict(outcome)} for name, outcome in proof.promises],
        "residuals": proof.residuals,
        "verdict": verdict(proof.outcome),
    }


def _whole(reader: Reader, found: Mapping[str, Node], name: str) -> int:
    return f.whole(reader, found[name], name, 0, _MOST)


def _solver(reader: Reader, node: Node) -> SolverRecord:
    found = f.fields(reader, node, "a solver", SolverRecord._fields)
    name, version = (f.text(reader, found[key], key, f.NAME) for key in ("name", "version"))
    return SolverRecord(name, version, read_digest(reader, found["digest"], "digest"))


def _discharged(reader: Reader, node: Node) -> tuple[str, tuple[str, ...]]:
    found = f.fields(reader, node, "a discharged obligation", ("obligation", "solvers"))
    name = f.text(reader, found["obligation"], "obligation", f.NAME)
    return name, read_texts(reader, found["solvers"], "solvers", f.FEW)


def _promise(reader: Reader, node: Node) -> tuple[str, Outcome]:
    found = f.fields(reader, node, "a promise", ("name", "verdict"))
    return f.text(reader, found["name"], "name", f.NAME), read_verdict(reader, found["verdict"])


def _certificate(reader: Reader, node: Node) -> Certificate:
    found = f.fields(reader, node, "a certificate", Certificate._fields)
    name, dimacs, drat = (f.text(reader, found[key], key, _TEXT) for key in ("obligation", "dimacs", "drat"))
    models = tuple(_model(reader, item) for item in f.items(reader, found["models"], "models", f.FEW))
    return Certificate(name, dimacs, drat, models)


def _model(reader: Reader, node: Node) -> Model:
    found = f.fields(reader, node, "a model", Model._fields)
    true = f.items(reader, found["true"], "true", _MOST)
    without = f.whole(reader, found["without"], "without", 1, f.FEW)
    return Model(without, tuple(f.whole(reader, item, "a variable", 1, 2**31) for item in true))
