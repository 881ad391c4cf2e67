"""Parser of `remit.json` and the defaults of a workspace. Anything invalid is refused, with line and column."""

from __future__ import annotations

import re
import shlex
from datetime import date
from typing import TYPE_CHECKING

from remit.core.errors import ManifestError, RemitError
from remit.core.patterns import lazy_pattern
from remit.manifest import fields as f
from remit.manifest.entry_read import read_entries
from remit.manifest.jsontext import Node, Reader
from remit.manifest.model import AcceptedFinding, Classification, Defaults, Manifest, Metadata, Verification

if TYPE_CHECKING:
    from pathlib import Path


NAME = "remit.json"
MAX_BYTES = 4 * 1024 * 1024
MAX_RANK = 1_000
_DIGEST = lazy_pattern(r"sha256:[0-9a-f]{64}", re.ASCII)
_RULE = lazy_pattern(r"[a-z][a-z0-9-]*", re.ASCII)
_MARK = lazy_pattern(r"[0-9a-f]{16}", re.ASCII)
_SCHEMA = "$schema"  # for editors; it says nothing about the skill


def read_defaults(path: Path) -> Defaults:
    """Read the defaults in a file; ManifestError with line and column if they are invalid."""
    return parse_defaults(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file that may hold a manifest."""
    try:
        if not path.is_file():
            raise ManifestError(f"`{path}` is not a file", "give the file of a manifest")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise ManifestError(f"`{path}` cannot be read: {reason}", "make it readable") from None
    if len(data) > MAX_BYTES:
        raise ManifestError(f"`{path}` is larger than {MAX_BYTES} bytes", "a manifest is a short list; shorten it")
    return data


def read_document(data: bytes, file: str, kind: type[RemitError] = ManifestError) -> tuple[Reader, Node]:
    """Return the JSON reader of some bytes and the value in them."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise kind(f"{file}:{line}: the text is not UTF-8", "save the file as UTF-8") from None
    reader = Reader(text, file, kind)
    return reader, reader.read()


def parse_manifest(data: bytes, file: str) -> Manifest:
    """Parse a manifest."""
    reader, top = read_document(data, file)
    optional = (_SCHEMA, "skill_metadata", "verification", "tests", "accepted", "drafted")
    found = f.fields(reader, top, "the manifest", ("permissions",), optional)
    _schema(reader, found)
    level = Verification.UNVERIFIED
    if "verification" in found:
        level = f.word(reader, found["verification"], "verification", Verification)
    return Manifest(
        file,
        read_entries(reader, found["permissions"]),
        _metadata(reader, found["skill_metadata"]) if "skill_metadata" in found else None,
        level,
        _drafted(reader, found["drafted"]) if "drafted" in found else (),
        f.distinct(reader, found["tests"], "tests", f.FEW, lambda item: _test(reader, item), empty=False)
        if "tests" in found
        else (),
        _accepted(reader, found["accepted"]) if "accepted" in found else (),
    )


def parse_defaults(data: bytes, file: str) -> Defaults:
    """Parse the defaults of a workspace."""
    reader, top = read_document(data, file)
    optional = (_SCHEMA, "description")
    found = f.fields(reader, top, "the defaults", ("session_defaults",), optional, nullable=("description",))
    _schema(reader, found)
    inner = f.fields(reader, found["session_defaults"], "`session_defaults`", ("permissions",))
    description = ""
    if "description" in found:
        description = f.readable(reader, found["description"], "description", f.LONG, empty=True)
    return Defaults(file, read_entries(reader, inner["permissions"]), description)


def _schema(reader: Reader, found: dict[str, Node]) -> None:
    if _SCHEMA in found:
        f.text(reader, found[_SCHEMA], _SCHEMA)


def _metadata(reader: Reader, node: Node) -> Metadata:
    found = f.fields(
        reader,
        node,
        "`skill_metadata`",
        ("name",),
        ("version", "trust_tier", "classification"),
        nullable=("version", "trust_tier"),
    )
    return Metadata(
        f.readable(reader, found["name"], "name", f.NAME),
        f.readable(reader, found["version"], "version", f.NAME, empty=True) if "version" in found else "",
        f.whole(reader, found["trust_tier"], "trust_tier", 1, 4) if "trust_tier" in found else None,
        _classification(reader, found["classification"]) if "classification" in found else None,
    )


def _classification(reader: Reader, node: Node) -> Classification:
    found = f.fields(reader, node, "`classification`", ("label", "rank"), ("compartments", "releasability"))
    return Classification(
        f.readable(reader, found["label"], "label", f.NAME),
        f.whole(reader, found["rank"], "rank", 0, MAX_RANK),
        _names(reader, found, "compartments"),
        _names(reader, found, "releasability"),
    )


def _names(reader: Reader, found: dict[str, Node], name: str) -> tuple[str, ...]:
    """Parse a set of names, in order."""
    if name not in found:
        return ()
    return tuple(
        sorted(f.distinct(reader, found[name], name, f.FEW, lambda item: f.readable(reader, item, name, f.NAME)))
    )


def _test(reader: Reader, node: Node) -> str:
    """Parse a command line: words, not shell text. That it is one plain command is checked when it is run."""
    line = f.readable(reader, node, "tests")
    try:
        words = shlex.split(line)
    except ValueError:
        words = []
    if not words:
        remedy = "close the quotation; put a pipe or a loop into a script of the skill"
        raise reader.fail(node.at, f"`{f.shown(line)}` is not a command line", remedy)
    return line


def _accepted(reader: Reader, node: Node) -> tuple[AcceptedFinding, ...]:
    """Parse accepted findings. Whether a rule has the identifier is checked where the rules are known."""
    return tuple(_one_accepted(reader, item) for item in f.items(reader, node, "accepted", f.MANY))


def _one_accepted(reader: Reader, node: Node) -> AcceptedFinding:
    found = f.fields(reader, node, "an accepted finding", ("finding", "where", "digest", "reason"), ("until",))
    rule = _matching(reader, found["finding"], "finding", _RULE, "`remit explain` lists the rules")
    mark = _matching(reader, found["digest"], "digest", _MARK, "`remit check -v` prints the whole entry")
    where = f.text(reader, found["where"], "where")
    reason = f.readable(reader, found["reason"], "reason")
    until = f.text(reader, found["until"], "until") if "until" in found else ""
    if until and not _is_day(until):
        raise reader.fail(found["until"].at, f"`{f.shown(until)}` is not a date", "write it as YYYY-MM-DD")
    return AcceptedFinding(rule, where, mark, reason, until, reader.line(node.at))


def _matching(reader: Reader, node: Node, name: str, pattern: re.Pattern[str], remedy: str) -> str:
    written = f.text(reader, node, name, f.NAME)
    if not pattern.fullmatch(written):
        raise reader.fail(node.at, f"`{f.shown(written)}` is not a {name}", remedy)
    return written


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _drafted(reader: Reader, node: Node) -> tuple[str, ...]:
    def one(item: Node) -> str:
        written = f.text(reader, item, "drafted", empty=True)
        if not _DIGEST.fullmatch(written):
            raise reader.fail(item.at, f"`{f.shown(written)}` is not a digest", "leave `drafted` to `remit init`")
        return written

    return f.distinct(reader, node, "drafted", f.MARKS, one)
