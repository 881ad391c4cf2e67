"""The form of a law. Its id is that of a model's property, so that an alarm refers to a documented claim
(docs/models.md).
"""

from __future__ import annotations

from typing import NamedTuple


class Law(NamedTuple):
    """A claimed property."""

    id: str  # model.property
    says: str


class Broken(NamedTuple):
    """A violation of a law."""

    law: Law
    key: str
    session: str = ""
