"""The published JSON Schemas."""

from __future__ import annotations

from pathlib import Path


def text(output: str) -> str:
    """The schema of an output, as it is published."""
    return Path(__file__).with_name(f"{output}.schema.json").read_text("utf-8")
