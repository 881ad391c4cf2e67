"""Reading and writing evidence files: strictly, and only in canonical form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.core.digest import bytes_digest, canonical
from remit.core.errors import BundleError
from remit.manifest import fields as f
from remit.manifest.read import read_document
from remit.proof.verdict import Outcome, Proved, Refuted, Unknown

if TYPE_CHECKING:
    from remit.manifest.jsontext import Node, Reader

MAX_BYTES = 16 * 1024 * 1024
_TEXT = 12 * 1024 * 1024  # characters of a module or an instance
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_AGAIN = "make the evidence anew"


def opened(data: bytes, file: str, schema: str, names: tuple[str, ...]) -> tuple[Reader, Mapping[str, Node]]:
    """Return the fields of an evidence file, which must be exactly these, of the expected schema."""
    if len(data) > MAX_BYTES:
        raise BundleError(f"{file}: it has at most {MAX_BYTES} bytes", _AGAIN)
    reader, top = read_document(data, file, BundleError)
    found = f.fields(reader, top, "evidence", names)
    if found["schema"].value != schema:
        raise reader.fail(found["schema"].at, "the schema is not known", f"write `{schema}`, or use a newer remit")
    return reader, found


def written(value: dict[str, Any]) -> bytes:
    """Return the bytes of an evidence file."""
    return canonical(value) + b"\n"


def refuse_unless_same(data: bytes, again: bytes, file: str) -> None:
    """Raise BundleError unless the bytes are in canonical form."""
    if again != data:
        raise BundleError(f"{file}: it is not written in canonical form, or contradicts itself", _AGAIN)


def bound_text(text: str) -> dict[str, str]:
    """Return a text with its digest."""
    return {"digest": bytes_digest(text.encode()), "text": text}


def read_bound_text(reader: Reader, node: Node, what: str) -> str:
    """Read a text, and check the digest beside it."""
    found = f.fields(reader, node, f"the {what}", ("digest", "text"))
    text = f.text(reader, found["text"], "text", _TEXT, empty=True)
    if read_digest(reader, found["digest"], "digest") != bytes_digest(text.encode()):
        raise reader.fail(found["digest"].at, f"it is not the digest of the {what}", _AGAIN)
    return text


def read_digest(reader: Reader, node: Node, name: str) -> str:
    """Read a digest in our format."""
    text = f.text(reader, node, name)
    if not _DIGEST.fullmatch(text):
        raise reader.fail(node.at, f"`{name}` is not a digest", "write `sha256:` and 64 hexadecimal digits")
    return text


def read_texts(reader: Reader, node: Node, name: str, limit: int) -> tuple[str, ...]:
    """Read a list of texts."""
    return tuple(f.text(reader, item, name) for item in f.items(reader, node, name, limit))


def verdict(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON."""
    if isinstance(outcome, Refuted):
        return {"name": "refuted", "trace": outcome.trace}
    return {"name": "unknown", "reason": outcome.reason} if isinstance(outcome, Unknown) else {"name": "proved"}


def read_verdict(reader: Reader, node: Node) -> Outcome:
    """Read an outcome from JSON."""
    found = f.fields(reader, node, "a verdict", ("name",), ("trace", "reason"))
    name = f.text(reader, found["name"], "name", f.NAME)
    if name == "proved" and len(found) == 1:
        return Proved()
    if name == "refuted" and set(found) == {"name", "trace"}:
        return Refuted(read_texts(reader, found["trace"], "trace", f.ENTRIES))
    if name == "unknown" and set(found) == {"name", "reason"}:
        return Unknown(f.text(reader, found["reason"], "reason", f.LONG))
    raise reader.fail(node.at, "the verdict is none of ours", "write `proved`, `refuted` with a trace, or `unknown`")
