"""The worker process that checks a skill: one request on standard input, one response on standard output, then it ends.

It is a separate process because an analysis takes time and cannot be interrupted: an outdated one is killed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from remit.checker.report import check_skill
from remit.core.errors import RemitError
from remit.editor.notes import Note, notes, wrong
from remit.skill.find import link_boundary, main_name
from remit.skill.load import skill_in
from remit.skill.model import Limits
from remit.skill.walk import RawFile, Tree, Walker


def look(folder: Path, texts: Mapping[str, str], summaries: Sequence[Path] = ()) -> list[Note]:
    """Return all notes about the skill in a folder; `texts` are open files, by their paths in it."""
    main = "SKILL.md"
    try:
        tree = laid_over(Walker(folder, Limits(), link_boundary(folder)).run(), texts)
        main = main_name([file.path for file in tree.files if "/" not in file.path]) or main
        return list(notes(check_skill(skill_in(folder, tree), summaries), main))
    except RemitError as error:
        return [wrong(error.message, error.remedy, main)]


def laid_over(tree: Tree, texts: Mapping[str, str]) -> Tree:
    """Return the files of a walk with these texts, replacing files or as new unsaved ones."""
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


_MEMORY = 4 << 30


def main() -> int:
    """Answer the one request."""
    line = sys.stdin.buffer.readline()
    if not line:
        return 0  # there is no request any more
    _limit_memory()
    asked = json.loads(line)
    found = look(Path(asked["folder"]), asked["texts"], [Path(path) for path in asked["summaries"]])
    sys.stdout.buffer.write(json.dumps(found).encode("ascii"))
    sys.stdout.buffer.flush()
    return 0


def _limit_memory() -> None:
    """Limit the memory of this process; Windows has no way to."""
    if sys.platform != "win32":
        with contextlib.suppress(ImportError):
            import resource  # noqa: PLC0415

            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    sys.exit(main())
