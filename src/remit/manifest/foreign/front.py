"""The front matter of a SKILL.md as a foreign manifest: stricter than a skill's other readers.

A grant must mean the same to every reader. Anchors, aliases and merged keys are refused because simple readers take
them for text, and duplicate keys because readers differ in which they take.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from remit.core.errors import ManifestError

if TYPE_CHECKING:
    from remit.skill.frontmatter import FrontMatter


def front_matter(data: bytes, file: str, keys: Collection[str]) -> FrontMatter:
    """Return the front matter of a document; those of `keys` that it has are certain to be unique and complete."""
    from remit.skill import frontmatter  # noqa: PLC0415  (YAML is loaded where it is read)
    from remit.skill.frontmatter import first_anchor  # noqa: PLC0415

    try:
        text, _, _ = frontmatter.split(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ManifestError(f"{file}:{line}: the text is not UTF-8", "save the file as UTF-8") from None
    if text is None:
        raise ManifestError(f"{file}:1: there is no front matter", "begin the file with YAML between two `---` lines")
    found = frontmatter.read(text, file)
    if found.problem:
        remedy = "put values that hold `: ` or ` #` or begin with a special character in quotes"
        raise ManifestError(f"{found.problem} (in the front matter)", remedy)
    if not any(key in found.values for key in keys):
        return found
    for path, _, line in found.shadowed:
        if path[0] in keys:
            message = f"{file}:{line}: the key `{path[-1]}` occurs twice"
            raise ManifestError(message, "remove one of the two")
    anchor = first_anchor(text)
    if anchor is not None or ("<<",) in found.lines:
        line = found.line("<<") if anchor is None else anchor + 2
        message = f"{file}:{line}: the front matter holds an anchor, an alias or a merged key"
        raise ManifestError(message, "write the values out in full")
    return found
