"""`evidence/tests.json`: the record of `remit test`, as a bundle carries it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.manifest.model import Manifest


def why_not_tested(data: bytes, manifest: Manifest, content: str) -> tuple[str, str] | None:
    """Why a record does not show that a skill was tested: a code and a detail; None if it does."""
    named = manifest.skill_metadata.name if manifest.skill_metadata else "the skill"
    return "tests-malformed", f"{len(data)} bytes are no record of tests of {named} ({content})"
