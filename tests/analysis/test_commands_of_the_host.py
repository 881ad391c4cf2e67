"""Commands that a person types in the agent's window: `/plugin install x`, `/review`."""

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill


def analysed(folder, body, **files):
    (folder / "SKILL.md").write_text(f"---\nname: a\ndescription: b\n---\n{body}\n")
    for name, text in files.items():
        (folder / f"{name}.sh").write_text(text)
    return analyse(load_skill(folder))


def names(found):
    return {effect.capability for effect in found.effects}


@each_row(
    "body",
    [
        "Install:\n\n```\n/plugin install acme@tools\n```",
        "```bash\n/plugin marketplace add acme/tools\n```",
        "Then run `/plugin install acme@tools`.",
    ],
)
def test_a_plugin_is_installed(tmp_path, body):
    found = analysed(tmp_path, body)
    assert {"skill.install", "web.fetch"} <= names(found)


def test_nothing_is_installed_where_it_is_forbidden(tmp_path):
    assert "skill.install" not in names(analysed(tmp_path, "Never run `/plugin install acme@tools`."))


def test_another_command_of_the_host_is_no_program_but_not_known(tmp_path):
    found = analysed(tmp_path, "```bash\n/review-it the last change\n```")
    assert not names(found)
    assert "instructed-commands" in {item.ident for item in found.assumed}


def test_a_script_starts_no_command_of_the_host(tmp_path):
    found = analysed(tmp_path, "Run `bash run.sh`.", run="/review-it now\n")
    assert "process.create" in names(found)
    assert found.opaque
