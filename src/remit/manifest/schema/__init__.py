"""The published JSON Schemas of files that a person writes."""

from __future__ import annotations

from pathlib import Path


def text(document: str) -> str:
    """Return the published schema of a document."""
    return Path(__file__).with_name(f"{document}.schema.json").read_text("utf-8")
