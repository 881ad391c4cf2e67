"""What a command does for itself is granted with it: modules, lock files, the repository. Never secrets, deletions, hosts."""

from draft_values import denied, drafted, entries, granted, small

from each_row import each_row
from remit.analysis.session import analyse
from remit.checker.report import judge
from remit.skill.load import load_skill

INSTALLS = "# Build\n\n```bash\nnpm install\nnpm run build\n```\n"


def test_files_of_an_installation_are_granted_with_it(tmp_path):
    root = small(tmp_path, INSTALLS)
    made = drafted(root)
    entry = entries(made)["file.write"]
    assert (entry.effect, entry.place) == ("allow", "./node_modules/**, ./package-lock.json, ./package.json")
    assert entry.constraints.workspace_only
    found = judge(analyse(load_skill(root), ()), made.manifest).containment
    assert (found.escapes, found.denied) == ((), ())


@each_row(
    "text",
    [
        "# Build\n\n```yaml\nsteps:\n  - run: npm install\n```\n",
        "# Build\n\nBad:\n\n```bash\nnpm install\n```\n",
        "# Build\n\nFill in the form.\n",
    ],
)
def test_a_command_that_is_only_shown_brings_nothing(tmp_path, text):
    made = drafted(small(tmp_path, text, README_md="# For people\n\n```bash\nnpm install\n```\n"))
    assert "file.write" not in granted(made)


def test_what_a_command_deletes_and_what_an_unknown_program_does_stays_denied(tmp_path):
    made = drafted(small(tmp_path, "# Update\n\n```bash\ngit checkout main\n```\n"))
    assert "file.write" in granted(made)
    assert "file.delete" in denied(made)
    assert "file.delete" not in granted(made)


@each_row(
    "command",
    [
        "npm login",
        "docker login registry.example.net",
        "git config --global user.name x",
        "git config core.hooksPath x",
    ],
)
def test_no_credential_and_no_setting_of_the_person_is_granted_as_a_file_of_a_program(tmp_path, command):
    made = drafted(small(tmp_path, f"# Steps\n\n```bash\n{command}\n```\n"))
    allowed = [entry for entry in made.manifest.permissions if entry.effect == "allow"]
    assert not [entry for entry in allowed if "~" in entry.place]
    assert {"secret.write", "hook.install"}.isdisjoint(entry.capability for entry in allowed)


def test_a_denial_that_would_meet_it_keeps_it_denied(tmp_path):
    made = drafted(small(tmp_path, INSTALLS, other__loose_sh="echo x > package.json\n"))
    assert "file.write" in denied(made)
    assert "file.write" not in granted(made)


def test_a_program_keeps_the_place_that_the_analysis_found(tmp_path):
    made = drafted(small(tmp_path, "# Steps\n\n```bash\n~/.tools/bin/polish ./a.txt\n```\n"))
    assert entries(made)["shell.execute"].place == "~/.tools/bin/polish"
