"""Links of a skill to files of its own repository are read under the name of the link; all others are refused."""

import os

import pytest

from remit.analysis.session import analyse
from remit.core.errors import InputError
from remit.manifest.drift.content import content_digest
from remit.skill.find import link_boundary
from remit.skill.load import load_skill
from remit.skill.model import Stance

TEXT = "---\nname: shared\ndescription: Shares its text\n---\n# Shared\n\nRun `rm notes.txt`.\n"


@pytest.fixture
def repository(tmp_path):
    """A repository with one skill, whose text is a link to a document of the repository."""
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    (root / ".git/config").write_text("[remote]\n")
    (root / "docs").mkdir()
    (root / "docs/shared.md").write_text(TEXT)
    skill = root / "skills/shared"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").symlink_to("../../docs/shared.md")
    return root


def load(folder, **how):
    return load_skill(folder, within=link_boundary(folder), **how)


def test_the_text_of_a_skill_may_be_a_link_to_a_file_of_its_repository(repository):
    skill = load(repository / "skills/shared")
    assert (skill.name, skill.main) == ("shared", "SKILL.md")
    assert skill.read("SKILL.md") == TEXT.encode()
    (effect,) = [one for one in analyse(skill).effects if one.capability == "file.delete"]
    assert effect.where.file == "SKILL.md"


def test_without_a_boundary_it_is_refused_as_hosts_that_copy_the_folder_lose_it(repository):
    with pytest.raises(InputError, match="outside of the skill"):
        load_skill(repository / "skills/shared")


def test_its_content_changes_with_its_target(repository):
    def digest():
        skill = load(repository / "skills/shared")
        return content_digest(skill.files, skill.links)

    before = digest()
    (repository / "docs/shared.md").write_text(TEXT + "more\n")
    assert digest() != before


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../../../secret", "../../.git/config", "../../gone.md", "../..", "../../docs/out"]
)
def test_what_is_not_of_its_repository_is_refused(repository, target):
    (repository.parent / "secret").write_text("s")
    (repository / "docs/out").symlink_to("/etc/passwd")
    (repository / "skills/shared/notes.md").symlink_to(target)
    with pytest.raises(InputError):
        load(repository / "skills/shared")


def test_the_boundary_is_the_nearest_repository_or_the_source_that_was_named(tmp_path):
    inner = tmp_path / "a/b/skill"
    inner.mkdir(parents=True)
    assert link_boundary(inner) == inner
    assert link_boundary(inner, [tmp_path / "a", tmp_path / "other"]) == tmp_path / "a"
    (tmp_path / ".git").mkdir()
    (tmp_path / "a/b/.git").write_text("gitdir: elsewhere")
    assert link_boundary(inner) == tmp_path / "a/b"


def test_a_folder_behind_a_link_is_read_under_the_name_of_the_link(repository):
    (repository / "docs/more").mkdir()
    (repository / "docs/more/deep.md").write_text("# Deep\n")
    (repository / "skills/shared/references").symlink_to("../../docs")
    paths = {file.path: file.link for file in load(repository / "skills/shared").files}
    assert paths["references/more/deep.md"] == "../../docs/more/deep.md"
    assert paths["references/shared.md"] == "../../docs/shared.md"


def test_folders_that_lead_to_each_other_end(repository):
    (repository / "docs/again").symlink_to("../skills")
    (repository / "skills/shared/references").symlink_to("../../docs")
    with pytest.raises(InputError, match="behind a link"):
        load(repository / "skills/shared")


def test_limits_hold_behind_links(repository):
    os.makedirs(repository / "docs" / "/".join("d" * 45))
    (repository / "skills/shared/references").symlink_to("../../docs")
    with pytest.raises(InputError, match="levels deep"):
        load(repository / "skills/shared")


@pytest.mark.parametrize(
    "text",
    [
        "```bash\npython3 scripts/run.py\n```\n",
        "```bash\ncd scripts && python3 -c 'import run'\n```\n",
        "```bash\npython3 scripts/main.py\n```\n",
        "Run `scripts/run.py`.\n",
    ],
)
@pytest.mark.parametrize("folder", [True, False], ids=["in a linked folder", "a linked file"])
def test_a_program_behind_a_link_is_opaque_because_it_loads_what_lies_beside_its_target(repository, text, folder):
    """`python3 link.py` looks for modules beside the target, and `__file__` resolves there."""
    (repository / "shared").mkdir()
    (repository / "shared/run.py").write_text("import helper\nhelper.go()\n")
    (repository / "shared/helper.py").write_text("import os\ndef go():\n    os.remove('x')\n")
    (repository / "shared/main.py").write_text("import run\n")
    skill = repository / "skills/own"
    skill.mkdir()
    (skill / "SKILL.md").write_text(f"---\nname: own\ndescription: d\n---\n{text}")
    if folder:
        (skill / "scripts").symlink_to("../../shared")
    else:
        (skill / "scripts").mkdir()
        (skill / "scripts/run.py").symlink_to("../../../shared/run.py")
        (skill / "scripts/main.py").write_text("import run\n")
        (skill / "scripts/helper.py").write_text("def go(): pass\n")
    loaded = load(skill)
    assert loaded.by_path["scripts/run.py"].stance is Stance.OPAQUE
    assert loaded.read("scripts/run.py") is None
    assert analyse(loaded).opaque
