"""What a law is. Its name is that of a property of a model, so that an alarm says what was claimed (docs/models.md)."""

from __future__ import annotations

from typing import NamedTuple


class Law(NamedTuple):
    """What is claimed."""

    id: str  # model.property
    says: str


class Broken(NamedTuple):
    """A law that does not hold, of what."""

    law: Law
    key: str
    session: str = ""
