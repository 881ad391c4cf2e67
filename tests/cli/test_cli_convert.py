"""`remit convert`, and `remit check` against the manifests of others."""

import json

import pytest
from cli_skills import CLEANER, run, skill

READS = '{"permissions": [{"capability": "filesystem.read", "effect": "allow"}]}'
OURS = """{"permissions": [
  {"capability": "file.read", "scope": "./docs/**", "effect": "allow"},
  {"capability": "shell.execute", "scope": "git", "effect": "allow"},
  {"capability": "file.delete", "effect": "confirm", "fallback_msg": "Delete?"},
  {"capability": "secret.*", "effect": "deny"}
]}"""


@pytest.fixture
def ours(work):
    (work / "remit.json").write_text(OURS)
    return work / "remit.json"


@pytest.mark.parametrize("target", ["remit", "skillguard", "enclawed", "allowed-tools"])
def test_what_is_printed(capfd, ours, snapshot, target):
    status, out, err = run(capfd, "convert", "remit.json", "--to", target)
    assert status == 0
    assert f"{out}── losses ──\n{err}" == snapshot


def test_a_skill_and_its_own_manifest(capfd, work):
    folder = skill(work, "pdf")
    (folder / "skillguard-manifest.json").write_text(READS)
    status, out, err = run(capfd, "convert", "pdf", "--to", "remit")
    assert (status, err) == (0, "")
    assert json.loads(out) == {"permissions": [{"capability": "file.read", "effect": "allow"}]}


def test_tools_are_read_on_request(capfd, work):
    folder = skill(work, "pdf")
    (folder / "SKILL.md").write_text(
        "---\nname: pdf\ndescription: d\nallowed-tools: Read Bash(git:*) Bash(A=1 b)\n---\n"
    )
    status, _, err = run(capfd, "convert", "pdf", "--to", "remit")
    assert status == 2
    assert "there is no manifest in `pdf`" in err
    assert "--from allowed-tools" in err
    status, out, err = run(capfd, "convert", "pdf", "--from", "allowed-tools", "--to", "remit")
    assert status == 0
    assert [entry["capability"] for entry in json.loads(out)["permissions"]] == ["file.read", "shell.execute"]
    assert "narrowed: pdf/SKILL.md:4: `Bash(A=1 b)` grants nothing" in err


def test_strict_fails_on_a_loss_and_writes_nothing(capfd, work, ours):
    status, out, err = run(capfd, "convert", "remit.json", "--to", "enclawed", "--strict", "--output", "lines.txt")
    assert (status, out) == (1, "")
    assert "widened" in err
    assert not (work / "lines.txt").exists()
    status, _, _ = run(capfd, "convert", "remit.json", "--to", "remit", "--strict", "--output", "copy.json")
    assert status == 0
    assert json.loads((work / "copy.json").read_text())["permissions"]


def test_a_file_is_never_replaced(capfd, work, ours):
    status, _, err = run(capfd, "convert", "remit.json", "--to", "remit", "--output", "remit.json")
    assert status == 2
    assert "exists already" in err
    assert ours.read_text() == OURS
    assert run(capfd, "convert", "remit.json", "--to", "remit", "--output", "no/such/place.json")[0] == 2


def test_enclawed_has_a_form_for_files(capfd, work, ours):
    assert run(capfd, "convert", "remit.json", "--to", "enclawed", "--output", "skill.json")[0] == 0
    assert json.loads((work / "skill.json").read_text())["v"] == 1


