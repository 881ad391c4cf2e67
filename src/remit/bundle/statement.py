"""The signed statement: an in-toto Statement v1 with the files of a skill as subjects, and a predicate with what was
shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from remit.bundle.canonical import read
from remit.bundle.snapshot import ATTEST, LABEL, SESSIONS, STATIC, TESTS, TYPES
from remit.bundle.static import ANALYSER
from remit.core.digest import canonical
from remit.core.errors import BundleError
from remit.core.shape import DIGEST, HEX, PATH, VERSION, Items, Named, Record, Text, Whole, Word
from remit.manifest.model import Classification, Verification

TYPE = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:remit:containment:v1"
MAX_FILES = 20_000  # as many as a skill may hold
_FORM = "%Y-%m-%dT%H:%M:%SZ"
_ANEW = "make a new bundle with `remit prove`"
_TOOL = Record({"name": Text(100), "version": VERSION})
_NAME = Text(200)
_TIME = Text(20, r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_LEVELS = tuple(str(level) for level in Verification if level is not Verification.UNVERIFIED)
SHAPE = Record(
    {
        "_type": Word((TYPE,)),
        "subject": Items(Record({"name": PATH, "digest": Record({"sha256": HEX})}), MAX_FILES),
        "predicateType": Word((PREDICATE,)),
        "predicate": Record(
            {
                "skill": _NAME,
                "version": _NAME,
                "level": Word(_LEVELS),
                "label": Record(
                    {
                        "label": _NAME,
                        "rank": Whole(0, 1_000),
                        "compartments": Items(_NAME, 100),
                        "releasability": Items(_NAME, 100),
                    }
                ),
                "manifest": Record({"file": PATH, "digest": DIGEST}),
                "evidence": Record(
                    {STATIC: DIGEST, LABEL: DIGEST, TYPES: DIGEST, SESSIONS: DIGEST, TESTS: DIGEST},
                    frozenset({LABEL, TYPES, SESSIONS, TESTS}),
                ),
                "toolchain": Record({"analyser": ANALYSER, "checkers": Items(_TOOL, 20), "solvers": Items(_TOOL, 20)}),
                "bound": Whole(0, 2**53 - 1),
                "executables": Items(PATH, MAX_FILES),
                "links": Named(PATH, PATH, MAX_FILES),
                "time": _TIME,
                "breadth": Whole(0, 1_000_000),
            },
            frozenset({"label", "bound", "breadth"}),
        ),
    }
)


class Statement(NamedTuple):
    """The content of a statement."""

    skill: str
    version: str
    level: Verification
    label: Classification | None
    manifest_file: str
    manifest: str  # digest of what it says
    files: Mapping[str, str]  # by path, SHA-256 in hexadecimal
    executables: tuple[str, ...]
    links: Mapping[str, str]
    evidence: Mapping[str, str]  # by name, digests
    toolchain: Mapping[str, Any]
    bound: int | None  # envelopes of a session up to which Method C searched
    time: str
    breadth: int | None = None  # grants of the manifest without a limit; `formal` names them

    def payload(self) -> bytes:
        """Return the signed bytes: canonical JSON."""
        predicate: dict[str, Any] = {
            "skill": self.skill,
            "version": self.version,
            "level": str(self.level),
            "manifest": {"file": self.manifest_file, "digest": self.manifest},
            "evidence": dict(self.evidence),
            "toolchain": dict(self.toolchain),
            "executables": list(self.executables),
            "links": dict(self.links),
            "time": self.time,
        }
        if self.label is not None:
            predicate["label"] = label_value(self.label)
        if self.bound is not None:
            predicate["bound"] = self.bound
        if self.breadth is not None:
            predicate["breadth"] = self.breadth
        subject = [{"name": path, "digest": {"sha256": self.files[path]}} for path in sorted(self.files)]
        return canonical({"_type": TYPE, "subject": subject, "predicateType": PREDICATE, "predicate": predicate})


def label_value(label: Classification) -> dict[str, Any]:
    """Return a label as JSON."""
    return {
        "label": label.label,
        "rank": label.rank,
        "compartments": list(label.compartments),
        "releasability": list(label.releasability),
    }


def read_statement(payload: bytes) -> Statement:
    """Read the payload of an envelope; BundleError if it is malformed."""
    value = read(payload + b"\n", ATTEST, SHAPE)
    found = _statement(value)
    if found.payload() != payload:  # a subject that occurs twice, or out of order
        raise BundleError("the statement is not in the order in which statements are written", _ANEW)
    try:
        at(found.time)
    except ValueError:
        raise BundleError(f"`{found.time}` is not a time", _ANEW) from None
    return found


def _statement(value: dict[str, Any]) -> Statement:
    said = value["predicate"]
    label = said.get("label")
    return Statement(
        said["skill"],
        said["version"],
        Verification(said["level"]),
        None
        if label is None
        else Classification(label["label"], label["rank"], tuple(label["compartments"]), tuple(label["releasability"])),
        said["manifest"]["file"],
        said["manifest"]["digest"],
        {item["name"]: item["digest"]["sha256"] for item in value["subject"]},
        tuple(said["executables"]),
        said["links"],
        said["evidence"],
        said["toolchain"],
        said.get("bound"),
        said["time"],
        said.get("breadth"),
    )


def at(text: str) -> datetime:
    """Parse a time; ValueError if there is no such time."""
    return datetime.strptime(text, _FORM).replace(tzinfo=UTC)


def moment(seconds: float) -> str:
    """Format a time."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime(_FORM)
