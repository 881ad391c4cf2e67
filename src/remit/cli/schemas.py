"""`remit schema`: which room publishes the JSON Schema of which document."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

# document → the package that holds its schema
SCHEMAS = {
    "check": "remit.report.schema",
    "session": "remit.report.schema",
    "replay": "remit.report.schema",
    "diff": "remit.report.schema",
    "test": "remit.report.schema",
    "capsule": "remit.capsule.schema",
    "capsule-run": "remit.capsule.schema",
    "capsule-probe": "remit.capsule.schema",
    "lock": "remit.report.schema",
    "manifest": "remit.manifest.schema",
    "defaults": "remit.manifest.schema",
    "broker": "remit.guard.schema",
    "trust-root": "remit.bundle.schema",
    "prove": "remit.report.schema",
    "verify": "remit.report.schema",
    "static": "remit.bundle.schema",
    "statement": "remit.bundle.schema",
}


def schema(args: argparse.Namespace) -> int:
    """The command."""
    sys.stdout.write(schema_text(args.document))
    return 0


def schema_text(document: str) -> str:
    """The schema of a document, as it is published."""
    return str(import_module(SCHEMAS[document]).text(document))
