"""`remit schema`: the JSON Schema of each document. Most are made from the form by which the document is read."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import argparse


class Document(NamedTuple):
    """The source of a document's schema (a package that has it as a file, or the form that it is made from), and the
    document's description.
    """

    source: str
    what: str


SCHEMAS = {
    "check": Document("report", "what `remit check --format json` prints"),
    "session": Document("report", "what `remit check --counterexample` writes"),
    "replay": Document("report", "what `remit replay --format json` prints"),
    "diff": Document("report", "what `remit diff --format json` prints"),
    "test": Document("report", "what `remit test --format json` prints"),
    "audit-report": Document("report", "what `remit audit report --format json` prints"),
    "scan-report": Document("report", "what `remit scan report --format json` prints"),
    "lock": Document("report", "the lock file that `remit lock` writes"),
    "manifest": Document(
        "manifest", 'remit.json next to SKILL.md; name its file in "$schema" for completion in an editor'
    ),
    "defaults": Document("manifest", "what every session of a workspace may do before a skill is loaded"),
    "broker": Document("guard", "broker.json: who answers questions (see `remit guard broker`)"),
    "trust-root": Document("bundle", "whose signatures count, for what and until when (see `remit keys`)"),
    "prove": Document("report.proof_text:SHAPE", "what `remit prove --format json` prints"),
    "verify": Document("report.admission:SHAPE", "what `remit verify --format json` prints"),
    "label": Document("bundle.label:SHAPE", "what `remit label` prints, and evidence/label.json of a bundle"),
    "static": Document("bundle.static:SHAPE", "evidence/static.json of a bundle: what method A found"),
    "statement": Document("bundle.statement:SHAPE", "what is signed in evidence/manifest.attest.json of a bundle"),
    "capsule": Document(
        "capsule.contract:SHAPE",
        "what `remit capsule run --explain --format json` prints: everything that a command can reach",
    ),
    "capsule-run": Document("capsule.launch:SHAPE", "what `remit capsule run --record` writes"),
    "capsule-probe": Document("capsule.probes:SHAPE", "what `remit capsule probe --format json` prints"),
    "act": Document("gateway.acts:ACT", "what an agent sends the gateway (see `remit up`)"),
    "act-answer": Document("gateway.acts:ANSWER", "what the gateway answers an agent"),
    "proof": Document(
        "authority.values.proof:SIGNED", "what a policy server signs: one half of the evidence for an action"
    ),
    "confirmation": Document("authority.values.confirmation:FORM", "what an approver signs"),
    "executor-request": Document(
        "executor.forms:PRESENTED", "what the gateway sends the executor: request, two proofs, confirmation"
    ),
    "executor-answer": Document("executor.forms:ANSWER", "what the executor answers"),
    "reason-codes": Document("authority.codes:REASON_CODES", "every code with which a party refuses, and its meaning"),
    "telemetry": Document(
        "telemetry.settings:FORM", "telemetry.json: where traces, metrics and logs go (see `remit telemetry`)"
    ),
    "party": Document("authority.settings:FORM", "the settings of one party, as `remit serve` reads them"),
}

_WITH_SESSION = ("check", "replay")


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
    source, what = SCHEMAS[document]
    module, _, name = source.partition(":")
    if not name:
        from pathlib import Path  # noqa: PLC0415  `--help` reads no schema

        text = (Path(__file__).parents[1] / module / "schema" / f"{document}.schema.json").read_text("utf-8")
        return _with_session(text) if document in _WITH_SESSION else text
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:remit:schema:{document}:1",
        "title": what,
    }
    form = getattr(import_module(f"remit.{module}"), name)
    return _written(head | form.schema())


def _with_session(text: str) -> str:
    """Return the schema of a document that holds sessions, with the definitions of sessions."""
    import json  # noqa: PLC0415  `--help` reads no schema

    schema, session = json.loads(text), json.loads(schema_text("session"))
    return _written(schema | {"$defs": schema["$defs"] | session["$defs"]})


def _written(schema: Mapping[str, Any]) -> str:
    import json  # noqa: PLC0415  `--help` reads no schema

    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
