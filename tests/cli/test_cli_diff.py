"""`remit diff` from end to end: what updates are caught, what is no gain, formats and statuses."""

import json
import shutil

import jsonschema
import pytest
from cli_skills import run, skill
from drift_updates import CAUGHT, QUIET, base, edit

from remit.cli.schemas import schema_text

VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema_text("diff")))


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory):
    """The old skill is analysed once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def sides(work, monkeypatch, shared_cache):
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared_cache))
    return base(work / "old" / "invoice"), base(work / "new" / "invoice")


def diff(capfd, *argv):
    status, out, err = run(capfd, "diff", *argv, "--format", "json")
    value = json.loads(out)
    VALIDATOR.validate(value)
    return status, value, err


@pytest.mark.parametrize("case", CAUGHT)
def test_an_update_that_can_do_more_is_caught(sides, capfd, case):
    _, new = sides
    change, named = CAUGHT[case]
    change(new)
    status, found, err = diff(capfd, "old", "new")
    (one,) = found["skills"]
    assert (status, found["gains"], one["verdict"], err) == (1, True, "gains", "")
    listed = said(one)
    for name in named:
        assert any(name in words for words in listed), (name, listed)


def said(one):
    """Every gain in words, and the verdict."""
    gains = [item for item in (*one["added"], *one["removed"]) if item["gain"]]
    return [f"{item['what']}({', '.join(item.get('scopes', []))}" for item in gains] + [
        f"{item['what']}({', '.join(item.get('scopes', []))})" for item in gains
    ] + [f"runs `{item['what']}` by itself" for item in gains] + [f"pre-approval of {item['what']}" for item in gains] + [
        one["says"]
    ]  # fmt: skip


@pytest.mark.parametrize("case", QUIET)
def test_an_update_that_can_do_no_more_is_no_gain(sides, capfd, case):
    _, new = sides
    QUIET[case](new)
    status, found, err = diff(capfd, "old", "new")
    (one,) = found["skills"]
    assert (status, found["gains"], one["verdict"], err) == (0, False, "changed", ""), one["says"]
    assert one["says"].startswith("gains nothing")
    assert one["files"]


def test_back_is_the_mirror_of_forth(sides, capfd):
    _, new = sides
    for case in ("a POST in a helper", "a hook of the front matter", "a denial removed", "a changed binary"):
        CAUGHT[case][0](new)
    there, back = (diff(capfd, *sides)[1]["skills"][0] for sides in (("old", "new"), ("new", "old")))

    def plain(changes):
        return [{key: item[key] for key in item if key != "gain"} for item in changes]

    assert plain(there["added"]) == plain(back["removed"])
    assert plain(there["removed"]) == plain(back["added"])


def test_the_same_is_no_difference(sides, capfd):
    status, found, _ = diff(capfd, "old", "new", "--fail-on", "any")
    assert (status, found["gains"]) == (0, False)
    assert found["skills"][0]["verdict"] == "same"
    assert found["skills"][0]["added"] == []


@pytest.mark.parametrize(
    ("change", "fail_on", "status"),
    [
        ("other words", "gain", 0),
        ("other words", "any", 1),
        ("other words", "never", 0),
        ("a POST in a helper", "gain", 1),
        ("a POST in a helper", "any", 1),
        ("a POST in a helper", "never", 0),
    ],
)
def test_status(sides, capfd, change, fail_on, status):
    (QUIET.get(change) or CAUGHT[change][0])(sides[1])
    assert diff(capfd, "old", "new", "--fail-on", fail_on)[0] == status


def test_worst_first_with_place_and_calls(sides, capfd):
    for case in (
        "a POST in a helper",
        "a hook of the front matter",
        "a secret in a file",
        "another package",
        "other words",
    ):
        (QUIET.get(case) or CAUGHT[case][0])(sides[1])
    added = diff(capfd, "old", "new")[1]["skills"][0]["added"]
    assert [item["rank"] for item in added] == sorted(item["rank"] for item in added)
    assert [item["what"] for item in added][:2] == ["hook.install", "secret.read"]
    post = next(item for item in added if item["what"] == "web.post")
    assert post["where"] == {"file": "scripts/helper.py", "line": 7}
    assert post["path"][0]["file"] == "scripts/invoice.py"


# ── several skills, and locks ──


def test_skills_are_matched_by_name(work, capfd):
    for side in ("old", "new"):
        for name in ("a", "b", "c"):
            skill(work / side, name)
    shutil.move(work / "new" / "b", work / "new" / "deeper" / "b")
    shutil.rmtree(work / "new" / "c")
    skill(work / "new", "d")
    status, found, _ = diff(capfd, "old", "new")
    assert {one["name"]: one["verdict"] for one in found["skills"]} == {
        "a": "same",
        "b": "same",
        "c": "missing",
        "d": "new",
    }
    assert status == 1  # everything that a new skill can do is gained
    assert "file.read(<arg>)" in next(one["says"] for one in found["skills"] if one["name"] == "d")


def test_two_of_one_name_are_not_taken_for_each_other(work, capfd):
    skill(work / "old", "a")
    skill(work / "old" / "x", "b")
    skill(work / "new", "a")
    folder = skill(work / "new", "z", "import os\nos.remove('x')\n")
    edit("SKILL.md", "name: z", "name: a")(folder)
    found = diff(capfd, "old", "new")[1]
    assert sorted((one["name"], one["verdict"]) for one in found["skills"]) == [
        ("a", "new"),
        ("a", "same"),
        ("b", "missing"),
    ]


def test_a_lock_can_be_either_side(sides, capfd):
    assert run(capfd, "lock", "old", "--output", "old.lock")[0] == 0
    CAUGHT["a POST in a helper"][0](sides[1])
    QUIET["other words"](sides[1])
    assert run(capfd, "lock", "new", "--output", "new.lock")[0] == 0
    by_folder = diff(capfd, "old", "new")[1]["skills"][0]
    for argv in (("old.lock", "new"), ("old", "new.lock"), ("old.lock", "new.lock")):
        status, found, _ = diff(capfd, *argv)
        one = found["skills"][0]
        assert status == 1
        assert one["says"] == by_folder["says"]
        assert one["files"] == by_folder["files"]
    by_lock = diff(capfd, "old.lock", "new")[1]["skills"][0]["instructions"]
    assert [(item["new"], item["lost"]) for item in by_lock] == [("Ask the user before you send anything.", 0), ("", 1)]


# ── bad input ──


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("nowhere", "new"), "`nowhere` does not exist"),
        (("old", "empty"), "there is no SKILL.md"),
        (("old",), "NEW is missing"),
        (("bad.lock", "new"), "bad.lock: not a lock: line 1, column 1"),
        (("twice.lock", "new"), "the key `lock` occurs twice"),
        (("edited.lock", "new"), "was edited by hand"),
    ],
)
def test_wrong_calls_are_refused(sides, work, capfd, argv, message):
    (work / "empty").mkdir()
    (work / "bad.lock").write_text("x")
    (work / "twice.lock").write_text('{"lock": 1, "lock": 1}')
    run(capfd, "lock", "old", "--output", "edited.lock")
    (work / "edited.lock").write_text((work / "edited.lock").read_text().replace("rates.example", "x.example"))
    status, out, err = run(capfd, "diff", *argv)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("target", ["/etc/passwd", "../../old"])
def test_a_link_that_leads_out_is_never_no_gain(sides, capfd, target):
    (sides[1] / "scripts/helper.py").unlink()
    (sides[1] / "scripts/helper.py").symlink_to(target)
    status, found, err = diff(capfd, "old", "new", "--fail-on", "never")
    assert status == 2
    assert found["skills"] == []
    assert "outside of the skill" in found["errors"][0]["message"]
    assert "outside of the skill" in err


def test_one_that_cannot_be_read_does_not_hide_the_others(work, capfd):
    for side in ("old", "new"):
        skill(work / side, "a")
        skill(work / side, "b")
    (work / "new/b/SKILL.md").write_bytes(b"\xff\xfe")
    status, found, _ = diff(capfd, "old", "new")
    assert status == 2
    assert {one["name"]: one["verdict"] for one in found["skills"]} == {"a": "same", "b": "missing"}


# ── what people see ──


MANY = (
    "a POST in a helper", "a hook of the front matter", "an instruction in a comment", "a changed binary", "a denial removed",
    "another allowed tool", "a wider glob", "a package from elsewhere",
)  # fmt: skip


@pytest.fixture
def many(sides):
    for case in MANY:
        CAUGHT[case][0](sides[1])
    QUIET["other words"](sides[1])
    edit("SKILL.md", "order that the user names", "order\u202e that \x1b[31mthe user names")(sides[1])


@pytest.mark.parametrize("options", [[], ["-v"], ["-q"]], ids=["plain", "verbose", "quiet"])
def test_text(many, capfd, snapshot, options):
    status, out, err = run(capfd, "diff", "old", "new", *options)
    assert (status, err) == (1, "")
    assert "\x1b" not in out
    assert out == snapshot


def test_markdown(many, capfd, snapshot):
    status, out, err = run(capfd, "diff", "old", "new", "--format", "md")
    assert (status, err) == (1, "")
    assert "\x1b" not in out
    assert out == snapshot


def test_text_without_gain(sides, capfd, snapshot):
    for case in ("other words", "a narrower scope", "another version", "an executable script"):
        QUIET[case](sides[1])
    status, out, _ = run(capfd, "diff", "old", "new")
    assert status == 0
    assert out == snapshot


def test_color_marks_gains(many, capfd):
    out = run(capfd, "diff", "old", "new", "--color", "always")[1]
    assert "\x1b[1;31m+ reads secrets" in out
    assert "\\x1b[31m" in out  # the skill's own
