"""`remit explain`, `summaries`, `schema`, `version`, and the help."""

import json
import re
import shlex
from importlib import metadata

import jsonschema
import pytest
from cli_skills import run, skill

from remit.cli.arguments import LIMITS, parser
from remit.cli.command_tree import command_tree
from remit.cli.parsers import GROUPS
from remit.cli.schemas import SCHEMAS
from remit.core import vocabulary
from remit.core.assumption import assumptions
from remit.findings.registry import rules
from remit.skill.model import Limits


@pytest.mark.parametrize("name", [capability.name for capability in vocabulary()])
def test_every_capability_is_explained(name, capfd):
    status, out, _ = run(capfd, "explain", name)
    found = vocabulary()[name]
    assert status == 0
    flat = " ".join(out.split())
    assert found.meaning in flat
    assert f"level {found.level}" in flat
    for foreign in (*found.skillguard, *found.enclawed):
        assert foreign in flat


def test_one_explanation_in_full(capfd, snapshot):
    assert run(capfd, "explain", "file.delete")[1] == snapshot


def test_the_list_has_every_capability_under_its_group(capfd):
    out = run(capfd, "explain")[1]
    for capability in vocabulary():
        assert f"\n  {capability.name} " in out
        assert re.search(rf"^{re.escape(capability.group)}$", out, re.MULTILINE)


@pytest.mark.parametrize("name", ["READ_FILE", "filesystem.read", "fs.read"])
def test_foreign_names_are_explained(name, capfd):
    status, out, _ = run(capfd, "explain", name)
    assert status == 0
    assert "`file.read`" in out


def test_patterns_are_explained(capfd):
    assert "`file.chmod`" in run(capfd, "explain", "file.*")[1]


def test_assumptions_are_explained(capfd):
    for name in assumptions():
        assert run(capfd, "explain", name)[0] == 0
    out = run(capfd, "explain", "assumptions")[1]
    assert all(name in out for name in assumptions())


def test_a_misspelling_gets_suggestions(capfd):
    status, out, err = run(capfd, "explain", "file.delte")
    assert (status, out) == (2, "")
    assert "`file.delete`" in err
    assert run(capfd, "explain", "\x1b[31m")[0] == 2
    assert "\x1b" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("requests.get", ["python/requests.sum:", "web.fetch on `url`", "requests.models.Response"]),
        ("os.remove", ["python/os.sum:", "file.delete on `path`"]),
        ("pathlib.Path", ["class pathlib.Path", "unlink", "file.delete on `self`"]),
        ("pathlib.Path.unlink", ["file.delete on `self`"]),
        ("json", ["module json"]),
        ("open", ["builtins.open", "file.read on `file` if `mode` may hold one of `r+`"]),
        ("fs.readFileSync", ["node/fs.sum:", "file.read on `path`"]),
        ("curl", ["command curl", "[curl]", "file.write"]),
        ("git log", ["command git log", "commit.read"]),
    ],
)
def test_summaries_are_shown(name, parts, capfd):
    status, out, _ = run(capfd, "summaries", "show", name)
    assert status == 0
    flat = " ".join(out.split())
    for part in parts:
        assert part in flat


def test_what_has_no_summary_is_said_to_be_opaque(capfd):
    status, out, err = run(capfd, "summaries", "show", "frobnicate.it")
    assert (status, out) == (2, "")
    assert "opaque" in err


def summaries(work):
    folder = work / "our-summaries"
    folder.mkdir(exist_ok=True)
    (folder / "acme.py.sum").write_text("[module acme]\npush(url) : web.post(url) -> none\n")
    (folder / "acme.js.sum").write_text("[module acme-js]\npush(url) : web.post(url) -> none\n")
    (folder / "acme.cmd").write_text("[frobnicate]\n--out OUT : file.write(OUT)\nargs FILE : file.read(FILE)\n")
    return folder


def test_what_a_project_says_is_printed_as_an_assumption(work, capfd):
    skill(work, "s")
    assert "project-summaries" not in run(capfd, "check", "s", "-v")[1]
    folder = str(summaries(work))
    assert "it rests on\n  project-summaries: " in run(capfd, "check", "s", "-v", "--summaries", folder)[1]


