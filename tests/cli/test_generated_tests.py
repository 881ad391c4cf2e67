"""`remit test --generate`: tests from the skill, what they reach, and what is said of what they do not."""

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from remit.capsule.cases import FILE, By, Case, Prints, place_files, read_cases, write_cases
from remit.capsule.samples import KINDS, sample
from remit.cli import main
from remit.cli.sample_commands import sample_commands
from remit.cli.schemas import schema_text
from remit.core.errors import InputError
from remit.skill.load import load_skill
from remit.skill.program import programs

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "capsule"))
from confined import needs_sandbox

SUM = """\
import argparse, csv
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("table")
parser.add_argument("--out", default="sums.txt")
args = parser.parse_args()
with open(args.table) as file:
    total = sum(float(row["price"]) for row in csv.DictReader(file))
Path("out").mkdir(exist_ok=True)
Path("out/" + Path(args.out).name).write_text(str(total))
if total > 1_000_000:
    Path("alarm.txt").write_text("much")
"""
GRANTS = [
    {"capability": "file.read", "scope": "<arg>"},
    {"capability": "file.write", "scope": "./out/**"},
    {"capability": "file.write", "scope": "./notes/**"},
    {"capability": "shell.execute", "scope": "no-such-program"},
    {"capability": "env.read", "scope": "PRICE"},
    {"capability": "source.execute", "scope": "./scripts/sum.py"},
    {"capability": "web.fetch", "scope": "api.example.com:443"},
]


def write(place, grants=GRANTS, script=SUM):
    folder = place / "sums"
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        "---\nname: sums\ndescription: Sums up prices.\n---\n# Sums\n\n```bash\npython3 scripts/sum.py <prices.csv>\n```\n"
    )
    (folder / "scripts/sum.py").write_text(script)
    head = {"skill_metadata": {"name": "sums", "version": "1.0"}}
    (folder / "remit.json").write_text(json.dumps({**head, "permissions": grants}))
    return folder


def sampled(folder):
    skill = load_skill(folder, shipped=True)
    return sample_commands(skill, programs(skill), ())


def test_a_document_knows_best_how_a_script_is_called(tmp_path):
    (found,) = sampled(write(tmp_path))
    assert found.file == "scripts/sum.py"
    first = found.cases[0]
    assert first.words == ("python3", "scripts/sum.py", "prices.csv")
    assert dict(first.files)["prices.csv"].startswith(b"price\n")  # with the column that the script takes
    assert ("python3", "scripts/sum.py", "sample", "--out", "sums.txt") in [case.words for case in found.cases]


def test_the_functions_of_a_module_are_called(tmp_path):
    (found,) = sampled(write(tmp_path, script="def total(url, _more=1):\n    return url\n\ndef _own():\n    pass\n"))
    assert [case.words[-2:] for case in found.cases if "-c" in case.words] == [("total", "https://example.com/")]


def test_there_is_a_sample_of_each_kind():
    for kind in KINDS:
        assert sample(f"sample.{kind}")
    assert json.loads(sample("x.json", ("name", "date"))) == {"name": "1", "date": "2026-01-15"}


def test_cases_are_read_as_they_are_written():
    cases = (
        Case(("python3", "a b.py"), 3, By.AGENT, (("x/y.bin", b"\xff"), ("z.txt", b"z\n"))),
        Case(("true",), effects=("file.write ./a",), prints=Prints.JSON),
        Case(("false",), 1, effects=()),
    )
    assert read_cases(write_cases(cases).encode()) == cases


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"version": 2, "cases": []},
        {"version": 1, "cases": [{"command": "a | b", "status": 0, "by": "skill"}]},
        {"version": 1, "cases": [{"command": "a", "status": -1, "by": "skill"}]},
        {"version": 1, "cases": [{"command": "a", "status": 0, "by": "nobody"}]},
        {"version": 1, "cases": [{"command": "a", "status": 0, "by": "skill", "more": 1}]},
        {"version": 1, "cases": [{"command": "a", "status": 0, "by": "skill", "files": {"../x": ""}}]},
        {"version": 1, "cases": [{"command": "a", "status": 0, "by": "skill", "files": {"/x": ""}}]},
        {"version": 1, "cases": [{"command": "a", "status": 0, "by": "skill", "files": {"a/../../x": ""}}]},
        {"version": 1, "cases": [{"command": "a", "status": 0, "by": "skill", "files": {"x": {"base64": "?"}}}]},
    ],
)
def test_other_cases_are_refused(value):
    with pytest.raises(InputError):
        read_cases(json.dumps(value).encode())


def test_files_are_placed_inside_of_the_copy_alone(tmp_path):
    outside, copy = tmp_path / "outside", tmp_path / "copy"
    outside.mkdir()
    copy.mkdir()
    (copy / "link").symlink_to(outside)
    (copy / "own.txt").write_text("own")
    place_files(
        Case(("true",), files=(("link/x", b"x"), ("own.txt", b"other"), ("own.txt/x", b"x"), ("a/b", b"b"))), copy
    )
    assert not list(outside.iterdir())
    assert (copy / "own.txt").read_text() == "own"
    assert (copy / "a/b").read_bytes() == b"b"


@pytest.fixture
def generated(tmp_path, capsys, monkeypatch):
    needs_sandbox()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def go(folder, *more):
        status = main(["test", str(folder), *more, "--format", "json"])
        out = capsys.readouterr()
        return status, json.loads(out.out) if out.out else {}, out.err

    return go


