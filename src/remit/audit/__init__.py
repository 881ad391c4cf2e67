"""The audit log: a record of every envelope, decision and effect, and its comparison with the state of the world."""

from remit.audit.entry import Entry, Inferred, Origin, Outcome, Record, RecordKind
from remit.audit.head import Checker, SignedHead, Signer
from remit.audit.log import Log
from remit.audit.queries import Filter

__all__ = [
    "Checker",
    "Entry",
    "Filter",
    "Inferred",
    "Log",
    "Origin",
    "Outcome",
    "Record",
    "RecordKind",
    "SignedHead",
    "Signer",
]
