"""Method B: a typed dispatch that is generated from a manifest and checked by type checkers."""

from remit.proof.types.evidence import CheckerRecord, TypesProof, read_types_proof, write_types_proof
from remit.proof.types.prove import Attempt, prove_types

__all__ = ["Attempt", "CheckerRecord", "TypesProof", "prove_types", "read_types_proof", "write_types_proof"]
