"""The published JSON Schema of the one file that switches telemetry on."""

from __future__ import annotations

from pathlib import Path


def text(document: str) -> str:
    """The schema of a document, as it is published."""
    return Path(__file__).with_name(f"{document}.schema.json").read_text("utf-8")
