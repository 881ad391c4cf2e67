"""Reading of a file named by the user: completely, up to a limit, and without blocking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def read_given(path: Path, named: str, most: int, make: str, less: str) -> bytes:
    """Return its bytes. `named` is its name in messages; they say how to `make` one, and, if it is too large, what
    `less` would be.
    """
    try:
        if path.exists() and not path.is_file():  # reading a pipe would block forever
            raise UsageError(f"{named} is not a file", f"name another one, or {make}")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise UsageError(f"{named} cannot be read: {reason}", make) from None
    if len(data) > most:
        raise UsageError(f"{named} is larger than {most} bytes", less)
    return data
