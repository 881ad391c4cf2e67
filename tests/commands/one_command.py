"""A skill whose only script holds one command line, analysed as `remit check` does."""

from remit.analysis.session import analyse
from remit.skill.load import load_skill


def analysed(folder, command):
    (folder / "SKILL.md").write_text("---\nname: a\ndescription: b\n---\nRun `bash a.sh`.\n")
    (folder / "a.sh").write_text(f"{command}\n")
    return analyse(load_skill(folder))
