"""`remit test`: what a person and a program see, and what its exit status says."""

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from remit.cli import main
from remit.cli.schemas import schema_text

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "capsule"))
from confined import needs_sandbox

SCHEMA = json.loads(schema_text("test"))
GRANTS = [
    {"capability": "file.read", "scope": ["<arg>", "./count.txt"]},
    {"capability": "file.write", "scope": "./count.txt"},
    {"capability": "source.execute", "scope": "./scripts/count.py"},
]
FILES = {
    "SKILL.md": "---\nname: counter\ndescription: Counts the words of a text and writes the count beside it.\n---\nCount.\n",
    "scripts/count.py": (
        "import sys\nfrom pathlib import Path\n\n\ndef main(path):\n"
        '    Path("count.txt").write_text(str(len(Path(path).read_text().split())))\n\n\n'
        'if __name__ == "__main__":\n    main(sys.argv[1])\n'
    ),
    "tests/notes.txt": "one two three\n",
    "tests/test_count.py": (
        "import sys, unittest\nsys.path.insert(0, 'scripts')\nimport count\n\n\nclass Count(unittest.TestCase):\n"
        "    def test_it(self):\n        count.main('tests/notes.txt')\n"
        "        with open('count.txt') as file:\n            self.assertEqual(file.read(), '3')\n"
    ),
}


@pytest.fixture
def skill(work):
    def make(grants=GRANTS, head=None, **files):
        manifest = {"skill_metadata": {"name": "counter", "version": "1.0"}, **(head or {}), "permissions": grants}
        for path, content in {**FILES, "remit.json": json.dumps(manifest), **files}.items():
            full = work / "counter" / path
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_text(content)
        return "counter"

    return make


@pytest.fixture
def run(capsys):
    def go(*args):
        status = main(["test", *args])
        out = capsys.readouterr()
        return status, out.out, out.err

    return go


@pytest.fixture(autouse=True)
def _sandbox(request):
    if "needs_bubblewrap" in request.node.name:
        needs_sandbox()


def test_tested_needs_bubblewrap_and_strace(skill, run, snapshot):
    status, out, _ = run(skill())
    assert status == 0
    assert out == snapshot


def test_outside_of_the_manifest_needs_bubblewrap_and_strace(skill, run, snapshot):
    status, out, _ = run(skill([GRANTS[0], {"capability": "file.write", "scope": "./out/**"}, GRANTS[2]]))
    assert status == 1
    assert out == snapshot


def test_entries_that_nothing_exercises_needs_bubblewrap_and_strace(skill, run, snapshot):
    more = [
        {"capability": "web.fetch", "scope": "api.example.com:443"},
        {"capability": "env.read", "scope": "TOKEN"},
        {"capability": "file.delete", "scope": ["./count.txt", "$TMP/**"]},
    ]
    status, out, _ = run(skill([*GRANTS, *more]))
    assert status == 1
    assert out == snapshot


def test_a_test_that_fails_needs_bubblewrap_and_strace(skill, run, snapshot):
    status, out, _ = run(skill(head={"tests": ["sh -c 'echo it is broken; exit 3'", "no-such-program"]}))
    assert status == 1
    assert out == snapshot


def test_a_test_that_takes_too_long_needs_bubblewrap_and_strace(skill, run):
    status, out, _ = run(skill([]), "--command", "sleep 30", "--timeout", "1", "--format", "json")
    record = json.loads(out)
    assert status == 1
    assert record["level_reached"] is False
    assert record["commands"][0]["ending"] == "time limit"
    assert record["commands"][0]["status"] is None


def test_what_is_denied_and_tried_needs_bubblewrap_and_strace(skill, run, snapshot):
    status, out, _ = run(
        skill([*GRANTS, {"capability": "file.delete", "scope": "./count.txt", "effect": "deny"}]),
        *("--command", "python3 -m unittest discover -s tests"),
        *("--command", "rm -f count.txt"),
    )
    assert status == 0  # a guard refuses it, as `remit check` says too
    assert out == snapshot


def test_quiet_needs_bubblewrap_and_strace(skill, run):
    assert run(skill(), "-q")[1] == "✓ counter  tested  4 entries exercised\n"


