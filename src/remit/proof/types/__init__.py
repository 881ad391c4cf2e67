"""Method B: a dispatch in types, made from a manifest and judged by type checkers."""

from remit.proof.types.evidence import CheckerRecord, TypesProof, read_types_proof, write_types_proof
from remit.proof.types.prove import Attempt, prove_types

__all__ = ["Attempt", "CheckerRecord", "TypesProof", "prove_types", "read_types_proof", "write_types_proof"]
