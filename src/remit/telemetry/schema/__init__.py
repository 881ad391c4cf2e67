"""JSON Schema of `telemetry.json`."""

from __future__ import annotations

from pathlib import Path


def text(document: str) -> str:
    """Return a published schema."""
    return Path(__file__).with_name(f"{document}.schema.json").read_text("utf-8")
