"""`evidence/types.proof`: what Method B has shown, as canonical JSON with a final newline."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.digest import bytes_digest, canonical
from remit.core.errors import BundleError
from remit.manifest import fields as f
from remit.manifest.read import read_document
from remit.proof.verdict import Proved, Refuted, Unknown

if TYPE_CHECKING:
    from remit.manifest.jsontext import Node, Reader
    from remit.proof.verdict import Outcome

SCHEMA = "urn:remit:schema:types-proof:1"
MAX_BYTES = 16 * 1024 * 1024
MAX_LINES = 40_000  # obligations, and rejected probes
MAX_MEMBERS = 1_000_000  # entries of a manifest: other formats put many into one line
_MODULE = 8 * 1024 * 1024  # characters
_FIELDS = (
    "schema",
    "manifest",
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
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_AGAIN = "make the evidence anew"


class CheckerRecord(NamedTuple):
    """A checker that judged."""

    name: str
    version: str
    digest: str
    options: tuple[str, ...]


class TypesProof(NamedTuple):
    """The verdict and its grounds. An empty module was never written: there was too much to be judged."""

    manifest: str  # digest
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
        """How much one envelope can say: the projector's image has |D| members, and refusal."""
        return f"{math.log2(self.members + 1):.3f}"


def write_types_proof(proof: TypesProof) -> bytes:
    """The bytes of the evidence file."""
    return canonical(_value(proof)) + b"\n"


def read_types_proof(data: bytes, file: str = "types.proof") -> TypesProof:
    """The proof in some bytes; BundleError unless they are exactly what `write_types_proof` makes of it."""
    if len(data) > MAX_BYTES:
        raise BundleError(f"{file}: it has at most {MAX_BYTES} bytes", _AGAIN)
    reader, top = read_document(data, file, BundleError)
    found = f.fields(reader, top, "a proof by types", _FIELDS)
    if found["schema"].value != SCHEMA:
        raise reader.fail(found["schema"].at, "the schema is not known", f"write `{SCHEMA}`, or use a newer remit")
    proof = TypesProof(
        _digest(reader, found["manifest"], "manifest"),
        _module(reader, found["module"]),
        _digest(reader, found["probes"], "probes"),
        tuple(_checker(reader, item) for item in f.items(reader, found["checkers"], "checkers", 16)),
        _texts(reader, found["missing"], "missing", 16),
        _texts(reader, found["obligations"], "obligations", MAX_LINES),
        tuple(_rejected(reader, item) for item in f.items(reader, found["rejected"], "rejected", MAX_LINES)),
        f.whole(reader, found["members"], "members", 0, MAX_MEMBERS),
        _outcome(reader, found["verdict"]),
    )
    if write_types_proof(proof) != data:
        raise BundleError(f"{file}: it is not written in canonical form, or contradicts itself", _AGAIN)
    return proof


def _value(proof: TypesProof) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "manifest": proof.manifest,
        "module": {"digest": bytes_digest(proof.module.encode()), "text": proof.module},
        "probes": proof.probes,
        "checkers": [found._asdict() for found in proof.checkers],
        "missing": proof.missing,
        "obligations": proof.obligations,
        "rejected": [{"probe": ident, "code": code} for ident, code in proof.rejected],
        "members": proof.members,
        "bits": proof.bits,
        "verdict": _verdict(proof.outcome),
    }


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
        return Refuted(_texts(reader, found["trace"], "trace", f.FEW))
    if name == "unknown" and set(found) == {"name", "reason"}:
        return Unknown(f.text(reader, found["reason"], "reason", f.LONG))
    raise reader.fail(node.at, "the verdict is none of ours", "write `proved`, `refuted` with a trace, or `unknown`")


def _module(reader: Reader, node: Node) -> str:
    found = f.fields(reader, node, "a module", ("digest", "text"))
    text = f.text(reader, found["text"], "text", _MODULE, empty=True)
    if _digest(reader, found["digest"], "digest") != bytes_digest(text.encode()):
        raise reader.fail(found["digest"].at, "it is not the digest of the module", _AGAIN)
    return text


def _checker(reader: Reader, node: Node) -> CheckerRecord:
    found = f.fields(reader, node, "a checker", CheckerRecord._fields)
    return CheckerRecord(
        f.text(reader, found["name"], "name", f.NAME),
        f.text(reader, found["version"], "version", f.NAME),
        _digest(reader, found["digest"], "digest"),
        _texts(reader, found["options"], "options", f.FEW),
    )


def _rejected(reader: Reader, node: Node) -> tuple[str, str]:
    found = f.fields(reader, node, "a rejected probe", ("probe", "code"))
    return f.text(reader, found["probe"], "probe"), f.text(reader, found["code"], "code", f.NAME)


def _texts(reader: Reader, node: Node, name: str, limit: int) -> tuple[str, ...]:
    return tuple(f.text(reader, item, name) for item in f.items(reader, node, name, limit))


def _digest(reader: Reader, node: Node, name: str) -> str:
    text = f.text(reader, node, name)
    if not _DIGEST.fullmatch(text):
        raise reader.fail(node.at, f"`{name}` is not a digest", "write `sha256:` and 64 hexadecimal digits")
    return text
