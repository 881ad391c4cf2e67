"""`evidence/smt.unsat`: what Method C has shown, as canonical JSON with a final newline."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.digest import bytes_digest, canonical
from remit.core.errors import BundleError
from remit.manifest import fields as f
from remit.manifest.read import read_document
from remit.proof.verdict import Proved, Refuted, Unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.manifest.jsontext import Node, Reader
    from remit.proof.sessions.cnf import Clause
    from remit.proof.verdict import Outcome

SCHEMA = "urn:remit:schema:sessions-proof:1"
MAX_BYTES = 16 * 1024 * 1024
_TEXT = 12 * 1024 * 1024  # characters of an instance
_CLAUSES = 50_000
_LITERALS = 10_000
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
    "refutations",
    "residuals",
    "verdict",
)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_AGAIN = "make the evidence anew"


class SolverRecord(NamedTuple):
    """A solver that judged."""

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
    refutations: tuple[
        tuple[str, tuple[Clause, ...]], ...
    ]  # of the obligations of the induction, checked apart from the solver
    residuals: tuple[str, ...]
    outcome: Outcome


def write_sessions_proof(proof: SessionsProof) -> bytes:
    """The bytes of the evidence file."""
    return canonical(_value(proof)) + b"\n"


def read_sessions_proof(data: bytes, file: str = "smt.unsat") -> SessionsProof:
    """The proof in some bytes; BundleError unless they are exactly what `write_sessions_proof` makes of it."""
    if len(data) > MAX_BYTES:
        raise BundleError(f"{file}: it has at most {MAX_BYTES} bytes", _AGAIN)
    reader, top = read_document(data, file, BundleError)
    found = f.fields(reader, top, "a proof of sessions", _FIELDS)
    if found["schema"].value != SCHEMA:
        raise reader.fail(found["schema"].at, "the schema is not known", f"write `{SCHEMA}`, or use a newer remit")
    proof = SessionsProof(
        _digest(reader, found["manifest"], "manifest"),
        _digest(reader, found["gate"], "gate"),
        _whole(reader, found, "horizon"),
        _whole(reader, found, "bound"),
        _whole(reader, found, "envelopes"),
        _instance(reader, found["instance"]),
        _texts(reader, found["invariant"], "invariant"),
        tuple(_solver(reader, item) for item in f.items(reader, found["solvers"], "solvers", f.FEW)),
        tuple(_discharged(reader, item) for item in f.items(reader, found["unsat"], "unsat", f.FEW)),
        tuple(_refutation(reader, item) for item in f.items(reader, found["refutations"], "refutations", f.FEW)),
        _texts(reader, found["residuals"], "residuals"),
        _outcome(reader, found["verdict"]),
    )
    if write_sessions_proof(proof) != data:
        raise BundleError(f"{file}: it is not written in canonical form, or contradicts itself", _AGAIN)
    return proof


def _value(proof: SessionsProof) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        **{name: getattr(proof, name) for name in ("manifest", "gate", "horizon", "bound", "envelopes")},
        "instance": {"digest": bytes_digest(proof.instance.encode()), "text": proof.instance},
        "invariant": proof.invariant,
        "solvers": [found._asdict() for found in proof.solvers],
        "unsat": [{"obligation": name, "solvers": found} for name, found in proof.unsat],
        "refutations": [{"obligation": name, "clauses": found} for name, found in proof.refutations],
        "residuals": proof.residuals,
        "verdict": _verdict(proof.outcome),
    }


def _whole(reader: Reader, found: Mapping[str, Node], name: str) -> int:
    return f.whole(reader, found[name], name, 0, _CLAUSES)


def _instance(reader: Reader, node: Node) -> str:
    found = f.fields(reader, node, "an instance", ("digest", "text"))
    text = f.text(reader, found["text"], "text", _TEXT, empty=True)
    if _digest(reader, found["digest"], "digest") != bytes_digest(text.encode()):
        raise reader.fail(found["digest"].at, "it is not the digest of the instance", _AGAIN)
    return text


def _solver(reader: Reader, node: Node) -> SolverRecord:
    found = f.fields(reader, node, "a solver", SolverRecord._fields)
    name, version = (f.text(reader, found[key], key, f.NAME) for key in ("name", "version"))
    return SolverRecord(name, version, _digest(reader, found["digest"], "digest"))


def _discharged(reader: Reader, node: Node) -> tuple[str, tuple[str, ...]]:
    found = f.fields(reader, node, "a discharged obligation", ("obligation", "solvers"))
    return f.text(reader, found["obligation"], "obligation", f.NAME), _texts(reader, found["solvers"], "solvers")


def _refutation(reader: Reader, node: Node) -> tuple[str, tuple[Clause, ...]]:
    found = f.fields(reader, node, "a refutation", ("obligation", "clauses"))
    name = f.text(reader, found["obligation"], "obligation", f.NAME)
    return name, tuple(_clause(reader, item) for item in f.items(reader, found["clauses"], "clauses", _CLAUSES))


def _clause(reader: Reader, node: Node) -> Clause:
    items = f.items(reader, node, "a clause", _LITERALS)
    return tuple(f.whole(reader, item, "a literal", -(2**31), 2**31) for item in items)


def _verdict(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Refuted):
        return {"name": "refuted", "trace": outcome.trace}
    return {"name": "unknown", "reason": outcome.reason} if isinstance(outcome, Unknown) else {"name": "proved"}


def _outcome(reader: Reader, node: Node) -> Outcome:
    found = f.fields(reader, node, "a verdict", ("name",), ("trace", "reason"))
    name = f.text(reader, found["name"], "name", f.NAME)
    if name == "proved" and len(found) == 1:
        return Proved()
    if name == "refuted" and set(found) == {"name", "trace"}:
        return Refuted(_texts(reader, found["trace"], "trace"))
    if name == "unknown" and set(found) == {"name", "reason"}:
        return Unknown(f.text(reader, found["reason"], "reason", f.LONG))
    raise reader.fail(node.at, "the verdict is none of ours", "write `proved`, `refuted` with a trace, or `unknown`")


def _texts(reader: Reader, node: Node, what: str) -> tuple[str, ...]:
    return tuple(f.text(reader, item, what, f.LONG) for item in f.items(reader, node, what, f.ENTRIES))


def _digest(reader: Reader, node: Node, what: str) -> str:
    text = f.text(reader, node, what, f.NAME)
    if not _DIGEST.fullmatch(text):
        raise reader.fail(node.at, f"`{what}` is no digest", "write `sha256:` and 64 hexadecimal digits")
    return text
