"""Atomic writing of files."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def save(path: Path, text: str) -> None:
    """Write a file, or replace it; OSError if that fails. A link at its path is replaced, not followed.

    The folder may be untrusted: the temporary file has an unguessable name, and is created only if nothing exists
    there, so that no link redirects the text.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    made = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(made, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
