"""The published JSON Schemas of capsules: the contract, the record of a run, and what attempts to get out show."""

from __future__ import annotations

from pathlib import Path


def text(document: str) -> str:
    """The schema of a document, as it is published."""
    return Path(__file__).with_name(f"{document}.schema.json").read_text("utf-8")
