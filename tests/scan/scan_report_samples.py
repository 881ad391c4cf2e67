"""Small scans for tests of their report, made of few words, so that skills are often alike."""

from pathlib import Path

import pyarrow.parquet as pq
from hypothesis import strategies as st

from remit.findings.model import Severity, level_with
from remit.scan.rows import FoundEffect, FoundFinding, OpaquePlace, ScanRow, effect_fingerprint, table

TRAITS = (
    ("file.read", "./**"), ("file.read", "any"), ("file.write", "./out/*"), ("shell.execute", "git"), ("shell.execute", "any"),
    ("web.fetch", "a.example:443"), ("web.post", "a.example"), ("web.post", "*.b.example:80"), ("net.connect", "<arg>"),
    ("secret.read", "~/.ssh/id"), ("pay", "0..5"), ("env.read", "HOME"),
)  # fmt: skip
RULES = ("secret-to-network", "download-and-run", "unpinned-package")
REASONS = ("module `x` has no summary", "module `y` has no summary", "text that is not known is run as code")
ERRORS = (
    "`a` cannot be read",
    "`b` cannot be read",
    "it took more memory than 4096 MB",
    "it took more memory than 64 MB",
)


def effect(trait, file="scripts/run.py", line=1, origin="script"):
    return FoundEffect(*trait, file, line, "because", origin)


def finding(rule="secret-to-network", severity="critical", message="sends it away", line=3, *, accepted=False):
    return FoundFinding(rule, severity, message, "scripts/run.py", line, accepted)


def row(location, effects=(), opaque=(), *, findings=(), name="", error=None, digest="", verdict="", **more):  # noqa: PLR0913  one argument for each field
    """A row whose columns fit each other, as a scan writes them."""
    effects, opaque, findings = tuple(effects), tuple(opaque), tuple(findings)
    level = str(level_with([(Severity(one.severity), one.accepted) for one in findings], own=True))
    capabilities = tuple(sorted({one.capability for one in effects}))
    values = {
        "location": location, "source": location.split("/")[0], "path": location, "name": name or location.split("/")[-1],
        "description": "", "digest": f"sha256:{digest or location}", "verdict": verdict or ("opaque" if opaque else "contained"),
        "level": level, "findings": findings, "guarantees": (), "capabilities": capabilities, "effects": effects, "opaque": opaque,
        "fingerprint": effect_fingerprint(effects), "files": 2, "bytes": 100, "error": None, "toolchain": "remit 0.1.0",
        "seconds": 0.5, "cached": False,
    }  # fmt: skip
    if error is not None:
        nothing = {
            "capabilities": (),
            "level": None,
            "findings": (),
            "guarantees": (),
            "effects": (),
            "opaque": (),
            "fingerprint": None,
        }
        values |= {"error": error, "verdict": "unknown", "digest": None, **nothing}
        more = {}
    return ScanRow(**values | more)


def save(path: Path, rows) -> Path:
    pq.write_table(table(rows), path)
    return path


_effects = st.builds(
    effect,
    st.sampled_from(TRAITS),
    st.sampled_from(["a.py", "b.py"]),
    st.integers(1, 3),
    st.sampled_from(["script", "instructed"]),
)
_rows = st.builds(
    row,
    st.sampled_from([f"{source}/{number}" for source in ("one", "two") for number in range(8)]),
    st.one_of(st.lists(_effects, max_size=4), st.lists(_effects, min_size=5, max_size=16)),
    st.lists(st.builds(OpaquePlace, st.sampled_from(REASONS), st.just("a.py"), st.integers(1, 2)), max_size=2),
    findings=st.lists(
        st.builds(
            finding, st.sampled_from(RULES), st.sampled_from([str(one) for one in Severity]), accepted=st.booleans()
        ),
        max_size=4,
    ),
    guarantees=st.sampled_from([(), ("no-network",), ("no-network", "no-secrets")]),
    name=st.sampled_from(["pdf", "PDF", "p-d_f", "git", ""]),
    error=st.one_of(st.none(), st.none(), st.none(), st.sampled_from(ERRORS)),
    digest=st.sampled_from(["", "", "same", "other"]),
    verdict=st.sampled_from(["contained", "escapes", "opaque", "undeclared"]),
    description=st.sampled_from(["reads", "Reads ", "writes"]),
)
scans = st.lists(_rows, max_size=12, unique_by=lambda one: one.location).map(tuple)
