"""`remit capsule`: its statuses, what it explains, and what it records."""

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from remit.capsule import contract as contracts
from remit.cli import main
from remit.cli.schemas import schema_text

sys.path.insert(0, str(Path(__file__).parents[1] / "capsule"))
from capsules import needs_capsule

ENTRIES = [
    {"capability": "file.read", "scope": "./data/**", "effect": "allow"},
    {"capability": "file.write", "scope": "./out/**", "effect": "allow"},
    {"capability": "file.read", "scope": "./*.json", "effect": "confirm"},
    {"capability": "process.create", "scope": "cat", "effect": "allow"},
    {"capability": "web.fetch", "scope": "api.example.com:443", "effect": "allow"},
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    needs_capsule()
    for name in ("place/data", "home"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "place/data/a.txt").write_text("hello\n")
    (tmp_path / "place/data/.env").write_text("TOKEN=x")
    (tmp_path / "m.json").write_text(json.dumps({"skill_metadata": {"name": "demo"}, "permissions": ENTRIES}))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return tmp_path


def capsule(folder, *words, manifest="m.json"):
    action, *rest = words
    return main(["capsule", action, "--manifest", str(folder / manifest), "--workspace", str(folder / "place"), *rest])


def test_a_command_runs_and_its_status_is_passed_through(folder, capfd):
    assert capsule(folder, "run", "--", "cat", "data/a.txt") == 0
    assert capfd.readouterr().out == "hello\n"
    assert capsule(folder, "run", "--", "sh", "-c", "exit 9") == 9
    assert capsule(folder, "run", "--", "cat", "data/.env") == 1
    assert "Permission denied" in capfd.readouterr().err


def test_what_cannot_be_run_has_a_status_of_its_own(folder, capfd):
    assert capsule(folder, "run", "--", "no-such-program") == 125
    assert "there is no program `no-such-program`" in capfd.readouterr().err
    assert capsule(folder, "run", "--", "true", manifest="none.json") == 125
    assert capsule(folder, "run", "--landlock", "99", "--", "true") == 125
    assert "ABI 99 is asked for" in capfd.readouterr().err
    assert capsule(folder, "run", "--timeout", "1", "--", "sh", "-c", "while :; do :; done") == 124
    assert "ended after 1 s" in capfd.readouterr().err


def test_a_wrong_command_line_is_said(folder, capfd):
    assert capsule(folder, "run") == 2
    assert "there is no command" in capfd.readouterr().err
    assert capsule(folder, "run", "--socket", "x=/nowhere", "--", "true") == 2
    assert "is not NAME=PATH of a Unix socket" in capfd.readouterr().err


def test_what_is_planted_has_a_status_of_its_own(folder, capfd):
    assert capsule(folder, "run", "--", "sh", "-c", "echo evil > out/.bashrc") == 123
    assert "profile.read is not granted" in capfd.readouterr().err


def test_the_record_fits_its_schema(folder):
    assert capsule(folder, "run", "--record", str(folder / "r.json"), "--", "sh", "-c", "exit 3") == 3
    value = json.loads((folder / "r.json").read_text())
    jsonschema.validate(value, json.loads(schema_text("capsule-run")))
    assert (value["status"], value["ending"], value["egress"]) == (3, "exited", [])


def test_explaining_runs_nothing(folder, capfd, snapshot):
    words = ("--", "sh", "-c", "echo ran > out/x")
    assert capsule(folder, "run", "--explain", "--format", "json", *words) == 0
    value = json.loads(capfd.readouterr().out)
    jsonschema.validate(value, json.loads(schema_text("capsule")))
    assert contracts.SHAPE.fault(value, "it") == ""
    assert not (folder / "place/out").exists()
    assert capsule(folder, "run", "--explain", *words) == 0
    shown = capfd.readouterr().out
    kept = [
        line.replace(str(folder), "F")
        for line in shown.splitlines()
        if "/usr/" not in line
        and not line.startswith("enforced by")
        and line.strip() not in ("TERM", "COLUMNS", "LINES", "TZ", "NO_COLOR")
    ]
    assert kept == snapshot
    assert not (folder / "place/out").exists()


def test_a_profile_of_macos_is_made_of_the_same_contract(folder, capfd):
    assert capsule(folder, "profile", "--", "cat") == 0
    out = capfd.readouterr().out
    assert out.startswith("(version 1)\n(deny default)\n")
    assert f'(allow file-read* (subpath "{folder}/place/data"))' in out
    assert f'(deny file-read* file-write* (literal "{folder}/place/data/.env"))' in out


def test_probes_are_shown(folder, capfd):
    assert main(["capsule", "probe", "secret", "write-outside"]) == 0
    out = capfd.readouterr().out
    assert out.count("✓ held") == 2
    assert out.endswith("2 held\n")
    assert main(["capsule", "probe", "--format", "json", "tcp"]) == 0
    value = json.loads(capfd.readouterr().out)
    jsonschema.validate(value, json.loads(schema_text("capsule-probe")))
    assert main(["capsule", "probe", "fly"]) == 125
