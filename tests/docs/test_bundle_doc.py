"""docs/bundle.md: the codes are those of the table, and the trusted base is about as large as it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

from remit.bundle.canonical import MAX_BYTES
from remit.bundle.codes import codes
from remit.bundle.proof_evidence import MAX_BOUND
from remit.bundle.snapshot import NAMES
from remit.bundle.statement import PREDICATE
from remit.bundle.statement import SHAPE as STATEMENT
from remit.bundle.static import SHAPE as STATIC
from remit.policy.session import HORIZON
from remit.proof.sessions import evidence as sessions
from remit.proof.types import evidence as types

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/bundle.md"


def block(name, lines):
    """The lines between two marks, written anew if that is asked for."""
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(f"<!-- {name} -->\n")
    shown, _, tail = rest.partition(f"<!-- /{name} -->")
    if os.environ.get("REMIT_UPDATE_DOCS"):
        shown = "\n".join(lines) + "\n"
        PAGE.write_text(f"{head}<!-- {name} -->\n{shown}<!-- /{name} -->{tail}", "utf-8")
    return shown.splitlines()


def test_the_codes_are_those_of_the_table():
    rows = [f"| {c.step} | `{c.name}` | {c.costs} | {c.meaning} | {c.remedy} |" for c in codes().values()]
    lines = ["| step | code | costs | meaning | remedy |", "|---|---|---|---|---|", *rows]
    assert block("codes", lines) == lines, "REMIT_UPDATE_DOCS=1 pytest tests/docs writes it anew"


def test_the_trusted_base_is_measured():
    run = subprocess.run(
        [sys.executable, ROOT / "bench/trusted_base.py"], capture_output=True, text=True, check=True, timeout=300
    )
    found = run.stdout.splitlines()
    shown = block("trusted base", found)
    assert len(shown) == len(found), "REMIT_UPDATE_DOCS=1 pytest tests/docs writes it anew"
    for one, other in zip(shown, found, strict=True):
        assert re.sub(r"\d+ \|", "", one) == re.sub(r"\d+ \|", "", other)
        for said, real in zip(re.findall(r"(\d+) \|", one), re.findall(r"(\d+) \|", other), strict=True):
            assert abs(int(said) - int(real)) <= max(300, int(real) // 5), (one, other)


def test_fields_and_limits_are_those_of_the_code():
    text = PAGE.read_text("utf-8")
    proofs = (*types._FIELDS, *sessions._FIELDS)
    for name in (*NAMES, *proofs, PREDICATE, *STATEMENT.fields["predicate"].fields, *STATIC.fields):
        if name != "schema":
            assert f"`{name}`" in text or f"evidence/{name}" in text, name
    assert f"{MAX_BYTES // 2**20} MiB" in text
    assert f"K ≥ {HORIZON}" in text
    assert f"exceeds {MAX_BOUND}" in text
