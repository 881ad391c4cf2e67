"""The digest of a file's code as far as it matters, to tell an opaque place that stayed as it was from one that changed.

Where it is not sure that a change is layout or a comment, it is none: the worst is then a change too many.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.core.digest import bytes_digest, digest
from remit.skill.model import Skill, Stance

if TYPE_CHECKING:
    from remit.skill.program import SourceProgram

_COMMENTS = {"shell": "#", "js": "//", "ts": "//"}


def shape(skill: Skill, path: str, run: Sequence[SourceProgram]) -> str:
    """Of a document or configuration file the code that it holds (`run`), of Python the syntax tree, of others the lines."""
    file, data = skill.file(path), skill.read(path)
    if file is None or data is None or file.stance is Stance.OPAQUE:
        return file.digest if file else ""
    if run and all(program.form != "file" and (program.source or not program.opaque) for program in run):
        return digest([bytes_digest(program.source) for program in run])
    if file.language == "python":
        try:
            return bytes_digest(ast.dump(ast.parse(data)).encode("utf-8", "surrogatepass"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return file.digest
    text = data.decode("utf-8", "surrogateescape")
    mark = _COMMENTS.get(file.language, "")
    return bytes_digest("\n".join(_lines(text, mark)).encode("utf-8", "surrogateescape"))


def _lines(text: str, comment: str) -> Iterator[str]:
    """Lines without blanks at the end, and without comments where no text in quotes can be open."""
    quoted = dict.fromkeys("'\"`", 0)
    plain = bool(comment) and "<<" not in text and (comment == "#" or "/*" not in text)
    for number, line in enumerate(text.split("\n")):
        row = line.rstrip()
        opened = any(count % 2 for count in quoted.values())
        if not row or (plain and number and not opened and row.lstrip().startswith(comment)):
            continue
        for quote in quoted:
            quoted[quote] += row.count(quote)
        yield row