def test_as_json(capfd, ours):
    status, out, err = run(capfd, "convert", "remit.json", "--to", "skillguard", "--format", "json")
    document = json.loads(out)
    assert (status, err) == (0, "")
    assert (document["from"], document["to"]) == ("remit.json", "skillguard")
    assert json.loads(document["text"])["permissions"]
    assert {loss["kind"] for loss in document["losses"]} <= {"widened", "narrowed", "unsure", "lost"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nowhere",), "does not exist"),
        (("broken.json",), "broken.json:1:2"),
        (("remit.json", "--from", "enclawed"), "`permissions` is not a field"),
        (("empty",), "there is no manifest"),
        (("empty", "--from", "skillguard"), "no manifest of the format skillguard"),
    ],
)
def test_bad_input(capfd, work, ours, words, reason):
    (work / "broken.json").write_text("{")
    (work / "empty").mkdir()
    status, out, err = run(capfd, "convert", *words, "--to", "remit")
    assert (status, out) == (2, "")
    assert reason in err


def test_an_escape_sequence_of_a_name_does_not_reach_the_screen(capfd, work):
    (work / "skillguard-manifest.json").write_text(
        '{"permissions": [{"capability": "\\u001b[2Jx", "effect": "allow"}]}'
    )
    status, out, err = run(capfd, "convert", "skillguard-manifest.json", "--to", "remit")
    assert status == 2
    assert "\x1b" not in out + err


# ── check ──


def check(capfd, folder, *more):
    status, out, err = run(capfd, "check", folder, "--format", "json", "--no-cache", *more)
    return status, json.loads(out), err


@pytest.mark.parametrize("name", ["skillguard-manifest.json", ".skillguard.json", "manifest.json"])
def test_check_takes_a_manifest_of_skillguard(capfd, work, name):
    folder = skill(work, "pdf")
    (folder / name).write_text(READS)
    status, report, err = check(capfd, folder)
    assert (status, report["verdict"], err) == (0, "contained", "")
    assert report["manifest"].endswith(name)


def test_check_takes_caps(capfd, work):
    folder = skill(work, "pdf", CLEANER)
    (folder / "SKILL.md").write_text("---\nname: pdf\ndescription: d\ncaps: [fs.read]\n---\n")
    status, report, _ = check(capfd, folder)
    assert (status, report["verdict"]) == (1, "escapes")
    assert report["manifest"].endswith("SKILL.md")
    (folder / "SKILL.md").write_text("---\nname: pdf\ndescription: d\ncaps: [fs.write.irrev]\n---\n")
    assert check(capfd, folder)[1]["verdict"] == "contained"


def test_check_passes_over_a_browser_extension(capfd, work):
    folder = skill(work, "pdf")
    (folder / "manifest.json").write_text('{"manifest_version": 3, "permissions": ["tabs"], "x": "capability"}')
    assert check(capfd, folder)[1]["verdict"] == "undeclared"


def test_check_does_not_take_tools_for_a_manifest(capfd, work):
    folder = skill(work, "pdf")
    (folder / "SKILL.md").write_text("---\nname: pdf\ndescription: d\nallowed-tools: Read Bash\n---\n")
    assert check(capfd, folder)[1]["verdict"] == "undeclared"


def test_check_says_which_of_two_stands(capfd, work):
    folder = skill(work, "pdf", manifest='{"permissions": []}')
    (folder / "skillguard-manifest.json").write_text(READS)
    status, report, err = check(capfd, folder)
    assert (status, report["verdict"]) == (1, "escapes")
    assert "`skillguard-manifest.json` says something else than `remit.json`" in err


def test_check_does_not_pass_a_broken_manifest(capfd, work):
    folder = skill(work, "pdf")
    (folder / "skillguard-manifest.json").write_text(
        '{"permissions": [{"capability": "filesystem.raed", "effect": "allow"}]}'
    )
    status, report, err = check(capfd, folder)
    assert (status, report["verdict"]) == (2, "opaque")
    assert "skillguard-manifest.json:1:33" in err
    assert any(place["where"]["file"] == "skillguard-manifest.json" for place in report["opaque"])


def test_check_reads_a_foreign_file_that_is_named(capfd, work):
    folder = skill(work, "pdf")
    (work / "skill.json").write_text('{"id": "x", "caps": ["fs.read"]}')
    assert check(capfd, folder, "--manifest", "skill.json")[1]["verdict"] == "contained"
