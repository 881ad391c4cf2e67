"""The questions that a report asks, as SQL in `sql/`: one file a question, which begins with what it answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("sql")


@cache
def query(name: str) -> str:
    """The text of a question. Values come in as parameters only."""
    return (_FOLDER / f"{name}.sql").read_text("utf-8")


def names() -> list[str]:
    """All questions that there are."""
    return sorted(path.stem for path in _FOLDER.glob("*.sql"))
