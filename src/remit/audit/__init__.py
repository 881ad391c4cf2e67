"""What happened? The log of every envelope, decision and effect, and what the world says to it."""

from remit.audit.chain import Record
from remit.audit.entry import Entry, Inferred, Kind, Origin, Outcome
from remit.audit.head import Checker, Head, LocalKey, SignedHead, Signer
from remit.audit.log import Log
from remit.audit.queries import Filter

__all__ = [
    "Checker",
    "Entry",
    "Filter",
    "Head",
    "Inferred",
    "Kind",
    "LocalKey",
    "Log",
    "Origin",
    "Outcome",
    "Record",
    "SignedHead",
    "Signer",
]
