"""`remit check --counterexample` and `remit replay`: every session that is written stands, until something ends it."""

import json
from pathlib import Path

import jsonschema
import pytest
from cli_skills import run, skill

from remit.cli.schemas import schema_text

SCRIPT = 'import sys\nopen("./out.txt", "w").write(open(sys.argv[1]).read())\n'
READS = '{"permissions": [{"capability": "file.read", "scope": "<arg>"}, {"capability": "source.execute"}]}'
WRITES = READS.replace("]}", ', {"capability": "file.write", "scope": "./out.txt"}]}')


@pytest.fixture
def folder(work):
    made = skill(work, "copy", SCRIPT, manifest=READS)
    with (made / "SKILL.md").open("a") as file:
        file.write("\n```bash\npython3 scripts/run.py notes.txt\n```\n")
    return made


@pytest.fixture
def written(folder, work, capfd):
    status, _, err = run(capfd, "check", folder, "--counterexample", work / "s.json")
    assert (status, err) == (1, "")
    return work / "s.json"


def test_the_report_shows_how_it_gets_there(folder, capfd):
    _, out, _ = run(capfd, "check", folder, "-v")
    assert "· how it gets there\n  envelope  source.execute ./scripts/run.py, as SKILL.md:8 says `python3" in out
    assert "script    scripts/run.py:2\n" in out
    assert "effect    file.write ./out.txt" in out


def test_what_is_written_fits_its_schema_and_is_in_the_report(folder, written, capfd):
    value = json.loads(written.read_text())
    jsonschema.validate(value, json.loads(schema_text("session")))
    _, out, _ = run(capfd, "check", folder, "--format", "json")
    report = json.loads(out)
    jsonschema.validate(report, json.loads(schema_text("check")))
    assert report["counterexample"] == value["sessions"]
    assert value["skill"] == "copy"


def test_it_stands_step_by_step(folder, written, capfd, snapshot):
    status, out, err = run(capfd, "replay", written, folder)
    assert (status, err) == (1, "")
    assert out == snapshot


def test_it_is_the_same_from_the_cache_and_in_another_place(folder, written, work, capfd):
    first = run(capfd, "replay", written, folder)
    assert run(capfd, "replay", written, folder, "--no-cache") == first
    moved = folder.rename(work / "elsewhere")
    assert run(capfd, "replay", written, moved) == first


def test_the_manifest_grants_it_now(folder, written, work, capfd, snapshot):
    (work / "wider.json").write_text(WRITES)
    status, out, _ = run(capfd, "replay", written, folder, "--manifest", work / "wider.json")
    assert status == 0
    assert out == snapshot
    (folder / "remit.json").write_text(WRITES)
    assert run(capfd, "replay", written, folder)[0] == 0
    assert run(capfd, "check", folder)[0] == 0


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


CHANGES = {
    "begins": lambda folder: edit(folder / "SKILL.md", "notes.txt", "other.txt"),
    "script": lambda folder: edit(folder / "scripts/run.py", "import sys", "import sys "),
    "effect": lambda folder: edit(folder / "scripts/run.py", "out.txt", "other.txt"),
    "manifest": lambda folder: (folder / "remit.json").write_text(WRITES),
}


@pytest.mark.parametrize("link", CHANGES)
def test_each_link_can_end_it(link, folder, written, capfd):
    CHANGES[link](folder)
    status, out, _ = run(capfd, "replay", written, folder, "--format", "json")
    value = json.loads(out)
    jsonschema.validate(value, json.loads(schema_text("replay")))
    (only,) = value["sessions"]
    assert link in [item["name"] for item in only["links"] if not item["holds"]]
    assert (status, only["standing"], value["stands"]) == (0, "gone", False)


def test_a_script_that_nobody_understands_is_not_gone(folder, written, capfd):
    (folder / "scripts/run.py").write_text("import frobnicate\nfrobnicate.go()\n")
    status, out, _ = run(capfd, "replay", written, folder, "--format", "json")
    value = json.loads(out)
    assert (status, value["stands"], value["sessions"][0]["standing"]) == (1, True, "unknown")


def test_a_forged_envelope_is_not_replayed(folder, written, capfd):
    edit(written, '"target": "./scripts/run.py"', '"target": "./scripts/other.py"')
    status, out, _ = run(capfd, "replay", written, folder)
    assert status == 0
    assert "gone   envelope" in out


def test_wrong_input(folder, written, work, capfd):
    other = skill(work, "other", SCRIPT)
    assert run(capfd, "replay", written, other)[0] == 2  # a session of another skill
    assert run(capfd, "replay", work / "none.json", folder)[0] == 2
    assert run(capfd, "replay", work, folder)[0] == 2
    assert run(capfd, "replay", written, work)[0] == 2  # two skills
    assert run(capfd, "replay", written, work / "none")[0] == 2
    (work / "bad.json").write_text("{}")
    status, out, err = run(capfd, "replay", work / "bad.json", folder)
    assert (status, out) == (2, "")
    assert "bad.json:1:1: a file of sessions has no `format`" in err
    (folder / "remit.json").write_text("{")
    assert run(capfd, "replay", written, folder)[0] == 2
    (folder / "SKILL.md").unlink()
    assert run(capfd, "replay", written, folder)[0] == 2


def test_no_session_is_written_where_nothing_escapes(work, capfd):
    fine = skill(work, "fine", SCRIPT, manifest=WRITES)
    status, _, err = run(capfd, "check", fine, "--counterexample", work / "s.json")
    assert status == 0
    assert "no session is written" in err
    assert not (work / "s.json").exists()


def test_sessions_of_many_skills_do_not_mix(folder, work, capfd):
    skill(work, "second", SCRIPT)
    status, out, err = run(capfd, "check", work, "--counterexample", work / "s.json")
    assert (status, out) == (2, "")
    assert "for one skill, not for 2" in err


def test_a_file_that_cannot_be_written_is_said(folder, work, capfd):
    status, _, err = run(capfd, "check", folder, "--counterexample", work / "none" / "s.json")
    assert status == 2
    assert "cannot be written" in err


def test_every_session_of_a_real_skill_stands(work, capfd):
    example = Path(__file__).resolve().parents[2] / "examples/sales-report"
    (work / "nothing.json").write_text('{"permissions": []}')
    given = ("--manifest", work / "nothing.json")
    assert run(capfd, "check", example, *given, "--counterexample", work / "s.json")[0] == 1
    status, out, _ = run(capfd, "replay", work / "s.json", example, *given, "--format", "json")
    standings = [item["standing"] for item in json.loads(out)["sessions"]]
    assert (status, set(standings)) == (1, {"stands"})
    assert len(standings) > 20
