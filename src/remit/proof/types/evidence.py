"""`evidence/types.proof`: the results of Method B, as canonical JSON with a final newline."""

from __future__ import annotations

import math
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

if TYPE_CHECKING:
    from remit.manifest.jsontext import Node, Reader
    from remit.proof.verdict import Outcome

SCHEMA = "urn:remit:schema:types-proof:1"
MAX_LINES = 40_000  # obligations, and rejected probes
MAX_MEMBERS = 1_000_000  # entries of a manifest: other formats put many into one line
_FIELDS = (
    "schema",
    "manifest",
    "dispatch",
    "module",
    "probes",
    "checkers",
    "missing",
    "obligations",
    "rejected",
    "members",
    "bits",
    "verdict",
)


class CheckerRecord(NamedTuple):
    """The identity of a checker."""

    name: str
    version: str
    digest: str
    options: tuple[str, ...]


class TypesProof(NamedTuple):
    """The verdict and its grounds. An empty module means that there was too much to check."""

    manifest: str  # digest
    dispatch: tuple[tuple[str, str], ...]  # the files of the dispatch that runs, and their digests
    module: str
    probes: str  # digest
    checkers: tuple[CheckerRecord, ...]
    missing: tuple[str, ...]  # checkers that were not there
    obligations: tuple[str, ...]  # probes that had to be accepted
    rejected: tuple[tuple[str, str], ...]  # probes that had to be rejected, with the code of mypy
    members: int  # |D|
    outcome: Outcome

    @property
    def bits(self) -> str:
        """The information in one envelope: the projector's image has |D| members, and refusal."""
        return f"{math.log2(self.members + 1):.3f}"


def write_types_proof(proof: TypesProof) -> bytes:
    """Return the bytes of the evidence file."""
    return written(_value(proof))


def read_types_proof(data: bytes, file: str = "types.proof") -> TypesProof:
    """Read the proof; BundleError unless the bytes are exactly what `write_types_proof` makes of it."""
    reader, found = opened(data, file, SCHEMA, _FIELDS)
    proof = TypesProof(
        read_digest(reader, found["manifest"], "manifest"),
        tuple(_source(reader, item) for item in f.items(reader, found["dispatch"], "dispatch", 16)),
        read_bound_text(reader, found["module"], "module"),
        read_digest(reader, found["probes"], "probes"),
        tuple(_checker(reader, item) for item in f.items(reader, found["checkers"], "checkers", 16)),
        read_texts(reader, found["missing"], "missing", 16),
        read_texts(reader, found["obligations"], "obligations", MAX_LINES),
        tuple(_rejected(reader, item) for item in f.items(reader, found["rejected"], "rejected", MAX_LINES)),
        f.whole(reader, found["members"], "members", 0, MAX_MEMBERS),
        read_verdict(reader, found["verdict"]),
    )
    refuse_unless_same(data, write_types_proof(proof), file)
    return proof


def _value(proof: TypesProof) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "manifest": proof.manifest,
        "dispatch": [{"file": name, "digest": found} for name, found in proof.dispatch],
        "module": bound_text(proof.module),
        "probes": proof.probes,
        "checkers": [found._asdict() for found in proof.checkers],
        "missing": proof.missing,
        "obligations": proof.obligations,
        "rejected": [{"probe": ident, "code": code} for ident, code in proof.rejected],
        "members": proof.members,
        "bits": proof.bits,
        "verdict": verdict(proof.outcome),
    }


def _source(reader: Reader, node: Node) -> tuple[str, str]:
    found = f.fields(reader, node, "a source", ("file", "digest"))
    return f.text(reader, found["file"], "file", f.NAME), read_digest(reader, found["digest"], "digest")


def _checker(reader: Reader, node: Node) -> CheckerRecord:
    found = f.fields(reader, node, "a checker", CheckerRecord._fields)
    return CheckerRecord(
        f.text(reader, found["name"], "name", f.NAME),
        f.text(reader, found["version"], "version", f.NAME),
        read_digest(reader, found["digest"], "digest"),
        read_texts(reader, found["options"], "options", f.FEW),
    )


def _rejected(reader: Reader, node: Node) -> tuple[str, str]:
    found = f.fields(reader, node, "a rejected probe", ("probe", "code"))
    return f.text(reader, found["probe"], "probe"), f.text(reader, found["code"], "code", f.NAME)
