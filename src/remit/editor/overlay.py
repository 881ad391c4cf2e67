"""A skill as an editor sees it: what lies on the disk, with the text of open files in the place of theirs."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from remit.analysis.session import analyse
from remit.core.errors import ManifestError, RemitError
from remit.editor.findings import findings, wrong
from remit.manifest.find import manifest_among
from remit.report.model import judge, with_bad_manifest
from remit.skill.find import main_name
from remit.skill.load import skill_in
from remit.skill.model import Limits
from remit.skill.walk import RawFile, Walker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from remit.editor.findings import Finding
    from remit.manifest import Manifest
    from remit.report.model import Report
    from remit.skill.model import Skill
    from remit.skill.walk import Tree


def look(folder: Path, texts: Mapping[str, str], summaries: Sequence[Path] = ()) -> list[Finding]:
    """Everything that is found of the skill in a folder; `texts` are open files, by their paths in it."""
    main = "SKILL.md"
    try:
        tree = laid_over(Walker(folder, Limits()).run(), texts)
        main = main_name([file.path for file in tree.files if "/" not in file.path]) or main
        return list(findings(_judged(skill_in(folder, tree), summaries), main))
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


def _judged(skill: Skill, summaries: Sequence[Path]) -> Report:
    found = analyse(skill, summaries)
    try:
        return judge(found, _manifest(skill))
    except ManifestError as error:
        return with_bad_manifest(found, error)


def _manifest(skill: Skill) -> Manifest | None:
    """The manifest among the files of the skill, read as `remit check` reads it from the disk."""
    known = manifest_among([file.path for file in skill.files if "/" not in file.path], lambda name: _data(skill, name))
    if known is None:
        return None
    name, form = known
    return form.read(_data(skill, name), name).manifest


def _data(skill: Skill, name: str) -> bytes:
    data = skill.read(name)
    if data is None:
        raise ManifestError(f"`{name}` cannot be read", "make it a plain file")
    return data
