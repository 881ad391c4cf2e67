"""Rule 8: every file takes a stance; autoloaded files are code; instructed effects are reported apart."""

import pytest


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("scripts/a.rb", "File.delete('v')\n"),
        ("scripts/a.pl", "unlink 'v';\n"),
        ("scripts/a.ps1", "Remove-Item v\n"),
        ("bin/tool", b"\x7fELF\x02\x01\x01" + bytes(60)),
        ("scripts/a.pyz", b"#!/usr/bin/env python3\nPK\x03\x04"),
    ],
)
def test_what_is_not_analysed_is_opaque_and_named(skill, name, content):
    assert skill({name: content}).opaque


def test_data_is_inert(skill):
    found = skill({"assets/a.json": "{}", "assets/b.csv": "a,b\n", "references/c.txt": "rm -rf /\n"})
    assert not found.effects
    assert not found.opaque


def test_text_that_is_run_is_code(skill):
    found = skill({"scripts/run.sh": '#!/bin/bash\n. "$(dirname "$0")/notes.txt"\n', "scripts/notes.txt": "rm -f v\n"})
    assert "file.delete" in found.capabilities


def test_autoloaded_files_are_code(skill):
    assert "file.delete" in skill({"conftest.py": "import os\nos.remove('v')\n"}).capabilities


def test_fences_are_instructed_programs(skill):
    found = skill({}, "Run:\n\n```bash\nrm -f v\n```\n")
    assert ("file.delete", "./v") in found.effects


def test_a_placeholder_is_not_a_redirection(skill):
    found = skill({}, "Run:\n\n```bash\nrm <file>\n```\n")
    assert "file.delete" in found.capabilities
    assert "file.read" not in found.capabilities
