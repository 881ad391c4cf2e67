"""From source to the common form, whatever the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.python import lower_python

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.analysis.domain import Value
    from remit.analysis.ir import Program

# Every name of a language that a front end reads → the language whose library it uses.
LANGUAGES = {
    "python": "python", "javascript": "js", "typescript": "js", "js": "js", "cjs": "js", "mjs": "js", "jsx": "js",
    "ts": "js", "mts": "js", "cts": "js", "tsx": "js",
}  # fmt: skip
_DIALECTS = {"javascript": "jsx", "js": "jsx", "cjs": "jsx", "mjs": "jsx", "jsx": "jsx", "tsx": "tsx"}


def lower(language: str, source: bytes | str, file: str, holes: Mapping[str, Value]) -> Program:
    """The common form of a source text."""
    if LANGUAGES[language] == "python":
        return lower_python(source, file, holes=holes)
    from remit.analysis.javascript import lower_javascript  # noqa: PLC0415  the parsers load when a script needs them

    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogateescape")
    dialect = _DIALECTS.get(language, "tsx" if file.endswith(".tsx") else "ts")
    return lower_javascript(data, file, dialect, holes=holes)