def effects(capfd, *argv):
    status, out, err = run(capfd, "check", *argv, "--format", "json", "--fail-on", "opaque")
    found = json.loads(out) if out else {}
    return status, {(item["capability"], item["scope"]) for item in found.get("effects", [])}, err


SCRIPT = (
    'import acme, subprocess\nacme.push("https://acme.example/x")\nsubprocess.run(["frobnicate", "--out", "b", "a"])\n'
)
WANTED = {("web.post", "acme.example:443"), ("file.write", "./b"), ("file.read", "./a")}


def test_summaries_of_the_project_are_used(work, capfd):
    skill(work, "s", SCRIPT)
    (work / "s" / "scripts" / "x.js").write_text('require("acme-js").push("https://acme.example/y")\n')
    assert effects(capfd, "s")[0] == 1
    summaries(work).rename(work / "elsewhere")
    assert effects(capfd, "s")[0] == 1
    status, found, _ = effects(capfd, "s", "--summaries", "elsewhere")
    assert status == 0
    assert found >= WANTED
    named = [f"--summaries=elsewhere/acme.{end}" for end in ("py.sum", "js.sum", "cmd")]
    assert effects(capfd, "s", *named)[0] == 0
    assert "web.post on `url`" in run(capfd, "summaries", "show", "acme.push", "--summaries", "elsewhere")[1]


def test_a_skill_cannot_bring_its_own_summaries(work, capfd, monkeypatch):
    folder = skill(work, "s", SCRIPT)
    summaries(folder)
    assert effects(capfd, "s")[0] == 1
    status, _, err = effects(capfd, "s", "--summaries", "s/our-summaries")
    assert status == 2
    assert "cannot vouch for itself" in err
    (work / "linked").symlink_to(folder / "our-summaries")
    assert effects(capfd, "s", "--summaries", "linked")[0] == 2
    monkeypatch.chdir(folder)
    assert effects(capfd, ".")[0] == 1


def test_a_folder_counts_only_if_it_is_named(work, capfd):
    skill(work, "s", SCRIPT)
    for name in ("remit-summaries", "summaries", "s/remit-summaries"):
        folder = work / name
        folder.mkdir()
        for end, text in (("py.sum", "[module acme]\npure push\n"), ("cmd", "[frobnicate]\nelse pure\n")):
            (folder / f"x.{end}").write_text(text)
    status, found, _ = effects(capfd, "s")
    assert status == 1
    assert not found & WANTED


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("a.py.sum", "[module subprocess]\npure run\n", "subprocess"),
        ("a.py.sum", "# first\n[module os.path]\npure exists\n", "os"),
        ("a.py.sum", "[module os.mine]\npure f\n", "os"),
        ("a.py.sum", "[class pathlib.Path]\npure unlink\n", "pathlib"),
        ("a.py.sum", "[module acme]\npure f\n[module requests]\npure post\n", "requests"),
        ("a.js.sum", "[module child_process]\npure exec\n", "child_process"),
        ("a.js.sum", "[module fs/promises]\npure rm\n", "fs"),
        ("a.cmd", "[curl]\nargs URL\n", "curl"),
    ],
)
def test_what_is_shipped_is_not_described_again(work, capfd, file, text, name):
    skill(work, "s")
    (work / file).write_text(text)
    for argv in (("check", "s", "--no-cache"), ("summaries", "show", "os.remove")):
        status, _, err = run(capfd, *argv, "--summaries", file)
        assert status == 2, err
        assert f"`{name}" in err
        assert re.search(rf"{re.escape(file)}:\d+", err)


def test_a_wrong_summary_file_is_said_once(work, capfd):
    skill(work, "a")
    skill(work, "b")
    wrong = summaries(work) / "acme.py.sum"
    wrong.write_text("[module acme]\npush(url : web.post(url)\n")
    status, out, err = run(capfd, "check", ".", "--format", "json", "--summaries", str(wrong))
    assert (status, out) == (2, "")
    assert err.count("acme.py.sum:2") == 1


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.py.sum", "[module a]\nf() : file.raed()\n", "`file.raed` is not a capability"),
        ("a.py.sum", "f() : file.read()\n", "expected `[module name]`"),
        ("a.cmd", "[x]\n--out OUT : file.write(WHERE)\n", "WHERE"),
        ("a.cmd", "[ls]\nargs FILE\n", "twice"),
    ],
)
def test_summary_files_are_checked(work, capfd, name, text, reason):
    (work / name).write_text(text)
    status, out, _ = run(capfd, "summaries", "check", name)
    assert status == 1
    assert reason in out