def test_generated_tests_reach_the_level_needs_bubblewrap_and_strace(tmp_path, generated):
    folder = write(tmp_path)
    (folder / "scripts/sum.py").write_text(SUM.partition("if total")[0])
    status, record, said = generated(folder, "--generate")
    assert status == 0, said
    jsonschema.validate(record, json.loads(schema_text("test")))
    assert record["stand_ins"] == ["no-such-program"]
    assert [item["scope"] for item in record["untested"]] == ["PRICE"]  # which no test can show
    acts = {item["capability"]: item["commands"] for item in record["observed"] if item["scope"] != "./out/sums.txt"}
    assert {record["commands"][number].get("by") for number in acts["shell.execute"]} == {"agent"}
    status, again, _ = generated(folder)
    assert status == 0
    assert again == record


@pytest.mark.parametrize(
    ("old", "new", "unlike"),
    [
        ('"out/" + Path(args.out).name', '"out/other.txt"', "it does file.write ./out/other.txt"),
        ('Path("out/" + Path(args.out).name).write_text(str(total))', "pass", "it does not do file.write ./out/sums.txt"),
        ("import argparse", "import socket, argparse\ntry: socket.create_connection(('9.9.9.9', 9))\nexcept OSError: pass\nimport argparse", "it does net.connect 9.9.9.9:9"),
        ("import argparse", "print('{}')\nimport argparse", "it prints json, not nothing"),
    ],
)  # fmt: skip
def test_a_script_that_does_something_else_fails_its_case_needs_bubblewrap_and_strace(
    old, new, unlike, tmp_path, generated
):
    folder = write(tmp_path, [*GRANTS, {"capability": "net.connect", "scope": "any"}])
    script = SUM.partition("if total")[0]
    (folder / "scripts/sum.py").write_text(script)
    generated(folder, "--generate")
    (folder / "scripts/sum.py").write_text(script.replace(old, new))
    status, record, _ = generated(folder)
    assert status == 1
    jsonschema.validate(record, json.loads(schema_text("test")))
    assert unlike in record["commands"][0]["unlike"]
    assert not record["outside"]


CURL = """\
curl -fs -o raw.json https://api.example.com/prices
sort raw.json > out/sorted.txt
"""
CLEAR = """\
from pathlib import Path
for old in sorted(Path("out").glob("report-*.md"))[:-5]:
    old.unlink()
"""


@pytest.mark.parametrize(
    ("name", "script", "grants"),
    [
        ("fetch.sh", CURL, ("web.fetch api.example.com:443", "file.write ./out/**", "file.read ./raw.json",
                            "process.create curl", "process.create sort")),
        ("clear.py", CLEAR, ("file.delete ./out/*", "file.read ./out")),
    ],
)  # fmt: skip
def test_what_follows_an_answer_and_what_clears_up_is_reached_needs_bubblewrap_strace_and_curl(
    name, script, grants, tmp_path, generated
):
    folder = write(tmp_path, [dict(zip(("capability", "scope"), grant.split(), strict=True)) for grant in grants])
    (folder / "scripts/sum.py").unlink()
    (folder / "scripts" / name).write_text(script)
    (folder / "out").mkdir()
    (folder / "out/.gitkeep").write_text("")
    _, record, said = generated(folder, "--generate")
    assert [item for item in record["untested"] if "unobservable" not in item] == [], said


def test_what_a_name_may_have_from_the_clock_is_not_asserted_needs_bubblewrap_and_strace(tmp_path, generated):
    script = SUM.partition("if total")[0].replace('Path("out/"', "Path(f\"out/{__import__('time').time_ns()}\"")
    folder = write(tmp_path)
    (folder / "scripts/sum.py").write_text(script)
    assert generated(folder, "--generate")[0] == 0
    assert [case["prints"] for case in json.loads((folder / FILE).read_text())["cases"] if "prints" in case]
    assert not any("effects" in case for case in json.loads((folder / FILE).read_text())["cases"])
    assert generated(folder)[0] == 0


def test_code_that_no_sample_reaches_stops_the_level_needs_bubblewrap_and_strace(tmp_path, generated):
    folder = write(tmp_path, [*GRANTS, {"capability": "file.write", "scope": "./alarm.txt"}])
    status, record, said = generated(folder, "--generate")
    assert status == 1
    assert "no sample reaches file.write ./alarm.txt at scripts/sum.py:13" in said
    assert {"capability": "file.write", "scope": "./alarm.txt"} in record["untested"]
    status, _, said = generated(folder, "--generate")
    assert status == 2
    assert "exists already" in said


def test_a_case_that_ends_otherwise_fails_needs_bubblewrap_and_strace(tmp_path, generated):
    folder = write(tmp_path)
    (folder / "tests").mkdir()
    (folder / FILE).write_text(write_cases([Case(("sh", "-c", "exit 3"), 4)]))
    status, record, _ = generated(folder)
    assert status == 1
    assert (record["commands"][0]["status"], record["commands"][0]["expected"]) == (3, 4)


def test_what_a_case_does_outside_of_the_manifest_is_refused_needs_bubblewrap_and_strace(tmp_path, generated):
    folder = write(tmp_path)
    (folder / "tests").mkdir()
    (folder / FILE).write_text(write_cases([Case(("touch", "elsewhere.txt"), by=By.AGENT)]))
    status, record, _ = generated(folder)
    assert status == 1
    assert record["outside"][0]["scope"] == "./elsewhere.txt"
