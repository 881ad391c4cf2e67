"""Which file is a skill's manifest, and which one only looks like it."""

import json
import subprocess
import sys

import pytest

from each_row import each_row
from remit.core.errors import ManifestError, UsageError
from remit.manifest import find_manifest, own_manifest, read_manifest
from remit.manifest.find import file_of, read_any
from remit.manifest.foreign.formats import FORMATS, format_named

OURS = '{"permissions": [{"capability": "file.read", "effect": "allow"}]}'
SKILLGUARD = '{"permissions": [{"capability": "filesystem.read", "effect": "allow"}]}'
OTHER = '{"permissions": [{"capability": "web.fetch", "effect": "allow"}]}'
ENCLAWED = '{"id": "x", "caps": ["pay"]}'
TEXT = "---\nname: x\ndescription: y\n---\nText.\n"
CAPS = "---\nname: x\ndescription: y\ncaps: [publish]\n---\nText.\n"
EXTENSION = {
    "manifest_version": 3,
    "name": "An extension",
    "permissions": ["storage", "tabs"],
    "description": "has the capability to read tabs",
}


def test_the_order(tmp_path):
    (tmp_path / "SKILL.md").write_text(CAPS)
    order = ["SKILL.md"]
    for name, text in [
        ("skill.json", ENCLAWED),
        ("manifest.json", SKILLGUARD),
        (".skillguard.json", SKILLGUARD),
        ("skillguard-manifest.json", SKILLGUARD),
        ("remit.json", OURS),
    ]:
        assert find_manifest(tmp_path).name == order[-1]
        (tmp_path / name).write_text(text)
        order.append(name)
    assert find_manifest(tmp_path).name == "remit.json"


@each_row(
    ("name", "text"),
    [
        ("manifest.json", json.dumps(EXTENSION)),
        ("manifest.json", json.dumps({"name": "A PWA", "start_url": "/", "icons": []})),
        ("manifest.json", '{"permissions": []}'),
        ("manifest.json", '{"permissions": {"capability": 1}}'),
        ("manifest.json", '[{"capability": "x"}]'),
        ("manifest.json", '{"note": "a capability", '),
        ("skill.json", '{"name": "x", "version": "1.0", "capabilities": ["lead.create"]}'),
        ("skill.json", '{"caps": {"max": 1}}'),
        ("skill.json", "not json"),
        ("SKILL.md", TEXT),
        ("SKILL.md", "caps: [pay]\n"),
        ("SKILL.md", "---\nname: x\nmetadata: {caps: [pay]}\n---\n"),
        ("SKILL.md", "---\nname: x\nallowed-tools: Bash\n---\n"),
    ],
)
def test_what_only_looks_like_a_manifest_is_none(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert find_manifest(tmp_path) is None
    assert own_manifest(tmp_path) is None


@each_row(
    ("name", "text"),
    [
        ("remit.json", "{"),
        ("skillguard-manifest.json", "{}"),
        (".skillguard.json", ""),
        ("manifest.json", '{"permissions": [{"capability": "x"}]}'),
        ("manifest.json", '{"permissions": [{"capability": "web.fetch", "effect": "allow"},]}'),
        ("manifest.json", '{"permissions": [], "skill_metadata": 1}'),
        ("skill.json", '{"caps": ["everything"]}'),
        ("skill.json", '{"caps": ["pay"], "caps": []}'),
        ("SKILL.md", "---\ncaps: everything\n---\n"),
        ("SKILL.md", "---\nname: x\ncaps: [pay]\ncaps: []\n---\n"),
    ],
)
def test_a_broken_manifest_is_not_no_manifest(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert find_manifest(tmp_path).name == name
    with pytest.raises(ManifestError):
        own_manifest(tmp_path)


def test_links_and_folders_in_the_place_of_a_manifest(tmp_path):
    (tmp_path / "skillguard-manifest.json").symlink_to("nowhere")
    with pytest.raises(ManifestError, match="is not a file"):
        own_manifest(tmp_path)
    (tmp_path / "skillguard-manifest.json").unlink()
    (tmp_path / "manifest.json").mkdir()  # a name that others use too
    assert own_manifest(tmp_path) is None


def test_a_second_manifest_that_says_something_else_is_noted(tmp_path):
    (tmp_path / "remit.json").write_text(OURS)
    (tmp_path / "skillguard-manifest.json").write_text(SKILLGUARD)
    assert own_manifest(tmp_path).notes == ()  # both say the same
    (tmp_path / "skillguard-manifest.json").write_text(OTHER)
    found = own_manifest(tmp_path)
    assert found.manifest == read_manifest(tmp_path / "remit.json")
    assert found.notes == (
        "`skillguard-manifest.json` says something else than `remit.json`, which takes precedence; it is ignored",
    )
    (tmp_path / "skillguard-manifest.json").write_text("{")
    assert len(own_manifest(tmp_path).notes) == 1


def test_a_spelling_of_the_skill_text_that_hosts_take(tmp_path):
    (tmp_path / "skill.md").write_text(CAPS)
    assert find_manifest(tmp_path).name == "skill.md"
    assert {entry.capability for entry in own_manifest(tmp_path).manifest.permissions} >= {"publish"}


def test_the_name_of_a_file_tells_its_format(tmp_path):
    for name, text, capability in [
        ("any.json", OURS, "file.read"),
        ("manifest.json", SKILLGUARD, "file.read"),
        ("skill.json", ENCLAWED, "pay"),
        ("SKILL.md", CAPS, "commit.push"),
    ]:
        (tmp_path / name).write_text(text)
        assert read_manifest(tmp_path / name).permissions[0].capability == capability
    with pytest.raises(ManifestError):
        read_any(tmp_path / "skill.json", "skillguard")


def test_formats_by_name(tmp_path):
    (tmp_path / "SKILL.md").write_text(TEXT)
    assert file_of(tmp_path, "allowed-tools").name == "SKILL.md"
    assert file_of(tmp_path, "enclawed") is None
    assert [known.name for known in FORMATS] == ["remit", "skillguard", "enclawed", "allowed-tools"]
    with pytest.raises(UsageError):
        format_named("yaml")


def test_a_folder_that_cannot_be_listed_has_none(tmp_path):
    assert find_manifest(tmp_path / "nowhere") is None


def test_the_room_is_light_to_import():
    code = "import sys, remit.manifest, remit.manifest.foreign.formats; print([m for m in ('yaml', 're2', 'tree_sitter') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert run.stdout.strip() == "[]"


def test_what_is_remembered_of_a_skill_holds_its_foreign_manifest(tmp_path):
    from remit.manifest.drift.model import TraitKind
    from remit.manifest.drift.summarise import summarise
    from remit.skill.load import load_skill

    def entries():
        return [
            (trait.subject, trait.where.file) for trait in summarise(load_skill(tmp_path), (), ()).of(TraitKind.ENTRY)
        ]

    (tmp_path / "SKILL.md").write_text(CAPS)
    assert entries() == [("commit.push", "SKILL.md"), ("message.send", "SKILL.md"), ("publish", "SKILL.md")]
    (tmp_path / "skillguard-manifest.json").write_text(SKILLGUARD)
    assert entries() == [("file.read", "skillguard-manifest.json")]
    (tmp_path / "skillguard-manifest.json").write_text("{")
    found = summarise(load_skill(tmp_path), (), ())
    assert found.manifest == ""
    assert any("the manifest cannot be read" in trait.subject for trait in found.of(TraitKind.OPAQUE))
