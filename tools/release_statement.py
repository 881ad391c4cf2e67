"""The statement about a release: an in-toto Statement v1 over its files, in a DSSE envelope that one key signed."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

from remit.bundle.canonical import read, written
from remit.bundle.dsse import IN_TOTO, read_envelope, render_envelope
from remit.bundle.dsse import sign as sign_envelope
from remit.bundle.dsse import verify as verify_envelope
from remit.bundle.keys import read_private, read_public
from remit.bundle.statement import TYPE, moment
from remit.core.errors import RemitError
from remit.core.shape import HEX, VERSION, Items, Record, Text, Word
from remit.version import VERSION as OURS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ATTESTATION, SUMS = "attestation.json", "SHA256SUMS"
PREDICATE = "urn:remit:release:v1"
_FILE = Text(200, r"[A-Za-z0-9][A-Za-z0-9._-]*")
SHAPE = Record(
    {
        "_type": Word((TYPE,)),
        "subject": Items(Record({"name": _FILE, "digest": Record({"sha256": HEX})}), 20),
        "predicateType": Word((PREDICATE,)),
        "predicate": Record(
            {
                "version": VERSION,
                "commit": Text(40, r"[0-9a-f]{40}"),
                "time": Text(20, r"[0-9T:Z-]{20}"),  # of the commit
                "builder": Record({"python": VERSION, "hatchling": VERSION}),
            }
        ),
    }
)


class ReleaseError(Exception):
    """The release is not what somebody signed."""


def sums(out: Path, names: Sequence[str]) -> bytes:
    """A line for each file, as `sha256sum --check` reads them."""
    return "".join(f"{_digest(out / name)}  {name}\n" for name in sorted(names)).encode()


def sign(out: Path, names: Sequence[str], key: Path, commit: str, seconds: int) -> None:
    """Write the sums and the attestation beside the files."""
    (out / SUMS).write_bytes(sums(out, names))
    subject = [{"name": name, "digest": {"sha256": _digest(out / name)}} for name in sorted((*names, SUMS))]
    predicate = {
        "version": OURS, "commit": commit, "time": moment(seconds),
        "builder": {"python": platform.python_version(), "hatchling": version("hatchling")},
    }  # fmt: skip
    value = {"_type": TYPE, "subject": subject, "predicateType": PREDICATE, "predicate": predicate}
    try:
        payload = written(value)
        read(payload, ATTESTATION, SHAPE)  # nobody signs what nobody would read
        (out / ATTESTATION).write_bytes(render_envelope(sign_envelope(IN_TOTO, payload, [read_private(key)])))
    except RemitError as error:
        raise ReleaseError(f"{error.message} ({error.remedy})") from None


def verify(out: Path, names: Sequence[str], key: Path) -> str:
    """The commit that the release is of, if the key signed for exactly the files that are there."""
    try:
        known = read_public(key).key
        envelope = read_envelope((out / ATTESTATION).read_bytes(), ATTESTATION)
        if verify_envelope(envelope, {known.keyid: known}).held != (known.keyid,) or len(envelope.signatures) != 1:
            raise ReleaseError(f"{ATTESTATION} is not signed by the key {known.keyid} alone")
        said = read(envelope.payload, ATTESTATION, SHAPE)
    except OSError as error:
        raise ReleaseError(f"{ATTESTATION} cannot be read: {error.strerror}") from None
    except RemitError as error:
        raise ReleaseError(f"{error.message} ({error.remedy})") from None
    signed = {one["name"]: one["digest"]["sha256"] for one in said["subject"]}
    wanted = {*names, SUMS}
    if signed.keys() != wanted or len(said["subject"]) != len(wanted):
        raise ReleaseError(f"the statement is about {', '.join(sorted(signed))}, not about {', '.join(sorted(wanted))}")
    there = {file.name for file in out.iterdir()} - {ATTESTATION}
    if there != wanted:
        raise ReleaseError(f"missing or added: {', '.join(sorted(there ^ wanted))}")
    for name, expected in signed.items():
        if _digest(out / name) != expected:
            raise ReleaseError(f"`{name}` is not what was signed")
    if (out / SUMS).read_bytes() != sums(out, names):
        raise ReleaseError(f"{SUMS} does not say what the files are")
    if said["predicate"]["version"] != OURS:
        raise ReleaseError(f"the release is of version {said['predicate']['version']}, and this is {OURS}")
    commit: str = said["predicate"]["commit"]
    return commit


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
