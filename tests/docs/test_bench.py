"""The benches that judge drafts run, and say what they should on a small example."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def bench(name: str, *words: object) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / name), *map(str, words)],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0 or (done.returncode == 1 and not done.stderr), done.stderr  # 1: a target is missed
    return done.stdout


def test_taxonomy():
    assert "mapped to a capability" in bench("taxonomy.py", "examples", "--skills", "5")


def test_flows():
    out = bench("flows.py")
    assert "186 cases" in out
    assert " 0 other misses" in out
    assert "60 ordinary programs" in out


def test_drafts():
    out = bench("drafts.py", "examples", "--show")
    assert "confirm: " in out
    assert "skills outside of their draft: 0" in out


def test_audit_speed():
    out = bench("audit_speed.py", "--records", "200", "--long", "1000")
    assert out.count("ratio") == 2
    assert "verify      1000 records" in out


def test_console_speed_nightly():
    out = bench("console_speed.py", "--skills", "3", "--records", "100", "--times", "2")
    assert out.count("ratio ") >= 2
    assert "all skills known" in out


def test_console_approvals_nightly():
    out = bench("console_approvals.py", "--rounds", "2", "--records", "200")
    assert "to the end of the hook" in out
    assert "pages of a log of 200 records" in out


def test_scan_report_nightly():
    out = bench("scan_report.py", "--rows", "1000")
    assert "report on 1,000 skills" in out
    assert "ratio" in out


def test_telemetry_speed_nightly():
    out = bench("telemetry_speed.py", "--rounds", "1", "--calls", "5")
    assert out.count("ratio") == 3
    assert out.count("where nobody listens") == 3


def test_models_speed():
    assert "plain steps" in bench("models_speed.py", "--side", "60", "gate", "connection")


def test_manifests_counts_hits_and_errors(tmp_path):
    rows = []
    for name in ("one", "two"):
        shutil.copytree(ROOT / "examples" / "sales-report", tmp_path / "a+b" / name)
        rows.append({"repo": "a/b", "path": name, "capabilities": ["shell.execute", "pay"]})
    (tmp_path / "refs.json").write_text(json.dumps(rows))
    out = bench("manifests.py", tmp_path / "refs.json", "--root", tmp_path)
    assert "missing pay" in out
    assert "extra   web.fetch" in out
    assert "2 skills, 0 without a draft" in out
    assert "R 0.500" in out


def test_capsule_speed():
    if shutil.which("bwrap", path="/usr/bin:/bin") is None or shutil.which("cc", path="/usr/bin:/bin") is None:
        pytest.skip("there is no bubblewrap, or no compiler")
    out = bench("capsule_speed.py", "--runs", "1")
    assert out.count("ratio") == 5
