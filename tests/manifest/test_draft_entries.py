"""What stands in a draft: what is needed is granted as narrowly as it can be, the rest is denied by name."""

from draft_values import denied, drafted, entries, granted, small

from each_row import each_row
from remit.core.capability import Level
from remit.manifest.model import Decision, usual_decision
from remit.manifest.read import parse_manifest
from remit.manifest.render import render

POST = "import sys, urllib.request\nurllib.request.urlopen('https://api.example.com/x', data=open(sys.argv[1], 'rb').read())\n"


def test_a_presented_script_is_granted_with_its_scopes(tmp_path):
    body = "Run `python3 scripts/send.py report.csv`, which sends it to api.example.com.\n"
    made = drafted(small(tmp_path, body, scripts__send_py=POST))
    entry = entries(made)["web.post"]
    assert entry.place == "api.example.com:443"
    assert entry.effect is not Decision.DENY
    assert entry.evidence[0].file == "scripts/send.py"
    assert "shell.execute" in granted(made)
    assert "source.execute" in granted(made)


def test_a_script_that_nothing_names_is_denied(tmp_path):
    made = drafted(small(tmp_path, "Nothing to do with api.example.com.\n", other__hidden_py=POST))
    assert "web.post" in denied(made)
    assert "web.post" not in granted(made)
    assert "not asked for" in entries(made)["web.post"].fallback_msg


def test_prose_is_granted_in_the_workspace(tmp_path):
    made = drafted(small(tmp_path, "## Steps\n\n1. Read the CSV file that the user gives.\n2. Write a report file.\n"))
    entry = entries(made)["file.read"]
    assert entry.place == "./**"
    assert entry.constraints.workspace_only
    assert "Read the CSV file" in entry.evidence[0].text
    assert entry.evidence[0].line == 8


def test_the_effect_of_an_entry_without_one_is_a_total_function_of_the_level():
    assert {level: str(usual_decision(level)) for level in Level} == {
        "normal": "allow", "dangerous": "confirm", "system": "confirm", "redact": "confirm",
    }  # fmt: skip


def test_secrets_are_handed_out_masked(tmp_path):
    body = "Run `python3 scripts/a.py`.\n"
    made = drafted(small(tmp_path, body, scripts__a_py="import os\nprint(len(os.environ['SERVICE_API_KEY']))\n"))
    entry = entries(made)["secret.read"]
    assert entry.constraints.redact
    assert entry.effect is Decision.ALLOW
    assert entries(made)["env.read"].place == "SERVICE_API_KEY"


def test_files_of_a_skill_that_works_on_code_are_code(tmp_path):
    body = "## Steps\n\n1. Review the source code of the repository.\n2. Run `grep -rn TODO .`.\n"
    made = drafted(small(tmp_path, body))
    assert "source.read" in granted(made)
    assert "file.read" not in denied(made)


def test_names_and_version(tmp_path):
    head = drafted(small(tmp_path, "Text.\n")).manifest.skill_metadata
    assert (head.name, head.version) == ("small", "1.2.3")


@each_row(("named", "version"), [("v2.10", "2.10"), ("3", "3"), ("1.0-beta", "0.1.0"), ("", "0.1.0")])
def test_a_draft_has_a_version_that_a_bundle_can_compare(tmp_path, named, version):
    root = small(tmp_path, "Text.\n")
    main = root / "SKILL.md"
    main.write_text(main.read_text().replace("1.2.3", named))
    assert drafted(root).manifest.skill_metadata.version == version


def test_a_scope_that_another_holds_is_left_out(tmp_path):
    body = "```bash\ncat ./data/a.csv\ncat ./data/*\n```\n"
    assert "./data/a.csv" not in entries(drafted(small(tmp_path, body)))["file.read"].place


@each_row("name", [r"a\u202eb", r"a\x1b[31mb", r"a\nb"])
def test_a_name_that_steers_a_terminal_does_not_spoil_the_draft(tmp_path, name):
    root = small(tmp_path, "Read the file.\n")
    (root / "SKILL.md").write_text(f'---\nname: "{name}"\ndescription: x\n---\nRead the file.\n')
    read = parse_manifest(render(drafted(root).manifest).encode(), "x")
    assert read.skill_metadata.name.isprintable()


def test_bytes_that_are_no_text_do_not_spoil_the_draft(tmp_path):
    root = small(tmp_path, "Run `bash scripts/a.sh`.\n")
    (root / "scripts").mkdir()
    (root / "scripts" / "a.sh").write_bytes(b"rm ./\xb6old\ncat ./\xb6new > ./\xb6out\ncurl https://x.example/\xb6\n")
    found = drafted(root)
    assert parse_manifest(render(found.manifest).encode(), "x").permissions
    assert "file.delete" in granted(found)