def test_good_summary_files_pass(work, capfd):
    folder = summaries(work)
    status, out, _ = run(capfd, "summaries", "check", *folder.iterdir())
    assert (status, out) == (0, "3 files, no problems\n")


@pytest.mark.parametrize("document", SCHEMAS)
def test_the_schema_is_printed(document, capfd):
    schema = json.loads(run(capfd, "schema", document)[1])
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"].startswith(f"urn:remit:schema:{document}:")


@pytest.mark.parametrize("words", [["version"], ["--version"]])
def test_the_version_is_that_of_the_package(words, capfd):
    assert run(capfd, *words)[:2] == (0, f"remit {metadata.version('remit')}\n")


def test_the_limits_are_those_of_the_loader():
    assert {field: value for _, field, value, _ in LIMITS} == {
        name: getattr(Limits(), name) for name in Limits.__dataclass_fields__
    }


def test_without_a_command_the_help_is_shown(capfd):
    status, out, _ = run(capfd)
    assert status == 0
    assert "remit check skills/pdf" in out


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["convert"],
        ["explain"],
        ["summaries"],
        ["summaries", "show"],
        ["schema"],
        ["cache"],
        ["keys"],
        ["keys", "new"],
        ["keys", "show"],
        ["keys", "trust"],
    ],
)
def test_every_command_has_help(words, capfd):
    status, out, _ = run(capfd, *words, "--help")
    assert status == 0
    assert out.startswith("usage: remit")


def test_examples_in_the_help_are_understood():
    whole = parser()
    text = whole.format_help() + "\n".join(
        action.format_help() for group in whole._subparsers._group_actions for action in group.choices.values()
    )
    examples = re.findall(r"^  remit (.+?)(?:  .*)?$", text, re.MULTILINE)
    assert len(examples) >= 8
    for example in examples:
        words = shlex.split(re.split(r" [<>]", example)[0])
        words = words[: next((n for n, word in enumerate(words) if word in {"what", "every"}), len(words))]
        assert whole.parse_args(words).command


@pytest.mark.parametrize(
    ("words", "message", "remedy"),
    [
        (("chek", "x"), "`chek` is not a command", "did you mean `check`?"),
        (("keys", "nw"), "`nw` is not a value for `remit keys`", "did you mean `new`?"),
        (("diff", "a"), "NEW is missing", "write `remit diff OLD NEW`"),
        (("check", "x", "--verbos"), "`--verbos` is not an option of `remit check`", "did you mean `--verbose`?"),
        (("check", "x", "--jobs", "many"), "`many` is not a whole number", "see `remit check --help`"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_what_to_do(words, message, remedy, capfd):
    status, out, err = run(capfd, *words)
    assert (status, out) == (2, "")
    first, second = err.splitlines()
    assert message in first
    assert remedy in second


def test_every_command_stands_in_a_group_of_the_help_once():
    shown = re.findall(r"^    (\w+)  ", parser().format_help(), re.MULTILINE)
    assert len(shown) == len(set(shown))
    named = {name for _, names in GROUPS for name in names.split()}
    assert set(shown) <= named | {"add"}
    assert len(GROUPS) == 5


@pytest.mark.parametrize("name", rules())
def test_a_rule_is_explained(name, capfd):
    status, out, _ = run(capfd, "explain", name)
    assert status == 0
    assert out.startswith(f"{name}  {rules()[name].severity}\n")
    for label in ("why", "ignores", "fix"):
        assert f"\n  {label}" in out
    assert f"  {name} " in run(capfd, "explain")[1]


def test_a_command_that_is_built_alone_is_the_same():
    whole = {command.path[-1]: command for command in command_tree(parser()).inner}
    for name, command in whole.items():
        alone = command_tree(parser(name)).inner
        assert [one for one in alone if one.path[-1] == name] == [command]
        assert len(alone) <= 2
