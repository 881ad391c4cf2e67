"""A skill as an editor sees it: what lies on the disk, with the text of open files in the place of theirs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from remit.checker.report import check_skill
from remit.core.errors import RemitError
from remit.editor.notes import Note, notes, wrong
from remit.skill.find import link_boundary, main_name
from remit.skill.load import skill_in
from remit.skill.model import Limits
from remit.skill.walk import RawFile, Tree, Walker

if TYPE_CHECKING:
    from pathlib import Path


def look(folder: Path, texts: Mapping[str, str], summaries: Sequence[Path] = ()) -> list[Note]:
    """Everything that is found of the skill in a folder; `texts` are open files, by their paths in it."""
    main = "SKILL.md"
    try:
        tree = laid_over(Walker(folder, Limits(), link_boundary(folder)).run(), texts)
        main = main_name([file.path for file in tree.files if "/" not in file.path]) or main
        return list(notes(check_skill(skill_in(folder, tree), summaries), main))
    except RemitError as error:
        return [wrong(error.message, error.remedy, main)]


def laid_over(tree: Tree, texts: Mapping[str, str]) -> Tree:
    """The files of a walk with these texts: in the place of files, or as new ones that were not saved yet."""
    known = {file.path: file for file in tree.files}
    for path, text in texts.items():
        data = text.encode("utf-8", "surrogatepass")
        before = known.get(path)
        if before is not None and before.data == data:
            continue
        executable = before.executable if before else False
        digest = hashlib.sha256(data).hexdigest()
        known[path] = RawFile(path, len(data), digest, data, data, executable)
    tree.files = [known[path] for path in sorted(known)]
    return tree
