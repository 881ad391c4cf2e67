"""docs/manifest.md: its examples are read, it names every field, and its numbers are those of the reader."""

import json
import re
from pathlib import Path

import pytest

from remit.cli.schemas import schema_text
from remit.manifest import fields, parse_defaults, parse_manifest
from remit.manifest.jsontext import MAX_DEPTH
from remit.manifest.read import MAX_BYTES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "manifest.md").read_text("utf-8")
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def names(schema):
    """Every field that a schema describes."""
    if isinstance(schema, dict):
        for name, inner in schema.get("properties", {}).items():
            yield name
            yield from names(inner)
        for key, inner in schema.items():
            if key != "properties":
                yield from names(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from names(inner)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_read(example):
    parse = parse_defaults if "session_defaults" in example else parse_manifest
    assert parse(example.encode(), "docs/manifest.md").permissions


@pytest.mark.parametrize("document", ["manifest", "defaults"])
def test_every_field_is_named(document):
    found = set(names(json.loads(schema_text(document))))
    assert len(found) > 10
    assert not {name for name in found if f"`{name}`" not in PAGE and f'"{name}"' not in PAGE}


def test_the_limits_are_those_of_the_reader():
    stated = PAGE.split("Limits: ")[1].split("\n\n")[0].replace("\n", " ")
    assert stated.startswith(
        f"{MAX_BYTES // 1024**2} MiB, {fields.ENTRIES} entries, {fields.MANY} scopes, values or pieces of evidence in a list, "
        f"{fields.FEW} patterns or arguments, {fields.LINE} characters in a scope, pattern or message, {MAX_DEPTH} levels"
    )
