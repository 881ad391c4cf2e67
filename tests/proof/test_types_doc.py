"""docs/method-b.md says what is."""

import json
import re
from pathlib import Path

from typed import effect

from remit.manifest import parse_manifest
from remit.proof.types.evidence import SCHEMA, TypesProof, write_types_proof
from remit.proof.types.probes import ACCEPTED, attempts
from remit.proof.types.prove import pose
from remit.proof.types.universe import PAIRS
from remit.proof.verdict import Proved

PAGE = (Path(__file__).parents[2] / "docs" / "method-b.md").read_text("utf-8")


def fenced(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[1]


def rows(head):
    """The table whose first column is called so: its two columns."""
    table = re.search(rf"^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)[1]
    found = (re.fullmatch(r"\| `(\w+)` \| (.*) \|", line) for line in table.splitlines())
    return {row[1]: row[2] for row in found}


def test_the_module_is_the_one_that_is_written():
    module = pose(parse_manifest(fenced("json").encode(), "remit.json"), [effect("file.read ./data/a.csv")]).module
    pieces = [piece.strip("\n") for piece in fenced("python").split("…")]
    assert len(pieces) == 5
    assert all(piece in module for piece in pieces)


def test_every_attempt_and_obligation_is_listed():
    assert rows("attempt") == {sort: found.meaning for sort, found in attempts().items()}
    assert set(rows("obligation")) == set(ACCEPTED)


def test_every_field_is_listed():
    proof = TypesProof("", (), "", "", (), (), (), (), 0, Proved())
    assert set(rows("field")) == set(json.loads(write_types_proof(proof)))
    assert SCHEMA in PAGE


def test_the_limits():
    assert f"{PAIRS:,} pairs" in PAGE
