"""`remit schema`: which package publishes the JSON Schema of which document."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse


class Document(NamedTuple):
    """The package with the schema of a document, and the document's description."""

    package: str
    what: str


_REPORT, _CAPSULE, _BUNDLE = "remit.report.schema", "remit.capsule.schema", "remit.bundle.schema"
_MANIFEST, _AUTHORITY, _GATEWAY = "remit.manifest.schema", "remit.authority.schema", "remit.gateway.schema"
_EXECUTOR = "remit.executor.schema"
SCHEMAS = {
    "check": Document(_REPORT, "what `remit check --format json` prints"),
    "session": Document(_REPORT, "what `remit check --counterexample` writes"),
    "replay": Document(_REPORT, "what `remit replay --format json` prints"),
    "diff": Document(_REPORT, "what `remit diff --format json` prints"),
    "test": Document(_REPORT, "what `remit test --format json` prints"),
    "audit-report": Document(_REPORT, "what `remit audit report --format json` prints"),
    "scan-report": Document(_REPORT, "what `remit scan report --format json` prints"),
    "lock": Document(_REPORT, "the lock file that `remit lock` writes"),
    "manifest": Document(
        _MANIFEST, 'remit.json next to SKILL.md; name its file in "$schema" for completion in an editor'
    ),
    "defaults": Document(_MANIFEST, "what every session of a workspace may do before a skill is loaded"),
    "broker": Document("remit.guard.schema", "broker.json: who answers questions (see `remit guard broker`)"),
    "trust-root": Document(_BUNDLE, "whose signatures count, for what and until when (see `remit keys`)"),
    "prove": Document(_REPORT, "what `remit prove --format json` prints"),
    "verify": Document(_REPORT, "what `remit verify --format json` prints"),
    "label": Document(_BUNDLE, "what `remit label` prints, and evidence/label.json of a bundle"),
    "static": Document(_BUNDLE, "evidence/static.json of a bundle: what method A found"),
    "statement": Document(_BUNDLE, "what is signed in evidence/manifest.attest.json of a bundle"),
    "capsule": Document(
        _CAPSULE, "what `remit capsule run --explain --format json` prints: everything that a command can reach"
    ),
    "capsule-run": Document(_CAPSULE, "what `remit capsule run --record` writes"),
    "capsule-probe": Document(_CAPSULE, "what `remit capsule probe --format json` prints"),
    "act": Document(_GATEWAY, "what an agent sends the gateway (see `remit up`)"),
    "act-answer": Document(_GATEWAY, "what the gateway answers an agent"),
    "proof": Document(_AUTHORITY, "what a policy server signs: one half of the evidence for an action"),
    "confirmation": Document(_AUTHORITY, "what an approver signs"),
    "executor-request": Document(_EXECUTOR, "what the gateway sends the executor: request, two proofs, confirmation"),
    "executor-answer": Document(_EXECUTOR, "what the executor answers"),
    "reason-codes": Document(_GATEWAY, "every code with which a party refuses, and its meaning"),
    "telemetry": Document(
        "remit.telemetry.schema", "telemetry.json: where traces, metrics and logs go (see `remit telemetry`)"
    ),
    "party": Document(_AUTHORITY, "the settings of one party, as `remit serve` reads them"),
}


def schema(args: argparse.Namespace) -> int:
    """Run the command."""
    sys.stdout.write(schema_text(args.document) if args.document else "\n".join((*documents(), "")))
    return 0


def documents() -> Iterator[str]:
    """Return a line for each document."""
    width = max(map(len, SCHEMAS))
    for name, one in SCHEMAS.items():
        yield f"  {name:{width}}  {one.what}"


def schema_help() -> str:
    """Return the help text of `remit schema`."""
    examples = (
        "examples:\n  remit schema manifest > manifest.schema.json\n  remit schema                  list the names\n"
    )
    statuses = "exit status:\n  0  it was printed\n  2  there is no such document\n"
    return "\n".join((examples, "documents:", *documents(), "", statuses))


def schema_text(document: str) -> str:
    """Return the published schema of a document."""
    return str(import_module(SCHEMAS[document].package).text(document))
