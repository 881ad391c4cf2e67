"""Loading of skills from folders."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from remit.core.errors import InputError, LimitError
from remit.skill import document
from remit.skill.classify import PROGRAM_BYTES, by_name, classify, is_outside
from remit.skill.find import find_skills, main_name
from remit.skill.model import Limits, Skill, SkillFile, Stance
from remit.skill.walk import Tree, Walker, shown

__all__ = ["find_skills", "load_skill"]

_DEFAULT = Limits()


def load_skill(
    path: Path | str, limits: Limits = _DEFAULT, within: Path | None = None, *, shipped: bool = False
) -> Skill:
    """Load the skill in a folder. Bad input is an `InputError` that names the file and the remedy.

    Links may lead to files `within` a folder above it (`link_boundary`); without one, not out of the skill. `shipped`:
    without anything called `.git`.
    """
    root = Path(path)
    if root.name.lower() == "skill.md" and not root.is_dir():
        root = root.parent
    if not root.is_dir():
        raise InputError(f"`{shown(str(path))}` is not a folder", "give the folder of a skill")
    return skill_in(root, Walker(root, limits, within, shipped=shipped).run(), limits)


def skill_in(root: Path, tree: Tree, limits: Limits = _DEFAULT) -> Skill:
    """Return the skill from a walk of its folder; nothing is read again."""
    main = main_name([raw.path for raw in tree.files if "/" not in raw.path])
    if not main:
        raise InputError(f"there is no SKILL.md in `{shown(str(root))}`", "add one, or give the folder that holds it")
    files = tuple(classify(raw, limits) for raw in tree.files)
    contents = {
        raw.path: raw.data
        for raw, file in zip(tree.files, files, strict=True)
        if raw.data is not None
        and (file.stance is not Stance.OPAQUE or (raw.size <= PROGRAM_BYTES and not is_outside(raw)))
    }
    by_path = MappingProxyType({file.path: file for file in files})
    _check_main(main, by_path[main], contents.get(main), limits)
    documents = tuple(
        document.parse(raw.path, contents[raw.path])
        for raw, file in zip(tree.files, files, strict=True)
        if raw.path in contents and (raw.path == main or _is_document(file))
    )
    front = next(found.front_matter for found in documents if found.path == main)
    notes = list(tree.notes)
    if not front.present:
        notes.append((main, 1, "there is no front matter, so that hosts show neither name nor description"))
    notes += [
        (main, line, f"the key `{key}` is given twice: hosts disagree on which one counts")
        for key, line in front.duplicates
    ]
    name = front.text("name").strip() or root.resolve().name
    return Skill(
        name,
        root,
        main,
        front,
        files,
        documents,
        tuple(notes),
        MappingProxyType(tree.links),
        MappingProxyType(contents),
        by_path,
    )


def _is_document(file: SkillFile) -> bool:
    """Whether a file is a document: Markdown under any name, even if it runs too, or text with code blocks."""
    kind = by_name(file.path)
    return (kind is not None and kind.name == "markdown") or (file.kind == "text" and file.stance is Stance.ANALYSED)


def _check_main(main: str, file: SkillFile, data: bytes | None, limits: Limits) -> None:
    if not file.digest:
        raise InputError(f"`{main}` is a symbolic link that leads to nothing", "replace the link by the file")
    if data is None:
        message = f"`{main}` is larger than {min(PROGRAM_BYTES, limits.max_source_bytes)} bytes"
        raise LimitError(message, "move details to files of their own, or raise the limit `max_source_bytes`")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{main}:{line}: the text is not UTF-8", "save the file as UTF-8") from None