def test_the_record_is_the_same_each_time_and_everywhere_needs_bubblewrap_and_strace(skill, run, work, monkeypatch):
    files = {
        "tests/test_more.py": "import tempfile, unittest\n\n\nclass More(unittest.TestCase):\n    def test_it(self):\n"
        "        with tempfile.TemporaryDirectory() as folder:\n            open(folder + '/x', 'w').close()\n"
    }
    skill([*GRANTS, {"capability": "file.*", "scope": "$TMP/**"}], **files)
    (work / "elsewhere").mkdir()
    (work / "counter").rename(work / "elsewhere/counter")
    skill([*GRANTS, {"capability": "file.*", "scope": "$TMP/**"}], **files)
    first = run("counter", "--format", "json", "--output", "one.json")[1]
    monkeypatch.setenv("HOME", str(work))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    monkeypatch.setenv("TMPDIR", "/var/tmp")
    second = run("elsewhere/counter", "--format", "json", "--output", "two.json")[1]
    assert first == second
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert Path("one.json").read_bytes().endswith(b"}\n")
    for word in ("tmp/", "/skill", "/home", str(work)):
        assert word not in first


def test_the_record_is_of_its_form_needs_bubblewrap_and_strace(skill, run):
    from remit.bundle.tests_record import SHAPE

    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for grants in (GRANTS, [], [{"capability": "env.read"}]):
        value = json.loads(run(skill(grants), "--format", "json")[1])
        jsonschema.validate(value, SCHEMA)
        assert not SHAPE.fault(value, "tests.json")
        value["extra"] = 1
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(value, SCHEMA)


def test_a_bundle_takes_the_record_and_no_other_needs_bubblewrap_and_strace(skill, run, work):
    from remit.bundle.snapshot import manifest_of
    from remit.bundle.snapshot import snapshot as held
    from remit.bundle.tests_record import why_not_tested
    from remit.skill.model import Limits
    from remit.skill.walk import Walker

    def now():
        folder = held(Walker(work / "counter", Limits()).run())
        return manifest_of(folder)[1], folder.content

    run(skill(), "--output", "tests.json")
    data = Path("tests.json").read_bytes()
    assert why_not_tested(data, *now()) is None
    value = json.loads(data)
    value["exercised"].pop()
    from remit.bundle.canonical import written

    assert why_not_tested(written(value), *now())[0] == "tests-short"
    (work / "counter/scripts/count.py").write_text(FILES["scripts/count.py"] + "# changed\n")
    assert why_not_tested(data, *now())[0] == "tests-differ"


WRONG = {
    "no manifest": (["counter"], "has no manifest"),
    "no tests": (["counter"], "has no tests"),
    "no skill": (["nowhere"], "does not exist"),
    "two skills": (["."], "holds 2 skills"),
    "quotes": (["counter", "--command", "sh -c 'x"], "is not one plain command"),
    "no time": (["counter", "--timeout", "0"], "without time"),
    "a shell": (["counter", "--command", "make test && make clean"], "is not one plain command"),
    "a home": (["counter", "--command", "~/run.sh"], "is not one plain command"),
    "a home in quotes": (["counter", "--command", "'~/run.sh'"], "is not a program"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_refused_with_a_remedy(case, skill, run, work):
    skill()
    if case == "no manifest":
        (work / "counter/remit.json").unlink()
    if case == "no tests":
        (work / "counter/tests/test_count.py").unlink()
    if case == "two skills":
        (work / "other").mkdir()
        (work / "other/SKILL.md").write_text(FILES["SKILL.md"])
    args, reason = WRONG[case]
    status, out, err = run(*args)
    assert (status, out) == (2, "")
    assert reason in err
    assert err.count("\n") >= 2


def test_without_bubblewrap_nothing_is_run(skill, run, monkeypatch):
    from remit.capsule import kernel

    monkeypatch.setattr(kernel.shutil, "which", lambda name, **_: None if name == "bwrap" else f"/usr/bin/{name}")
    status, out, err = run(skill())
    assert (status, out) == (2, "")
    assert "`bwrap` is not installed, and nothing is run without it" in err
    assert "apt-get install -y bubblewrap" in err
