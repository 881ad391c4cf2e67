"""The published JSON Schemas of reports."""

from __future__ import annotations

from pathlib import Path


def text(output: str) -> str:
    """Return the published schema of an output."""
    return Path(__file__).with_name(f"{output}.schema.json").read_text("utf-8")
